"""What a worker process does with a photo of a hand: the other side of ``isolated_reading``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.pip_dominoes.hand_reading import draw_hand, read_hand
from companion.pip_dominoes.reading_data import hand_to_plain
from companion.reading.decoding_task import refused_or
from companion.reading.tasks import answer_named
from companion.reading_jobs import Reader
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
    return answer_named(record, Reader(read, draw_hand), hand_to_plain), b""
