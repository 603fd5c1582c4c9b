"""Cells that something seems to hide: covered, unlike the table, or told by a half without its
other half.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from scorer.kingdomino import Kingdom, Position, Square
from vision.common.grids import Extent, around, beside, hang_together
from vision.kingdomino.detect.grid import COVERED, Grid, cell_corners
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.judge.warn import sort_codes
from vision.kingdomino.kingdoms.table_likeness import CellLooks, table_distances
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.result import KingdomReading, SquareReading

__all__ = [
    "HiddenSettings",
    "MissingSettings",
    "find_hidden_cells",
    "flag_missing_halves",
    "is_touched",
]


Squares = Mapping[Position, SquareReading]


@dataclass(frozen=True)
class HiddenSettings:
    """When a cell shows something other than the table.

    A cell is like the table when it resembles the nearest ``share`` of the cells around the
    kingdom, as well as they resemble each other: its distance is at most ``max_distance`` times
    theirs (that of ``usual_percent`` of them, since an arm may cover the rest), and ``slack`` more
    on a scale where black and white are 100 apart. What something covers is hidden. A thing seems
    to touch a kingdom also where it covers a cell beside it by more than ``likely`` and more than
    the bare table does, if no other square with a score above ``found`` lies within ``free``
    squares.
    """

    share: float = 0.4
    max_distance: float = 1.5
    slack: float = 8.0
    usual_percent: float = 82.0
    likely: float = 0.3
    found: float = 0.3
    free: float = 0.9


def find_hidden_cells(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom, or beside it, that something seems to hide.

    ``lattice`` is that of the grid in pixels of the picture whose ``looks`` are given.
    """
    covered = {cell for cell, share in grid.things.items() if share > COVERED}
    near = around(grid.occupied, corners=True) | grid.occupied
    return frozenset(covered & near) | _find_unlike_table(looks, lattice, grid, settings)


def is_touched(detections: Detections, grid: Grid, settings: HiddenSettings) -> bool:
    """Whether a thing covers a cell beside a kingdom, even if it would get too large by that."""
    cells = sorted(around(grid.occupied))
    if detections.ground is None or not cells:
        return False
    bare, things = detections.ground.within_each(cell_corners(grid.lattice, cells)).T
    if (things > COVERED).any():
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
    for cell in extent.widened(looks.settings.reach).cells():
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
    if not empty or len(table) < looks.settings.min_table:
        return frozenset()
    own, apart = table_distances(
        np.array(table), np.array([features[cell] for cell in empty]), settings.share
    )
    most = (
        settings.max_distance * float(np.percentile(own, settings.usual_percent)) + settings.slack
    )
    return frozenset(cell for cell, far in zip(empty, apart, strict=True) if far > most)


@dataclass(frozen=True)
class MissingSettings:
    """Bounds of probabilities.

    A label below ``unlikely`` that settling chose was not seen at all; a flagged cell that is
    empty with less than ``sure_empty`` is half hidden.
    """

    unlikely: float = 0.1
    sure_empty: float = 0.9


def flag_missing_halves(reading: KingdomReading, settings: MissingSettings) -> KingdomReading:
    """The reading with the empty cells flagged that may hold a hidden square.

    That one is hidden is told by a square without its other half, or by one that settling took
    away or made something else for want of it, against all that was seen. Where nothing was known
    to be hidden, so that settling could not reckon with it, such squares are then taken as they
    were seen, with the probability that the box left to them; but a castle stays one, since each
    kingdom has one. What hides one cell
    may hide the empty cells that hang together with it as well.
    """
    squares = {(r, c): s for r, row in enumerate(reading.squares) for c, s in enumerate(row)}
    changed = {
        cell: square
        for cell, square in squares.items()
        if square.settled_from not in (None, EMPTY, "c")
        and square.label != "c"
        and square.probability < settings.unlikely
    }
    holes = [
        cell
        for cell, square in squares.items()
        if square.label == EMPTY and cell not in changed and _is_beside_a_half(cell, squares)
    ]
    known = any(square.reason == "hidden" for square in squares.values())
    hidden = {
        cell
        for cell, s in squares.items()
        if s.label == EMPTY
        and (s.reason == "hidden" or (s.doubtful and s.probability < settings.sure_empty))
    }
    if reading.unpaired or changed:
        hidden.update(holes)
    if reading.unpaired and not hidden:
        # What is hidden lies beyond the extent.
        return replace(reading, warnings=sort_codes({*reading.warnings, "hidden"}))
    if not hidden:
        return reading
    if holes and not known:
        for cell, square in changed.items():
            squares[cell] = replace(
                square,
                label=str(square.settled_from),
                runner_up=square.label,
                doubtful=True,
                settled_from=None,
                reason="hidden",
            )
    for cell in _spread(hidden, squares) if reading.unpaired or changed else hidden:
        squares[cell] = replace(squares[cell], doubtful=True, reason="hidden")
    rows = tuple(
        tuple(squares[r, c] for c in range(len(row))) for r, row in enumerate(reading.squares)
    )
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in rows))
    warnings = sort_codes({*reading.warnings, "hidden"})
    return replace(reading, kingdom=kingdom, squares=rows, warnings=warnings)


def _is_beside_a_half(cell: Position, squares: Squares) -> bool:
    return any(near in squares and squares[near].label not in (EMPTY, "c") for near in beside(cell))


def _spread(cells: Collection[Position], squares: Squares) -> set[Position]:
    """The cells with all empty ones that hang together with them, corners included."""
    empty = {cell for cell, square in squares.items() if square.label == EMPTY}
    groups = hang_together(empty.union(cells), corners=True)
    return {cell for group in groups if not group.isdisjoint(cells) for cell in group}
