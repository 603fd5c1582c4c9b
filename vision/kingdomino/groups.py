"""Which squares are one kingdom: groups parted, joined, divided, and loose dominoes left out.

Once squares are classified, groups are parted where nothing lies, joined again where a kingdom was
parted by mistake, divided where two kingdoms lie on one lattice, and rid of the dominoes that hang
on a kingdom by one side and do not touch it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.geometry import (
    STEPS,
    Extent,
    around,
    beside,
    hang_together,
    longest_side,
    measure_stretch,
    pairs_of,
    smallest_extent,
)
from vision.common.network import Network
from vision.kingdomino.cells import (
    CellLooks,
    Grid,
    HangingSettings,
    Seam,
    find_covered,
    measure_seam,
)
from vision.kingdomino.lattice import (
    MAX_TURN_DEG,
    Detections,
    Lattice,
    LatticeSettings,
    Pair,
    fit_lattice,
    group_by_contact,
    measure_gaps,
    measure_rotations,
)
from vision.kingdomino.result import (
    CASTLE_AT,
    DOMINO,
    EMPTY,
    EMPTY_AT,
    LIKELY,
    MAX_HOLES,
    MIN_SQUARES,
    SURE,
    merge_foreign,
    most_probable,
    size_limit,
)
from vision.kingdomino.search import LocateSettings, look_closer, measure_offset
from vision.kingdomino.settling import box_of

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# How thick a domino of the game is, in squares.
THICKNESS = 0.05
# What a square beyond the size of a kingdom counts against a line, as a gap, in squares.
BEYOND_COST = 0.02


@dataclass(frozen=True)
class RegroupSettings:
    """When groups are parted, joined or divided; gaps and offsets are shares of a square.

    A group of a domino or more without a castle joins a kingdom that it fits, no wider or higher
    than usual, or than a large one if they are, where its squares lie on its lattice and the gap
    between is less than that of a loose domino; whether a domino touches, a closer look tells
    (``part_hanging_domino``). One that meets a kingdom of usual size at a corner,
    on its lattice but for as much, joins as well.

    Two castles on one lattice make two kingdoms, where along a line between them is a gap, and both
    are sure if they would fit in one of usual size; or, without a gap, both have it and
    only the halves, not the whole, are of usual size. No kingdom is wider or higher than a large
    one: a larger group is divided at its widest gap. Where another line is nearly
    as good, by less than ``clear_by``, the squares between both are contested: of 31 pairs of
    kingdoms 0.05 to 0.2 of a square apart one was divided wrongly, by 0.001, the others are right
    by 0.028 or more.
    """

    clear_by: float = 0.02
    lattice: LatticeSettings = field(default_factory=LatticeSettings)
    hanging: HangingSettings = field(default_factory=HangingSettings)


def regroup(detections: Detections, grids: Sequence[Grid], settings: RegroupSettings) -> list[Grid]:
    """The groups of squares by what touches, now that it is known what is a square."""
    parts = [part for grid in grids for part in _part_at_empty(detections, grid, settings)]
    kingdoms = [part for part in parts if _castles(part)]
    rest = sorted(
        (part for part in parts if not _castles(part)),
        key=lambda part: -len(part.occupied),
    )
    without: list[Grid] = []
    for group in rest:
        if not any(_join_one_of(detections, some, group, settings) for some in (kingdoms, without)):
            without.append(group)
    return sorted([*kingdoms, *without], key=lambda part: -len(part.lattice.members))


def _join_one_of(
    detections: Detections, kingdoms: list[Grid], group: Grid, settings: RegroupSettings
) -> bool:
    """Let a group become part of the first of the kingdoms that it belongs to, if any."""
    for number, kingdom in enumerate(kingdoms):
        joined = _join(detections, kingdom, group, settings)
        if joined is not None:
            kingdoms[number] = joined
            return True
    return False


def _part_at_empty(detections: Detections, grid: Grid, settings: RegroupSettings) -> list[Grid]:
    """What of a group hangs together without the places that hold no square."""
    kept = {
        cell: k
        for cell, k in grid.lattice.members.items()
        if cell not in grid.seen or grid.probabilities[cell][EMPTY_AT] <= LIKELY
    }
    if len(kept) == len(grid.lattice.members) or len(kept) < DOMINO:
        return [grid]
    lattice = fit_lattice(detections, kept, settings.lattice)
    groups = group_by_contact(detections, lattice, settings.lattice)
    if len(groups) == 1 and len(groups[0]) == len(kept):
        return [grid]
    return [part_of_grid(detections, grid, group, settings.lattice) for group in groups]


def _join(
    detections: Detections, kingdom: Grid, group: Grid, settings: RegroupSettings
) -> Grid | None:
    """The kingdom with a group beside it, None where that does not belong to it."""
    if len(group.lattice.members) < DOMINO:
        return None
    members = list(group.lattice.members.items())
    cells, offsets = kingdom.lattice.cells_at(detections.centres[[k for _, k in members]])
    centred = dict(zip(cells, offsets, strict=True))
    mine = kingdom.lattice.members
    if len(centred) < len(cells) or centred.keys() & mine.keys():
        return None
    farthest = float(np.abs(offsets).max())
    if farthest > settings.lattice.max_misfit:
        return None
    own_side = max(longest_side(mine), longest_side(group.lattice.members))
    most = size_limit(own_side)
    if longest_side([*mine, *cells]) > most:
        return None
    gaps = [
        float(-dr * centred[r, c][1] - dc * centred[r, c][0])
        for r, c in cells
        for dr, dc in STEPS
        if (r + dr, c + dc) in mine
    ]
    at_corner = bool(around(cells, edges=False, corners=True) & mine.keys())
    near = settings.hanging.loose_gap
    meets = at_corner and farthest < near and most == SMALL_GRID
    touches = bool(gaps) and np.mean(gaps) < near and bool(_castles(kingdom))
    if not touches and (gaps or not meets):
        return None
    moved = {old: new for (old, _), new in zip(members, cells, strict=True)}
    together = {**mine, **{moved[old]: k for old, k in members}}
    joined = Grid(
        fit_lattice(detections, together, settings.lattice),
        {**kingdom.seen, **{moved[cell]: one for cell, one in group.seen.items()}},
        kingdom.occupied | {moved[cell] for cell in group.occupied},
    )
    turns = measure_rotations(detections, joined.lattice)
    if abs(float(np.mean([turns.get(cell, 0.0) for cell in cells]))) > MAX_TURN_DEG:
        return None
    return joined


def _castles(grid: Grid) -> list[Position]:
    return [
        cell
        for cell in grid.lattice.members
        if cell in grid.seen and grid.probabilities[cell][CASTLE_AT] > LIKELY
    ]


def part_of_grid(
    detections: Detections, grid: Grid, cells: Collection[Position], settings: LatticeSettings
) -> Grid:
    """A part of the grid on a lattice of its own, all its squares occupied."""
    members = {cell: k for cell, k in grid.lattice.members.items() if cell in cells}
    lattice = fit_lattice(detections, members, settings)
    seen = {cell: grid.seen[cell] for cell in lattice.members if cell in grid.seen}
    return Grid(lattice, seen, frozenset(seen))


def count_unpaired_squares(grid: Grid, cells: Collection[Position]) -> int:
    """How many of the cells of a grid are half of no domino of the box, as far as it was read."""
    labels = {
        cell: most_probable(merge_foreign(grid.probabilities[cell]))
        for cell in cells
        if cell in grid.seen
    }
    halves = {cell: label for cell, label in labels.items() if label not in (EMPTY, "c")}
    return count_unpaired(halves, box_of(with_giants=True))


def count_unpaired(kingdom: Mapping[Position, str], box: Collection[tuple[str, str]]) -> int:
    """How many squares of a kingdom are left over when as many as can be are paired to dominoes.

    However often the box has each; castles and empty cells left out. Found by augmenting paths,
    since the cells of a lattice have two colours (Kuhn, 1955).
    """
    partner: dict[Position, Position] = {}

    def find_partner(cell: Position, tried: set[Position]) -> bool:
        for near in beside(cell):
            if near in tried or near not in kingdom:
                continue
            label, other = kingdom[cell], kingdom[near]
            if (min(label, other), max(label, other)) not in box:
                continue
            tried.add(near)
            if near not in partner or find_partner(partner[near], tried):
                partner[near] = cell
                return True
        return False

    paired = sum(find_partner(cell, set()) for cell in kingdom if sum(cell) % 2 == 0)
    return len(kingdom) - 2 * paired


class Divided(NamedTuple):
    """The parts of a grid, and the detections of which nobody can say to which part they belong."""

    grids: list[Grid]
    contested: frozenset[int]


def divide_grid(detections: Detections, grid: Grid, settings: RegroupSettings) -> Divided:
    """The grid as one for each castle on it, the grid itself where there is one at most."""
    members = grid.lattice.members
    castles = sorted(_castles(grid), key=lambda cell: -float(grid.probabilities[cell][CASTLE_AT]))
    too_large = longest_side(members) > LARGE_GRID
    whole = Divided([grid], frozenset())
    if len(castles) < 2 and not too_large:
        return whole
    pair = (castles[0], castles[1]) if len(castles) > 1 else None
    sure = pair is not None and grid.probabilities[pair[1]][CASTLE_AT] > SURE
    ranked = rank_dividing_lines(members, measure_gaps(detections, grid.lattice), pair)
    if not ranked:
        return whole
    gap, sides = ranked[0].gap, (ranked[0].first, ranked[0].second)
    whole_fits = longest_side(members) <= SMALL_GRID
    if pair and whole_fits and not sure:
        return whole
    if gap < settings.lattice.max_gap and not (pair and too_large):
        halves_fit = all(longest_side(side) <= SMALL_GRID for side in sides)
        if not (sure and halves_fit and not whole_fits):
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


def _find_contested(ranked: Sequence[DividingLine], settings: RegroupSettings) -> set[Position]:
    """The squares that would lie on the other side of the line that is nearly as good as the best.

    None where there is no such line.
    """
    best, *others = ranked
    if not others or best.worth - others[0].worth >= settings.clear_by:
        return set()
    moved = best.first ^ others[0].first
    stayed = (best.first | best.second) - moved
    return set(moved if len(moved) <= len(stayed) else stayed)


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
) -> list[DividingLine]:
    """The rows and columns that may part two kingdoms on one lattice, the likeliest first.

    One of the ``castles`` lies on each side where both are known, and three squares or more. A
    wide gap speaks for a line; squares beyond the usual size of a kingdom, or beyond the large one
    where two usual ones would not do, speak against it.
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
            worth = gap - BEYOND_COST * beyond
            found.append(DividingLine(worth, gap, first, second))
    return sorted(found, key=lambda line: -line.worth)


