"""Dominoes of a photograph as flat patches of one size, with what lies around them."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CORNER_UNIT_PX",
    "FACE_MARGIN_PX",
    "FACE_PX",
    "HALF_MARGIN_PX",
    "HALF_PX",
    "cut",
    "face_points",
    "half_corners",
    "patch_corners",
]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# A face: (width, height) of the patch and the margin about the domino, long edge along x.
FACE_PX = (160, 96)
FACE_MARGIN_PX = 16
# Corners are refined in this unit of pixels of the patch.
CORNER_UNIT_PX = 8.0
# A half: side of the patch and the margin; the bar at the right.
HALF_PX = 56
HALF_MARGIN_PX = 6
# Larger dominoes are cut at a multiple of the size and averaged, so that no detail flickers.
_MAX_OVERSAMPLING = 4


def patch_corners(size: tuple[int, int], margin: int, times: int = 1) -> Floats:
    """Where the corners (4, 2) lie in a patch of ``size``, drawn ``times`` as large, in pixels."""
    (w, h), m = size, margin
    corners = np.array([(m, m), (w - m, m), (w - m, h - m), (m, h - m)], np.float64)
    return corners * times - 0.5


def cut(rgb: Image, corners: Floats, size: tuple[int, int], margin: int) -> Image:
    """What ``corners`` (4, 2) enclose as a patch of ``size`` (width, height) with a margin.

    ``rgb`` is (h, w, 3); the corners are pixels (x, y), clockwise from the patch's top left.
    What lies beyond the picture repeats its edge.
    """
    seen = math.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0))
    shown = math.sqrt((size[0] - 2 * margin) * (size[1] - 2 * margin))
    times = min(max(math.ceil(seen / (1.3 * shown)), 1), _MAX_OVERSAMPLING)
    flat = patch_corners(size, margin, times).astype(np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    patch = cv2.warpPerspective(
        rgb, view, (size[0] * times, size[1] * times),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    if times > 1:
        patch = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def face_points(corners: Floats, points: Floats, *, to_patch: bool) -> Floats:
    """Points (n, 2) of the photograph in the patch of a face, or the other way round."""
    flat = patch_corners(FACE_PX, FACE_MARGIN_PX).astype(np.float32)
    seen = corners.astype(np.float32)
    view = cv2.getPerspectiveTransform(*((seen, flat) if to_patch else (flat, seen)))
    moved = np.column_stack([points, np.ones(len(points))]) @ view.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def half_corners(corners: Floats) -> tuple[Floats, Floats]:
    """The corners of both halves of a domino, each with the bar at its right.

    ``corners`` (4, 2) are clockwise with the first edge along the domino; the first half is the
    one at the first corner. The bar lies in the middle as the camera sees it.
    """
    flat = np.array([(0, 0), (2, 0), (2, 1), (0, 1)], np.float32)
    view = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))

    def seen(x: float, y: float) -> Floats:
        point = view @ (x, y, 1.0)
        return np.asarray(point[:2] / point[2])

    first = np.array([seen(0, 0), seen(1, 0), seen(1, 1), seen(0, 1)])
    second = np.array([seen(2, 1), seen(1, 1), seen(1, 0), seen(2, 0)])
    return first, second
