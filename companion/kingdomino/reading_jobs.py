"""Reading photos of kingdoms."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from companion.kingdomino.own_head import use_own_head
from companion.kingdomino.reading_data import reading_from_plain
from companion.reading_jobs import Isolation, Reader, read_or_refuse
from vision.kingdomino.result import PhotoReading
from vision.photo import Photo

__all__ = ["ISOLATION", "kingdom_reader", "read_upload"]

Image = NDArray[np.uint8]


def _read(source: bytes | str, *, anyway: bool = False, giants: bool = False) -> PhotoReading:
    use_own_head()
    import vision  # Loads OpenCV and the weights: not before there is a photo to read.

    return vision.read_kingdoms(source, anyway=anyway, giants=giants)


def _draw(photo_rgb: Image, reading: PhotoReading) -> Image:
    from vision.kingdomino.annotate import draw_reading

    return draw_reading(photo_rgb, reading)


ISOLATION = Isolation("companion.kingdomino.reading_task", reading_from_plain)


def kingdom_reader(*, anyway: bool = False, giants: bool = False) -> Reader[PhotoReading]:
    """Reads the kingdoms of a photo, ``anyway`` and with ``giants`` as for ``Reader.read``."""
    isolation = replace(ISOLATION, options={"anyway": anyway, "giants": giants})
    return Reader(partial(_read, anyway=anyway, giants=giants), _draw, isolation)


def read_upload(
    source: bytes | Photo, *, anyway: bool = False, giants: bool = False
) -> tuple[PhotoReading, Image]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    It is decoded once, or was before; ``giants`` as for ``Reader.read``. PhotoError for whatever
    goes wrong with it.
    """
    return read_or_refuse(b"", lambda _: _read_with_picture(source, anyway, giants))


def _read_with_picture(
    source: bytes | Photo, anyway: bool, giants: bool
) -> tuple[PhotoReading, Image]:
    use_own_head()
    import vision
    from vision.photo import decode

    started = time.perf_counter()
    photo = decode(source) if isinstance(source, bytes) else source
    spent = time.perf_counter() - started
    reading = vision.read_kingdoms(photo, anyway=anyway, giants=giants)
    return replace(reading, seconds={**reading.seconds, "decode": spent}), photo.rgb
