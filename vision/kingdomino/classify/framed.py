"""The squares of a grid that a person has laid over the photograph."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.homography import project
from vision.common.rectify import cut_squares
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.classify.squares import SquareClassifier
from vision.kingdomino.labels import EMPTY, LABELS
from vision.kingdomino.locate.lattice import Lattice
from vision.photo import Photo

__all__ = ["frame_grid"]

_EMPTY = LABELS.index(EMPTY)
_MIN_AREA_PX = 16.0
_HOLDS_A_SQUARE = 0.5


def frame_grid(
    photo: Photo,
    corners: NDArray[np.float64],
    shape: tuple[int, int],
    classifier: SquareClassifier,
) -> Grid:
    """Classify each of the ``shape`` (rows, columns) cells of a frame that a person has set.

    ``corners`` (4, 2) are pixels (x, y) of the upright photograph, clockwise from the top left of
    the grid. ValueError for corners that span no area.
    """
    rows, columns = shape
    if corners.shape != (4, 2) or cv2.contourArea(corners.astype(np.float32)) < _MIN_AREA_PX:
        raise ValueError("corners: expected four that span an area")
    reduced = (corners + 0.5) * photo.scale - 0.5
    lattice_corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    homography = cv2.getPerspectiveTransform(lattice_corners, reduced.astype(np.float32))
    lattice = Lattice(np.asarray(homography, np.float64), {}, 0.0)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    patches = cut_squares(photo.rgb, [_square(lattice.homography, cell) for cell in cells])
    seen, colours = classifier.probabilities(patches)
    probabilities = dict(zip(cells, seen, strict=True))
    occupied = [cell for cell in cells if 1 - probabilities[cell][_EMPTY] > _HOLDS_A_SQUARE]
    return Grid(
        lattice, probabilities, dict(zip(cells, colours, strict=True)), frozenset(occupied), {}
    )


def _square(homography: NDArray[np.float64], cell: tuple[int, int]) -> NDArray[np.float64]:
    row, column = cell
    around = np.array([[0.0, 0.0], [1, 0], [1, 1], [0, 1]]) + (column, row)
    return project(around, homography)
