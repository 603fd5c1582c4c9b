"""What a worker process does with a photo of a hand: the other side of ``isolated_reading``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.pip_dominoes.hand_reading import draw_hand, read_hand
from companion.pip_dominoes.reading_data import hand_to_plain
from companion.reading.decoding_task import refused_or
from companion.reading.isolated import error_to_plain
from companion.reading_jobs import Job, Outcome, Reader, read_photo
from vision.photo.errors import PhotoError

__all__ = ["carry_out", "warm_up"]


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    import vision

    try:
        vision.read_dominoes(np.full((480, 640, 3), 128, np.uint8))
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the hand on the photo named by ``record``, or on the one that is the ``block``.

    ``record`` has the ``highest`` half of the set, null where it is not known.
    """
    read: Callable[[bytes | str], Any] = partial(read_hand, highest=record["highest"])
    if "photo" not in record:
        return refused_or(lambda: ({"reading": hand_to_plain(read(block))}, b""))
    job = Job(record["photo"], record["drawing"], record["overwrite"])
    outcome: Outcome[Any] = read_photo(job, Reader(read, draw_hand))
    answer = {
        "reading": None if outcome.reading is None else hand_to_plain(outcome.reading),
        "error": None if outcome.error is None else error_to_plain(outcome.error),
        "trace": outcome.trace,
        "not_drawn": outcome.not_drawn,
    }
    return answer, b""
