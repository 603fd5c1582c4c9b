"""Reading many photos in the order they were given: here, over all cores, or in workers that a
photo may kill.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Generic, TypeVar

import joblib
import numpy as np
from numpy.typing import NDArray

from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo.errors import PhotoError

__all__ = [
    "Isolation",
    "Job",
    "Outcome",
    "Reader",
    "answer_named",
    "dask_backend",
    "error_from_plain",
    "error_to_plain",
    "read_isolated",
    "read_job_isolated",
    "read_or_refuse",
    "read_photo",
    "read_photos",
    "worker_count",
]

Image = NDArray[np.uint8]
Reading = TypeVar("Reading")


@dataclass(frozen=True)
class Job:
    """A photo to read and, where ``drawing`` is given, to draw the reading into.

    What is there already under the name of the drawing stays, unless ``overwrite`` is set.
    """

    photo: str
    drawing: str | None = None
    overwrite: bool = False


@dataclass(frozen=True)
class Isolation(Generic[Reading]):
    """How photos are read in worker processes that a photo may kill without harm.

    ``task`` is the module that carries out tasks there, see ``companion.reading.worker``;
    ``from_plain`` makes the reading again of what it answers; ``options`` go with each task.
    """

    task: str
    from_plain: Callable[[dict[str, Any]], Reading]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reader(Generic[Reading]):
    """How a game is read from a photo, given as bytes or path, and drawn on its RGB pixels.

    Both travel to other processes, so they are functions of a module, or parts of such.
    """

    read: Callable[[bytes | str], Reading]
    draw: Callable[[Image, Reading], Image]
    isolation: Isolation[Reading] | None = None


@dataclass(frozen=True)
class Outcome(Generic[Reading]):
    """What became of a photo: ``reading`` or ``error``, never both.

    ``trace`` is the stack of a fault of the program, "" where all went as it should, and
    ``not_drawn`` why the file ``drawing`` could not be written.
    """

    photo: str
    reading: Reading | None = None
    error: PhotoError | None = None
    trace: str = ""
    drawing: str | None = None
    not_drawn: str = ""

    def __post_init__(self) -> None:
        if (self.reading is None) == (self.error is None):
            raise ValueError("expected either a reading or an error")

    @property
    def refusal(self) -> PhotoError:
        """Why the photo was not read; ValueError for one that was."""
        if self.error is None:
            raise ValueError(f"expected a photo that was refused, {self.photo} was read")
        return self.error


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


def answer_named(
    record: dict[str, Any],
    reader: Reader[Reading],
    to_plain: Callable[[Reading], dict[str, Any]],
) -> dict[str, Any]:
    """The answer for the photo that ``record`` names, as ``read_job_isolated`` takes it."""
    outcome = read_photo(Job(record["photo"], record["drawing"], record["overwrite"]), reader)
    return {
        "reading": None if outcome.reading is None else to_plain(outcome.reading),
        "error": None if outcome.error is None else error_to_plain(outcome.error),
        "trace": outcome.trace,
        "not_drawn": outcome.not_drawn,
    }
