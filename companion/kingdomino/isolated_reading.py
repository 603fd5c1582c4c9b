"""Reading uploaded photos of kingdoms in worker processes that they may kill without harm."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.kingdomino.reading_data import reading_from_plain
from companion.kingdomino.reading_jobs import ISOLATION
from companion.reading.isolated import error_from_plain
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError

__all__ = ["new_pool", "read_upload_isolated", "shared_pool"]


def new_pool(workers: int = 2) -> WorkerPool:
    """Workers that read photos of kingdoms; to be closed by who asked for it."""
    return WorkerPool(ISOLATION.task, PoolSettings(workers=workers))


@cache
def shared_pool() -> WorkerPool:
    """The two workers of this process, for all visitors of the web app."""
    pool = new_pool()
    atexit.register(pool.close)
    return pool


def read_upload_isolated(
    data: bytes,
    pool: WorkerPool,
    on_waiting: Callable[[int], object] | None = None,
    *,
    anyway: bool = False,
) -> tuple[PhotoReading, NDArray[np.uint8]]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    ``on_waiting`` is told the place in the queue; what is probably no kingdom is read ``anyway``
    on request. PhotoError for a photo that is not read, with
    the codes crashed, took_too_long and too_complex besides those of reading.
    """
    try:
        answer, pixels = pool.carry_out({"anyway": True} if anyway else {}, data, on_waiting)
    except WorkerDied as died:
        raise PhotoError(died.code) from died
    if "error" in answer:
        raise error_from_plain(answer["error"])
    rgb = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), rgb
