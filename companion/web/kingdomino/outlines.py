"""Frames of kingdoms in the picture of a camera that is still aimed."""

from __future__ import annotations

from companion.kingdomino.own_head import use_own_head
from vision.kingdomino.outline import find_outlines
from vision.kingdomino.reader import default_reader
from vision.photo import PhotoSettings, decode

__all__ = ["outlines_in"]

# Decoded in the server's own process, so no more than a camera's small picture takes.
_SETTINGS = PhotoSettings(
    target_long_side_px=512, max_side_px=2000, max_decoding_bytes=40_000_000, max_decoding_s=0.2
)


def outlines_in(data: bytes) -> list[list[tuple[float, float]]]:
    """Corners (x, y) of each, clockwise, as shares of the sides. PhotoError for no picture."""
    use_own_head()
    photo = decode(data, _SETTINGS)
    found = find_outlines(photo, default_reader())
    return [[(float(x), float(y)) for x, y in each] for each in found]
