"""Photos of hands are read a few at a time; the others wait their turn."""

from __future__ import annotations

import threading
from functools import partial

from companion.pip_dominoes.hand_reading import HandReading, read_hand
from companion.reading_jobs import read_or_refuse

__all__ = ["AT_ONCE", "read_in_turn"]

AT_ONCE = 2
"""Photos that are read at the same time."""

_TURN = threading.BoundedSemaphore(AT_ONCE)


def read_in_turn(data: bytes, highest: int) -> HandReading:
    """The dominoes of a photo of a set with that highest half. PhotoError if it can't be read."""
    with _TURN:
        return read_or_refuse(data, partial(read_hand, highest=highest))
