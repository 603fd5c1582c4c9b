"""Where kingdoms lie in a small picture of a camera: the task of a worker, and asking for it."""

from __future__ import annotations

from typing import Any

from companion.reading.decoding import ask_worker, refused_or
from companion.reading.kingdomino import KINGDOMS
from companion.reading.own_heads import KINGDOMINO_HEADS

__all__ = ["carry_out", "outlines_isolated", "warm_up"]

warm_up = KINGDOMS.warm_up


def outlines_isolated(data: bytes) -> list[list[tuple[float, float]]]:
    """Corners (x, y) of each kingdom, clockwise, as shares of the sides.

    PhotoError for no small picture, and with the codes of ``ask_worker``.
    """
    answer, _ = ask_worker(__name__, {}, data)
    return [[(x, y) for x, y in each] for each in answer["outlines"]]


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """The outlines in the picture that is the ``block``."""
    return refused_or(lambda: ({"outlines": _found(block)}, b""))


def _found(block: bytes) -> list[list[list[float]]]:
    from vision.kingdomino.reader import default_reader, find_outlines
    from vision.photo import PhotoSettings, decode

    KINGDOMINO_HEADS.use()
    # No more than a camera's small picture takes.
    settings = PhotoSettings(
        target_long_side_px=512, max_side_px=2000, max_decoding_bytes=40_000_000, max_decoding_s=0.2
    )
    found = find_outlines(decode(block, settings), default_reader())
    return [[[float(x), float(y)] for x, y in each] for each in found]
