"""How a game is read from photos, one in this process or many in workers that a photo may kill."""

from __future__ import annotations

import os
import re
import threading
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.languages import Language, say
from companion.reading.codec import Codec
from companion.reading.decoding import (
    Answer,
    ask_worker,
    error_from_plain,
    error_to_plain,
    read_or_refuse,
    refused_or,
)
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo import Photo, PhotoSettings
from vision.photo.errors import PhotoError
from vision.photo.headers import READ_FORMATS, file_bytes

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
class GameReader(Generic[Reading]):
    """How photos of a game are read and drawn: here, or in workers that a photo may kill.

    ``read`` takes a photo as its bytes, its path or its pixels, with the ``options`` by their
    names; ``draw`` draws a reading on the photo's RGB pixels; readings travel by ``codec``.
    ``task`` is the module whose ``warm_up`` and ``carry_out`` are those of this reader, see
    ``companion.reading.worker``. ``first_run`` makes a process ready where reading a grey picture
    would not. All of it travels to other processes, so they are functions of a module.
    """

    task: str
    read: Callable[..., Reading]
    draw: Callable[[Image, Reading], Image]
    codec: Codec[Reading]
    first_run: Callable[[], object] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def with_options(self, **options: Any) -> GameReader[Reading]:
        """The same reader with these options of the game."""
        return replace(self, options=options)

    def read_here(self, source: bytes | str | Image | Photo) -> Reading:
        """The reading of a photo by this process. PhotoError where it can't be read."""
        return self.read(source, **self.options)

    def ask(
        self,
        source: bytes | Photo,
        *,
        pool: WorkerPool | None = None,
    ) -> Reading:
        """The reading of a photo by a worker, by one of those that everybody shares if no other.

        ``source`` are its bytes, or what a worker has decoded already, for a game that takes it.
        PhotoError where it can't be read, with the codes of ``ask_worker`` too.
        """
        record: dict[str, Any] = {"options": dict(self.options)}
        block = source if isinstance(source, bytes) else source.rgb.tobytes()
        if not isinstance(source, bytes):
            size = [source.width, source.height]
            record["decoded"] = {"shape": list(source.rgb.shape), "size": size}
        answer, _ = ask_worker(self.task, record, block, pool=pool)
        return self.codec.from_plain(answer["reading"])

    def warm_up(self) -> None:
        """Load the libraries and the weights, and run them once."""
        # What settles a reading, and no grey picture asks for.
        import highspy  # noqa: F401
        import scipy.optimize
        import scipy.spatial  # noqa: F401

        with suppress(PhotoError):
            if self.first_run is not None:
                self.first_run()
            else:
                self.read(np.full((480, 640, 3), 128, np.uint8))

    def carry_out(self, record: dict[str, Any], block: bytes) -> Answer:
        """Read the photo that the ``record`` names, or else the one that is the ``block``.

        The record has the ``options``; with ``decoded`` in it the block are the pixels, of a
        ``shape`` and taken in a ``size``.
        """
        asked = self.with_options(**record["options"])
        if "photo" in record:
            return asked._answer_named(record, block)
        return refused_or(lambda: (asked._answer(_source(record, block)), b""))

    def _answer(self, source: bytes | Photo) -> dict[str, Any]:
        return {"reading": self.codec.to_plain(self.read_here(source))}

    def task_of(self, job: Job, *, sends: bool = False) -> tuple[dict[str, Any], bytes]:
        """What ``carry_out`` takes to read a photo, and to draw it where the job says so.

        ``sends`` is for one who does not see the file. PhotoError where it can't be read here.
        """
        form = _form_of(job.drawing)
        record = {"options": dict(self.options), "photo": job.photo, "draw": form, "sent": sends}
        if not sends:
            return record, b""
        if is_address(job.photo):
            return record, fetched(job.photo)
        return record, file_bytes(job.photo, PhotoSettings().max_file_bytes)

    def _answer_named(self, record: dict[str, Any], block: bytes) -> Answer:
        """The answer that ``outcome_of`` takes, and the drawing."""
        source = block if record["sent"] else record["photo"]
        outcome, drawn = read_and_draw(record["photo"], source, record["draw"], self)
        plain = None
        if outcome.reading is not None:
            try:
                plain = read_or_refuse(outcome.reading, self.codec.to_plain)
            except PhotoError as error:
                outcome = Outcome(outcome.photo, error=error, trace=traceback.format_exc())
        return {
            "reading": plain,
            "error": None if outcome.error is None else error_to_plain(outcome.error),
            "trace": outcome.trace,
        }, drawn


