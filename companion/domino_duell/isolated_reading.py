"""Reading uploaded photos of boards in worker processes that they may kill without harm."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.domino_duell.reading_data import reading_from_plain
from companion.domino_duell.reading_jobs import ISOLATION
from companion.reading.isolated import error_from_plain
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.domino_duell.result import BoardReading
from vision.photo.errors import PhotoError

__all__ = ["new_pool", "read_upload_isolated", "shared_pool"]


def new_pool(workers: int = 1) -> WorkerPool:
    """Workers that read photos of boards; to be closed by who asked for it."""
    return WorkerPool(ISOLATION.task, PoolSettings(workers=workers))


@cache
def shared_pool() -> WorkerPool:
    """The worker of this process, for all visitors of the web app."""
    pool = new_pool()
    atexit.register(pool.close)
    return pool


def read_upload_isolated(
    data: bytes, pool: WorkerPool, on_waiting: Callable[[int], object] | None = None
) -> tuple[BoardReading, NDArray[np.uint8]]:
    """The reading of a photo and the patches (n, 32, 32, 3) of its hollows.

    ``on_waiting`` is told the place in the queue. PhotoError for a photo that is not read, with
    the codes crashed, took_too_long and too_complex besides those of reading.
    """
    try:
        answer, pixels = pool.carry_out({}, data, on_waiting)
    except WorkerDied as died:
        raise PhotoError(died.code) from died
    if "error" in answer:
        raise error_from_plain(answer["error"])
    patches = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), patches
