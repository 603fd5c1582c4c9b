from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scorer.domino_duell import JOKERS, STONES
from vision.domino_duell.judge import EMPTY_COLUMN, JOKER_COLUMN, margins_of, settle


def contents(*rows: dict[int, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.full((len(rows), len(STONES) + 3), 1e-6)
    for row, given_row in zip(found, rows, strict=True):
        for column, probability in given_row.items():
            row[column] = probability
    return found


def test_a_stone_that_two_hollows_claim_goes_where_it_is_surer() -> None:
    found = settle(contents({5: 0.6, 7: 0.4}, {5: 0.9, 9: 0.1}, {EMPTY_COLUMN: 1.0}))
    assert found.tolist() == [7, 5, EMPTY_COLUMN]


def test_no_more_jokers_than_there_are() -> None:
    rows = [{JOKER_COLUMN: 0.9, EMPTY_COLUMN: 0.1}] * 5 + [{JOKER_COLUMN: 0.6, 3: 0.4}]
    found = settle(contents(*rows)).tolist()
    assert found.count(JOKER_COLUMN) == JOKERS
    assert found[-1] == 3


@given(st.integers(0, 2**32), st.floats(0.1, 8.0))
def test_each_stone_once_whatever_is_seen(seed: int, sharpness: float) -> None:
    rng = np.random.default_rng(seed)
    raised = np.exp(sharpness * rng.standard_normal((102, len(STONES) + 3)))
    found = settle(raised / raised.sum(1, keepdims=True))
    stones = found[found < len(STONES)]
    assert len(set(stones.tolist())) == len(stones)
    assert (found == JOKER_COLUMN).sum() <= JOKERS


def test_the_margin_is_what_the_next_best_board_costs() -> None:
    seen = contents({5: 0.6, 7: 0.4}, {5: 0.9, 9: 0.1}, {EMPTY_COLUMN: 1.0})
    margins = margins_of(seen, settle(seen), 50.0)
    # The other way round: 5 in the first hollow, 9 in the second.
    other = np.log(0.4 * 0.9 / (0.6 * 0.1))
    np.testing.assert_allclose(margins[:2], [other, other], rtol=1e-6)
    assert margins[2] > 10


def test_a_stone_is_sure_where_the_others_are_elsewhere() -> None:
    """White or grey? The white one lies elsewhere for sure, so it is the grey one."""
    seen = contents({5: 0.5, 7: 0.5}, {5: 1.0})
    chosen = settle(seen)
    assert chosen.tolist() == [7, 5]
    assert margins_of(seen, chosen, 50.0)[0] > 10


@given(st.integers(0, 2**32), st.floats(0.1, 3.0))
def test_margins_are_those_of_trying_everything(seed: int, sharpness: float) -> None:
    rng = np.random.default_rng(seed)
    seen = np.full((4, len(STONES) + 3), 1e-9)
    columns = [0, 1, 2, EMPTY_COLUMN, JOKER_COLUMN]
    raised = np.exp(sharpness * rng.standard_normal((4, len(columns))))
    seen[:, columns] = raised / raised.sum(1, keepdims=True)
    chosen = settle(seen)
    margins = margins_of(seen, chosen, 1e9)
    costs = {}
    for picked in itertools.product(columns, repeat=4):
        stones = [each for each in picked if each < len(STONES)]
        if len(set(stones)) == len(stones):
            costs[picked] = -float(np.log(seen[np.arange(4), picked]).sum())
    best = min(costs.values())
    for hollow in range(4):
        others = [cost for picked, cost in costs.items() if picked[hollow] != chosen[hollow]]
        assert abs(margins[hollow] - (min(others) - best)) < 1e-6
    bounded = margins_of(seen, chosen, 1.0)
    assert ((bounded >= 1.0) | np.isclose(bounded, margins)).all()
