"""Reading photos of hands, many at once too."""

from __future__ import annotations

from functools import partial

from companion.pip_dominoes.hand_reading import HandReading, draw_hand, read_hand
from companion.pip_dominoes.reading_data import hand_from_plain
from companion.reading_jobs import Isolation, Reader

__all__ = ["TASK", "hand_reader"]

TASK = "companion.pip_dominoes.reading_task"
"""The module that carries out readings in a worker."""


def hand_reader(highest: int | None = None) -> Reader[HandReading]:
    """Reads the hand of a photo, with the highest half of the set where it is known."""
    isolation: Isolation[HandReading] = Isolation(TASK, hand_from_plain, {"highest": highest})
    return Reader(partial(read_hand, highest=highest), draw_hand, isolation)
