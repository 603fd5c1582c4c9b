"""From a photograph of pip dominoes to every domino in it."""

from vision.pip_dominoes.reader import Reader, ReadSettings, read_dominoes, settle_hands
from vision.pip_dominoes.result import DominoReading, HandReading

__all__ = [
    "DominoReading",
    "HandReading",
    "ReadSettings",
    "Reader",
    "read_dominoes",
    "settle_hands",
]
