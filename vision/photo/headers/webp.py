"""The chunks of a WebP file."""

from __future__ import annotations

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError
from vision.photo.upright import exif_orientation, xmp_orientation

__all__ = ["webp_header"]

MAX_CHUNKS = 10_000

_PICTURE = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"})
# Measured, per pixel and per byte of the file.
_BYTES, _NS, _NS_PER_BYTE = 16.0, 12.0, 33.0


def webp_header(data: bytes) -> Header:
    """Walk the chunks; the decoder is given those of the picture and of the first frame.

    Source: WebP container specification (RFC 9649, section 2).
    """
    kept: list[bytes] = []
    size, exif, xmp, position, frames = None, b"", b"", 12, 0
    end = min(len(data), 8 + int.from_bytes(data[4:8], "little"))
    for _ in range(MAX_CHUNKS):
        if position + 8 > end:
            break
        name = data[position : position + 4]
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        start, position = position, position + 8 + length + length % 2
        if start + 8 + length > end:
            raise PhotoError("truncated", format="WEBP")
        body = data[start + 8 : start + 8 + min(length, 65_536)]
        size = size or _size(name, body)
        frames += name == b"ANMF"
        if name in _PICTURE and (name != b"ANMF" or frames == 1):
            kept.append(data[start:position])
        elif name == b"EXIF":
            exif = exif or body
        elif name == b"XMP ":
            xmp = xmp or body
    else:
        raise PhotoError("too_complex", format="WEBP")
    if size is None:
        raise PhotoError("truncated", format="WEBP")
    orientation = max(exif_orientation(exif), xmp_orientation(xmp))
    width, height = size
    picture = _riff(kept)
    pixels = width * height
    nanoseconds = _NS * pixels + _NS_PER_BYTE * len(picture)
    return Header("WEBP", width, height, _BYTES * pixels, nanoseconds / 1e9, picture, orientation)


def _size(name: bytes, body: bytes) -> tuple[int, int] | None:
    """Width and height of the canvas; the first chunk must tell them."""
    if name == b"VP8X" and len(body) >= 10:
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if name == b"VP8 " and body[3:6] == b"\x9d\x01\x2a" and len(body) >= 10:
        width, height = (int.from_bytes(body[at : at + 2], "little") & 0x3FFF for at in (6, 8))
        return width, height
    if name == b"VP8L" and body[:1] == b"\x2f" and len(body) >= 5:
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    raise PhotoError("truncated", format="WEBP")


def _riff(chunks: list[bytes]) -> bytes:
    """A file of these chunks; what is announced of EXIF, XMP and profiles is taken back."""
    body = b"".join(chunks)
    if body[:4] == b"VP8X":
        body = body[:8] + bytes([body[8] & ~(0x20 | 0x08 | 0x04)]) + body[9:]
    return b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WEBP" + body
