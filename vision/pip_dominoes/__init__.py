"""From a photograph of pip dominoes to every domino in it."""

from typing import TYPE_CHECKING

from vision.common import lazily

if TYPE_CHECKING:
    from vision.pip_dominoes.reader import Reader, ReadSettings, read_dominoes, settle_hands
    from vision.pip_dominoes.result import DominoReading, HandReading
else:
    __getattr__ = lazily(
        __name__,
        {
            "vision.pip_dominoes.reader": (
                "ReadSettings",
                "Reader",
                "read_dominoes",
                "settle_hands",
            ),
            "vision.pip_dominoes.result": ("DominoReading", "HandReading"),
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
