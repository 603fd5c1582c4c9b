"""Reading uploaded photos of boards in worker processes that they may kill without harm."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.domino_duell.reading_data import reading_from_plain
from companion.domino_duell.reading_jobs import ISOLATION
from companion.reading.shared import OnWaiting, ask_worker
from vision.domino_duell.result import BoardReading

__all__ = ["read_upload_isolated"]


def read_upload_isolated(
    data: bytes, on_waiting: OnWaiting | None = None
) -> tuple[BoardReading, NDArray[np.uint8]]:
    """The reading of a photo and the patches (n, 32, 32, 3) of its hollows.

    It is read by the workers that everybody shares. PhotoError where the photo can't be read,
    with the codes of ``ask_worker`` too.
    """
    answer, pixels = ask_worker(ISOLATION.task, {}, data, on_waiting)
    patches = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), patches
