"""Pixels that somebody else decoded, checked and reduced like a decoded photograph."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.bounds import PhotoSettings, check_size, reduction
from vision.photo.decoding import Photo

__all__ = ["photo_of_pixels"]


def photo_of_pixels(rgb: NDArray[np.uint8], settings: PhotoSettings | None = None) -> Photo:
    """The photo of an upright RGB picture, uint8, shape (h, w, 3), which is not changed.

    Reduced as ``decode`` would reduce it. ValueError for an array of another kind, PhotoError
    too_small or too_many_pixels for sides out of bounds.
    """
    settings = settings or PhotoSettings()
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3:
        raise ValueError(f"pixels: expected RGB uint8 (h, w, 3), got {rgb.dtype} {rgb.shape}")
    height, width = rgb.shape[:2]
    check_size(width, height, settings)
    factor = reduction(width, height, settings)
    if factor > 1:
        size = (width // factor, height // factor)
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Photo(np.ascontiguousarray(rgb), width=width, height=height)
