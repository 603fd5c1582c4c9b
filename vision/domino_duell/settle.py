"""Settling by the box: each of the 64 stones lies on the board once at most, jokers four times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.domino_duell import JOKERS, STONES

__all__ = ["EMPTY_COLUMN", "JOKER_COLUMN", "settled"]

Floats = NDArray[np.float64]

EMPTY_COLUMN, JOKER_COLUMN = len(STONES), len(STONES) + 1
LEAST = 1e-9


def settled(contents: Floats) -> NDArray[np.int64]:
    """The most probable contents (n,) as columns of ``contents`` (n, 67), each stone once.

    A linear assignment of hollows to the 64 stones, to four jokers, or to remain empty.
    """
    cost = -np.log(np.maximum(contents, LEAST))
    count = len(contents)
    table = np.c_[
        cost[:, : len(STONES)],
        np.repeat(cost[:, JOKER_COLUMN : JOKER_COLUMN + 1], JOKERS, axis=1),
        np.repeat(cost[:, EMPTY_COLUMN : EMPTY_COLUMN + 1], count, axis=1),
    ]
    rows, columns = linear_sum_assignment(table)
    chosen = np.full(count, EMPTY_COLUMN, np.int64)
    chosen[rows] = np.where(
        columns < len(STONES),
        columns,
        np.where(columns < len(STONES) + JOKERS, JOKER_COLUMN, EMPTY_COLUMN),
    )
    return chosen