def _source(record: dict[str, Any], block: bytes) -> bytes | Photo:
    decoded = record.get("decoded")
    if decoded is None:
        return block
    width, height = decoded["size"]
    rgb = np.frombuffer(block, np.uint8).reshape(decoded["shape"])
    return Photo(rgb, width=width, height=height)


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
    jobs: Sequence[Job], reader: GameReader[Reading], workers: int
) -> Iterator[Outcome[Reading]]:
    """Outcomes as they come; a photo that ended its worker costs only itself."""
    pool = WorkerPool(reader.task, PoolSettings(workers=workers))
    with pool, ThreadPoolExecutor(workers) as threads:
        running = [threads.submit(read_job_isolated, job, pool, reader) for job in jobs]
        try:
            for done in as_completed(running):
                yield done.result()
        finally:
            pool.close()


def read_job_isolated(job: Job, pool: WorkerPool, reader: GameReader[Reading]) -> Outcome[Reading]:
    """``read_photo`` in a worker; a photo that ended its worker is refused with that code."""
    try:
        answer, drawn = pool.carry_out(*reader.task_of(job))
    except WorkerDied as died:
        return Outcome(job.photo, error=PhotoError(died.code))
    return outcome_of(job, answer, drawn, reader)


def outcome_of(
    job: Job, answer: Mapping[str, Any], drawn: bytes, reader: GameReader[Reading]
) -> Outcome[Reading]:
    """What a worker's answer to ``task_of`` says; the drawing is written here."""
    plain, error = answer["reading"], answer["error"]
    outcome = Outcome(
        job.photo,
        reading=None if plain is None else reader.codec.from_plain(plain),
        error=None if error is None else error_from_plain(error),
        trace=answer["trace"],
    )
    return _with_drawing(job, outcome, drawn)


PHOTOS_PER_WORKER = 8
"""A worker takes about a second to start, so it is started for this many photos or more."""

PHOTOS_READ_HERE = 1
"""So few photos are read in this process: starting another would take longer than reading."""


def worker_count(photos: int, jobs: int | None = None) -> int:
    """Processes to use: ``jobs`` where given, else the cores, as far as each is worth starting."""
    if jobs is not None:
        return max(1, min(jobs, photos))
    most = photos // PHOTOS_PER_WORKER
    if most < 2:
        return 1
    import joblib  # Not in the workers, which load this module too, nor for a few photos.

    cores: int = joblib.cpu_count()
    return max(1, min(cores, most))


def read_photos(
    jobs: Sequence[Job], reader: GameReader[Reading], workers: int = 1
) -> Iterator[Outcome[Reading]]:
    """Outcomes as they come, of photos read on this machine."""
    if len(jobs) > PHOTOS_READ_HERE:
        yield from read_isolated(jobs, reader, workers)
        return
    for job in jobs:
        yield _read_once(job, reader)


def _read_once(job: Job, reader: GameReader[Reading]) -> Outcome[Reading]:
    """``read_photo`` where no other process tries again: too little memory is a refusal."""
    try:
        return read_photo(job, reader)
    except MemoryError:
        return Outcome(job.photo, error=PhotoError("too_complex"))


def read_photo(job: Job, reader: GameReader[Reading]) -> Outcome[Reading]:
    """Read one photo; whatever goes wrong with it stays with it, but for a MemoryError."""
    outcome, drawn = read_and_draw(job.photo, job.photo, _form_of(job.drawing), reader)
    return _with_drawing(job, outcome, drawn)


