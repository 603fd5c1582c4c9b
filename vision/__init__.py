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
from vision.pip_dominoes import DominoReading, HandReading, read_dominoes, settle_hands

__all__ = [
    "DominoReading",
    "HandReading",
    "KingdomReading",
    "PhotoError",
    "PhotoReading",
    "ReadSettings",
    "Reader",
    "SquareReading",
    "classify_squares",
    "read_dominoes",
    "read_kingdoms",
    "settle_hands",
    "settle_together",
]
