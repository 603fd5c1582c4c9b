"""What cells look like, compared with the table around a kingdom: a lawn may be taken for
forest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import Extent
from vision.common.rectify import cut_square
from vision.common.runtime import map_in_threads
from vision.kingdomino.detect.grid import Grid, GridSettings, drop_empty
from vision.kingdomino.detect.lattice import Lattice
from vision.kingdomino.labels import EMPTY_AT, LIKELY, NEIGHBOUR

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# The share of a cell that is left out at each of its edges.
BORDER_SHARE = 0.12
_LOW, _HIGH = BORDER_SHARE, 1 - BORDER_SHARE
_INNER = np.array([(_LOW, _LOW), (_HIGH, _LOW), (_HIGH, _HIGH), (_LOW, _HIGH)])


@dataclass(frozen=True)
class TableSettings:
    """When a square looks like the table, and how much that counts.

    The table is seen on the free cells up to ``reach`` squares around the kingdom, ``min_table`` of
    them at least. A square looks like it when the third nearest of these, by colour and
    roughness, is at most ``max_distance`` times as far as theirs are from each other, which is
    taken to be ``slack`` more than measured, on a scale where black and white are 100 apart. The
    odds that such a cell is empty are multiplied by ``odds``; squares for which "no square" is less
    probable than ``min_empty`` are beyond doubt anyway. Of composed photographs 82 of 102 pieces of
    table that were taken for squares look so, of 11,700 true squares some 20.
    """

    reach: int = 2
    min_table: int = 8
    max_distance: float = 0.8
    slack: float = 4.0
    odds: float = 100.0
    min_empty: float = 1e-3


class CellLooks:
    """The looks of cells of one picture, ``rgb`` (h, w, 3); each is measured once."""

    def __init__(self, rgb: Image, settings: TableSettings | None = None) -> None:
        self.rgb = rgb
        self.settings = settings or TableSettings()
        self._known: dict[tuple[bytes, Position], Floats | None] = {}

    def measure(self, lattice: Lattice, cells: Sequence[Position]) -> list[Floats | None]:
        """Mean colour in CIE L*a*b*, contrast and roughness of each cell (5,), of about 100.

        None for a cell that does not lie in the picture as a whole.
        """
        view = lattice.homography.tobytes()
        fresh = [cell for cell in dict.fromkeys(cells) if (view, cell) not in self._known]
        at = np.array(fresh, np.float64).reshape(-1, 1, 2)[..., ::-1]
        corners = lattice.points(at + _INNER).reshape(-1, 4, 2)
        last = np.array(self.rgb.shape[1::-1]) - 1
        inside = np.all((corners >= 0) & (corners <= last), axis=(1, 2))
        looks = iter(map_in_threads(self._look, list(corners[inside])))
        for cell, is_inside in zip(fresh, inside, strict=True):
            self._known[view, cell] = next(looks) if is_inside else None
        return [self._known[view, cell] for cell in cells]

    def table_around(self, grid: Grid, others: Sequence[Grid]) -> Floats | None:
        """The looks (n, 5) of the free cells around a kingdom; None where too few are seen.

        ``others`` are the other kingdoms, no part of the table.
        """
        free = find_free_cells(grid, others, self.settings.reach)
        rows = [look for look in self.measure(grid.lattice, free) if look is not None]
        return np.array(rows) if len(rows) >= self.settings.min_table else None

    def _look(self, corners: Floats) -> Floats:
        patch = cut_square(self.rgb, corners).astype(np.float32) / 255
        colour, spread = cv2.meanStdDev(cv2.cvtColor(patch, cv2.COLOR_RGB2LAB))
        edges = cv2.Laplacian(cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY), cv2.CV_32F)
        _, rough = cv2.meanStdDev(edges)
        return np.array([*colour[:, 0], 0.5 * spread[0, 0], 60 * rough[0, 0]], np.float64)


def find_free_cells(grid: Grid, others: Sequence[Grid], reach: int) -> list[Position]:
    """The cells up to ``reach`` around a kingdom on which neither it nor another one lies."""
    extent = Extent.of(grid.occupied)
    free = {cell for cell in extent.widened(reach).cells() if not extent.holds(cell)}
    free -= {*grid.occupied, *grid.lattice.members}
    for other in others:
        middles = other.lattice.points([(c + 0.5, r + 0.5) for r, c in other.occupied])
        at = grid.lattice.places(middles)
        free = {(r, c) for r, c in free if (np.abs(at - (c + 0.5, r + 0.5)).max(1) >= 1.0).all()}
    return sorted(free)


def table_distances(table: Floats, empty: Floats, share: float) -> tuple[Floats, Floats]:
    """How far looks (n, k) of the table are from each other and those of cells (m, k) from them.

    A distance is that to the farthest of the nearest ``share`` of the table.
    """
    near = max(1, round(share * len(table)))
    # Each cell of the table is itself among its nearest.
    return nth_distances(table, table, near + 1), nth_distances(empty, table, near)


def nth_distances(looks: Floats, table: Floats, number: int) -> Floats:
    """How far the ``number``-th nearest row of a table (m, k) is from each look (n, k)."""
    apart = np.linalg.norm(looks[:, None] - table[None], axis=2)
    return np.asarray(np.sort(apart, axis=1)[:, min(number, len(table)) - 1])


def doubt_table_like(
    looks: CellLooks,
    grid: Grid,
    others: Sequence[Grid],
    grid_settings: GridSettings,
) -> Grid:
    """The grid with those squares doubted, or gone, that look like the table around them.

    What seemed empty, to the locator too, and looks like the table is the more surely so.
    ``looks`` are of the picture whose ``others`` are the other kingdoms, no part of the table.
    """
    least = looks.settings.min_empty
    weak = [
        cell
        for cell, seen in grid.probabilities.items()
        if least < seen[EMPTY_AT] < 1 - least
        and (cell in grid.occupied or cell not in grid.lattice.members)
    ]
    weighed = _weigh(looks, grid, weak, others)
    if not weighed:
        return grid
    probabilities = {**grid.probabilities, **weighed}
    return drop_empty(replace(grid, probabilities=probabilities), grid_settings)


def empty_table_like(looks: CellLooks, grid: Grid, others: Sequence[Grid]) -> Grid:
    """The grid where what is more probably the table than a square holds none, and joins nothing.

    ``looks`` are of the picture whose ``others`` are the other groups of squares.
    """
    odds = looks.settings.odds
    weak = [cell for cell in grid.occupied if _more_probable(grid, cell, odds)[EMPTY_AT] > LIKELY]
    return replace(grid, probabilities=grid.probabilities | _weigh(looks, grid, weak, others))


def _more_probable(grid: Grid, cell: Position, odds: float) -> Floats:
    """The probabilities of the labels of a cell, "no square" being the more so."""
    joint = grid.probabilities[cell].copy()
    joint[EMPTY_AT] *= odds
    return np.asarray(joint / joint.sum())


def _weigh(
    looks: CellLooks, grid: Grid, weak: Sequence[Position], others: Sequence[Grid]
) -> dict[Position, Floats]:
    """The new probabilities of those of the ``weak`` cells that look like the table."""
    if not weak:
        return {}
    settings, table = looks.settings, looks.table_around(grid, others)
    if table is None:
        return {}
    usual = float(np.median(nth_distances(table, table, NEIGHBOUR + 1)))
    most = settings.max_distance * (usual + settings.slack)
    return {
        cell: _more_probable(grid, cell, settings.odds)
        for cell, feature in zip(weak, looks.measure(grid.lattice, weak), strict=True)
        if feature is not None and nth_distances(feature[None], table, NEIGHBOUR)[0] <= most
    }
