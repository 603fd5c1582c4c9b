"""What a worker process does with a photo of a board: the other side of ``isolated_reading``."""

from __future__ import annotations

from typing import Any

from companion.domino_duell.own_head import use_own_head
from companion.domino_duell.reading_data import reading_to_plain
from companion.domino_duell.reading_jobs import BOARDS, read_upload
from companion.reading.decoding_task import refused_or
from companion.reading.tasks import answer_named

__all__ = ["carry_out", "warm_up"]


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    from scorer.domino_duell import DEFAULT_SHAPE
    from vision.domino_duell.lattice import places_of
    from vision.domino_duell.patches import PATCH_PX
    from vision.domino_duell.weights import shipped

    use_own_head()
    places = places_of(DEFAULT_SHAPE)
    shipped().board_logits(np.zeros((len(places), PATCH_PX, PATCH_PX, 3), np.uint8), places)


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the photo named by ``record``, or the one that is the ``block``.

    The answer to an upload has the patches of the hollows with it: RGB, uint8, of ``shape``.
    """
    if "photo" in record:
        return answer_named(record, BOARDS, reading_to_plain), b""
    return refused_or(lambda: _read_block(block))


def _read_block(block: bytes) -> tuple[dict[str, Any], bytes]:
    reading, patches = read_upload(block)
    return {"reading": reading_to_plain(reading), "shape": list(patches.shape)}, patches.tobytes()
