"""Reading uploaded photos of boards in worker processes that they may kill without harm."""

from __future__ import annotations

from companion.domino_duell.reading_data import board_from_plain
from companion.reading.shared import OnWaiting, ask_worker
from vision.domino_duell import BoardReading

__all__ = ["read_board_isolated"]

_TASK = "companion.domino_duell.reading_task"


def read_board_isolated(data: bytes, on_waiting: OnWaiting | None = None) -> BoardReading:
    """``vision.domino_duell.read_board`` by the workers that everybody shares.

    PhotoError where the photo can't be read, with the codes of ``ask_worker`` too.
    """
    answer, _ = ask_worker(_TASK, {}, data, on_waiting)
    return board_from_plain(answer["reading"])
