"""What a worker process does with a photo: the other side of ``isolated_reading``."""

from __future__ import annotations

import traceback
from typing import Any

from companion.kingdomino.reading_data import reading_to_plain
from companion.kingdomino.reading_jobs import KINGDOMS, read_upload
from companion.reading.isolated import error_to_plain
from companion.reading_jobs import Job, Reader, read_photo
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError

__all__ = ["carry_out", "read_named", "warm_up"]


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    import vision

    table = np.full((480, 640, 3), 128, np.uint8)
    try:
        vision.read_kingdoms(table)
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the photo named by ``record``, or the one that is the ``block``.

    The answer to an upload has the reduced upright picture with it: RGB, uint8, of ``shape``. It
    is read even where it would be refused if ``record`` says ``anyway``.
    """
    if "photo" not in record:
        return _read_block(block, anyway=bool(record.get("anyway")))
    return read_named(record, KINGDOMS), b""


def read_named(record: dict[str, Any], reader: Reader[PhotoReading]) -> dict[str, Any]:
    """The answer for the photo that ``record`` names."""
    outcome = read_photo(Job(record["photo"], record["drawing"], record["overwrite"]), reader)
    return {
        "reading": None if outcome.reading is None else reading_to_plain(outcome.reading),
        "error": None if outcome.error is None else error_to_plain(outcome.error),
        "trace": outcome.trace,
        "not_drawn": outcome.not_drawn,
    }


def _read_block(block: bytes, *, anyway: bool) -> tuple[dict[str, Any], bytes]:
    try:
        reading, rgb = read_upload(block, anyway=anyway)
    except PhotoError as error:
        if error.code == "unexpected":
            traceback.print_exc()
        return {"error": error_to_plain(error)}, b""
    return {"reading": reading_to_plain(reading), "shape": list(rgb.shape)}, rgb.tobytes()
