"""The reader of hands of dominoes, for this process and for workers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.reading.codec import Codec
from companion.reading.jobs import GameReader
from vision.pip_dominoes.result import HandReading

Image = NDArray[np.uint8]


def read_hand(source: bytes | str | Image, highest: int | None = None) -> HandReading:
    """The dominoes of a photo, of a set whose ``highest`` half may be known.

    PhotoError where the photo can't be read.
    """
    import vision  # Loads OpenCV and the weights: not before there is a photo to read.

    return vision.read_dominoes(source, set=highest)


def settle_round(readings: list[HandReading], highest: int | None = None) -> list[HandReading]:
    """The hands of one round settled together: each domino is in one of them only."""
    import vision

    return vision.settle_hands(readings, set=highest)


def _draw(photo_rgb: Image, reading: HandReading) -> Image:
    from vision.pip_dominoes.draw import annotate

    return annotate(photo_rgb, reading)


HANDS = GameReader("companion.reading.pip_dominoes", read_hand, _draw, Codec(HandReading, {}))
"""Reads the dominoes of a photo; its option is the ``highest`` half of the set, where known."""

warm_up, carry_out = HANDS.warm_up, HANDS.carry_out


def read_hand_isolated(data: bytes, highest: int | None = None) -> HandReading:
    """``read_hand`` by a worker. PhotoError as for ``GameReader.ask``."""
    return HANDS.with_options(highest=highest).ask(data)
