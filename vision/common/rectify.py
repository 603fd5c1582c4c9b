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
# From this side on a square has twice the pixels that its samples need, and so many of them are
# worth a smaller picture.
LARGE_PX = 2 * MAX_STEP_PX * PATCH_PX
MIN_TO_HALVE = 4
# Of the picture around squares, for what lies between its pixels.
MARGIN_PX = 4


def cut_square(rgb: Image, corners: NDArray[np.floating]) -> Image:
    """The square with these corners, rectified to a patch (64, 64, 3).

    ``rgb`` is (h, w, 3); ``corners`` (4, 2) are pixels (x, y), clockwise from the top left of the
    patch. Outside the picture its edge pixels are repeated.
    """
    times = min(max(math.ceil(_side(corners) / (MAX_STEP_PX * PATCH_PX)), 1), MAX_OVERSAMPLING)
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
    """The patches (n, 64, 64, 3) of squares given by their corners; see ``cut_square``.

    The surroundings of large squares are halved once, which takes less time than to average many
    samples in each of them.
    """
    large = [k for k, corners in enumerate(squares) if _side(corners) >= LARGE_PX]
    if len(large) < MIN_TO_HALVE or min(rgb.shape[:2]) < LARGE_PX:
        large = []
    rest = sorted({*range(len(squares))} - {*large})
    patches = np.empty((len(squares), PATCH_PX, PATCH_PX, 3), np.uint8)
    if large:
        patches[large] = cut_squares(*_halve_around(rgb, [squares[k] for k in large]))
    cut = map_in_threads(lambda k: cut_square(rgb, squares[k]), rest)
    for k, patch in zip(rest, cut, strict=True):
        patches[k] = patch
    return patches


def _halve_around(
    rgb: Image, squares: Sequence[NDArray[np.floating]]
) -> tuple[Image, list[NDArray[np.floating]]]:
    """What of the picture lies around the squares at half the size, and their corners there."""
    corners = np.stack(squares)
    size = np.array(rgb.shape[1::-1])
    low = np.clip(np.floor(corners.min((0, 1))) - MARGIN_PX, 0, size - 2).astype(int)
    high = np.clip(np.ceil(corners.max((0, 1))) + MARGIN_PX, low + 2, size).astype(int)
    half = (high - low) // 2
    high = low + 2 * half
    around = rgb[low[1] : high[1], low[0] : high[0]]
    small = cv2.resize(around, (int(half[0]), int(half[1])), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), list((corners + 0.5 - low) / 2 - 0.5)


def _side(corners: NDArray[np.floating]) -> float:
    return math.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0))


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
