"""Two castles are two kingdoms: lattices on which several kingdoms lie are divided."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import Extent, longest_side, smallest_extent
from vision.kingdomino.detect.contact import (
    DividingLine,
    group_by_contact,
    measure_gaps,
    rank_dividing_lines,
)
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, LatticeSettings
from vision.kingdomino.kingdoms.regroup import count_unpaired_squares, part_of_grid
from vision.kingdomino.labels import CASTLE_AT, EMPTY_AT

__all__ = ["DivideSettings", "Divided", "divide_grid", "drop_loose_domino"]


@dataclass(frozen=True)
class DivideSettings:
    """When two castles on one lattice make two kingdoms.

    Both have at least the probability ``castle``, or ``sure_castle`` where both would fit in one of
    usual size, and along a line between them is a mean gap of ``min_gap`` of a square; or, without
    a gap, both have ``sure_castle`` and only the halves, not the whole, are of usual
    size. No kingdom is wider or higher than a large one: of a larger group with
    one sure castle ``max_beyond`` squares or fewer are left out if the rest then fits, else it is
    divided at its widest gap. One of usual size with ``max_holes`` empty cells counts as full,
    and what lies in one line between two such belongs to neither, nor do ``max_on_line`` squares
    beside one such, or ``max_in_line`` of which the locator is less sure than ``weak_score`` on
    average; cells that are ``empty`` with this probability or more do not count. A square that is
    then half of no domino counts as much against a line as a gap that is ``unpaired_cost`` smaller.
    Where another line is nearly as good, by less than ``clear_by``, the squares between both are
    contested: of 31 pairs of kingdoms 0.05 to 0.2 of a square apart one was divided wrongly, by
    0.001, the others are right by 0.028 or more.
    """

    castle: float = 0.5
    sure_castle: float = 0.95
    min_gap: float = 0.03
    max_holes: int = 4
    max_on_line: int = 2
    max_beyond: int = 3
    max_in_line: int = 5
    weak_score: float = 0.65
    empty: float = 0.65
    unpaired_cost: float = 0.04
    clear_by: float = 0.02
    lattice: LatticeSettings = field(default_factory=LatticeSettings)


class Divided(NamedTuple):
    """The parts of a grid, and the detections of which nobody can say to which part they belong."""

    grids: list[Grid]
    contested: frozenset[int]


def divide_grid(detections: Detections, grid: Grid, settings: DivideSettings) -> Divided:
    """The grid as one for each castle on it, the grid itself where there is one at most."""
    members = grid.lattice.members
    castles = [
        cell
        for cell in members
        if cell in grid.probabilities and grid.probabilities[cell][CASTLE_AT] > settings.castle
    ]
    castles.sort(key=lambda cell: -float(grid.probabilities[cell][CASTLE_AT]))
    too_large = longest_side(members) > LARGE_GRID
    whole = Divided([grid], frozenset())
    if len(castles) < 2 and not too_large:
        return whole
    pair = (castles[0], castles[1]) if len(castles) > 1 else None
    apart = _find_full_sides(grid, pair, settings) if pair else None
    if apart is not None:
        between = members.keys() - apart[0] - apart[1]
        groups = [part_of_grid(detections, grid, g, settings.lattice) for g in (*apart, between)]
        return Divided(groups, frozenset())
    sure = pair is not None and grid.probabilities[pair[1]][CASTLE_AT] > settings.sure_castle
    beyond = _find_beyond(members, castles, settings) if too_large and not sure else set()
    if beyond:
        kept = part_of_grid(detections, grid, members.keys() - beyond, settings.lattice)
        rest = part_of_grid(detections, grid, beyond, settings.lattice)
        touching = group_by_contact(detections, rest.lattice, settings.lattice)
        groups = [part_of_grid(detections, rest, each, settings.lattice) for each in touching]
        return Divided([kept, *groups], frozenset())
    ranked = _rank_lines(detections, grid, pair, settings)
    if not ranked:
        return whole
    gap, sides = ranked[0].gap, (ranked[0].first, ranked[0].second)
    whole_fits = longest_side(members) <= SMALL_GRID
    if pair and whole_fits and not sure:
        return whole
    if pair and gap < settings.min_gap:
        halves_fit = all(longest_side(side) <= SMALL_GRID for side in sides)
        if not too_large and not (sure and halves_fit and not whole_fits):
            return whole
    if not pair and gap < settings.min_gap:
        return whole
    contested = _find_contested(ranked, settings)
    parts = [
        divide_grid(detections, part_of_grid(detections, grid, side, settings.lattice), settings)
        for side in sides
    ]
    return Divided(
        [one for part in parts for one in part.grids],
        frozenset(members[cell] for cell in contested).union(*(part.contested for part in parts)),
    )


def _find_contested(ranked: Sequence[DividingLine], settings: DivideSettings) -> set[Position]:
    """The squares that would lie on the other side of the line that is nearly as good as the best.

    None where there is no such line.
    """
    best, *others = ranked
    if not others or best.worth - others[0].worth >= settings.clear_by:
        return set()
    moved = best.first ^ others[0].first
    stayed = (best.first | best.second) - moved
    return set(moved if len(moved) <= len(stayed) else stayed)


def _rank_lines(
    detections: Detections,
    grid: Grid,
    castles: tuple[Position, Position] | None,
    settings: DivideSettings,
) -> list[DividingLine]:
    return rank_dividing_lines(
        grid.lattice.members,
        measure_gaps(detections, grid.lattice),
        castles,
        lambda side: settings.unpaired_cost * count_unpaired_squares(grid, side),
    )


def _find_beyond(
    members: Collection[Position], castles: Sequence[Position], settings: DivideSettings
) -> set[Position]:
    """The few squares beyond the largest kingdom that holds all others and the surest castle.

    Other castles are beyond. None where there are more than ``max_beyond``, so that something else
    lies there, or as few beyond another such kingdom: then the gaps tell.
    """
    cells = set(members)
    windows = Extent.of(cells).windows(LARGE_GRID, LARGE_GRID)
    rests = [{cell for cell in cells if not window.holds(cell)} for window in windows]
    fewest, *others = sorted(rests, key=len)
    if others and len(others[0]) == len(fewest):
        return set()
    is_whole = fewest.isdisjoint(castles[:1]) and fewest.issuperset(castles[1:])
    return fewest if is_whole and len(fewest) <= settings.max_beyond else set()


def _find_full_sides(
    grid: Grid, castles: tuple[Position, Position], settings: DivideSettings
) -> tuple[set[Position], set[Position]] | None:
    """The squares on both sides of a line between two castles if both are full kingdoms.

    Or if one is, and hardly anything lies on the line, or hardly seen. What does belongs to neither
    then: it is the table, or lies on it.
    """
    members = grid.lattice.members.keys()
    least = SMALL_GRID**2 - settings.max_holes
    for axis in (0, 1):
        low, high = sorted(castle[axis] for castle in castles)
        for line in range(low + 1, high):
            first = {cell for cell in members if cell[axis] < line}
            second = {cell for cell in members if cell[axis] > line}
            full = [
                len(side) >= least and longest_side(side) <= SMALL_GRID for side in (first, second)
            ]
            between = members - first - second
            is_bare = len(between) <= settings.max_on_line or _is_weak_line(grid, between, settings)
            if between and (all(full) or (any(full) and is_bare)):
                return first, second
    return None


def drop_loose_domino(
    detections: Detections, grid: Grid, settings: DivideSettings
) -> tuple[Grid, frozenset[Position], bool]:
    """The grid without a domino that can't belong to it, and the squares of one that may not.

    A domino outside of a kingdom that is full but for ``max_holes``, or as wide and high as
    kingdoms get, is no part of it, nor are ``max_in_line`` squares in a row or column of which the
    locator is less sure than ``weak_score`` on average. One without which the kingdom would be as
    small as usual is none where a gap of ``min_gap`` parts them; without a gap nobody can say. The
    last value tells whether a domino was left out.
    """
    occupied = frozenset(
        cell
        for cell in grid.occupied
        if cell not in grid.probabilities or grid.probabilities[cell][EMPTY_AT] < settings.empty
    )
    for side in (SMALL_GRID, LARGE_GRID):
        outside = [
            frozenset(occupied - window)
            for window in _windows(occupied, side)
            if (_is_domino(occupied - window) or _is_weak_line(grid, occupied - window, settings))
            and any(
                grid.probabilities[cell][CASTLE_AT] > settings.castle for cell in occupied & window
            )
        ]
        if not outside:
            continue
        gaps = measure_gaps(detections, grid.lattice)
        gap, rest = max(
            ((_gap_around(rest, gaps), rest) for rest in outside), key=lambda found: found[0]
        )
        full = len(occupied) - len(rest) >= side * side - settings.max_holes
        parted = gap > settings.min_gap and len(rest) == 2
        if side == LARGE_GRID or full or parted:
            left = occupied - rest
            dropped = grid.occupied - left
            probabilities = {
                cell: seen for cell, seen in grid.probabilities.items() if cell not in dropped
            }
            return replace(grid, probabilities=probabilities, occupied=left), frozenset(), True
        if len(rest) == 2:
            return grid, rest, False
    return grid, frozenset(), False


def _is_weak_line(grid: Grid, cells: Collection[Position], settings: DivideSettings) -> bool:
    """Whether the cells lie in one row or column, and the locator is sure of none as of squares."""
    lines = [set(axis) for axis in zip(*cells, strict=True)]
    in_line = any(len(line) == 1 for line in lines) and len(cells) <= settings.max_in_line
    scores = [grid.scores.get(cell, 0.0) for cell in cells]
    return in_line and float(np.mean(scores)) < settings.weak_score


def _gap_around(
    cells: Collection[Position], gaps: Mapping[tuple[Position, Position], float]
) -> float:
    """The least gap between the cells and others; 0 where nothing was found beside them."""
    apart = [gap for (one, other), gap in gaps.items() if (one in cells) != (other in cells)]
    return min(apart, default=0.0)


def _windows(occupied: Collection[Position], side: int) -> list[frozenset[Position]]:
    """Squares of ``side`` × ``side`` that hold all but a few of the cells; none where all fit."""
    extent = smallest_extent(occupied)
    if extent is None or not side < extent.longest <= side + 2:
        return []
    return [frozenset(window.cells()) for window in extent.windows(side, side)]


def _is_domino(cells: Collection[Position]) -> bool:
    """Whether the cells are a domino, or the half of one that was seen."""
    if len(cells) != 2:
        return len(cells) == 1
    (r, c), (other_r, other_c) = cells
    return abs(r - other_r) + abs(c - other_c) == 1
