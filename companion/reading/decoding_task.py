"""What a worker process does with a photo that is only to be decoded."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.reading.isolated import error_to_plain
from companion.reading_jobs import read_or_refuse
from vision.photo import Photo, PhotoSettings, decode
from vision.photo.errors import PhotoError

__all__ = ["carry_out", "refused_or", "warm_up"]

Answer = tuple[dict[str, Any], bytes]


def warm_up() -> None:
    """Load the decoders."""
    try:
        decode(b"\xff\xd8\xff")
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> Answer:
    """The upright picture of the ``block``: RGB, uint8, of ``shape``, taken in ``size``."""
    return refused_or(lambda: _decoded(block, record["long_side_px"]))


def refused_or(answer: Callable[[], Answer]) -> Answer:
    """An answer, or the error as plain data where a photo is refused."""
    try:
        return read_or_refuse(b"", lambda _: answer())
    except PhotoError as error:
        if error.code == "unexpected":
            traceback.print_exc()
        return {"error": error_to_plain(error)}, b""


def _decoded(data: bytes, long_side_px: int) -> Answer:
    photo: Photo = decode(data, replace(PhotoSettings(), target_long_side_px=long_side_px))
    answer = {"shape": list(photo.rgb.shape), "size": [photo.width, photo.height]}
    return answer, photo.rgb.tobytes()
