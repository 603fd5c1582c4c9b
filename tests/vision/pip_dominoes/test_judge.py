"""Every rule that flags a domino, and what the set makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.judge import (
    DoubtSettings,
    PhotoCase,
    Settled,
    SettleSettings,
    combine,
    find_unclear,
    find_warnings,
    infer_set,
    judge,
    settle,
    settled_reading,
    why_refused,
)
from vision.pip_dominoes.recognise import RecognitionSettings
from vision.pip_dominoes.result import DominoReading, tiles_of

BOX = np.array([(100.0, 100.0), (180.0, 100.0), (180.0, 140.0), (100.0, 140.0)])
SURE = Settled((5, 2), 0.999, (2, 6), changed=False, twice=False)


def shares(*numbers: int, sure: float = 0.99) -> np.ndarray:
    rows = np.full((2, 19), (1 - sure) / 18)
    for row, number in zip(rows, numbers, strict=True):
        row[number] = sure
    return rows


BLANK, NO_PIPS = replace(SURE, halves=(0, 0)), shares(0, 0)[None]
HALF_BLANK, TWO_PIPS = replace(SURE, halves=(0, 2)), shares(0, 2)[None]


def evidence(**changed: object) -> Candidates:
    plain = Candidates(
        corners=BOX[None], scores=np.array([0.9]), counted=shares(5, 2)[None],
        recognised=shares(5, 2)[None], face=np.array([0.99]), figures=np.array([0.01]),
        rescored=np.array([0.9]), exists=np.array([0.99]),
    )  # fmt: skip
    return replace(plain, **changed)  # type: ignore[arg-type]


def join(*several: Candidates) -> Candidates:
    first, *others = several
    for each in others:
        first = first.joined(each)
    return first


def read(
    settled: Settled = SURE,
    seen: Candidates | None = None,
    scale: float = 1.0,
    colour_off: float = 0.0,
) -> DominoReading:
    seen = seen or evidence()
    likelihoods = combine(seen, RecognitionSettings())
    (reading,) = judge(
        [settled], seen, likelihoods, np.array([colour_off]), scale, (400, 300), DoubtSettings()
    )
    return reading


def test_a_sure_domino_is_not_flagged() -> None:
    reading = read()
    assert not reading.doubtful
    assert reading.reasons == ()
    assert (reading.tile, reading.pips, reading.runner_up) == ("2|5", 7, "2|6")


def test_what_is_sure_of_one_domino_says_nothing_of_the_next() -> None:
    """The second one's pips are of another number, but unsure of it."""
    unsure = shares(6, 2, sure=0.2)
    both = join(evidence(), evidence(counted=unsure[None]))
    settings = DoubtSettings()
    likelihoods = combine(both, RecognitionSettings())
    readings = judge([SURE, SURE], both, likelihoods, np.zeros(2), 1.0, (400, 300), settings)
    assert settings.max_dissent > 0.2
    assert ["dissent" in each.reasons for each in readings] == [False, False]


@pytest.mark.parametrize(
    ("reason", "reading"),
    [
        ("unlikely", lambda: read(replace(SURE, probability=0.9))),
        ("changed", lambda: read(replace(SURE, changed=True))),
        ("twice", lambda: read(replace(SURE, twice=True))),
        ("dissent", lambda: read(seen=evidence(counted=shares(6, 2)[None]))),
        ("dissent", lambda: read(seen=evidence(recognised=shares(5, 3)[None]))),
        ("existence", lambda: read(seen=evidence(exists=np.array([0.05])))),
        ("cut_off", lambda: read(seen=evidence(corners=BOX[None] - (105, 0)))),
        ("cut_off", lambda: read(seen=evidence(corners=BOX[None] + (0, 170)))),
        ("figures", lambda: read(seen=evidence(figures=np.array([0.6])))),
        ("figures", lambda: read(replace(SURE, halves=(6, 2)), evidence(figures=np.array([0.99])))),
        ("colour", lambda: read(BLANK, evidence(counted=NO_PIPS, recognised=NO_PIPS), 1.0, 12.1)),
        (
            "colour",
            lambda: read(HALF_BLANK, evidence(counted=TWO_PIPS, recognised=TWO_PIPS), 1.0, 12.1),
        ),
    ],
)  # fmt: skip
def test_what_is_odd_is_flagged_with_its_reason(reason: str, reading: object) -> None:
    got = reading()  # type: ignore[operator]
    assert got.doubtful
    assert got.reasons == (reason,)


