"""From a photograph to the Kingdomino kingdoms in it."""

from vision.kingdomino.reader import Reader, ReadSettings
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.kingdomino.weights import Weights

__all__ = [
    "KingdomReading",
    "PhotoReading",
    "ReadSettings",
    "Reader",
    "SquareReading",
    "Weights",
]
