"""The blocks of a GIF file."""

from __future__ import annotations

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError

__all__ = ["gif_header"]

MAX_BLOCKS = 500_000

_EXTENSION, _IMAGE, _TRAILER = 0x21, 0x2C, 0x3B
_GRAPHIC_CONTROL = 0xF9
# Measured, per pixel and per byte of the file.
_BYTES, _NS, _NS_PER_BYTE = 5.0, 8.0, 12.0


def gif_header(data: bytes) -> Header:
    """Walk the blocks to the first frame, the only one that the decoder is given.

    Source: GIF89a, sections 18 to 23.
    """
    width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
    blocks = _Blocks(data, 13 + _table_bytes(data[10:11]))
    kept = [data[: blocks.position]]
    while (kind := blocks.byte()) == _EXTENSION:
        start = blocks.position - 1
        label = blocks.byte()
        blocks.skip()
        if label == _GRAPHIC_CONTROL:  # It names the transparent colour.
            kept = [kept[0], data[start : blocks.position]]
    if kind != _IMAGE:
        raise PhotoError("truncated", format="GIF")
    start = blocks.position - 1
    left, top, wide, high = (
        int.from_bytes(data[start + at : start + at + 2], "little") for at in (1, 3, 5, 7)
    )
    blocks.position = start + 10 + _table_bytes(data[start + 9 : start + 10]) + 1
    blocks.skip()
    picture = b"".join([*kept, data[start : blocks.position], bytes([_TRAILER])])
    # A frame that reaches beyond the screen makes it larger.
    width, height = max(width, left + wide), max(height, top + high)
    pixels = width * height
    nanoseconds = _NS * pixels + _NS_PER_BYTE * len(picture)
    return Header("GIF", width, height, _BYTES * pixels, nanoseconds / 1e9, picture)


def _table_bytes(flags: bytes) -> int:
    """The length of the colour table that flags announce; they are empty where the file ends."""
    if not flags:
        raise PhotoError("truncated", format="GIF")
    return 3 << (flags[0] % 8 + 1) if flags[0] >= 128 else 0


class _Blocks:
    """A place in the file, and the blocks that are left to be skipped."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = data
        self.position = position
        self._left = MAX_BLOCKS

    def byte(self) -> int:
        if self.position >= len(self._data):
            raise PhotoError("truncated", format="GIF")
        self.position += 1
        return self._data[self.position - 1]

    def skip(self) -> None:
        """Go behind the block of length 0 that ends a chain of blocks."""
        while (length := self.byte()) > 0:
            self.position += length
            self._left -= 1
            if self._left < 0:
                raise PhotoError("too_complex", format="GIF")
