"""Reading photos of the board; tried on drawn pictures only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.domino_duell.own_head import use_own_head
from companion.domino_duell.reading_data import reading_from_plain
from companion.reading_jobs import Isolation, Reader, read_or_refuse
from vision.domino_duell.result import BoardReading

__all__ = ["BOARDS", "ISOLATION", "read_upload"]

Image = NDArray[np.uint8]


def _read(source: bytes | str) -> BoardReading:
    use_own_head()
    from vision.domino_duell import read_board  # Loads the weights: not before there is a photo.

    return read_board(source)


def _draw(photo_rgb: Image, reading: BoardReading) -> Image:
    from vision.domino_duell.annotate import annotate

    return annotate(photo_rgb, reading)


ISOLATION = Isolation("companion.domino_duell.reading_task", reading_from_plain)
BOARDS = Reader(_read, _draw, ISOLATION)
"""Reads the board of a photo."""


def read_upload(data: bytes) -> tuple[BoardReading, Image]:
    """The reading of a photo and the patches (n, 32, 32, 3) of its hollows.

    PhotoError for whatever goes wrong with it.
    """
    return read_or_refuse(data, _read_with_patches)


def _read_with_patches(source: bytes | str) -> tuple[BoardReading, Image]:
    from vision.domino_duell import hollow_patches
    from vision.photo import decode

    reading = _read(source)
    return reading, hollow_patches(decode(source).rgb, reading)
