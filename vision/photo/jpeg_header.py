"""What the segments of a JPEG file say before anything is decoded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PIL import Image

__all__ = ["JpegHeader", "exif_orientation", "read_jpeg_header"]

_END = 0xD9
_START_OF_SCAN = 0xDA
_APP1 = 0xE1
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = frozenset({0x01, 0xD8, *range(0xD0, 0xD8)})
# Within a scan, ff is followed by 00 (a data byte), a restart marker or another ff (filling).
_MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_ORIENTATION = 0x0112


@dataclass(frozen=True)
class JpegHeader:
    """Size and coding of a JPEG file.

    ``width`` and ``height`` are pixels as stored, before ``orientation`` (EXIF, 1..8) is
    applied. ``frame`` is the number of the SOF marker (0 baseline, 2 progressive, from 3 on
    rare ones). ``one_scan`` tells whether a decoder can work row by row, without holding
    all coefficients. ``complete`` is False where the file ends before its picture does.
    """

    width: int
    height: int
    components: int
    bits: int
    frame: int
    orientation: int
    one_scan: bool
    complete: bool


def read_jpeg_header(data: bytes) -> JpegHeader | None:
    """Walk the segments of ``data``; None where they break off before the size is known.

    Source: ITU-T T.81, annex B.
    """
    position, frame, orientation, scan_components = 2, None, 1, 0
    while (found := _next_marker(data, position)) is not None:
        marker, position = found
        if marker == _END:
            return _header(frame, orientation, scan_components, complete=True)
        if marker in _WITHOUT_LENGTH:
            continue
        length = int.from_bytes(data[position : position + 2])
        body = data[position + 2 : position + length]
        if length < 2 or len(body) < length - 2:
            break
        position += length
        if marker in _FRAMES and frame is None and len(body) >= 6:
            frame = (marker - 0xC0, body)
        elif marker == _APP1 and body.startswith(b"Exif\0\0"):
            orientation = _orientation(body)
        elif marker == _START_OF_SCAN and body:
            scan_components = scan_components or body[0]
            end_of_scan = _MARKER_IN_SCAN.search(data, position)
            if end_of_scan is None:
                break
            position = end_of_scan.start()
    return _header(frame, orientation, scan_components, complete=False)


def _next_marker(data: bytes, position: int) -> tuple[int, int] | None:
    """The next marker code from ``position`` on and the position after it."""
    start = data.find(b"\xff", position)
    while 0 <= start < len(data) - 1:
        if data[start + 1] not in (0x00, 0xFF):
            return data[start + 1], start + 2
        start = data.find(b"\xff", start + 1)
    return None


def _header(
    frame: tuple[int, bytes] | None, orientation: int, scan_components: int, *, complete: bool
) -> JpegHeader | None:
    if frame is None:
        return None
    number, body = frame
    return JpegHeader(
        width=int.from_bytes(body[3:5]),
        height=int.from_bytes(body[1:3]),
        components=body[5],
        bits=body[0],
        frame=number,
        orientation=orientation,
        one_scan=number in (0, 1) and scan_components == body[5],
        complete=complete and scan_components > 0,
    )


def exif_orientation(exif: Image.Exif) -> int:
    """How the stored picture is to be turned, 1..8, by EXIF tag 0x0112; 1 where it is unclear."""
    try:
        orientation = exif.get(_ORIENTATION)
    except Exception:  # Pillow raises many types on broken EXIF, and a photo reads without it.
        return 1
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def _orientation(exif_segment: bytes) -> int:
    exif = Image.Exif()
    try:
        exif.load(exif_segment)
    except Exception:  # As above.
        return 1
    return exif_orientation(exif)
