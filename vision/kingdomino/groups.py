"""Which squares are one kingdom: groups parted, joined, divided, and rid of loose dominoes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.geometry import STEPS, Extent, around, hang_together, longest_side, pairs_of
from vision.kingdomino import lattice, result
from vision.kingdomino.cells import CellLooks, Grid, HangingSettings, measure_seam
from vision.kingdomino.lattice import (
    Detections,
    LatticeSettings,
    Pair,
    fit_lattice,
)
from vision.kingdomino.result import CASTLE_AT, DOMINO, EMPTY_AT, LIKELY, MIN_SQUARES, size_limit

# What a square beyond the size of a kingdom counts against a line, as a gap, in squares.
BEYOND_COST = 0.02


@dataclass(frozen=True)
class RegroupSettings:
    """When groups are parted, joined or divided; gaps and offsets are shares of a square.

    A group of a domino or more without a castle joins a kingdom that it fits, no wider or higher
    than usual, or than a large one if they are, where its squares lie on its lattice and the gap
    between is less than that of a loose domino; where it may lie loose all the same, it is asked
    about (``find_doubtful_dominoes``). One that meets a kingdom of usual size at a corner, on its
    lattice but for as much, joins as well.

    Two castles on one lattice make two kingdoms where both are sure and no neighbours; or where
    along a line between them is a gap, and they would not fit in one kingdom of usual size. None is
    wider or higher than a large one: a larger group is divided at its widest gap, and where no
    second castle is seen, which something may hide, if that is as wide as that of a loose domino.
    Where another line is nearly as good, by less than ``clear_by``, or its gap is wider by more
    than that, the squares between both are contested: of 115 pairs of kingdoms 0.05 to 0.2 of a
    square apart two were divided wrongly, by 0.001 and 0.031.
    """

    clear_by: float = 0.04
    lattice: LatticeSettings = field(default_factory=LatticeSettings)
    hanging: HangingSettings = field(default_factory=HangingSettings)


def regroup(detections: Detections, grids: Sequence[Grid], settings: RegroupSettings) -> list[Grid]:
    """The groups of squares, those that were parted by mistake as one."""
    made = [part for part in grids if part.castles(part.lattice.members)]
    rest = [part for part in grids if not part.castles(part.lattice.members)]
    for group in sorted(rest, key=lambda part: -len(part.occupied)):
        # It becomes part of the first that it belongs to, of those with a castle before others.
        joined = ((k, _join(detections, other, group, settings)) for k, other in enumerate(made))
        at, whole = next(((k, grid) for k, grid in joined if grid), (len(made), group))
        made[at : at + 1] = [whole]
    return sorted(made, key=lambda part: -len(part.lattice.members))


def _join(
    detections: Detections, kingdom: Grid, group: Grid, settings: RegroupSettings
) -> Grid | None:
    """The kingdom with a group beside it, None where that does not belong to it."""
    mine, theirs = kingdom.lattice.members, group.lattice.members
    if len(theirs) < DOMINO:
        return None
    cells, offsets = kingdom.lattice.cells_at(detections.centres[[*theirs.values()]])
    together = {**mine, **dict(zip(cells, theirs.values(), strict=True))}
    most = size_limit(max(longest_side(mine), longest_side(theirs)))
    farthest = float(np.abs(offsets).max())
    collides = len(together) < len(mine) + len(theirs)
    if collides or farthest > settings.lattice.max_misfit or longest_side(together) > most:
        return None
    gaps = [
        float(-np.dot(offset, (dc, dr)))
        for (r, c), offset in zip(cells, offsets, strict=True)
        for dr, dc in STEPS
        if (r + dr, c + dc) in mine
    ]
    near = settings.hanging.loose_gap
    at_corner = bool(around(cells, edges=False, corners=True) & mine.keys())
    meets = not gaps and at_corner and farthest < near and most == SMALL_GRID
    touches = gaps and np.mean(gaps) < near and kingdom.castles(mine)
    if not (touches or meets):
        return None
    moved = dict(zip(theirs, cells, strict=True))
    seen = kingdom.seen | {moved[cell]: one for cell, one in group.seen.items()}
    occupied = kingdom.occupied | {moved[cell] for cell in group.occupied}
    joined = Grid(fit_lattice(detections, together, settings.lattice), seen, occupied)
    turns = lattice.measure_rotations(detections, joined.lattice)
    is_askew = abs(np.mean([turns.get(cell, 0.0) for cell in cells])) > lattice.MAX_TURN_DEG
    return None if is_askew else joined


def part_of_grid(
    detections: Detections, grid: Grid, cells: Collection[Position], settings: LatticeSettings
) -> Grid:
    """A part of the grid on a lattice of its own, all its squares occupied."""
    members = {cell: k for cell, k in grid.lattice.members.items() if cell in cells}
    fitted = fit_lattice(detections, members, settings)
    seen = {cell: grid.seen[cell] for cell in fitted.members if cell in grid.seen}
    return Grid(fitted, seen, frozenset(seen))


def divide_grid(
    detections: Detections, grid: Grid, settings: RegroupSettings
) -> tuple[list[Grid], frozenset[int]]:
    """The grid as one for each castle on it, or parted by a wide gap where it is too large, or as
    it is.

    And the numbers of the detections of which nobody can say to which part they belong.
    """
    members, whole = grid.lattice.members, ([grid], frozenset[int]())
    castles, longest = grid.castles(members)[:2], longest_side(members)
    if len(castles) < 2 and longest <= LARGE_GRID:
        return whole
    scores = {cell: detections.scores[k] for cell, k in members.items()}
    least = settings.lattice.strong_score * max(scores.values())
    gaps = lattice.measure_gaps(detections, grid.lattice).items()
    # What is weak may be no square, seen in the gap.
    apart = {pair: gap for pair, gap in gaps if min(scores[cell] for cell in pair) >= least}
    ranked = rank_dividing_lines(members, apart, castles)
    if not ranked:
        return whole
    best = ranked[0]
    if len(castles) < 2:
        is_two = best.gap >= settings.hanging.loose_gap
    else:
        # One that stands leans over the square behind it.
        leans = castles[1] in around(castles[:1], corners=True)
        sure = not leans and grid.probabilities[castles[1]][CASTLE_AT] > result.SURE
        has_gap = best.gap >= settings.lattice.max_gap
        is_two = sure or longest > LARGE_GRID or (has_gap and longest > SMALL_GRID)
    if not is_two:
        return whole
    grids, contested = list[Grid](), set[int]()
    worth, gap = best.worth - settings.clear_by, best.gap + settings.clear_by
    if other := next((line for line in ranked[1:] if line.worth > worth or line.gap > gap), None):
        # What would lie on the other side of a line that is nearly as good, or has a wider gap.
        moved = best.first ^ other.first
        contested = {members[cell] for cell in min(moved, members.keys() - moved, key=len)}
    for side in (best.first, best.second):
        part = part_of_grid(detections, grid, side, settings.lattice)
        parts, more = divide_grid(detections, part, settings)
        grids += parts
        contested |= more
    return grids, frozenset(contested)


class DividingLine(NamedTuple):
    """Cells on both sides of a line, the mean gap along it and what speaks for it, in squares."""

    worth: float
    gap: float
    first: frozenset[Position]
    second: frozenset[Position]


def rank_dividing_lines(
    cells: Collection[Position], apart: Mapping[Pair, float], castles: Collection[Position]
) -> list[DividingLine]:
    """The rows and columns that may part two kingdoms on one lattice, the likeliest first.

    Three squares or more lie on each side, and one of two ``castles``. A wide gap speaks for
    a line; squares beyond the usual size of a kingdom, or beyond the large one where two usual
    ones would not do, speak against it.
    """
    found = []
    whole = Extent.of(cells)
    for axis in (0, 1):
        size = [size_limit((n + 1) // 2 if way == axis else n) for way, n in enumerate(whole[2:])]
        ends = sorted(castle[axis] for castle in castles)
        if len(ends) < 2:
            ends = [whole[axis], whole[axis] + whole[axis + 2] - 1]
        for line in range(*ends):
            first = frozenset(cell for cell in cells if cell[axis] <= line)
            second = frozenset(cells) - first
            if min(len(first), len(second)) < MIN_SQUARES:
                continue
            across = [gap for pair, gap in apart.items() if len(first.intersection(pair)) == 1]
            gap = float(np.mean(across)) if across else 1.0
            beyond = 0
            for side in (first, second):
                windows = Extent.of(side).windows(*size)
                beyond += len(side) - max(sum(map(window.holds, side)) for window in windows)
            found.append(DividingLine(gap - BEYOND_COST * beyond, gap, first, second))
    return sorted(found, key=lambda line: -line.worth)


def drop_loose_domino(
    detections: Detections, grid: Grid, settings: RegroupSettings
) -> tuple[Grid, frozenset[Position]]:
    """The grid itself, or one without a domino that can't belong; and squares of one that may not.

    A domino outside of a kingdom that is full but for a few cells, or as wide and high as
    kingdoms get, is no part of it. One without which the kingdom would be as small as usual is none
    where a gap parts them; without a gap nobody can say.
    """
    seen, nothing = grid.probabilities, frozenset[Position]()
    occupied = frozenset(cell for cell in grid.occupied if seen[cell][EMPTY_AT] < LIKELY)
    longest = longest_side(occupied)
    # A domino makes it longer by two squares at most.
    side = size_limit(longest - 2)
    if not side < longest <= side + 2:
        return grid, nothing
    gaps, outside = lattice.measure_gaps(detections, grid.lattice), []
    for window in Extent.of(occupied).windows(side, side):
        rest = occupied.difference(window.cells())
        is_part = len(rest) <= DOMINO and len(hang_together(rest)) == 1
        if is_part and any(seen[cell][CASTLE_AT] > LIKELY for cell in occupied - rest):
            apart = (gap for pair, gap in gaps.items() if len(rest.intersection(pair)) == 1)
            outside.append((min(apart, default=0.0), rest))
    gap, rest = max(outside, key=lambda found: found[0], default=(0.0, nothing))
    kept = occupied - rest
    full = len(kept) >= side * side - result.MAX_HOLES
    parted = gap > settings.lattice.max_gap and len(rest) == DOMINO
    if rest and (side == LARGE_GRID or full or parted):
        left_out = grid.occupied - kept
        known = {cell: one for cell, one in grid.seen.items() if cell not in left_out}
        return Grid(grid.lattice, known, kept), nothing
    return grid, rest if len(rest) == DOMINO else nothing


def find_doubtful_dominoes(
    looks: CellLooks,
    detections: Detections,
    grid: Grid,
    others: Sequence[Grid],
    settings: RegroupSettings,
) -> frozenset[Position]:
    """The squares of dominoes that touch a kingdom by one side alone, and may lie loose beside it.

    ``looks`` are of the picture in whose pixels the detections are, ``others`` other groups in it.
    """
    unsure, limits = set[Position](), settings.hanging
    for part, step in find_hanging_dominoes(grid):
        gap = float(-np.dot(lattice.measure_offset(detections, grid.lattice, part), step[::-1]))
        seam = measure_seam(looks, grid, part, step, others, limits)
        if seam is None:
            is_open = gap >= limits.loose_gap
        elif gap >= limits.unsure_gap:
            may_show = gap >= limits.loose_gap and seam.widest >= limits.unsure_gap
            is_open = may_show or seam.narrowest >= limits.unsure_gap
        else:
            # A much wider band is no table, but squares that look like it.
            is_band = seam.widest <= gap + limits.most_beyond_gap
            is_open = is_band and seam.narrowest >= limits.unsure_gap
        if is_open:
            unsure.update(part)
    return frozenset(unsure)


def find_hanging_dominoes(grid: Grid) -> list[tuple[Pair, Position]]:
    """Pairs of squares that touch the rest of a kingdom by one side alone, if they do.

    With the step (rows, columns) from them to the rest. The rest has what looks most like a castle,
    and hangs together without them.
    """
    seen, cells = grid.probabilities, grid.occupied & grid.lattice.members.keys()
    castle = max(cells, key=lambda cell: float(seen[cell][CASTLE_AT]), default=None)
    found = []
    for part in pairs_of(cells, cells):
        rest = cells.difference(part)
        steps = {(dr, dc) for r, c in part for dr, dc in STEPS if (r + dr, c + dc) in rest}
        hangs = len(steps) == 1 and castle in rest and len(rest) >= MIN_SQUARES
        if hangs and len(hang_together(rest)) == 1:
            found.append((part, steps.pop()))
    return found
