"""Which squares of a lattice touch, and which rows and columns they span."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import Extent, beside, connect, pairs_of
from vision.kingdomino.detect.lattice import Detections, Lattice, LatticeSettings, align_all

__all__ = [
    "DividingLine",
    "find_taken_cells",
    "group_by_contact",
    "measure_gaps",
    "measure_rotations",
    "rank_dividing_lines",
    "with_hidden_edges",
]

Floats = NDArray[np.float64]
Pair = tuple[Position, Position]

# The least that a kingdom has: its castle and a domino.
MIN_SQUARES = 3
# What a square beyond the size of a kingdom counts against a line, as a gap, in squares.
BEYOND_COST = 0.02
# A square whose centre is nearer than this to that of a cell covers a good part of the cell.
TAKEN_REACH = 0.7
# Crooked squares of a kingdom lie nearer to their cells than this.
STRAY_OFFSET = 0.3
STRAY_SCORE = 0.5


def measure_gaps(detections: Detections, lattice: Lattice) -> dict[Pair, float]:
    """The gap between each pair of neighbours as a share of a square, negative where they overlap.

    Pairs are in reading order. Measured along the line from one to the other, by the lattice.
    """
    cells = list(lattice.members)
    places = lattice.places(detections.centres[[lattice.members[cell] for cell in cells]])
    at = dict(zip(cells, places, strict=True))
    found = {}
    for one, other in pairs_of(cells, at):
        apart = at[other] - at[one]
        found[one, other] = float(apart[0 if other[0] == one[0] else 1] - 1)
    return found


def group_by_contact(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> list[dict[Position, int]]:
    """The members of a lattice by what touches, largest group first.

    A single square is half of a domino, so it never makes a group of its own, however crooked.
    """
    apart = measure_gaps(detections, lattice)
    askew = _find_askew_pairs(detections, lattice, settings)
    cells = set(lattice.members)
    near = {
        pair
        for pair, gap in apart.items()
        if gap <= settings.max_gap and not any(len(askew_pair & set(pair)) == 1
                                               for askew_pair in askew)
    }  # fmt: skip
    groups = connect(cells, near)
    while len(groups) > 1:
        smallest = groups[-1]
        if len(smallest) > 1:
            break
        ways = [(gap, pair) for pair, gap in apart.items() if len(smallest & set(pair)) == 1]
        if not ways:
            break
        near.add(min(ways)[1])
        groups = connect(cells, near)
    return [{cell: lattice.members[cell] for cell in sorted(group)} for group in groups]


def _find_askew_pairs(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> list[set[Position]]:
    """Outer pairs of squares that both lie turned against the lattice, as loose dominoes do."""
    turns = measure_rotations(detections, lattice)
    least = settings.max_turn_deg
    found = []
    for cell in lattice.members:
        for other in beside(cell)[:2]:
            if other not in turns or turns[cell] * turns[other] <= 0:
                continue
            if abs(turns[cell] + turns[other]) / 2 < least:
                continue
            ends = lattice.places(
                detections.centres[[lattice.members[cell], lattice.members[other]]]
            )
            along, across = (ends[1] - ends[0])[:: 1 if other[0] == cell[0] else -1]
            if abs(np.degrees(np.arctan2(across, along))) < 0.7 * least:
                continue
            pair = {cell, other}
            outside = sum(
                near in turns and near not in pair for each in pair for near in beside(each)
            )
            if outside <= 2:
                found.append(pair)
    return found


def measure_rotations(detections: Detections, lattice: Lattice) -> dict[Position, float]:
    """How far the square found on each cell is turned against the lattice, in degrees."""
    cells = list(lattice.members)
    middles = np.array([(column + 0.5, row + 0.5) for row, column in cells])
    ends = lattice.points(middles[:, None] + np.array([(1, 0), (0, 1), (0, 0)])).reshape(-1, 3, 2)
    frames = ends[:, :2] - ends[:, 2:]
    edges = align_all(detections.edges[list(lattice.members.values())], frames)
    flat = edges @ np.linalg.inv(frames)
    turns = np.arctan2(flat[:, 0, 1] - flat[:, 1, 0], flat[:, 0, 0] + flat[:, 1, 1])
    return dict(zip(cells, np.degrees(turns).tolist(), strict=True))


class DividingLine(NamedTuple):
    """Two groups of cells on either side of a line, the mean gap along it, and what speaks for it.

    Both as shares of a square.
    """

    worth: float
    gap: float
    first: frozenset[Position]
    second: frozenset[Position]


def rank_dividing_lines(
    cells: Collection[Position],
    apart: Mapping[Pair, float],
    castles: tuple[Position, Position] | None,
    cost: Callable[[Collection[Position]], float] = lambda side: 0.0,
) -> list[DividingLine]:
    """The rows and columns that may part two kingdoms on one lattice, the likeliest first.

    One of the ``castles`` lies on each side where both are known, and three squares or more. A
    wide gap speaks for a line; squares beyond the usual size of a kingdom, or beyond the large one
    where two usual ones would not do, and the ``cost`` of each side speak against it.
    """
    found = []
    whole = Extent.of(cells)
    for axis in (0, 1):
        high_side, wide_side = (
            SMALL_GRID if length <= (2 if way == axis else 1) * SMALL_GRID else LARGE_GRID
            for way, length in enumerate(whole[2:])
        )
        low, high = (sorted(cell[axis] for cell in castles or cells)[k] for k in (0, -1))
        for line in range(low, high):
            first = frozenset(cell for cell in cells if cell[axis] <= line)
            second = frozenset(cells) - first
            if min(len(first), len(second)) < MIN_SQUARES:
                continue
            across = [
                gap for (one, other), gap in apart.items() if one in first and other in second
            ]
            gap = float(np.mean(across)) if across else 1.0
            beyond = sum(_count_beyond(side, high_side, wide_side) for side in (first, second))
            worth = gap - BEYOND_COST * beyond - cost(first) - cost(second)
            found.append(DividingLine(worth, gap, first, second))
    return sorted(found, key=lambda line: -line.worth)


def _count_beyond(cells: Collection[Position], height: int, width: int) -> int:
    """How many cells lie outside of the rectangle of that size that holds most of them."""
    windows = Extent.of(cells).windows(height, width)
    return len(cells) - max(sum(map(window.holds, cells)) for window in windows)


def find_taken_cells(
    detections: Detections, lattice: Lattice, others: Iterable[Lattice]
) -> frozenset[Position]:
    """The cells of a lattice on which squares of other lattices lie, wholly or in part.

    A detection of no lattice that lies between cells of this one takes them too, but no cell that
    squares of the lattice enclose: that holds a crooked one of theirs.
    """
    members = set(lattice.members.values())
    theirs = {k for other in others for k in other.members.values()}
    rest = np.array([k for k in range(len(detections)) if k not in members], np.intp)
    if not len(rest):
        return frozenset()
    flat = np.c_[lattice.places(detections.centres[rest]), np.ones(len(rest))]
    ahead = flat @ lattice.homography[2] > 0
    found = set()
    for k, (x, y, _), in_front in zip(rest, flat, ahead, strict=True):
        between = max(abs(x - np.floor(x) - 0.5), abs(y - np.floor(y) - 0.5)) > STRAY_OFFSET
        stray = between and detections.scores[k] > STRAY_SCORE
        if not in_front or not (int(k) in theirs or stray):
            continue
        for row in range(int(np.floor(y)) - 1, int(np.floor(y)) + 2):
            for column in range(int(np.floor(x)) - 1, int(np.floor(x)) + 2):
                enclosed = sum(near in lattice.members for near in beside((row, column))) > 2
                if enclosed and int(k) not in theirs:
                    continue
                if max(abs(row + 0.5 - y), abs(column + 0.5 - x)) < TAKEN_REACH:
                    found.add((row, column))
    return frozenset(found - set(lattice.members))


def with_hidden_edges(
    extent: Extent,
    occupied: Collection[Position],
    hidden: Collection[Position],
) -> Extent:
    """The extent with rows and columns beside it whose squares, if any, can't be seen.

    Only up to the usual size of a kingdom, or the large one where the ``occupied`` cells are wider
    or higher than that; and those first in which most is ``hidden`` beside squares.
    """
    top, left, height, width = extent
    most = SMALL_GRID if extent.longest <= SMALL_GRID else LARGE_GRID
    near = [cell for cell in hidden if any(other in occupied for other in beside(cell))]
    edges = {
        (-1, 0): sum(r == top - 1 for r, _ in near),
        (1, 0): sum(r == top + height for r, _ in near),
        (0, -1): sum(c == left - 1 for _, c in near),
        (0, 1): sum(c == left + width for _, c in near),
    }
    for (down, right), count in sorted(edges.items(), key=lambda edge: -edge[1]):
        if not count:
            break
        if down and height < most:
            top, height = min(top, top + down), height + 1
        elif right and width < most:
            left, width = min(left, left + right), width + 1
    return Extent(top, left, height, width)
