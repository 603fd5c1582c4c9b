"""Domino-Duell: from a photograph of the board to its hollows. Tried on drawn pictures only."""

from vision.domino_duell.corrections import LabelledCrop, hollow_patches, labelled_crops
from vision.domino_duell.reader import BoardSettings, read_board
from vision.domino_duell.result import BoardReading, HollowReading

__all__ = [
    "BoardReading",
    "BoardSettings",
    "HollowReading",
    "LabelledCrop",
    "hollow_patches",
    "labelled_crops",
    "read_board",
]
