"""Reading photos in worker processes, so that no photo can harm the process that asks."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.kingdomino.reading_data import error_from_plain, reading_from_plain
from companion.kingdomino.reading_jobs import Job, Outcome
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError

__all__ = ["new_pool", "read_job_isolated", "read_upload_isolated", "shared_pool"]


def new_pool(workers: int = 2) -> WorkerPool:
    """Workers that read photos of kingdoms; to be closed by who asked for it."""
    return WorkerPool("companion.kingdomino.reading_task", PoolSettings(workers=workers))


@cache
def shared_pool() -> WorkerPool:
    """The two workers of this process, for all visitors of the web app."""
    pool = new_pool()
    atexit.register(pool.close)
    return pool


def read_job_isolated(job: Job, pool: WorkerPool) -> Outcome:
    """``read_photo`` in a worker; a photo that ended its worker is refused with that code."""
    asked = {"photo": job.photo, "drawing": job.drawing, "overwrite": job.overwrite}
    try:
        answer, _ = pool.carry_out(asked)
    except WorkerDied as died:
        return Outcome(job.photo, error=PhotoError(died.code))
    plain, error, not_drawn = answer["reading"], answer["error"], answer["not_drawn"]
    return Outcome(
        job.photo,
        reading=None if plain is None else reading_from_plain(plain),
        error=None if error is None else error_from_plain(error),
        trace=answer["trace"],
        drawing=job.drawing if plain is not None else None,
        not_drawn=not_drawn,
    )


def read_upload_isolated(
    data: bytes, pool: WorkerPool, on_waiting: Callable[[int], object] | None = None
) -> tuple[PhotoReading, NDArray[np.uint8]]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    ``on_waiting`` is told the place in the queue. PhotoError for a photo that is not read, with
    the codes crashed, took_too_long and too_complex besides those of reading.
    """
    try:
        answer, pixels = pool.carry_out({}, data, on_waiting)
    except WorkerDied as died:
        raise PhotoError(died.code) from died
    if "error" in answer:
        raise error_from_plain(answer["error"])
    rgb = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), rgb
