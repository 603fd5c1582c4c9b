"""Domino-Duell: from a photograph of the board to its hollows. Tried on drawn pictures only."""

from typing import TYPE_CHECKING

from vision.common import lazily

if TYPE_CHECKING:
    from vision.domino_duell.reader import BoardSettings, read_board
    from vision.domino_duell.refit import LabelledCrop, hollow_patches, labelled_crops
    from vision.domino_duell.result import BoardReading, HollowReading
else:
    __getattr__ = lazily(
        __name__,
        {
            "vision.domino_duell.refit": ("LabelledCrop", "hollow_patches", "labelled_crops"),
            "vision.domino_duell.reader": ("BoardSettings", "read_board"),
            "vision.domino_duell.result": ("BoardReading", "HollowReading"),
        },
    )

__all__ = [
    "BoardReading",
    "BoardSettings",
    "HollowReading",
    "LabelledCrop",
    "hollow_patches",
    "labelled_crops",
    "read_board",
]
