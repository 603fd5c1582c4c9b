"""From a photograph of a table to what lies on it."""

from typing import TYPE_CHECKING

from vision.common import lazily

if TYPE_CHECKING:
    from vision.domino_duell.reader import read_board
    from vision.domino_duell.result import BoardReading, HollowReading
    from vision.kingdomino.passes import ReadSettings
    from vision.kingdomino.reader import Reader, classify_squares, read_kingdoms
    from vision.kingdomino.resettling import settle_together
    from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
    from vision.photo.errors import PhotoError
    from vision.pip_dominoes.reader import read_dominoes, settle_hands
    from vision.pip_dominoes.result import DominoReading, HandReading
else:
    __getattr__ = lazily(
        __name__,
        {
            "vision.domino_duell.reader": ("read_board",),
            "vision.domino_duell.result": ("BoardReading", "HollowReading"),
            "vision.kingdomino.passes": ("ReadSettings",),
            "vision.kingdomino.reader": ("Reader", "classify_squares", "read_kingdoms"),
            "vision.kingdomino.resettling": ("settle_together",),
            "vision.kingdomino.result": ("KingdomReading", "PhotoReading", "SquareReading"),
            "vision.photo.errors": ("PhotoError",),
            "vision.pip_dominoes.reader": ("read_dominoes", "settle_hands"),
            "vision.pip_dominoes.result": ("DominoReading", "HandReading"),
        },
    )

__all__ = [
    "BoardReading",
    "DominoReading",
    "HandReading",
    "HollowReading",
    "KingdomReading",
    "PhotoError",
    "PhotoReading",
    "ReadSettings",
    "Reader",
    "SquareReading",
    "classify_squares",
    "read_board",
    "read_dominoes",
    "read_kingdoms",
    "settle_hands",
    "settle_together",
]
