"""From a photograph of pip dominoes to every domino in it."""

from typing import TYPE_CHECKING

from vision.common.lazy import lazily

if TYPE_CHECKING:
    from vision.pip_dominoes.reader import Reader, ReadSettings, read_dominoes, settle_hands
    from vision.pip_dominoes.result import DominoReading, HandReading
else:
    __getattr__ = lazily(
        __name__,
        {
            "DominoReading": "vision.pip_dominoes.result",
            "HandReading": "vision.pip_dominoes.result",
            "ReadSettings": "vision.pip_dominoes.reader",
            "Reader": "vision.pip_dominoes.reader",
            "read_dominoes": "vision.pip_dominoes.reader",
            "settle_hands": "vision.pip_dominoes.reader",
        },
    )

__all__ = [
    "DominoReading",
    "HandReading",
    "ReadSettings",
    "Reader",
    "read_dominoes",
    "settle_hands",
]
