"""A steep photograph seen from above: rectified by the first rough lattice, to be read again."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.locate.lattice import Lattice

__all__ = ["FlatView", "ViewSettings", "flat_view", "seen_flat"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ViewSettings:
    """When and how a photograph is seen from above.

    Where squares look ``min_stretch`` times longer than wide, which is from a tilt of some 50° on,
    and ``min_squares`` were found, the kingdom is drawn flat with ``square_px`` pixels a square
    and ``margin`` squares around what was found.
    """

    min_stretch: float = 1.5
    min_squares: int = 4
    square_px: float = 64.0
    margin: int = 4


@dataclass(frozen=True, eq=False)
class FlatView:
    """``view`` (3, 3) maps pixels of the photograph to those of the flat picture of ``size``."""

    view: Floats
    size: tuple[int, int]


def flat_view(lattice: Lattice | None, settings: ViewSettings) -> FlatView | None:
    """The view from above on a lattice, None where it is seen from above well enough."""
    if lattice is None or len(lattice.members) < settings.min_squares:
        return None
    cells = np.array(list(lattice.members))
    row, column = cells.mean(0) + 0.5
    ends = lattice.points([(column + 0.5, row), (column, row + 0.5)])
    starts = lattice.points([(column - 0.5, row), (column, row - 0.5)])
    long, short = np.linalg.svd((ends - starts).T, compute_uv=False)
    if long < settings.min_stretch * short:
        return None
    (top, left), (bottom, right) = (
        cells.min(0) - settings.margin,
        cells.max(0) + settings.margin + 1,
    )
    side = settings.square_px
    flat = np.array([[side, 0, -side * left], [0, side, -side * top], [0, 0, 1.0]])
    view = flat @ np.linalg.inv(lattice.homography)
    return FlatView(
        np.asarray(view / view[2, 2]), (round((right - left) * side), round((bottom - top) * side))
    )


def seen_flat(rgb: Image, flat: FlatView) -> Image:
    """The picture (h, w, 3) from above; what lies beyond it is grey."""
    out = cv2.warpPerspective(
        rgb, flat.view, flat.size, flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114)
    )
    return np.asarray(out, np.uint8)
