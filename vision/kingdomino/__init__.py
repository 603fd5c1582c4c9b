"""From a photograph to the Kingdomino kingdoms in it."""

from typing import TYPE_CHECKING

from vision.common import lazily

if TYPE_CHECKING:
    from vision.kingdomino.passes import ReadSettings
    from vision.kingdomino.reader import Reader
    from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
    from vision.kingdomino.weights import Weights
else:
    __getattr__ = lazily(
        __name__,
        {
            "vision.kingdomino.passes": ("ReadSettings",),
            "vision.kingdomino.reader": ("Reader",),
            "vision.kingdomino.result": ("KingdomReading", "PhotoReading", "SquareReading"),
            "vision.kingdomino.weights": ("Weights",),
        },
    )

__all__ = ["KingdomReading", "PhotoReading", "ReadSettings", "Reader", "SquareReading", "Weights"]
