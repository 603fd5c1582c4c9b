"""The judgement: which label stands, which squares are flagged, and when the grid is uncertain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import observed, seen, sure_of
from vision.common.geometry import Extent
from vision.kingdomino import settling
from vision.kingdomino.result import SquareReading
from vision.kingdomino.settling import (
    Judgement,
    JudgeSettings,
    Observation,
    Settled,
    SettleSettings,
    find_confirmed,
    find_holes,
    judge,
    judge_table,
)

WITHOUT_BOX = JudgeSettings(use_box=False)
HERE = (0, 3)


def judged(observation: Observation, settings: JudgeSettings | None = None) -> Judgement:
    (outcome,) = judge([observation], settings)
    return outcome


def at_the_end(found: NDArray[np.float64], **changes: object) -> SquareReading:
    """The reading of one more position beside a sure kingdom of a castle and a domino."""
    kingdom = observed("c w w")
    whole = replace(
        kingdom,
        probabilities={**kingdom.probabilities, HERE: found},
        considered=(*kingdom.considered, HERE),
        extent=Extent(0, 0, 1, 4),
    )
    return judged(replace(whole, **changes), WITHOUT_BOX).squares[HERE]  # type: ignore[arg-type]


WITH_GIANTS = JudgeSettings(settle=SettleSettings(giants=True))


@pytest.mark.parametrize("labels", [("w2", "f1"), ("f2", "l1"), ("l2", "g1")])
def test_with_the_giants_their_dominoes_are_read(labels: tuple[str, str]) -> None:
    outcome = judged(observed(f"c {' '.join(labels)}"), WITH_GIANTS)
    assert [square.label for square in outcome.squares.values()] == ["c", *labels]
    assert flags(outcome) == []


def test_without_the_giants_two_crowns_are_one_and_flagged() -> None:
    outcome = judged(observed("c w2 f1"))
    found = outcome.squares[0, 1]
    assert (found.label, found.runner_up, found.doubtful) == ("w1", "w2", True)
    assert found.probability == pytest.approx(0.99)
    assert flags(outcome) == [(0, 1)]
    # No box has this domino.
    assert flags(judged(observed("c w2 f"))) == [(0, 1), (0, 2)]


@pytest.mark.parametrize(("share", "flagged"), [(0.2, False), (0.21, True)])
def test_a_share_of_two_crowns_flags_a_square(share: float, flagged: bool) -> None:
    mixed = observed("c w1 f")
    found = seen(w1=0.99 - share, w2=share)
    outcome = judged(replace(mixed, probabilities={**mixed.probabilities, (0, 1): found}))
    assert outcome.squares[0, 1].label == "w1"
    assert outcome.squares[0, 1].doubtful == flagged
    assert (outcome.squares[0, 1].runner_up == "w2") == flagged


def test_with_the_giants_doubt_between_one_and_two_crowns_is_flagged() -> None:
    mixed = observed("c f1 w2")
    found = seen(w1=0.3, w2=0.69)
    outcome = judged(
        replace(mixed, probabilities={**mixed.probabilities, (0, 2): found}), WITH_GIANTS
    )
    square = outcome.squares[0, 2]
    assert (square.label, square.runner_up, square.doubtful) == ("w2", "w1", True)


def test_the_giants_are_there_where_a_person_says_so() -> None:
    outcome = judged(observed("c w2 f1/. f2 l1", corrections={(0, 1): "w2"}))
    assert outcome.squares[1, 1] == judged(observed("c w2 f1/. f2 l1"), WITH_GIANTS).squares[1, 1]
    assert flags(outcome) == []


def test_in_another_game_what_was_corrected_has_no_flag() -> None:
    outcome = judged(observed("c w2 f", corrections={(0, 1): "w1"}))
    assert outcome.squares[0, 1] == SquareReading("w1", 1.0)


def flags(outcome: Judgement) -> list[tuple[int, int]]:
    return [position for position, reading in outcome.squares.items() if reading.doubtful]


def test_a_sure_kingdom_is_read_without_a_flag() -> None:
    outcome = judged(observed("c w w/f f ."))
    assert outcome.certain
    assert outcome.extent == (0, 0, 2, 3)
    assert [s.label for s in outcome.squares.values()] == ["c", "w", "w", "f", "f", "."]
    assert flags(outcome) == []


@pytest.mark.parametrize(("share", "flagged"), [(0.949, True), (0.95, False), (0.951, False)])
def test_a_square_is_flagged_below_95_percent(share: float, flagged: bool) -> None:
    reading = at_the_end(seen(w1=share, w=0.04))
    assert (reading.label, reading.runner_up, reading.doubtful) == ("w1", "w", flagged)
    assert reading.probability == share


@pytest.mark.parametrize(("share", "flagged"), [(0.201, True), (0.2, False)])
def test_another_games_square_is_no_square_and_flagged(share: float, flagged: bool) -> None:
    reading = at_the_end(seen(x=share, bare=1 - share))
    assert (reading.label, reading.doubtful) == (".", flagged)
    assert reading.probability == pytest.approx(1.0)


def test_another_games_square_counts_for_no_square_and_never_as_a_label() -> None:
    reading = at_the_end(seen(x=0.35, bare=0.2, w=0.44))
    assert (reading.label, reading.runner_up) == (".", "w")
    assert reading.probability == pytest.approx(0.55)


def test_what_nobody_considered_is_no_square_whatever_was_seen() -> None:
    found = seen(w=0.9, bare=0.1)
    reading = at_the_end(found, considered=observed("c w w").considered)
    assert (reading.label, reading.doubtful, reading.settled_from) == (".", False, None)
    assert reading.runner_up == "w"


def test_what_the_box_changed_is_flagged_and_keeps_what_was_seen() -> None:
    # The box has a mine with two crowns beside wheat, none with one beside a swamp.
    kingdom = observed("c f1 w/. s m1")
    probabilities = {**kingdom.probabilities, (1, 2): seen(m1=0.6, m2=0.4)}
    reading = judged(replace(kingdom, probabilities=probabilities)).squares[1, 2]
    assert (reading.label, reading.settled_from, reading.runner_up) == ("m2", "m1", "m1")
    assert reading.doubtful
    assert reading.probability == pytest.approx(0.4)


def test_a_square_without_a_partner_is_flagged() -> None:
    outcome = judged(observed("c w w f"))
    assert flags(outcome) == [(0, 1)] or flags(outcome) == [(0, 3)]
    assert outcome.certain


@pytest.mark.parametrize("notation", ["w w f f", "c w w c"])
def test_without_exactly_one_castle_the_grid_is_uncertain(notation: str) -> None:
    outcome = judged(observed(notation), WITHOUT_BOX)
    assert not outcome.certain
    assert len(flags(outcome)) == 1


def test_a_castle_and_one_square_are_too_few_for_certainty() -> None:
    assert not judged(observed("c w"), WITHOUT_BOX).certain
    assert judged(observed("c w w"), WITHOUT_BOX).certain


@pytest.mark.parametrize(("side", "certain"), [(7, True), (8, False)])
@pytest.mark.parametrize("between", [" ", "/"])
def test_no_grid_has_more_than_seven_rows_or_columns(
    side: int, certain: bool, between: str
) -> None:
    kingdom = between.join(["c", *["w"] * (side - 1)])
    assert judged(observed(kingdom), WITHOUT_BOX).certain is certain


def test_an_uncertain_grid_flags_its_least_probable_square() -> None:
    kingdom = observed("w w w .")
    probabilities = {**kingdom.probabilities, (0, 1): sure_of("w", 0.95), (0, 3): seen(bare=0.94)}
    without_castle = replace(kingdom, probabilities=probabilities, extent=Extent(0, 0, 1, 4))
    assert flags(judged(without_castle, WITHOUT_BOX)) == [(0, 1)]


def test_an_uncertain_grid_with_a_flag_gets_no_other() -> None:
    kingdom = observed("w w w")
    probabilities = {**kingdom.probabilities, (0, 2): seen(w=0.9, f=0.1)}
    assert flags(judged(replace(kingdom, probabilities=probabilities), WITHOUT_BOX)) == [(0, 2)]


def test_a_solver_out_of_time_makes_the_kingdom_uncertain_and_flags_it() -> None:
    settings = JudgeSettings(settle=SettleSettings(time_limit_s=0.0))
    # No domino has two mines with three crowns, so that there is something to solve.
    outcome = judged(observed("c m3 m3/f f ."), settings)
    assert [s.label for s in outcome.squares.values()] == ["c", "m3", "m3", "f", "f", "."]
    assert not outcome.certain
    assert len(flags(outcome)) == 1


def test_without_the_box_each_square_keeps_its_most_probable_label() -> None:
    outcome = judged(observed("c s m1/w w w"), WITHOUT_BOX)
    assert outcome.certain
    assert flags(outcome) == []


def test_nothing_seen_is_no_kingdom_unless_its_extent_is_given() -> None:
    nothing = observed(". .")
    (outcome,) = judge([nothing])
    assert (outcome.squares, outcome.certain) == ({}, False)
    outcome = judged(replace(nothing, extent=Extent(0, 0, 1, 2)))
    assert [s.label for s in outcome.squares.values()] == [".", "."]
    assert not outcome.certain
    assert len(flags(outcome)) == 1


def test_the_extent_is_the_smallest_that_holds_all_squares() -> None:
    outcome = judged(observed(". . ./. c w/. . w"))
    assert outcome.extent == (1, 1, 2, 2)
    assert set(outcome.squares) == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_kingdoms_of_one_game_share_the_box() -> None:
    # One domino of the box has a mine with three crowns: of two, the less probable gives way.
    first = observed("c w m3")
    second = observed("c w m3")
    less = seen(m3=0.55, m2=0.45)
    second = replace(second, probabilities={**second.probabilities, (0, 2): less})
    one, other = judge([first, second])
    assert one.squares[0, 2].label == "m3"
    assert (other.squares[0, 2].label, other.squares[0, 2].doubtful) == ("m2", True)
    assert judged(second).squares[0, 2].label == "m3"


@pytest.mark.parametrize("label", ["f2", "w3", "w2", "l2", "m3!", "."])
@pytest.mark.parametrize("settings", [JudgeSettings(), WITHOUT_BOX])
def test_a_correction_stands_whatever_it_is_and_is_never_flagged(
    label: str, settings: JudgeSettings
) -> None:
    outcome = judged(observed("c w w/f f .", corrections={(0, 1): label}), settings)
    assert outcome.squares[0, 1] == SquareReading(label, 1.0)
    assert outcome.squares[1, 0].label == "f"


def test_a_correction_brings_the_dominoes_of_age_of_giants_into_play() -> None:
    corrected = observed("c w f1/. . .", corrections={(0, 1): "w2"})
    outcome = judged(corrected)
    assert [outcome.squares[0, k].label for k in range(3)] == ["c", "w2", "f1"]
    assert flags(outcome) == []


@pytest.mark.parametrize(("label", "unpaired"), [("f2", set()), ("f1", {(0, 1), (0, 2)})])
def test_expansion_dominoes_only_count_where_a_correction_names_them(
    label: str, unpaired: set[Position]
) -> None:
    """Without the expansion no domino pairs a forest with two crowns."""
    assert judged(observed("c l1 l1", corrections={(0, 1): label})).unpaired == unpaired


def test_a_correction_of_a_place_that_nobody_considered_counts() -> None:
    kingdom = observed("c w .", corrections={(0, 2): "w"}, extent=Extent(0, 0, 1, 3))
    outcome = judged(kingdom)
    assert outcome.squares[0, 2] == SquareReading("w", 1.0)
    assert outcome.certain
    assert flags(outcome) == []


def test_corrections_never_carry_the_flag_of_an_uncertain_grid() -> None:
    kingdom = observed("w w w", corrections={(0, 1): "w"})
    probabilities = {**kingdom.probabilities, (0, 0): sure_of("w", 0.98)}
    outcome = judged(replace(kingdom, probabilities=probabilities), WITHOUT_BOX)
    assert flags(outcome) == [(0, 0)]
    everything = {(0, 0): "w", (0, 1): "w", (0, 2): "w"}
    assert flags(judged(replace(kingdom, corrections=everything), WITHOUT_BOX)) == []


def test_a_correction_survives_a_solver_out_of_time() -> None:
    settings = JudgeSettings(settle=SettleSettings(time_limit_s=0.0))
    outcome = judged(observed("c w w/f f .", corrections={(0, 1): "l1"}), settings)
    assert outcome.squares[0, 1].label == "l1"


def test_without_the_box_no_solver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> list[Settled]:
        raise AssertionError("the box was asked")

    monkeypatch.setattr(settling, "settle", never)
    assert judged(observed("c w w"), WITHOUT_BOX).certain


@pytest.mark.parametrize("label", ["m3", "m2"])
def test_the_rest_is_settled_around_a_correction(label: str) -> None:
    # The box pairs a mine with three crowns with wheat, one with two crowns with wheat or swamp.
    kingdom = observed("c s m1", corrections={(0, 2): label})
    probabilities = {**kingdom.probabilities, (0, 1): seen(s=0.6, w=0.4)}
    outcome = judged(replace(kingdom, probabilities=probabilities))
    assert outcome.squares[0, 1].label == {"m3": "w", "m2": "s"}[label]
    assert outcome.squares[0, 1].doubtful


@pytest.mark.parametrize("settings", [JudgeSettings(), WITHOUT_BOX])
@pytest.mark.parametrize("notation", ["c w w", "c m3 m3"])
def test_a_place_of_which_nothing_is_known_is_bare(notation: str, settings: JudgeSettings) -> None:
    """Whether the box has the rest as it was seen or not."""
    kingdom = observed(notation, extent=Extent(0, 0, 2, 3))
    outcome = judged(replace(kingdom, considered=(*kingdom.considered, (1, 1))), settings)
    for column in range(3):
        reading = outcome.squares[1, column]
        assert (reading.label, reading.probability, reading.doubtful) == (".", 1.0, False)
    assert outcome.certain


def test_probabilities_a_little_over_one_are_one() -> None:
    assert at_the_end(seen(w=0.5, x=0.0) + sure_of("w", 0.5 + 1e-9)).probability == 1.0


def test_without_the_box_corrections_belong_to_their_places() -> None:
    outcome = judged(observed("c w w", corrections={(0, 1): "f", (0, 2): "l"}), WITHOUT_BOX)
    assert [s.label for s in outcome.squares.values()] == ["c", "f", "l"]


def test_kingdoms_of_several_games_are_judged_each_for_itself() -> None:
    # Both need the only domino of three mines.
    one = observed("c w m3")
    apart = judge_table([one, one])
    assert [each.squares[0, 2].doubtful for each in apart if each] == [False, False]
    together = judge([one, one])
    assert any(square.doubtful for each in together if each for square in each.squares.values())


def test_kingdoms_judged_each_for_itself_keep_to_the_settings() -> None:
    one = observed("c w2 f1")
    apart = judge_table([one, one], WITH_GIANTS)
    assert [s.doubtful for each in apart if each for s in each.squares.values()] == [False] * 6


def test_a_single_kingdom_of_a_table_is_judged_by_the_settings_too() -> None:
    (alone,) = judge_table([observed("c w2 f1")], WITH_GIANTS)
    assert flags(alone) == []


def test_where_one_box_leaves_no_more_doubt_the_kingdoms_are_of_one_game() -> None:
    # One domino of the box has a mine with three crowns; the second mine is in doubt either way.
    second = observed("c w m3")
    less = seen(m3=0.55, m2=0.45)
    second = replace(second, probabilities={**second.probabilities, (0, 2): less})
    told = judge_table([observed("c w m3"), second])
    assert [each.squares[0, 2].label for each in told if each] == ["m3", "m2"]


def test_squares_that_are_half_of_no_domino_are_named() -> None:
    assert judged(observed("c w w")).unpaired == frozenset()
    outcome = judged(observed("c w w f"))
    assert outcome.unpaired == set(flags(outcome))
    assert Judgement({}, Extent(0, 0, 0, 0), True).unpaired == frozenset()


@pytest.mark.parametrize("settings", [JudgeSettings(), WITHOUT_BOX])
def test_a_correction_beyond_the_kingdom_makes_it_wider(settings: JudgeSettings) -> None:
    outcome = judged(observed("c w w .", corrections={(0, 3): "f"}), settings)
    assert outcome.extent == (0, 0, 1, 4)
    assert outcome.squares[0, 3].label == "f"


def test_what_something_covers_is_flagged_whatever_seems_to_be_there() -> None:
    (judged,) = judge([observed("c w w/. . .", hidden=[(1, 1), (0, 1)])])
    # The kingdom may go on below.
    assert judged.extent == (0, 0, 2, 3)
    flagged = {p: s.reason for p, s in judged.squares.items() if s.doubtful}
    assert flagged == {(0, 1): "hidden", (1, 1): "hidden"}


def test_a_half_tells_that_its_other_half_lies_below_what_covers_the_next_cell() -> None:
    (judged,) = judge([observed("c w w m3/. . . .", hidden=[(1, 3)])])
    assert judged.extent == (0, 0, 2, 4)
    assert judged.squares[1, 3].label == "."
    assert judged.squares[1, 3].reason == "hidden"
    assert judged.squares[1, 3].doubtful
    assert judged.squares[0, 3].label == "m3"
    assert not judged.unpaired


def test_no_half_lies_where_a_person_says_that_what_is_hidden_is_empty() -> None:
    hidden = observed("c w w m3/. . . .", hidden=[(1, 3)])
    assert not judged(hidden).unpaired
    assert len(judged(replace(hidden, corrections={(1, 3): "."})).unpaired) == 1


def test_holes_are_asked_about_where_a_half_lacks_its_other_half() -> None:
    holes = [(1, 2), (1, 3)]
    (whole,) = judge([observed("c w w f f/w w . . .", holes=holes)])
    assert flags(whole) == []
    assert whole.hidden == frozenset()
    (judged,) = judge([observed("c w w f f/w w . . m3", holes=holes)])
    assert flags(judged) == holes
    assert judged.hidden == {*holes}
    assert {judged.squares[cell].reason for cell in holes} == {"hidden"}
    assert not judged.unpaired
    (corrected,) = judge(
        [observed("c w w f f/w w . . m3", holes=holes, corrections=dict.fromkeys(holes, "."))]
    )
    assert corrected.hidden == frozenset()


def test_holes_lie_beside_the_squares_of_a_kingdom_and_within_its_extent() -> None:
    occupied = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (3, 0), (3, 2)]
    assert find_holes(occupied, ()) == {(1, 1), (1, 2), (2, 1), (3, 1), (2, 2)}
    assert find_holes(occupied, {(1, 1), (2, 2), (4, 4)}) == {(1, 2), (2, 1), (3, 1)}
    assert find_holes([], ()) == set()


def test_cells_beyond_the_edge_of_the_picture_are_flagged() -> None:
    edge = {(0, 2): 0.0, (0, 3): 0.3, (1, 3): 0.05, (2, 0): 0.29}
    outcome = judged(observed("c w ./w . .", cut_off=edge), WITHOUT_BOX)
    # A column that is seen in part belongs to it, a row of which hardly anything is seen does not.
    assert outcome.extent == (0, 0, 2, 2)
    seen = judged(observed("c w ./w . .", cut_off={**edge, (0, 2): 0.3}), WITHOUT_BOX)
    assert seen.extent == (0, 0, 2, 3)
    assert {p: s.reason for p, s in seen.squares.items() if s.doubtful} == {(0, 2): "cut_off"}


def test_a_half_may_have_its_other_half_beyond_the_edge_of_the_picture() -> None:
    for seen_of_it, unpaired in ((0.3, set()), (0.29, {(0, 3)})):
        (outcome,) = judge([observed("c w w m3", cut_off={(0, 4): seen_of_it})])
        assert outcome.unpaired == unpaired
        assert flags(outcome) == [(0, 3 if unpaired else 4)]


def test_an_extent_that_a_person_has_set_stays() -> None:
    framed = observed("c w w f f", hidden=[(1, 1)], extent=Extent(0, 0, 1, 5))
    assert judged(framed, WITHOUT_BOX).extent == (0, 0, 1, 5)


def test_squares_that_lie_apart_are_asked_about_and_offered() -> None:
    outcome = judged(observed("c w w", apart={(0, 4): "f", (1, 0): "w"}), WITHOUT_BOX)
    assert outcome.extent == (0, 0, 2, 5)
    assert flags(outcome) == [(0, 4), (1, 0)]
    assert outcome.squares[0, 4] == SquareReading(".", 1.0, "f", doubtful=True, reason="loose")


def test_what_lies_apart_changes_no_square_and_no_correction() -> None:
    seen_there = judged(observed("c w w", apart={(0, 1): "f"}), WITHOUT_BOX)
    assert flags(seen_there) == []
    corrected = observed("c w w", apart={(0, 3): "f"}, corrections={(0, 3): "."})
    assert flags(judged(corrected, WITHOUT_BOX)) == []


def beside_one(partner: str, **changes: object) -> Observation:
    """A castle, a sure ``partner``, and a mine with one crown or two."""
    kingdom = observed(f"c {partner}")
    return replace(
        kingdom,
        probabilities={**kingdom.probabilities, (0, 2): seen(m2=0.6, m1=0.4)},
        considered=(*kingdom.considered, (0, 2)),
        **changes,  # type: ignore[arg-type]
    )


# The box has mines with one crown and with two beside wheat, of those beside swamp only the latter.
TWO_CROWNS = {(0, 2): "m2"}


@pytest.mark.parametrize(("partner", "confirmed"), [("s", {(0, 2)}), ("w", set())])
def test_a_label_is_confirmed_where_the_box_has_no_other(
    partner: str, confirmed: set[Position]
) -> None:
    assert find_confirmed(beside_one(partner), TWO_CROWNS) == confirmed


def test_a_label_that_the_box_speaks_against_is_not_confirmed() -> None:
    assert find_confirmed(beside_one("s"), {(0, 2): "m1"}) == set()
    assert find_confirmed(beside_one("s"), {(0, 2): "l", (5, 5): "w"}) == set()


@pytest.mark.parametrize("how", ["hidden", "cut_off"])
def test_halves_that_may_lie_unseen_leave_it_open(how: str) -> None:
    unseen = dict.fromkeys([(1, 1), (0, 3)], 0.01)
    assert find_confirmed(beside_one("s", **{how: unseen}), TWO_CROWNS) == set()


def test_without_the_box_nothing_is_confirmed() -> None:
    assert find_confirmed(beside_one("s"), TWO_CROWNS, WITHOUT_BOX) == set()
