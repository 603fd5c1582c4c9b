from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scorer.domino_duell import JOKERS, STONES
from vision.domino_duell.settle import EMPTY_COLUMN, JOKER_COLUMN, settled


def contents(*rows: dict[int, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.full((len(rows), len(STONES) + 3), 1e-6)
    for row, given_row in zip(found, rows, strict=True):
        for column, probability in given_row.items():
            row[column] = probability
    return found


def test_a_stone_that_two_hollows_claim_goes_where_it_is_surer() -> None:
    found = settled(contents({5: 0.6, 7: 0.4}, {5: 0.9, 9: 0.1}, {EMPTY_COLUMN: 1.0}))
    assert found.tolist() == [7, 5, EMPTY_COLUMN]


def test_no_more_jokers_than_there_are() -> None:
    rows = [{JOKER_COLUMN: 0.9, EMPTY_COLUMN: 0.1}] * 5 + [{JOKER_COLUMN: 0.6, 3: 0.4}]
    found = settled(contents(*rows)).tolist()
    assert found.count(JOKER_COLUMN) == JOKERS
    assert found[-1] == 3


@given(st.integers(0, 2**32), st.floats(0.1, 8.0))
def test_each_stone_once_whatever_is_seen(seed: int, sharpness: float) -> None:
    rng = np.random.default_rng(seed)
    raised = np.exp(sharpness * rng.standard_normal((102, len(STONES) + 3)))
    found = settled(raised / raised.sum(1, keepdims=True))
    stones = found[found < len(STONES)]
    assert len(set(stones.tolist())) == len(stones)
    assert (found == JOKER_COLUMN).sum() <= JOKERS
