"""A photo in which no kingdom was found, as a reading whose corners a person is to set."""

from __future__ import annotations

import numpy as np

from scorer.kingdomino import Kingdom
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

__all__ = ["unread_photo"]

_SHARE = 0.6
"""The side of the grid over the shorter side of the photo."""


def unread_photo(width: int, height: int, side: int = 5) -> PhotoReading:
    """An empty kingdom of ``side`` squares each way in the middle of a photo.

    ``width`` and ``height`` are pixels of the upright photo.
    """
    square = _SHARE * min(width, height) / side
    left, top = (width - side * square) / 2, (height - side * square) / 2
    homography = np.array([[square, 0.0, left], [0.0, square, top], [0.0, 0.0, 1.0]])
    empty = SquareReading(".", 0.0)
    squares = tuple((empty,) * side for _ in range(side))
    reading = KingdomReading(Kingdom.empty(side, side), squares, homography)
    return PhotoReading((reading,), width, height)
