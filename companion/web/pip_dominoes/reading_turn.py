"""Photos of hands are read a few at a time, in processes of their own; the others wait."""

from __future__ import annotations

from functools import partial

from companion.pip_dominoes.hand_reading import HandReading
from companion.pip_dominoes.isolated_reading import read_upload_isolated, shared_pool
from companion.reading_jobs import read_or_refuse

__all__ = ["read_hand", "read_in_turn"]


def read_hand(data: bytes, highest: int) -> HandReading:
    """The dominoes of a photo, read in a worker process. PhotoError if it can't be read."""
    return read_upload_isolated(data, highest, shared_pool())


def read_in_turn(data: bytes, highest: int) -> HandReading:
    """The same, where a fault of the program is a PhotoError too."""
    return read_or_refuse(data, partial(read_hand, highest=highest))
