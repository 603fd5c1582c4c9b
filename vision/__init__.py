"""From a photograph of a table to what lies on it."""

from typing import TYPE_CHECKING

from vision.common.lazy import lazily

if TYPE_CHECKING:
    from vision.domino_duell.reader import read_board
    from vision.domino_duell.result import BoardReading, HollowReading
    from vision.kingdomino.reader import (
        Reader,
        ReadSettings,
        classify_squares,
        read_kingdoms,
        settle_together,
    )
    from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
    from vision.photo.errors import PhotoError
    from vision.pip_dominoes.reader import read_dominoes, settle_hands
    from vision.pip_dominoes.result import DominoReading, HandReading
else:
    __getattr__ = lazily(
        __name__,
        {
            "BoardReading": "vision.domino_duell.result",
            "DominoReading": "vision.pip_dominoes.result",
            "HandReading": "vision.pip_dominoes.result",
            "HollowReading": "vision.domino_duell.result",
            "KingdomReading": "vision.kingdomino.result",
            "PhotoError": "vision.photo.errors",
            "PhotoReading": "vision.kingdomino.result",
            "ReadSettings": "vision.kingdomino.reader",
            "Reader": "vision.kingdomino.reader",
            "SquareReading": "vision.kingdomino.result",
            "classify_squares": "vision.kingdomino.reader",
            "read_board": "vision.domino_duell.reader",
            "read_dominoes": "vision.pip_dominoes.reader",
            "read_kingdoms": "vision.kingdomino.reader",
            "settle_hands": "vision.pip_dominoes.reader",
            "settle_together": "vision.kingdomino.reader",
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
