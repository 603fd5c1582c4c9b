"""The header of a BMP file."""

from __future__ import annotations

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError

__all__ = ["bmp_header"]

_PLAIN, _MASKED = 0, 3
_BITS = frozenset({1, 4, 8, 16, 24, 32})
# Measured, per pixel.
_BYTES, _NS = 5.0, 8.0


def bmp_header(data: bytes) -> Header:
    """The header of a bitmap whose pixels are stored as they are.

    Run lengths are refused as unsupported_format: a few bytes stand for any number of pixels,
    and no camera writes them. Source: BITMAPINFOHEADER in the Windows API.
    """
    size = int.from_bytes(data[14:18], "little")
    if size not in (12, 40, 52, 56, 64, 108, 124) or len(data) < 14 + size:
        raise PhotoError("truncated", format="BMP")
    if size == 12:
        width, height, bits = (int.from_bytes(data[at : at + 2], "little") for at in (18, 20, 24))
        coding = _PLAIN
    else:
        width, height = (
            int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22)
        )
        bits = int.from_bytes(data[28:30], "little")
        coding = int.from_bytes(data[30:34], "little")
    height = abs(height)  # Rows from the top are marked by a negative height.
    if coding not in (_PLAIN, _MASKED) or bits not in _BITS:
        raise PhotoError("unsupported_format", format=f"BMP, coding {coding}, {bits} bits")
    row = (width * bits + 31) // 32 * 4
    if width < 1 or len(data) < int.from_bytes(data[10:14], "little") + row * height:
        raise PhotoError("truncated", format="BMP")
    pixels = width * height
    return Header("BMP", width, height, _BYTES * pixels, _NS * pixels / 1e9, data)
