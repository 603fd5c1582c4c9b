"""What a worker process does with the photo of a hand: the other side of ``isolated_reading``."""

from __future__ import annotations

import traceback
from functools import partial
from typing import Any, cast

from companion.pip_dominoes.hand_reading import HandReading, draw_hand, read_hand
from companion.pip_dominoes.reading_data import hand_to_plain
from companion.reading.isolated import error_to_plain
from companion.reading_jobs import Job, Reader, read_or_refuse, read_photo
from vision.photo.errors import PhotoError
from vision.pip_dominoes import result

__all__ = ["carry_out", "warm_up"]


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    import vision

    table = np.full((480, 640, 3), 128, np.uint8)
    try:
        vision.read_dominoes(table)
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the photo named by ``record``, or the one that is the ``block``.

    ``record`` has the highest half of the set as ``set``, null where it is not known.
    """
    read = partial(read_hand, highest=record["set"])
    if "photo" not in record:
        return _read_block(block, read), b""
    job = Job(record["photo"], record["drawing"], record["overwrite"])
    outcome = read_photo(job, Reader(read, draw_hand))
    answer = {
        "reading": None if outcome.reading is None else _plain(outcome.reading),
        "error": None if outcome.error is None else error_to_plain(outcome.error),
        "trace": outcome.trace,
        "not_drawn": outcome.not_drawn,
    }
    return answer, b""


def _read_block(block: bytes, read: Any) -> dict[str, Any]:
    try:
        reading = read_or_refuse(block, read)
    except PhotoError as error:
        if error.code == "unexpected":
            traceback.print_exc()
        return {"error": error_to_plain(error)}
    return {"reading": _plain(reading)}


def _plain(reading: HandReading) -> dict[str, Any]:
    # The reader's own readings have all that the protocol names, and more.
    return hand_to_plain(cast(result.HandReading, reading))
