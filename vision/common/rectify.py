"""Homographies of the plane, squares cut out of a photograph as patches, and pictures resized."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.runtime import map_in_threads

Floats = NDArray[np.float64]


def project(points: NDArray[np.floating], homography: Floats) -> Floats:
    """The points (n, 2) mapped by a homography (3, 3); those on its horizon become (0, 0)."""
    columns = np.asarray(points, np.float64).reshape(-1, 1, 2)
    # OpenCV has no answer for no points.
    seen = cv2.perspectiveTransform(columns, homography) if len(columns) else columns
    return np.asarray(seen, np.float64).reshape(-1, 2)


def fit_homography(source: Floats, target: Floats) -> Floats:
    """The homography (3, 3) that maps ``source`` (n, 2) to ``target`` (n, 2) by least squares.

    Needs at least four points; ValueError if they determine no homography.
    """
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("the points determine no homography")
    return np.asarray(found, np.float64)


def measure_stretch(homography: Floats, place: tuple[float, float]) -> float:
    """How many times longer than wide a circle about a ``place`` (x, y) looks, 1 at least.

    ``homography`` (3, 3) maps it to the picture. Seen by a camera that leans by an angle, it is the
    inverse of its cosine.
    """
    x, y = place
    spots = np.array([(x + 0.5, y), (x, y + 0.5), (x - 0.5, y), (x, y - 0.5)])
    seen = project(spots, homography)
    long, short = np.linalg.svd((seen[:2] - seen[2:]).T, compute_uv=False)
    return float(long / max(short, 1e-12))


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


# To nearly half the size linear interpolation takes the mean of four pixels, and a tenth of the
# time of area averaging.
_NEARLY_TWO = 1.8


def resized_patches(images: Sequence[Image], side_px: int) -> Image:
    """Pictures as patches (n, side_px, side_px, 3).

    ``images`` are RGB, uint8, of shape (h, w, 3). ValueError for an array of another kind.
    """
    patches = np.zeros((len(images), side_px, side_px, 3), np.uint8)
    for at, image in enumerate(images):
        picture = np.asarray(image)
        if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
            raise ValueError(
                f"image {at}: expected RGB uint8 of shape (h, w, 3), "
                f"got {picture.dtype} of shape {picture.shape}"
            )
        if not picture.size:
            raise ValueError(f"image {at}: expected pixels, got shape {picture.shape}")
        shrinks = min(picture.shape[:2]) > side_px
        way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        patches[at] = cv2.resize(picture, (side_px, side_px), interpolation=way)
    return patches


def resize_by_halves(rgb: Image, width: int, height: int) -> Image:
    """The picture (h, w, 3) at another size; halved first where it can be, which is much faster."""
    while rgb.shape[1] >= 2 * width and rgb.shape[0] >= 2 * height:
        half = (rgb.shape[1] // 2, rgb.shape[0] // 2)
        rgb = np.asarray(cv2.resize(rgb, half, interpolation=cv2.INTER_AREA), np.uint8)
    nearly_half = rgb.shape[1] >= _NEARLY_TWO * width and rgb.shape[0] >= _NEARLY_TWO * height
    way = cv2.INTER_LINEAR if nearly_half else cv2.INTER_AREA
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=way), np.uint8)
