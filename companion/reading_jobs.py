"""Reading many photos, one after the other or over all cores, in the order they were given.

Which game is on them is up to the ``Reader`` that is handed in.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import joblib
import numpy as np
from numpy.typing import NDArray

from companion.reading.isolated import read_isolated
from companion.reading.job import Isolation, Job, Outcome, Reader
from vision.photo.errors import PhotoError

__all__ = [
    "Isolation",
    "Job",
    "Outcome",
    "Reader",
    "dask_backend",
    "read_or_refuse",
    "read_photo",
    "read_photos",
    "worker_count",
]

Image = NDArray[np.uint8]
Reading = TypeVar("Reading")

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
    jobs: Sequence[Job],
    reader: Reader[Reading],
    workers: int = 1,
    backend: dict[str, Any] | None = None,
) -> Iterator[Outcome[Reading]]:
    """Outcomes in the order of ``jobs``, each as soon as it and those before it are there.

    ``backend`` are arguments for ``joblib.parallel_config``: another backend, such as Dask's,
    takes the place of processes on this machine.
    """
    if reader.isolation is not None and backend is None and len(jobs) > PHOTOS_READ_HERE:
        yield from read_isolated(jobs, reader.isolation, workers)
        return
    if workers == 1 and backend is None:
        for job in jobs:
            yield read_photo(job, reader)
        return
    with joblib.parallel_config(**backend) if backend else nullcontext():
        parallel = joblib.Parallel(
            n_jobs=-1 if backend else workers, return_as="generator", batch_size=1
        )
        yield from parallel(joblib.delayed(_read_in_worker)(job, reader) for job in jobs)


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


def _read_in_worker(job: Job, reader: Reader[Reading]) -> Outcome[Reading]:
    import cv2

    # The workers fill the cores already; threads of OpenCV on top would only get in their way.
    cv2.setNumThreads(1)
    return read_photo(job, reader)


def read_photo(job: Job, reader: Reader[Reading]) -> Outcome[Reading]:
    """Read one photo; whatever goes wrong with it stays with it."""
    try:
        reading = read_or_refuse(job.photo, reader.read)
    except PhotoError as error:
        trace = traceback.format_exc() if error.code == "unexpected" else ""
        return Outcome(job.photo, error=error, trace=trace)
    if job.drawing is None:
        return Outcome(job.photo, reading)
    try:
        _draw(job, Path(job.drawing), reading, reader)
    except OSError as error:
        reason = error.strerror or str(error)
        return Outcome(job.photo, reading, drawing=job.drawing, not_drawn=reason)
    return Outcome(job.photo, reading, drawing=job.drawing)


def read_or_refuse(source: bytes | str, read: Callable[[bytes | str], Reading]) -> Reading:
    """Read a photo given as bytes or path; PhotoError for whatever goes wrong with it.

    A fault of the program becomes ``unexpected``, so that it never costs the other photos.
    """
    try:
        return read(source)
    except (PhotoError, MemoryError):
        raise
    except Exception as error:
        raise PhotoError("unexpected", fault=type(error).__name__) from error


def _draw(job: Job, path: Path, reading: Reading, reader: Reader[Reading]) -> None:
    """Write the drawing, whole or not at all; FileExistsError for what must not be replaced."""
    from PIL import Image as Picture

    from vision.photo import decode

    drawn = BytesIO()
    kind = "PNG" if path.suffix.lower() == ".png" else "JPEG"
    Picture.fromarray(reader.draw(decode(job.photo).rgb, reading)).save(drawn, kind, quality=90)
    if not job.overwrite:
        with path.open("xb") as file:
            try:
                file.write(drawn.getvalue())
                file.flush()
            except BaseException:
                path.unlink()
                raise
        return
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(drawn.getvalue())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
