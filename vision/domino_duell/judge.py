"""Settling by the box: each of the 64 stones lies on the board once at most, jokers four times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.domino_duell import JOKERS, STONES

__all__ = ["EMPTY_COLUMN", "JOKER_COLUMN", "least_margins", "margins_of", "settle"]

Floats = NDArray[np.float64]
Columns = NDArray[np.int64]

EMPTY_COLUMN, JOKER_COLUMN = len(STONES), len(STONES) + 1
LEAST = 1e-9
FORBIDDEN = 1e6


def settle(contents: Floats) -> Columns:
    """The most probable contents (n,) as columns of ``contents`` (n, 67), each stone once.

    A linear assignment of hollows to the 64 stones, to four jokers, or to remain empty.
    """
    return _assigned(_costs(contents))[0]


def margins_of(contents: Floats, chosen: Columns, most_nats: float) -> Floats:
    """How many nats the best board with something else in a hollow is worse (n,).

    ``chosen`` (n,) is the settled board. A stone that is doubtful by itself can be certain
    because it can lie nowhere else, and the other way round. Beyond ``most_nats`` nobody asks:
    such margins are at least that.
    """
    costs = _costs(contents)
    rows = np.arange(len(contents))
    best = float(costs[rows, chosen].sum())
    others = costs[:, : EMPTY_COLUMN + 2].copy()
    others[rows, chosen] = FORBIDDEN
    # Nothing else on the board can gain more than this by a stone that becomes free.
    gain = float((costs[rows, chosen] - costs.min(1)).sum())
    margins = others.min(1) - costs[rows, chosen] - gain
    for row in np.flatnonzero(margins < most_nats):
        asked = costs.copy()
        asked[row, chosen[row]] = FORBIDDEN
        margins[row] = _assigned(asked)[1] - best
    return np.asarray(margins, np.float64)


def least_margins(views: Floats, chosen: Columns, most_nats: float) -> Floats:
    """The least of the margins (n,) of several readings (m, n, 67) of one board.

    It is 0 where one of them settles on something else than ``chosen`` (n,).
    """
    least = np.full(len(chosen), np.inf)
    for contents in views:
        mine = settle(contents)
        margins = np.where(mine == chosen, margins_of(contents, mine, most_nats), 0.0)
        least = np.minimum(least, margins)
    return least


def _costs(contents: Floats) -> Floats:
    """Nats (n, 66) of the 64 stones, empty and joker."""
    return np.asarray(-np.log(np.maximum(contents[:, : JOKER_COLUMN + 1], LEAST)))


def _assigned(cost: Floats) -> tuple[Columns, float]:
    count = len(cost)
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
    return chosen, float(table[rows, columns].sum())
