"""The segments of a JPEG file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError
from vision.photo.upright import exif_orientation

__all__ = ["jpeg_header"]

MAX_SEGMENTS = 4096
MAX_SCANS = 100

_END = 0xD9
_START_OF_SCAN = 0xDA
_APP0, _APP1, _APP14 = 0xE0, 0xE1, 0xEE
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_READ_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
# Huffman tables, quantisation tables, restart interval: all that a decoder needs besides.
_TABLES = frozenset({0xC4, 0xDB, 0xDD})
_WITHOUT_LENGTH = frozenset({0x01, 0xD8, *range(0xD0, 0xD8)})
_MARKER = re.compile(rb"\xff[^\x00\xff]")
# Within a scan, ff is followed by 00 (a data byte), a restart marker or another ff (filling).
_MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")

# Measured, per pixel of the whole picture or per byte of the file. A picture of one scan is
# decoded row by row, straight to the reduced size; else all coefficients are held.
_ONE_SCAN_BYTES, _COEFFICIENT_BYTES = 1.2, 2.15
_ONE_SCAN_NS, _ONE_SCAN_NS_PER_BYTE = 1.5, 12.0
_SCANS_NS, _SCAN_NS, _SCANS_NS_PER_BYTE = 2.0, 1.3, 40.0


def jpeg_header(data: bytes) -> Header:
    """Walk the segments; the decoder is given only those that carry the picture.

    Whatever is appended or in between (EXIF, profiles, thumbnails, filling) never reaches it.
    Source: ITU-T T.81, annex B.
    """
    frame, exif, scans, first_scan, whole = b"", b"", 0, 0, False
    kept = [(0, 2)]
    position = 2
    for _ in range(MAX_SEGMENTS):
        found = _MARKER.search(data, position)
        if found is None:
            break
        start, marker, position = found.start(), data[found.end() - 1], found.end()
        if marker == _END:
            kept.append((start, position))
            whole = True
            break
        if marker in _WITHOUT_LENGTH:
            continue
        length = int.from_bytes(data[position : position + 2])
        body = data[position + 2 : position + length]
        if length < 2 or len(body) < length - 2:
            break
        position += length
        if marker in _FRAMES:
            if marker not in _READ_FRAMES or body[:1] != b"\x08":
                kind = f"JPEG, SOF{marker - 0xC0}, {body[0] if body else 0} bits"
                raise PhotoError("unsupported_format", format=kind)
            if frame or len(body) < 6:
                break
            frame = bytes([marker]) + body
        elif marker == _APP1 and body.startswith(b"Exif\0\0"):
            exif = body
        elif marker == _START_OF_SCAN and body:
            scans += 1
            first_scan = first_scan or body[0]
            end_of_scan = _MARKER_IN_SCAN.search(data, position)
            if end_of_scan is None:
                break
            position = end_of_scan.start()
        if marker in _FRAMES | _TABLES | {_START_OF_SCAN} or _names_colours(marker, body):
            kept.append((start, position))
    else:
        raise PhotoError("too_complex", format="JPEG")
    if not whole or not frame or not scans:
        raise PhotoError("truncated", format="JPEG")
    if scans > MAX_SCANS:
        raise PhotoError("too_complex", format="JPEG")
    return _header(frame, scans, first_scan, _joined(data, kept), exif_orientation(exif))


def _joined(data: bytes, parts: Sequence[tuple[int, int]]) -> bytes:
    """The parts (start, end) of the file one after the other; the file itself where that is all."""
    ends = [end for _, end in parts]
    if [start for start, _ in parts] == [0, *ends[:-1]]:
        return data[: ends[-1]]
    # Views, since a slice of bytes is a copy of what may be many megabytes.
    view = memoryview(data)
    return b"".join([view[start:end] for start, end in parts])


def _names_colours(marker: int, body: bytes) -> bool:
    return (marker == _APP0 and body.startswith(b"JFIF\0")) or (
        marker == _APP14 and body.startswith(b"Adobe")
    )


def _header(frame: bytes, scans: int, first_scan: int, data: bytes, orientation: int) -> Header:
    height, width = int.from_bytes(frame[2:4]), int.from_bytes(frame[4:6])
    components, pixels = frame[6], width * height
    one_scan = frame[0] != 0xC2 and first_scan == components
    if one_scan:
        held = _ONE_SCAN_BYTES * pixels
        nanoseconds = _ONE_SCAN_NS * pixels + _ONE_SCAN_NS_PER_BYTE * len(data)
    else:
        held = _COEFFICIENT_BYTES * max(components, 3) * pixels
        nanoseconds = (_SCANS_NS + _SCAN_NS * scans) * pixels + _SCANS_NS_PER_BYTE * len(data)
    return Header(
        "JPEG", width, height, held, nanoseconds / 1e9, data, orientation,
        is_plain=one_scan and scans == 1 and components == 3,
    )  # fmt: skip
