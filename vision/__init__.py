"""From a photograph of a table to what lies on it."""

from vision.kingdomino.reader import (
    Reader,
    ReadSettings,
    classify_squares,
    read_kingdoms,
    settle_together,
)
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.photo import PhotoError

__all__ = [
    "KingdomReading",
    "PhotoError",
    "PhotoReading",
    "ReadSettings",
    "Reader",
    "SquareReading",
    "classify_squares",
    "read_kingdoms",
    "settle_together",
]