def _count_beyond(cells: Collection[Position], height: int, width: int) -> int:
    """How many cells lie outside of the rectangle of that size that holds most of them."""
    windows = Extent.of(cells).windows(height, width)
    return len(cells) - max(sum(map(window.holds, cells)) for window in windows)


def drop_loose_domino(
    detections: Detections, grid: Grid, settings: RegroupSettings
) -> tuple[Grid, frozenset[Position], bool]:
    """The grid without a domino that can't belong to it, and the squares of one that may not.

    A domino outside of a kingdom that is full but for a few cells, or as wide and high as
    kingdoms get, is no part of it. One without which the kingdom would be as small as usual is none
    where a gap parts them; without a gap nobody can say. The last value tells whether a domino was
    left out.
    """
    occupied = frozenset(
        cell
        for cell in grid.occupied
        if cell not in grid.seen or grid.probabilities[cell][EMPTY_AT] < LIKELY
    )
    for side in (SMALL_GRID, LARGE_GRID):
        outside = [
            rest
            for window in _windows(occupied, side)
            if len(rest := occupied - window) <= DOMINO
            and len(hang_together(rest)) == 1
            and any(grid.probabilities[cell][CASTLE_AT] > LIKELY for cell in occupied & window)
        ]
        if not outside:
            continue
        gaps = measure_gaps(detections, grid.lattice)
        gap, rest = max(
            ((_gap_around(rest, gaps), rest) for rest in outside), key=lambda found: found[0]
        )
        full = len(occupied) - len(rest) >= side * side - MAX_HOLES
        parted = gap > settings.lattice.max_gap and len(rest) == DOMINO
        if side == LARGE_GRID or full or parted:
            left = occupied - rest
            dropped = grid.occupied - left
            seen = {cell: one for cell, one in grid.seen.items() if cell not in dropped}
            return Grid(grid.lattice, seen, left), frozenset(), True
        if len(rest) == DOMINO:
            return grid, rest, False
    return grid, frozenset(), False


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


