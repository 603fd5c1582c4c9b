"""Reading uploaded photos of hands in worker processes that they may kill without harm."""

from __future__ import annotations

from companion.pip_dominoes.hand_reading import HandReading
from companion.reading.shared import OnWaiting, ask_worker

__all__ = ["TASK", "read_hand_isolated"]

TASK = "companion.pip_dominoes.reading_task"
"""The module that carries out readings in a worker."""


def read_hand_isolated(
    data: bytes, highest: int | None = None, on_waiting: OnWaiting | None = None
) -> HandReading:
    """``read_hand`` by the workers that everybody shares.

    PhotoError where the photo can't be read, with the codes of ``ask_worker`` too.
    """
    from companion.pip_dominoes.reading_data import hand_from_plain

    answer, _ = ask_worker(TASK, {"highest": highest}, data, on_waiting)
    return hand_from_plain(answer["reading"])
