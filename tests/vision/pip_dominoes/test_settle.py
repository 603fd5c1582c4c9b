"""Each domino once, none above the set: what the set makes of what was seen."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pip_dominoes.judge import SettleSettings, infer_set, settle
from vision.pip_dominoes.result import tiles_of


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
