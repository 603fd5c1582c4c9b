"""From a photograph of a table to the kingdoms on it."""

from vision.classify import classify_squares
from vision.errors import PhotoError
from vision.game import settle_together
from vision.read import ReadSettings, read_kingdoms
from vision.reading import KingdomReading, PhotoReading, SquareReading

__all__ = [
    "KingdomReading",
    "PhotoError",
    "PhotoReading",
    "ReadSettings",
    "SquareReading",
    "classify_squares",
    "read_kingdoms",
    "settle_together",
]
