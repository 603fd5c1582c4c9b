"""A steep photograph seen from above, to be read again.

The locator knows tilts up to some 50°; of a steeper kingdom it sees fragments. Then the picture is
first stretched, and rectified by the lattice found in the stretched one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.rectify import measure_stretch
from vision.kingdomino.detect.lattice import Lattice

__all__ = ["FlatView", "ViewSettings", "fit_flat_view", "stretch_views", "view_from_above"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ViewSettings:
    """When and how a photograph is seen from above.

    Where ``min_found`` squares were found, of which no lattice holds more than
    ``together_share``, but no sure kingdom, or more than ``unread_share`` of what was read lies
    besides, the picture is stretched by ``stretches`` in ``directions_deg`` clockwise from top to
    bottom, until one lattice holds ``whole_share`` of the squares found. Where its squares then
    still look ``min_rest`` times longer than wide, or ``min_rest_of_plain`` times where nothing is
    in doubt, ``min_squares`` of them on one lattice, the kingdom is drawn flat with ``square_px``
    pixels a square and ``margin`` squares around it.
    """

    min_found: int = 6
    sure: float = 0.4
    together_share: float = 0.7
    unread_share: float = 0.5
    stretches: tuple[float, ...] = (1.7, 2.3)
    directions_deg: tuple[float, ...] = (0.0, 30.0, -30.0)
    whole_share: float = 0.8
    min_rest: float = 1.25
    min_rest_of_plain: float = 1.6
    min_squares: int = 4
    square_px: float = 64.0
    margin: int = 4


@dataclass(frozen=True, eq=False)
class FlatView:
    """``view`` (3, 3) maps pixels of the photograph to those of the flat picture of ``size``."""

    view: Floats
    size: tuple[int, int]


def fit_flat_view(
    lattice: Lattice | None, settings: ViewSettings, *, is_plain: bool = False
) -> FlatView | None:
    """The view from above on a lattice, None where it is seen from above well enough.

    That is the sooner so where all on it ``is_plain``.
    """
    if lattice is None or len(lattice.members) < settings.min_squares:
        return None
    cells = np.array(list(lattice.members))
    row, column = cells.mean(0) + 0.5
    least = settings.min_rest_of_plain if is_plain else settings.min_rest
    if measure_stretch(lattice.homography, (column, row)) < least:
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


def stretch_views(size: tuple[int, int], settings: ViewSettings) -> list[FlatView]:
    """A picture of ``size`` (width, height) stretched, most of all from top to bottom.

    That is how people tilt, give or take a phone turned in the hand.
    """
    width, height = size
    views = []
    for stretch in settings.stretches:
        for degrees in settings.directions_deg:
            angle = np.deg2rad(degrees)
            across = np.array([np.sin(angle), np.cos(angle)])
            shape = np.eye(2) + (stretch - 1) * np.outer(across, across)
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ shape
            low, high = corners.min(0), corners.max(0)
            view = np.eye(3)
            view[:2, :2], view[:2, 2] = shape, -low
            views.append(FlatView(view, (round(high[0] - low[0]), round(high[1] - low[1]))))
    return views


def view_from_above(rgb: Image, flat: FlatView) -> Image:
    """The picture (h, w, 3) from above; what lies beyond it is grey."""
    out = cv2.warpPerspective(
        rgb, flat.view, flat.size, flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114)
    )
    return np.asarray(out, np.uint8)
