"""Pair the squares of a kingdom to be drawn as dominoes."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Kingdom, Position

__all__ = ["pair_squares"]


_BOX = {
    frozenset((str(domino.left), str(domino.right))) for domino in BASE_DOMINOES + GIANT_DOMINOES
}
_NOT_IN_BOX, _APART = 10.0, 1000.0


def pair_squares(kingdom: Kingdom, rng: np.random.Generator) -> list[tuple[Position, ...]]:
    """All squares that are not empty, as pairs (dominoes) and singles (the castle, the rest).

    A minimum-cost matching between the two colours of a chequerboard, since a domino covers one
    square of each: as many pairs as possible, preferably pairs of the box, otherwise at random.
    """
    cells = [
        (row, column)
        for row in range(kingdom.height)
        for column in range(kingdom.width)
        if kingdom[row, column].terrain is not None
    ]
    dark = [cell for cell in cells if sum(cell) % 2 == 0]
    light = [cell for cell in cells if sum(cell) % 2 == 1]
    cost = np.full((len(dark), len(light)), _APART)
    for i, (row, column) in enumerate(dark):
        for j, (other_row, other_column) in enumerate(light):
            if abs(row - other_row) + abs(column - other_column) == 1:
                pair = kingdom[row, column], kingdom[other_row, other_column]
                in_box = frozenset(str(square.printed) for square in pair) in _BOX
                cost[i, j] = rng.random() + (0 if in_box else _NOT_IN_BOX)
    pairs: list[tuple[Position, ...]] = []
    for i, j in zip(*linear_sum_assignment(cost), strict=True):
        if cost[i, j] < _APART:
            first, second = dark[i], light[j]
            pairs.append((first, second) if rng.random() < 0.5 else (second, first))
    taken = {cell for pair in pairs for cell in pair}
    alone = [
        (row, column)
        for row in range(kingdom.height)
        for column in range(kingdom.width)
        if not kingdom[row, column].is_empty and (row, column) not in taken
    ]
    return pairs + [(cell,) for cell in alone]