def test_the_colour_tells_of_blanks_alone() -> None:
    assert not read(BLANK, evidence(counted=NO_PIPS, recognised=NO_PIPS), 1.0, 11.9).doubtful
    assert not read(colour_off=60.0).doubtful


@pytest.mark.parametrize(("beyond_px", "flagged"), [(-1, False), (3, False), (6, True), (20, True)])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_an_edge_without_pips_may_lie_beyond_the_picture(
    beyond_px: int, flagged: bool, turn: int
) -> None:
    """Of a short side of 40 pixels 4 at each side bear no pips."""
    box = np.roll(BOX, turn * 2 % 4, axis=0)
    to_edge = -BOX.min(0) if turn % 2 else np.array([400, 300]) - BOX.max(0)
    outwards = -beyond_px if turn % 2 else beyond_px
    for axis in np.eye(2):
        moved = box + (to_edge + outwards) * axis
        assert ("cut_off" in read(seen=evidence(corners=moved[None])).reasons) == flagged


def test_figures_that_are_plain_need_no_flag() -> None:
    assert not read(seen=evidence(figures=np.array([0.99]))).doubtful


def test_pips_are_not_counted_where_there_are_figures() -> None:
    seen = evidence(counted=shares(0, 0)[None], figures=np.array([0.99]))
    assert combine(seen, RecognitionSettings())[0].argmax(1).tolist() == [5, 2]


def test_neither_pips_nor_halves_alone_rule_a_number_out() -> None:
    seen = evidence(counted=shares(6, 2, sure=1.0)[None], recognised=shares(5, 2, sure=1.0)[None])
    both = combine(seen, RecognitionSettings())[0, 0]
    np.testing.assert_allclose(both[5], both[6])


def test_weights_take_pips_or_halves_out() -> None:
    seen = evidence(counted=shares(6, 2)[None])
    by_pips = combine(seen, RecognitionSettings(half_weight=0.0))[0].argmax(1).tolist()
    by_look = combine(seen, RecognitionSettings(pip_weight=0.0))[0].argmax(1).tolist()
    assert (by_pips, by_look) == ([6, 2], [5, 2])


def warnings_of(
    *readings: DominoReading, highest: int = 6, inferred: bool = False, unread: bool = False
) -> tuple[str, ...]:
    return find_warnings(PhotoCase(highest, inferred, unread), readings)


def test_warnings_name_the_set_and_what_is_odd() -> None:
    assert warnings_of() == ()
    assert warnings_of(inferred=True, highest=12) == ("set_inferred",)
    assert warnings_of(highest=15) == ("set_never_photographed",)
    assert warnings_of(unread=True, inferred=True) == ("set_inferred", "unread")


@pytest.mark.parametrize(
    ("warning", "reading"),
    [
        (("tile_twice",), lambda: read(replace(SURE, twice=True))),
        (("cut_off",), lambda: read(seen=evidence(corners=BOX[None] - (105, 0)))),
        (("figures",), lambda: read(seen=evidence(figures=np.array([0.6])))),
        ((), lambda: read(replace(SURE, probability=0.9))),
    ],
)  # fmt: skip
def test_what_is_odd_about_a_domino_is_warned_of(
    warning: tuple[str, ...], reading: Callable[[], DominoReading]
) -> None:
    assert warnings_of(reading()) == warning


