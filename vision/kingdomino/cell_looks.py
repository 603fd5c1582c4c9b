"""What the cells of a lattice look like, to compare them with the table around a kingdom."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.both_cores import map_in_threads
from vision.common.rectify import cut_square
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.locate.lattice import Lattice

__all__ = ["CellLooks", "find_free_cells", "nth_distances", "table_distances"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# The share of a cell that is left out at each of its edges.
BORDER_SHARE = 0.12
_LOW, _HIGH = BORDER_SHARE, 1 - BORDER_SHARE
_INNER = np.array([(_LOW, _LOW), (_HIGH, _LOW), (_HIGH, _HIGH), (_LOW, _HIGH)])


class CellLooks:
    """The looks of cells of one picture, ``rgb`` (h, w, 3); each is measured once."""

    def __init__(self, rgb: Image) -> None:
        self.rgb = rgb
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

    def _look(self, corners: Floats) -> Floats:
        patch = cut_square(self.rgb, corners).astype(np.float32) / 255
        colour, spread = cv2.meanStdDev(cv2.cvtColor(patch, cv2.COLOR_RGB2LAB))
        edges = cv2.Laplacian(cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY), cv2.CV_32F)
        _, rough = cv2.meanStdDev(edges)
        return np.array([*colour[:, 0], 0.5 * spread[0, 0], 60 * rough[0, 0]], np.float64)


def find_free_cells(grid: Grid, others: Sequence[Grid], reach: int) -> list[Position]:
    """The cells up to ``reach`` around a kingdom on which neither it nor another one lies."""
    rows, columns = zip(*grid.occupied, strict=True)
    top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
    free = {
        (r, c)
        for r in range(top - reach, bottom + reach + 1)
        for c in range(left - reach, right + reach + 1)
        if not (top <= r <= bottom and left <= c <= right)
    }
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
