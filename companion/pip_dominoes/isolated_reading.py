"""Reading uploaded photos of hands in worker processes that they may kill without harm."""

from __future__ import annotations

from companion.pip_dominoes.hand_reading import HandReading
from companion.pip_dominoes.reading_data import hand_from_plain
from companion.pip_dominoes.reading_jobs import TASK
from companion.reading.shared import OnWaiting, ask_worker

__all__ = ["read_hand_isolated"]


def read_hand_isolated(
    data: bytes, highest: int | None = None, on_waiting: OnWaiting | None = None
) -> HandReading:
    """``read_hand`` by the workers that everybody shares.

    PhotoError where the photo can't be read, with the codes of ``ask_worker`` too.
    """
    answer, _ = ask_worker(TASK, {"highest": highest}, data, on_waiting)
    return hand_from_plain(answer["reading"])