def test_reasons_of_the_picture_stay_when_a_domino_is_settled_again() -> None:
    reading = read(replace(SURE, twice=True, probability=0.5), evidence(exists=np.array([0.05])))
    assert reading.reasons == ("existence", "unlikely", "twice")
    again = settled_reading(reading, replace(SURE, changed=True), DoubtSettings())
    assert again.reasons == ("existence", "changed")
    assert again.doubtful
    known = settled_reading(again, SURE, DoubtSettings(), known=True)
    assert (known.reasons, known.doubtful, known.probability) == ((), False, 1.0)
    # Settled again with another hand, it is as likely to be there.
    later = settled_reading(known, replace(SURE, probability=0.8), DoubtSettings())
    assert later.probability == 0.8


def test_a_reading_is_as_likely_as_its_numbers_and_its_domino_together() -> None:
    reading = read(replace(SURE, probability=0.8), evidence(exists=np.array([0.5])))
    assert reading.probability == 0.4


@pytest.mark.parametrize("row", range(5))
def test_more_of_a_domino_than_there_can_be_move_none_that_is_known(row: int) -> None:
    settled = settle(np.stack([shares(5, 2, sure=1.0)] * 5), 6, {row: (2, 5)})
    assert settled[row].halves == (5, 2)


def test_a_photograph_without_any_sure_domino_shows_none() -> None:
    settings = DoubtSettings()
    odd, sure = read(replace(SURE, changed=True)), read()
    assert why_refused([odd, odd], settings) == "no_dominoes"
    assert why_refused([odd, sure], settings) is None
    assert why_refused([odd] * 9 + [sure], settings) == "no_dominoes"
    assert why_refused([odd] * 8 + [sure], settings) is None
    assert why_refused([read(scale=0.2), read(scale=0.2)], settings) == "dominoes_too_small"
    assert why_refused([read(scale=0.2), read()], settings) is None
    # A flag alone refuses nothing.
    assert why_refused([read(replace(SURE, twice=True, probability=0.1))], settings) is None


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, False),
        (
            {"recognised": shares(5, 2, sure=0.6)[None], "counted": shares(5, 2, sure=0.4)[None]},
            True,
        ),
        ({"counted": shares(4, 2, sure=0.7)[None]}, True),
    ],
)
def test_what_is_not_clear_is_worth_another_look(
    changed: dict[str, object], expected: bool
) -> None:
    seen = evidence(**changed)
    assert find_unclear(seen, combine(seen, RecognitionSettings()), DoubtSettings()).tolist() == [
        expected
    ]


def seen(*halves: dict[int, float]) -> NDArray[np.float64]:
    """Likelihoods (n, 2, 19) of dominoes given as pairs of halves."""
    rows = np.full((len(halves), 19), 1e-6)
    for row, shares in zip(rows, halves, strict=True):
        for number, share in shares.items():
            row[number] = share
    return rows.reshape(-1, 2, 19)


def test_sure_dominoes_stay_as_they_lie() -> None:
    settled = settle(seen({5: 1}, {2: 1}, {2: 1}, {6: 1}), 6)
    assert [s.halves for s in settled] == [(5, 2), (2, 6)]
    assert all(s.probability > 0.99 and not s.changed and not s.twice for s in settled)


def test_the_less_sure_of_two_equal_dominoes_gives_way() -> None:
    settled = settle(seen({5: 1}, {4: 1}, {4: 1}, {5: 0.6, 6: 0.4}), 6)
    assert [s.halves for s in settled] == [(5, 4), (4, 6)]
    assert [s.changed for s in settled] == [False, True]


def test_a_domino_seen_twice_for_sure_is_told_not_hidden() -> None:
    settled = settle(seen({5: 1}, {4: 1}, {4: 1}, {5: 1}), 6)
    assert [s.halves for s in settled] == [(5, 4), (4, 5)]
    assert all(s.twice for s in settled)


def test_more_dominoes_than_the_set_has_are_settled_and_told() -> None:
    settled = settle(seen(*({1: 1.0} for _ in range(2 * 130))), 6)
    assert len(settled) == 130
    assert all(s.twice for s in settled)


