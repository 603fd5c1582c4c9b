"""The parts that files of each format are made of, and how they are put together again."""

from __future__ import annotations

import itertools
import re
import struct
import zlib
from collections.abc import Callable

_JPEG_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def split(data: bytes, picture_format: str) -> list[bytes]:
    """The parts of a whole file, in order; joined they are the file."""
    return _SPLIT[picture_format](data)


def join(parts: list[bytes], picture_format: str) -> bytes:
    """A file of these parts, with lengths and checksums that are right again."""
    if picture_format == "PNG":
        parts = [parts[0], *(_png_repaired(part) for part in parts[1:])] if parts else []
    data = b"".join(parts)
    if picture_format == "WEBP" and len(data) >= 12:
        data = data[:4] + struct.pack("<I", len(data) - 8) + data[8:]
    return data


def _jpeg(data: bytes) -> list[bytes]:
    starts = [found.start() for found in _JPEG_MARKER.finditer(data)]
    return _cut(data, starts)


def _png(data: bytes) -> list[bytes]:
    starts, position = [8], 8
    while position + 12 <= len(data):
        position += 12 + int.from_bytes(data[position : position + 4])
        starts.append(position)
    return _cut(data, starts)


def _png_repaired(part: bytes) -> bytes:
    if len(part) < 12:
        return part
    name, body = part[4:8], part[8:-4]
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _webp(data: bytes) -> list[bytes]:
    starts, position = [12], 12
    while position + 8 <= len(data):
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        position += 8 + length + length % 2
        starts.append(position)
    return _cut(data, starts)


def _gif(data: bytes) -> list[bytes]:
    starts = [13, 13 + (3 << (data[10] % 8 + 1) if data[10] >= 128 else 0)]
    starts += [found.start() for found in re.finditer(rb"\x21[\xf9\xfe\xff]|\x2c\0\0\0\0", data)]
    return _cut(data, sorted(starts))


def _bmp(data: bytes) -> list[bytes]:
    return _cut(data, [14, 18, 22, 26, 28, 30, 34, int.from_bytes(data[10:14], "little")])


def _boxes(data: bytes) -> list[bytes]:
    """Cut wherever a box begins, at any depth."""
    kinds = rb"ftyp|meta|hdlr|pitm|iloc|iinf|infe|iref|iprp|ipco|ipma|ispe|pixi|av1C|hvcC|mdat|auxC"
    return _cut(data, [found.start() - 4 for found in re.finditer(kinds, data)])


def _cut(data: bytes, starts: list[int]) -> list[bytes]:
    ends = sorted({0, len(data), *(s for s in starts if 0 < s < len(data))})
    return [data[start:end] for start, end in itertools.pairwise(ends)]


_SPLIT: dict[str, Callable[[bytes], list[bytes]]] = {
    "JPEG": _jpeg,
    "PNG": _png,
    "GIF": _gif,
    "BMP": _bmp,
    "WEBP": _webp,
    "AVIF": _boxes,
    "HEIF": _boxes,
}
