"""Reading many photos, over all cores, in the order they were given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import joblib

from companion.kingdomino.isolated_reading import new_pool, read_job_isolated
from companion.kingdomino.reading_jobs import Job, Outcome, read_photo

__all__ = ["dask_backend", "read_photos", "worker_count"]

PHOTOS_PER_WORKER = 8
"""A worker takes about a second to start, so it is started for this many photos or more."""

PHOTOS_READ_HERE = 1
"""So few photos are read in this process: starting another would take longer than reading."""


def worker_count(photos: int, jobs: int | None = None) -> int:
    """Processes to use: ``jobs`` where given, else the cores, as far as each is worth starting."""
    if jobs is not None:
        return max(1, min(jobs, photos))
    cores: int = joblib.cpu_count()
    return max(1, min(cores, photos // PHOTOS_PER_WORKER))


def read_photos(
    jobs: Sequence[Job], workers: int = 1, backend: dict[str, Any] | None = None
) -> Iterator[Outcome]:
    """Outcomes in the order of ``jobs``, each as soon as it and those before it are there.

    Photos are read in worker processes that a photo may kill without harm to the others.
    ``backend`` are arguments for ``joblib.parallel_config``: another backend, such as Dask's,
    takes the place of processes on this machine.
    """
    if backend is not None:
        yield from _read_elsewhere(jobs, backend)
        return
    if len(jobs) <= PHOTOS_READ_HERE:
        yield from map(read_photo, jobs)
        return
    with new_pool(workers) as pool, ThreadPoolExecutor(workers) as threads:
        try:
            yield from threads.map(lambda job: read_job_isolated(job, pool), jobs)
        finally:
            pool.close()
            threads.shutdown(cancel_futures=True)


@contextmanager
def dask_backend(scheduler: str) -> Iterator[dict[str, Any]]:
    """Arguments for ``read_photos`` to work on a Dask cluster while the context lasts.

    ``scheduler`` is an address such as ``tcp://host:8786``, or "local" for a cluster on this
    machine. ImportError where Dask is not installed, OSError where nothing answers.
    """
    from dask.distributed import Client

    options: dict[str, Any] = (
        {"threads_per_worker": 1, "dashboard_address": None}
        if scheduler == "local"
        else {"address": scheduler}
    )
    with Client(**options):
        yield {"backend": "dask"}


def _read_elsewhere(jobs: Sequence[Job], backend: dict[str, Any]) -> Iterator[Outcome]:
    with joblib.parallel_config(**backend):
        parallel = joblib.Parallel(n_jobs=-1, return_as="generator", batch_size=1)
        yield from parallel(joblib.delayed(_read_in_worker)(job) for job in jobs)


def _read_in_worker(job: Job) -> Outcome:
    import cv2

    # The workers fill the cores already; threads of OpenCV on top would only get in their way.
    cv2.setNumThreads(1)
    return read_photo(job)
