"""Reading photos in worker processes, so that no photo can harm the process that asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from companion.reading.job import Isolation, Job, Outcome
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo.errors import PhotoError

__all__ = ["error_from_plain", "error_to_plain", "read_isolated", "read_job_isolated"]

Reading = TypeVar("Reading")


def read_isolated(
    jobs: Sequence[Job], isolation: Isolation[Reading], workers: int
) -> Iterator[Outcome[Reading]]:
    """Outcomes in the order of ``jobs``; a photo that ended its worker costs only itself."""
    pool = WorkerPool(isolation.task, PoolSettings(workers=workers))
    with pool, ThreadPoolExecutor(workers) as threads:
        try:
            yield from threads.map(lambda job: read_job_isolated(job, pool, isolation), jobs)
        finally:
            pool.close()
            threads.shutdown(cancel_futures=True)


def read_job_isolated(
    job: Job, pool: WorkerPool, isolation: Isolation[Reading]
) -> Outcome[Reading]:
    """``read_photo`` in a worker; a photo that ended its worker is refused with that code."""
    asked = {"photo": job.photo, "drawing": job.drawing, "overwrite": job.overwrite}
    try:
        answer, _ = pool.carry_out({**isolation.options, **asked})
    except WorkerDied as died:
        return Outcome(job.photo, error=PhotoError(died.code))
    plain, error = answer["reading"], answer["error"]
    return Outcome(
        job.photo,
        reading=None if plain is None else isolation.from_plain(plain),
        error=None if error is None else error_from_plain(error),
        trace=answer["trace"],
        drawing=job.drawing if plain is not None else None,
        not_drawn=answer["not_drawn"],
    )


def error_to_plain(error: PhotoError) -> dict[str, Any]:
    """The code and what its message needs."""
    details = {
        name: value if isinstance(value, int | float) else str(value)
        for name, value in error.details.items()
    }
    return {"code": error.code, "details": details}


def error_from_plain(plain: dict[str, Any]) -> PhotoError:
    """What ``error_to_plain`` was given."""
    return PhotoError(plain["code"], **plain["details"])
