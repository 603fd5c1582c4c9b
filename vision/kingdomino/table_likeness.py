"""Squares that look like the table around the kingdom, as a lawn is taken for forest.

What the network makes of a table that it never saw is known only by chance; but the table itself
can be looked at all around the kingdom, and a true square differs from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.cell_looks import CellLooks, find_free_cells, nth_distances
from vision.kingdomino.classify.cells import GridSettings
from vision.kingdomino.classify.grid import Grid, drop_empty
from vision.kingdomino.probabilities import EMPTY_AT

__all__ = ["TableSettings", "doubt_table_like", "empty_table_like"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TableSettings:
    """When a square looks like the table, and how much that counts.

    The table is seen on the free cells up to ``reach`` squares around the kingdom, ``min_table`` of
    them at least. A square looks like it when the ``neighbour``-th nearest of these, by colour and
    roughness, is at most ``max_distance`` times as far as theirs are from each other, which is
    taken to be ``slack`` more than measured, on a scale where black and white are 100 apart. The
    odds that such a cell is empty are multiplied by ``odds``; squares for which "no square" is less
    probable than ``min_empty`` are beyond doubt anyway. Of composed photographs 82 of 102 pieces of
    table that were taken for squares look so, of 11,700 true squares some 20.
    """

    reach: int = 2
    min_table: int = 8
    neighbour: int = 3
    max_distance: float = 0.8
    slack: float = 4.0
    odds: float = 100.0
    min_empty: float = 1e-3


def doubt_table_like(
    looks: CellLooks,
    grid: Grid,
    others: Sequence[Grid],
    settings: TableSettings,
    grid_settings: GridSettings,
) -> Grid:
    """The grid with those squares doubted, or gone, that look like the table around them.

    What seemed empty, to the locator too, and looks like the table is the more surely so.
    ``looks`` are of the picture whose ``others`` are the other kingdoms, no part of the table.
    """
    weak = [
        cell
        for cell, seen in grid.probabilities.items()
        if settings.min_empty < seen[EMPTY_AT] < 1 - settings.min_empty
        and (cell in grid.occupied or cell not in grid.lattice.members)
    ]
    weighed = _weigh(looks, grid, weak, others, settings)
    if not weighed:
        return grid
    probabilities = {**grid.probabilities, **weighed}
    return drop_empty(replace(grid, probabilities=probabilities), grid_settings)


def empty_table_like(
    looks: CellLooks, grid: Grid, others: Sequence[Grid], settings: TableSettings
) -> Grid:
    """The grid where what is more probably the table than a square holds none, and joins nothing.

    ``looks`` are of the picture whose ``others`` are the other groups of squares.
    """
    weak = [cell for cell in grid.occupied if _more_probable(grid, cell, settings)[EMPTY_AT] > 0.5]
    return replace(
        grid, probabilities=grid.probabilities | _weigh(looks, grid, weak, others, settings)
    )


def _more_probable(grid: Grid, cell: Position, settings: TableSettings) -> Floats:
    """The probabilities of the labels of a cell, "no square" being the more so."""
    joint = grid.probabilities[cell].copy()
    joint[EMPTY_AT] *= settings.odds
    return np.asarray(joint / joint.sum())


def _weigh(
    looks: CellLooks,
    grid: Grid,
    weak: Sequence[Position],
    others: Sequence[Grid],
    settings: TableSettings,
) -> dict[Position, Floats]:
    """The new probabilities of those of the ``weak`` cells that look like the table."""
    if not weak:
        return {}
    around = find_free_cells(grid, others, settings.reach)
    cells = [*weak, *around]
    measured = looks.measure(grid.lattice, cells)
    rows = [feature for feature in measured[len(weak) :] if feature is not None]
    if len(rows) < settings.min_table:
        return {}
    table = np.array(rows)
    usual = float(np.median(nth_distances(table, table, settings.neighbour + 1)))
    most = settings.max_distance * (usual + settings.slack)
    return {
        cell: _more_probable(grid, cell, settings)
        for cell, feature in zip(weak, measured, strict=False)
        if feature is not None
        and nth_distances(feature[None], table, settings.neighbour)[0] <= most
    }
