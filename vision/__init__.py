"""From a photograph of a table to the kingdoms on it."""

from vision.kingdomino.classify.squares import classify_squares
from vision.kingdomino.game import settle_together
from vision.kingdomino.reader import ReadSettings, read_kingdoms
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.photo.errors import PhotoError

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
