"""What a worker process does with a photo of a board: the other side of ``isolated_reading``."""

from __future__ import annotations

from typing import Any

from companion.domino_duell.reading_data import board_to_plain
from companion.reading.decoding_task import refused_or
from vision.photo.errors import PhotoError

__all__ = ["carry_out", "warm_up"]


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    from vision.domino_duell import read_board

    try:
        read_board(np.full((480, 640, 3), 128, np.uint8))
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the board on the photo that is the ``block``."""
    from vision.domino_duell import read_board

    return refused_or(lambda: ({"reading": board_to_plain(read_board(block))}, b""))
