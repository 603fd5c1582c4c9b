"""Reading uploaded photos of hands in worker processes that they may kill without harm."""

from __future__ import annotations

import atexit
from functools import cache

from companion.pip_dominoes.hand_reading import HandReading
from companion.pip_dominoes.reading_data import hand_from_plain
from companion.reading.isolated import error_from_plain
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo.errors import PhotoError

__all__ = ["TASK", "new_pool", "read_upload_isolated", "shared_pool"]

TASK = "companion.pip_dominoes.reading_task"
"""The module that carries out readings in a worker."""


def new_pool(workers: int = 2) -> WorkerPool:
    """Workers that read photos of hands; to be closed by who asked for it."""
    return WorkerPool(TASK, PoolSettings(workers=workers))


@cache
def shared_pool() -> WorkerPool:
    """The two workers of this process, for all visitors of the web app."""
    pool = new_pool()
    atexit.register(pool.close)
    return pool


def read_upload_isolated(data: bytes, highest: int | None, pool: WorkerPool) -> HandReading:
    """The dominoes of a photo of a set whose highest half may be known.

    PhotoError for a photo that is not read, with the codes crashed, took_too_long and
    too_complex besides those of reading.
    """
    try:
        answer, _ = pool.carry_out({"set": highest}, data)
    except WorkerDied as died:
        raise PhotoError(died.code) from died
    if "error" in answer:
        raise error_from_plain(answer["error"])
    return hand_from_plain(answer["reading"])
