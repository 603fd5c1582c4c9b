"""Cut squares out of a photograph as rectified patches of one size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.both_cores import map_in_threads

__all__ = ["PATCH_PX", "cut_square", "cut_squares", "rectify_quadrangle"]

Image = NDArray[np.uint8]

PATCH_PX = 64
# Larger squares are sampled at a multiple of the size and averaged, to avoid aliasing.
MAX_OVERSAMPLING = 4
# How far apart samples may lie, in pixels of the picture.
MAX_STEP_PX = 1.5


def cut_square(rgb: Image, corners: NDArray[np.floating]) -> Image:
    """The square with these corners, rectified to a patch (64, 64, 3).

    ``rgb`` is (h, w, 3); ``corners`` (4, 2) are pixels (x, y), clockwise from the top left of the
    patch. Outside the picture its edge pixels are repeated.
    """
    side = math.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0))
    times = min(max(math.ceil(side / (MAX_STEP_PX * PATCH_PX)), 1), MAX_OVERSAMPLING)
    size = times * PATCH_PX
    flat = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    patch = cv2.warpPerspective(
        rgb, view, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if times > 1:
        patch = cv2.resize(patch, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def cut_squares(rgb: Image, squares: Sequence[NDArray[np.floating]]) -> Image:
    """The patches (n, 64, 64, 3) of squares given by their corners; see ``cut_square``."""
    patches = map_in_threads(lambda corners: cut_square(rgb, corners), squares)
    return np.array(patches, np.uint8).reshape(-1, PATCH_PX, PATCH_PX, 3)


def rectify_quadrangle(rgb: Image, corners: NDArray[np.floating], side_px: int) -> Image:
    """The quadrangle ``corners`` rectified to a picture (side_px, side_px, 3) to look at.

    ``corners`` (4, 2) are pixels (x, y), clockwise from the top left; unlike ``cut_square`` it
    neither averages nor extends the picture, which is black outside.
    """
    side = side_px
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    picture = cv2.warpPerspective(rgb, view, (side, side), flags=cv2.INTER_LINEAR)
    return np.asarray(picture, np.uint8)
