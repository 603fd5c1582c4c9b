"""Where kingdoms and loose dominoes lie that are close beside a kingdom, nearly aligned."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position

__all__ = ["place_close_domino", "place_close_kingdom"]

Floats = NDArray[np.float64]

# Gaps in squares: a finger's breadth of a kingdom, less of a domino that belongs to nobody yet.
KINGDOM_GAP = (0.05, 1.2)
DOMINO_GAP = (0.05, 0.6)
# Half of what lies beside a kingdom is turned a little, with this deviation in degrees.
TURNED_SHARE = 0.5
TURN_DEG = 8.0
TRIES = 40
# At least so much lies between a loose domino and every square.
MARGIN = 0.02


def place_close_kingdom(
    first: Collection[Position], second: Collection[Position], rng: np.random.Generator
) -> Floats:
    """Where the lattice of a second kingdom lies on that of the first: a matrix (3, 3).

    Both are given by their cells. Beside each other, in rows that go on or are shifted by any part
    of a square.
    """
    axis, side = int(rng.integers(2)), int(rng.choice([-1, 1]))
    ours, theirs = np.array(sorted(first)), np.array(sorted(second))
    gap = float(rng.uniform(*KINGDOM_GAP))
    move = np.zeros(2)
    if side > 0:
        move[axis] = ours[:, axis].max() + 1 + gap - theirs[:, axis].min()
    else:
        move[axis] = ours[:, axis].min() - 1 - gap - theirs[:, axis].max()
    across = 1 - axis
    move[across] = np.round(ours[:, across].mean() - theirs[:, across].mean())
    if rng.random() < 0.6:
        move[across] += rng.uniform(-2, 2)
    else:
        move[across] += rng.integers(-2, 3)
    turn = float(np.clip(rng.normal(0, 1.0), -2, 2)) if rng.random() < TURNED_SHARE else 0.0
    middle = theirs.mean(0) + 0.5
    return _turned(turn, middle, move)


def place_close_domino(cells: Collection[Position], rng: np.random.Generator) -> Floats | None:
    """Where a loose domino, of the cells (0, 0) and (0, 1), lies beside a kingdom of these cells.

    A matrix (3, 3) from its lattice to that of the kingdom. None where no place was found.
    """
    taken = np.array(sorted(cells)) + 0.5
    for _ in range(TRIES):
        row, column = taken[int(rng.integers(len(taken)))]
        axis, side = int(rng.integers(2)), int(rng.choice([-1, 1]))
        lies_across = bool(rng.random() < 0.5)
        length = np.array([1.0, 2.0] if not lies_across else [2.0, 1.0])
        gap = float(rng.uniform(*DOMINO_GAP))
        middle = np.array([row, column])
        middle[axis] += side * (0.5 + gap + length[axis] / 2)
        middle[1 - axis] += rng.uniform(-1, 1) if rng.random() < 0.6 else rng.integers(-1, 2) / 2
        turn = float(np.clip(rng.normal(0, TURN_DEG), -25, 25))
        turn = turn if rng.random() < TURNED_SHARE else 0.0
        along = np.array([1.0, 0.0] if lies_across else [0.0, 1.0])
        halves = np.array([middle - along / 2, middle + along / 2])
        # Half the width of a turned square beside one that is not, and half of that one's.
        reach = (1 + np.cos(np.deg2rad(turn)) + np.sin(abs(np.deg2rad(turn)))) / 2
        free = (np.abs(halves[:, None] - taken[None]).max(2) >= reach + MARGIN).all()
        if free:
            return _turned(turn + 90.0 * lies_across, np.array([0.5, 1.0]), middle - (0.5, 1.0))
    return None


def _turned(turn_deg: float, middle: Floats, move: Floats) -> Floats:
    """The matrix (3, 3) on (x, y) that turns about ``middle`` and moves, both (row, column)."""
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    y, x = middle
    there = np.array([[1, 0, x + move[1]], [0, 1, y + move[0]], [0, 0, 1.0]])
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    back = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]])
    return np.asarray(there @ turn @ back)