Step = tuple[int, int]


class Hanging(NamedTuple):
    """A domino that touches the rest of a kingdom, which lies a ``step`` from it, by one side.

    Its ``gap`` is how far it lies off the rest at the first look, in squares.
    """

    gap: float
    part: tuple[Position, ...]
    step: Step


def part_hanging_domino(
    looks: CellLooks,
    network: Network,
    detections: Detections,
    grid: Grid,
    others: Sequence[Grid],
    settings: HangingSettings,
    searching: LocateSettings,
) -> tuple[Grid, Grid | None, frozenset[Position]]:
    """The grid without a domino that lies loose beside it, that domino, and squares unsure of.

    ``looks`` are of the picture in whose pixels the detections are, ``others`` other groups in it.
    """
    unsure: set[Position] = set()
    measured = sorted(
        (
            Hanging(_gap(detections, grid.lattice, part, step), tuple(sorted(part)), step)
            for part, step in find_hanging_dominoes(detections, grid)
        ),
        reverse=True,
    )
    for one in measured:
        seam = measure_seam(looks, grid, one.part, one.step, others, settings)
        if not _is_asked(one.gap, seam, settings):
            continue
        nearer = _look_closer(looks.rgb, network, grid, one, searching)
        gap = one.gap if nearer is None else max(one.gap, nearer)
        if seam is not None and seam.widest > gap + settings.most_beyond_gap:
            seam = None
        if nearer is not None and not _is_asked(gap, seam, settings):
            continue
        if not _is_loose(grid, one, nearer, seam, settings) or find_covered(
            detections, grid.lattice, around(one.part) - grid.occupied
        ):
            unsure.update(one.part)
            continue
        lattice = searching.lattice
        domino = part_of_grid(detections, grid, one.part, lattice)
        rest = set(grid.lattice.members) - set(one.part)
        kept = part_of_grid(detections, grid, rest, lattice)
        kept = replace(kept, occupied=kept.occupied & grid.occupied)
        return kept, domino, frozenset(unsure & kept.occupied)
    return grid, None, frozenset(unsure)


