"""Reading photos of kingdoms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion import reading_jobs
from companion.reading_jobs import Reader
from vision.kingdomino.result import PhotoReading

__all__ = ["KINGDOMS", "read_or_refuse"]

Image = NDArray[np.uint8]


def _read(source: bytes | str) -> PhotoReading:
    import vision  # Loads OpenCV and the weights: not before there is a photo to read.

    return vision.read_kingdoms(source)


def _draw(photo_rgb: Image, reading: PhotoReading) -> Image:
    from vision.kingdomino.annotate import draw_reading

    return draw_reading(photo_rgb, reading)


KINGDOMS = Reader(_read, _draw)
"""Reads the kingdoms of a photo."""


def read_or_refuse(source: bytes | str) -> PhotoReading:
    """Read a photo of kingdoms, given as bytes or path; PhotoError for whatever goes wrong."""
    return reading_jobs.read_or_refuse(source, _read)
