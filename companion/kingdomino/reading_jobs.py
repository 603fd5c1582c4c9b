"""Reading one photo, whatever it holds, and drawing what was read."""

from __future__ import annotations

import os
import time
import traceback
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError

__all__ = ["Job", "Outcome", "read_photo", "read_upload"]


@dataclass(frozen=True)
class Job:
    """A photo to read and, where ``drawing`` is given, to draw the reading into.

    What is there already under the name of the drawing stays, unless ``overwrite`` is set.
    """

    photo: str
    drawing: str | None = None
    overwrite: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of a photo: ``reading`` or ``error``, never both.

    ``trace`` is the stack of a fault of the program, "" where all went as it should, and
    ``not_drawn`` why the file ``drawing`` could not be written.
    """

    photo: str
    reading: PhotoReading | None = None
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


def read_photo(job: Job) -> Outcome:
    """Read one photo; whatever goes wrong with it stays with it."""
    try:
        reading, rgb = _read(job.photo, with_picture=job.drawing is not None)
    except PhotoError as error:
        trace = traceback.format_exc() if error.code == "unexpected" else ""
        return Outcome(job.photo, error=error, trace=trace)
    if job.drawing is None or rgb is None:
        return Outcome(job.photo, reading)
    try:
        _draw(rgb, Path(job.drawing), reading, overwrite=job.overwrite)
    except OSError as error:
        reason = error.strerror or str(error)
        return Outcome(job.photo, reading, drawing=job.drawing, not_drawn=reason)
    return Outcome(job.photo, reading, drawing=job.drawing)


def read_upload(data: bytes) -> tuple[PhotoReading, NDArray[np.uint8]]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    PhotoError for whatever goes wrong with it.
    """
    reading, rgb = _read(data, with_picture=True)
    assert rgb is not None
    return reading, rgb


def _read(
    source: bytes | str, *, with_picture: bool
) -> tuple[PhotoReading, NDArray[np.uint8] | None]:
    """A fault of the program becomes ``unexpected``, so that it never costs the other photos."""
    import vision  # Loads OpenCV and the weights: not before there is a photo to read.
    from vision.photo import decode

    try:
        if not with_picture:
            return vision.read_kingdoms(source), None
        started = time.perf_counter()
        photo = decode(source)
        spent = time.perf_counter() - started
        reading = vision.read_kingdoms(photo)
        return replace(reading, seconds={**reading.seconds, "decode": spent}), photo.rgb
    except (PhotoError, MemoryError):
        raise
    except Exception as error:
        raise PhotoError("unexpected", fault=type(error).__name__) from error


def _draw(rgb: NDArray[np.uint8], path: Path, reading: PhotoReading, *, overwrite: bool) -> None:
    """Write the drawing, whole or not at all; FileExistsError for what must not be replaced."""
    from PIL import Image

    from vision.kingdomino.annotate import draw_reading

    picture = BytesIO()
    kind = "PNG" if path.suffix.lower() == ".png" else "JPEG"
    Image.fromarray(draw_reading(rgb, reading)).save(picture, kind, quality=90)
    if not overwrite:
        with path.open("xb") as file:
            try:
                file.write(picture.getvalue())
                file.flush()
            except BaseException:
                path.unlink()
                raise
        return
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(picture.getvalue())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