def _is_asked(gap: float, seam: Seam | None, settings: HangingSettings) -> bool:
    """Whether a domino so far off may not touch, the table showing as wide as in the ``seam``."""
    if seam is not None and seam.narrowest >= settings.unsure_gap:
        return True
    shows_none = seam is not None and seam.widest < settings.unsure_gap
    return gap >= (settings.loose_gap if shows_none else settings.unsure_gap)


def _is_loose(
    grid: Grid, one: Hanging, nearer: float | None, seam: Seam | None, settings: HangingSettings
) -> bool:
    """Whether a domino lies loose for sure, by its gap at a closer look, if that shows it."""
    if nearer is None:
        return False
    gap = one.gap + settings.closer_weight * (nearer - one.gap)
    gap -= THICKNESS * _lean(grid.lattice, one.part[0])
    if seam is not None and seam.widest >= settings.unsure_gap:
        return gap >= settings.unsure_gap
    return gap >= settings.loose_gap and min(one.gap, nearer) >= settings.unsure_gap


def find_hanging_dominoes(
    detections: Detections, grid: Grid
) -> list[tuple[frozenset[Position], Step]]:
    """Pairs of squares that touch the rest of a kingdom by one side alone, if they do.

    With the step (rows, columns) from them to the rest. The rest has what looks most like a castle,
    hangs together without them, and has as many pairs of halves as before.
    """
    cells = grid.occupied & grid.lattice.members.keys()
    castle = max(cells, key=lambda cell: float(grid.probabilities[cell][CASTLE_AT]), default=None)
    unpaired = None
    found = []
    for pair in pairs_of(cells, cells):
        part = frozenset(pair)
        rest = cells - part
        step = _only_step(part, rest)
        if step is None or len(rest) < MIN_SQUARES:
            continue
        if castle not in rest or len(hang_together(rest)) > 1:
            continue
        if unpaired is None:
            unpaired = count_unpaired_squares(grid, cells)
        alone = count_unpaired_squares(grid, part) + count_unpaired_squares(grid, rest)
        if alone <= unpaired:
            found.append((part, step))
    return found


def _look_closer(
    rgb: Image,
    network: Network,
    grid: Grid,
    one: Hanging,
    searching: LocateSettings,
) -> float | None:
    """The gap of a domino at a closer look, in squares; None where that does not show it."""
    step = one.step
    closer = look_closer(rgb, network, grid.lattice, one.part, searching)
    if closer is None:
        return None
    detections, lattice = closer
    members = {cell: k for cell, k in lattice.members.items() if cell in grid.occupied}
    seen = [cell for cell in one.part if cell in members]
    if not any((row + step[0], column + step[1]) in members for row, column in seen):
        return None
    return _gap(detections, replace(lattice, members=members), seen, step)


def _only_step(part: Collection[Position], rest: Collection[Position]) -> Step | None:
    """The step from a part to the rest beside it, None where there is none or more than one."""
    steps = {
        (dr, dc) for row, column in part for dr, dc in STEPS if (row + dr, column + dc) in rest
    }
    return steps.pop() if len(steps) == 1 else None


def _lean(lattice: Lattice, cell: Position) -> float:
    """The tangent of the angle by which the camera leans where a cell lies."""
    row, column = cell
    stretch = measure_stretch(lattice.homography, (column + 0.5, row + 0.5))
    return math.sqrt(max(stretch**2 - 1, 0.0))


def _gap(detections: Detections, lattice: Lattice, part: Collection[Position], step: Step) -> float:
    """How far a part lies off the rest, which lies a step from it, in squares."""
    offset = measure_offset(detections, lattice, part)
    return float(-np.dot(offset, (step[1], step[0])))