def test_a_domino_seen_three_times_is_read_three_times() -> None:
    settled = settle(seen(*({1: 1.0} for _ in range(6))), 6)
    assert [s.halves for s in settled] == [(1, 1)] * 3


def test_no_half_is_above_the_set() -> None:
    settled = settle(seen({9: 1, 6: 0.2}, {1: 1}), 6)
    assert settled[0].halves == (6, 1)
    assert settle(seen({9: 1, 6: 0.2}, {1: 1}), 9)[0].halves == (9, 1)


def test_the_runner_up_is_the_second_best() -> None:
    (domino,) = settle(seen({5: 0.7, 6: 0.3}, {4: 1}), 6)
    assert domino.halves == (5, 4)
    assert domino.runner_up == (4, 6)
    assert domino.probability == pytest.approx(0.7, abs=0.01)


def test_what_a_person_said_is_fixed_and_moves_the_others() -> None:
    likelihoods = seen({5: 1}, {4: 1}, {5: 0.4, 6: 0.6}, {4: 1})
    assert [s.halves for s in settle(likelihoods, 6)] == [(5, 4), (6, 4)]
    settled = settle(likelihoods, 6, {0: (4, 6)})
    assert [tuple(sorted(s.halves)) for s in settled] == [(4, 6), (4, 5)]
    assert settled[0].probability == 1
    assert settled[0].runner_up is None
    with pytest.raises(ValueError, match="double-6"):
        settle(likelihoods, 6, {0: (4, 9)})


@pytest.mark.parametrize(
    ("numbers", "highest"),
    [
        ((1, 2, 3, 6), 6),
        ((1, 2, 3, 8, 9, 0, 7, 7), 9),
        ((12, 2, 3, 6), 12),
        ((13, 1, 2, 3), 15),
        ((1, 18, 2, 2), 18),
    ],
)
def test_the_smallest_set_that_explains_all_is_inferred(
    numbers: tuple[int, ...], highest: int
) -> None:
    assert infer_set(seen(*({number: 1.0} for number in numbers))) == highest


def test_one_doubtful_large_half_makes_no_larger_set() -> None:
    halves = [{number: 1.0} for number in (1, 2, 3, 4, 5, 6, 2, 2, 1, 1, 0, 3)]
    assert infer_set(seen(*halves, {9: 0.6, 6: 0.4}, {1: 1})) == 6


def test_no_other_choice_of_dominoes_is_more_probable() -> None:
    rng = np.random.default_rng(8)
    tiles = tiles_of(6)[:5]
    for _ in range(20):
        likelihoods = np.full((3, 2, 19), 1e-9)
        # Only five dominoes are possible: halves 0 and 0 to 4.
        likelihoods[:, 0, 0] = 1.0
        likelihoods[:, 1, :5] = rng.dirichlet(np.ones(5), 3)
        settled = settle(likelihoods, 6, settings=SettleSettings(copies=1))
        best = max(
            permutations(range(5), 3),
            key=lambda choice: sum(np.log(likelihoods[k, 1, c]) for k, c in enumerate(choice)),
        )
        assert [tuple(sorted(s.halves)) for s in settled] == [tiles[c] for c in best]


def test_bounds_belong_to_what_is_good_enough() -> None:
    doubt = DoubtSettings()
    at_least = read(seen=evidence(exists=np.array([doubt.surely_exists])))
    below = read(seen=evidence(exists=np.array([doubt.surely_exists - 1e-6])))
    assert ("existence" in at_least.reasons, "existence" in below.reasons) == (False, True)
    short = read(scale=40.0 / doubt.least_px)
    sizes = {each: replace(doubt, least_px=each * short.short_px) for each in (0.999, 1.0, 1.001)}
    assert {each: why_refused([short], settings) for each, settings in sizes.items()} == {
        0.999: None, 1.0: None, 1.001: "dominoes_too_small",
    }  # fmt: skip