def read_and_draw(
    name: str, source: bytes | str, form: str | None, reader: GameReader[Reading]
) -> tuple[Outcome[Reading], bytes]:
    """What became of a photo, and its drawing in this form ("JPEG" or "PNG"), if one is wanted.

    ``source`` are its bytes, or where they lie: a path, or an address that fsspec knows.
    """
    try:
        if isinstance(source, str) and is_address(source):
            source = fetched(source)
        reading = read_or_refuse(source, reader.read_here)
    except PhotoError as error:
        trace = traceback.format_exc() if error.code == "unexpected" else ""
        return Outcome(name, error=error, trace=trace), b""
    drawn = b"" if form is None else _drawn(source, reading, form, reader)
    return Outcome(name, reading), drawn


def _form_of(drawing: str | None) -> str | None:
    if drawing is None:
        return None
    return "PNG" if Path(drawing).suffix.lower() == ".png" else "JPEG"


def _drawn(source: bytes | str, reading: Reading, form: str, reader: GameReader[Reading]) -> bytes:
    from PIL import Image as Picture

    from vision.photo import decode

    drawn = BytesIO()
    Picture.fromarray(reader.draw(decode(source).rgb, reading)).save(drawn, form, quality=90)
    return drawn.getvalue()


def _with_drawing(job: Job, outcome: Outcome[Reading], drawn: bytes) -> Outcome[Reading]:
    """The outcome once the drawing, where there is one, is written or is not."""
    if job.drawing is None or outcome.reading is None:
        return outcome
    try:
        _write_drawing(Path(job.drawing), drawn, overwrite=job.overwrite)
    except OSError as error:
        reason = error.strerror or str(error)
        return replace(outcome, drawing=job.drawing, not_drawn=reason)
    return replace(outcome, drawing=job.drawing)


def _write_drawing(path: Path, drawn: bytes, *, overwrite: bool) -> None:
    """Write the drawing, whole or not at all; FileExistsError for what must not be replaced."""
    if not overwrite:
        with path.open("xb") as file:
            try:
                file.write(drawn)
                file.flush()
            except BaseException:
                path.unlink()
                raise
        return
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".{os.getpid()}-{threading.get_ident()}.unfinished")
    try:
        unfinished.write_bytes(drawn)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_address(name: str) -> bool:
    """Whether a name is an address of fsspec and no path."""
    return _ADDRESS.match(name) is not None


def fetched(address: str, settings: PhotoSettings | None = None) -> bytes:
    """The bytes of a photo.

    PhotoError missing_file, not_permitted, not_readable or too_many_bytes.
    """
    limit = (settings or PhotoSettings()).max_file_bytes
    try:
        import fsspec

        with fsspec.open(address, "rb") as file:
            data: bytes = file.read(limit + 1)
    except FileNotFoundError as error:
        raise PhotoError("missing_file", path=address) from error
    except PermissionError as error:
        raise PhotoError("not_permitted", path=address) from error
    except Exception as error:  # Each kind of storage has errors of its own.
        reason = f"{type(error).__name__}: {error}"
        raise PhotoError("not_readable", path=address, reason=reason) from error
    if len(data) > limit:
        raise PhotoError("too_many_bytes", limit=limit)
    return data


def pictures_below(address: str, suffixes: Collection[str]) -> list[str]:
    """The pictures in a folder of this address, sorted; none where it is no folder.

    What can't be asked is no folder: reading it says why.
    """
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(address)
        if not system.isdir(path):
            return []
        inside = system.ls(path, detail=True)
        return sorted(
            str(system.unstrip_protocol(each["name"]))
            for each in inside
            if each["type"] == "file" and PurePosixPath(each["name"]).suffix.lower() in suffixes
        )
    except Exception:  # Each kind of storage has errors of its own.
        return []


def photo_message(error: PhotoError, language: Language) -> str:
    """Why the photo was refused and what to do about it."""
    values = {**error.values, "formats": ", ".join(READ_FORMATS)}
    return say(f"photo.{error.code}", language, **values)


def error_record(photo: str, error: PhotoError, language: Language) -> dict[str, Any]:
    """The line of JSON of a photo that was not read: a contract that others build on."""
    message = photo_message(error, language)
    return {"photo": photo, "error": {"code": error.code, "message": message}}
