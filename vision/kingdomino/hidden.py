"""Cells of a kingdom on which something lies that is neither a square nor the table.

A hand, a card or a glass hides what lies under it, and the cell then seems empty. The locator
knows such things; and they do not look like the table around the kingdom: cells within the
kingdom's extent that show no square are compared with cells all around.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.cell_looks import CellLooks, table_distances
from vision.kingdomino.classify.cells import COVERED, cell_corners
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.locate.contact import STEPS
from vision.kingdomino.locate.lattice import Detections, Lattice

__all__ = [
    "HiddenSettings",
    "find_hidden_cells",
    "is_touched",
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
    near = range(-settings.around, settings.around + 1)
    beside = {(r + dr, c + dc) for r, c in grid.occupied for dr in near for dc in near}
    return frozenset(covered & beside) | _find_unlike_table(looks, lattice, grid, settings)


def is_touched(detections: Detections, grid: Grid, settings: HiddenSettings) -> bool:
    """Whether a thing covers a cell beside a kingdom, even if it would get too large by that."""
    beside = {(r + dr, c + dc) for r, c in grid.occupied for dr, dc in STEPS} - grid.occupied
    if detections.ground is None or not beside:
        return False
    cells = sorted(beside)
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
    rows, columns = zip(*grid.occupied, strict=True)
    top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
    reach = settings.reach
    inner, outer = [], []
    for r in range(top - reach, bottom + reach + 1):
        for c in range(left - reach, right + reach + 1):
            if top <= r <= bottom and left <= c <= right:
                if (r, c) not in grid.occupied:
                    inner.append((r, c))
            elif (r, c) not in grid.probabilities or (r, c) not in lattice.members:
                outer.append((r, c))
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
