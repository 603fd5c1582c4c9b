"""What a worker process does with a photo of a hand: the other side of ``isolated_reading``."""

from __future__ import annotations

from typing import Any

from companion.pip_dominoes.reading_data import hand_to_plain
from companion.reading.decoding_task import refused_or
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
    """Read the hand on the photo that is the ``block``, of a set with that ``highest`` half."""
    import vision

    return refused_or(
        lambda: (
            {"reading": hand_to_plain(vision.read_dominoes(block, set=record["highest"]))},
            b"",
        )
    )
