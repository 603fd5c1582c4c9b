"""Turning a picture upright."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["mirrored_axes", "upright"]


def mirrored_axes(orientation: int) -> tuple[bool, bool]:
    """Whether x and y of the upright picture run against those of the stored one.

    The upright x is the stored y from orientation 5 on.
    """
    return orientation in (2, 3, 6, 7), orientation in (3, 4, 7, 8)


def upright(rgb: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """The picture, shape (h, w, 3), turned and mirrored as EXIF orientation 1..8 asks."""
    if orientation >= 5:
        rgb = rgb.transpose(1, 0, 2)
    mirrored_x, mirrored_y = mirrored_axes(orientation)
    if mirrored_y:
        rgb = rgb[::-1]
    if mirrored_x:
        rgb = rgb[:, ::-1]
    return np.ascontiguousarray(rgb)
