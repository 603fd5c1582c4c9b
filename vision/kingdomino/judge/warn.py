"""What makes a reading incomplete, told by codes: cut off, hidden, beside; words are found where
people read them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import Extent, around
from vision.kingdomino.detect.classifier import COVERED, cell_corners
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.kingdoms.table_likeness import CellLooks, table_distances

__all__ = [
    "POOR_LIGHT",
    "WARNINGS",
    "HiddenSettings",
    "WarnSettings",
    "find_hidden_cells",
    "find_unread_groups",
    "find_warnings",
    "is_touched",
    "sort_codes",
]


@dataclass(frozen=True)
class HiddenSettings:
    """When a cell shows something other than the table.

    The table is seen on the cells up to ``reach`` squares around the kingdom, ``min_table`` of
    them at least. A cell is like the table when it resembles the nearest ``share`` of these, as
    well as they resemble each other: its distance is at most ``max_distance`` times theirs (that
    of ``usual_percent`` of them, since an arm may cover the rest), and ``slack`` more on a scale
    where black and white are 100 apart. What the locator takes for a thing by more than
    ``covered`` of its area is hidden, up to ``around`` cells beside squares. A thing seems to touch
    a kingdom also where it covers a cell beside it by more than ``likely`` and more than the bare
    table does, if no other square with a score above ``found`` lies within ``free`` squares.
    """

    reach: int = 2
    min_table: int = 8
    share: float = 0.4
    max_distance: float = 1.5
    slack: float = 8.0
    usual_percent: float = 82.0
    covered: float = COVERED
    around: int = 1
    likely: float = 0.3
    found: float = 0.3
    free: float = 0.9


def find_hidden_cells(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom, or beside it, that something seems to hide.

    ``lattice`` is that of the grid in pixels of the picture whose ``looks`` are given.
    """
    covered = {cell for cell, share in grid.things.items() if share > settings.covered}
    near = around(grid.occupied, corners=True, reach=settings.around) | grid.occupied
    return frozenset(covered & near) | _find_unlike_table(looks, lattice, grid, settings)


def is_touched(detections: Detections, grid: Grid, settings: HiddenSettings) -> bool:
    """Whether a thing covers a cell beside a kingdom, even if it would get too large by that."""
    cells = sorted(around(grid.occupied))
    if detections.ground is None or not cells:
        return False
    bare, things = detections.ground.within_each(cell_corners(grid.lattice, cells)).T
    if (things > settings.covered).any():
        return True
    others = np.setdiff1d(np.arange(len(detections.scores)), [*grid.lattice.members.values()])
    at = grid.lattice.places(detections.centres[others[detections.scores[others] > settings.found]])
    middles = np.array(cells)[:, ::-1] + 0.5
    apart = np.abs(middles[:, None] - at[None]).max(2).min(1, initial=np.inf)
    likely = (things > settings.likely) & (things > bare) & (apart > settings.free)
    return bool(likely.any())


