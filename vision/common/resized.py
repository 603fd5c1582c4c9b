"""Pictures of any size brought to one size."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["resize_by_halves", "resized_patches"]

Image = NDArray[np.uint8]

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