def _find_unlike_table(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom that show neither a square nor the table."""
    extent = Extent.of(grid.occupied)
    inner, outer = [], []
    for cell in extent.widened(settings.reach).cells():
        if extent.holds(cell):
            if cell not in grid.occupied:
                inner.append(cell)
        elif cell not in grid.probabilities or cell not in lattice.members:
            outer.append(cell)
    if not inner:
        return frozenset()
    cells = [*inner, *outer]
    features = dict(zip(cells, looks.measure(lattice, cells), strict=True))
    table = [feature for cell in outer if (feature := features[cell]) is not None]
    empty = [cell for cell in inner if features[cell] is not None]
    if not empty or len(table) < settings.min_table:
        return frozenset()
    own, apart = table_distances(
        np.array(table), np.array([features[cell] for cell in empty]), settings.share
    )
    most = (
        settings.max_distance * float(np.percentile(own, settings.usual_percent)) + settings.slack
    )
    return frozenset(cell for cell, far in zip(empty, apart, strict=True) if far > most)


Floats = NDArray[np.float64]

WARNINGS = (
    "cut_off",
    "hidden",
    "blurred",
    "dark",
    "glare",
    "grey",
    "beside",
    "other_squares",
    "mirrored",
    "maybe_same",
)
# Those of light in which any square may be read as another.
POOR_LIGHT = ("dark", "blurred", "grey")


@dataclass(frozen=True)
class WarnSettings:
    """When something is told; lengths are squares.

    A group of squares that belongs to no
    kingdom is told from ``min_group`` squares on, a single one only with a score of
    ``sure_single``; it lies beside a kingdom up to the distance ``beside`` between the middles of
    squares.
    """

    min_group: int = 2
    sure_single: float = 0.6
    beside: float = 2.2


def find_warnings(
    detections: Detections,
    found: Sequence[Grid],
    read: Sequence[Grid],
    beside: Sequence[bool],
    cut_off: Sequence[bool],
    settings: WarnSettings,
) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The warnings for each kingdom that was ``read``, and those that belong to none.

    ``found`` are the groups of squares of the picture, read or not. ``beside`` tells of which
    kingdoms a domino was left out, ``cut_off`` which go on beyond the picture. A kingdom without a
    castle beside another may be a part of it, and what lies beside that may be wrongly divided
    from it as well.
    """
    told = [
        {code for code, is_due in (("beside", left_out), ("cut_off", goes_on)) if is_due}
        for left_out, goes_on in zip(beside, cut_off, strict=True)
    ]
    beyond = set()
    for middles in find_unread_groups(detections, found, read, settings):
        apart = [_distance(middles, grid) for grid in read]
        near = [k for k, far in enumerate(apart) if far <= settings.beside]
        for k in near:
            told[k].add("beside")
        if not near:
            beyond.add("other_squares")
    for number in _find_doubtful_neighbours(detections, read, settings):
        told[number].add("beside")
    return [sort_codes(codes) for codes in told], sort_codes(beyond)


def _find_doubtful_neighbours(
    detections: Detections, read: Sequence[Grid], settings: WarnSettings
) -> set[int]:
    """The numbers of the kingdoms that one without a castle hangs together with, itself included.

    Step by step from one kingdom to the next that lies beside it.
    """
    middles = [detections.centres[list(grid.lattice.members.values())] for grid in read]
    beside = {
        number: {
            k
            for k, other in enumerate(read)
            if k != number and len(mine) and _distance(mine, other) <= settings.beside
        }
        for number, mine in enumerate(middles)
    }
    waiting = [k for k, grid in enumerate(read) if not grid.has_castle and beside[k]]
    found = set(waiting)
    while waiting:
        fresh = beside[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def sort_codes(codes: Collection[str]) -> tuple[str, ...]:
    """Codes in the order of ``WARNINGS``."""
    return tuple(code for code in WARNINGS if code in codes)


def find_unread_groups(
    detections: Detections,
    grids: Iterable[Grid],
    read: Sequence[Grid],
    settings: WarnSettings,
) -> list[Floats]:
    """The middles (n, 2) in pixels of the squares of each group that became part of no kingdom.

    What lies on a kingdom that was read, such as the top of a standing castle, is no group.
    """
    groups = []
    for grid in grids:
        cells = [cell for cell in grid.occupied if cell in grid.lattice.members]
        scores = [grid.scores[cell] for cell in cells]
        if not cells or (len(cells) < settings.min_group and max(scores) < settings.sure_single):
            continue
        middles = detections.centres[[grid.lattice.members[cell] for cell in cells]]
        apart = np.array([[_nearest(middle, kingdom) for kingdom in read] for middle in middles])
        free = (apart > 0.6).all(1) if len(read) else np.ones(len(middles), bool)
        if 2 * free.sum() > len(middles):
            groups.append(middles)
    return groups


def _distance(middles: Floats, kingdom: Grid) -> float:
    """How far the nearest of the points (n, 2) in pixels is from the squares of a kingdom.

    Between middles, in squares, the larger of across and down.
    """
    return min(_nearest(middle, kingdom) for middle in middles)


def _nearest(middle: Floats, kingdom: Grid) -> float:
    at = kingdom.lattice.places(middle)[0]
    cells = np.array([(c + 0.5, r + 0.5) for r, c in kingdom.occupied])
    return float(np.abs(cells - at).max(1).min())
