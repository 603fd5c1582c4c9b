"""What the header of each format says of a picture, before anything of it is decoded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError
from vision.photo.heif import avif_header, heif_header
from vision.photo.upright import exif_orientation, xmp_orientation

__all__ = ["bmp_header", "gif_header", "jpeg_header", "png_header", "read_header", "webp_header"]

_BMP_PLAIN, _BMP_MASKED = 0, 3
_BMP_BITS = frozenset({1, 4, 8, 16, 24, 32})
# Measured, per pixel.
_BMP_BYTES, _BMP_NS = 5.0, 8.0


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
        coding = _BMP_PLAIN
    else:
        width, height = (
            int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22)
        )
        bits = int.from_bytes(data[28:30], "little")
        coding = int.from_bytes(data[30:34], "little")
    height = abs(height)  # Rows from the top are marked by a negative height.
    if coding not in (_BMP_PLAIN, _BMP_MASKED) or bits not in _BMP_BITS:
        raise PhotoError("unsupported_format", format=f"BMP, coding {coding}, {bits} bits")
    row = (width * bits + 31) // 32 * 4
    if width < 1 or len(data) < int.from_bytes(data[10:14], "little") + row * height:
        raise PhotoError("truncated", format="BMP")
    pixels = width * height
    return Header("BMP", width, height, _BMP_BYTES * pixels, _BMP_NS * pixels / 1e9, data)


GIF_MAX_BLOCKS = 500_000

_GIF_EXTENSION, _GIF_IMAGE, _GIF_TRAILER = 0x21, 0x2C, 0x3B
_GRAPHIC_CONTROL = 0xF9
# Measured, per pixel and per byte of the file.
_GIF_BYTES, _GIF_NS, _GIF_NS_PER_BYTE = 5.0, 8.0, 12.0


def gif_header(data: bytes) -> Header:
    """Walk the blocks to the first frame, the only one that the decoder is given.

    Source: GIF89a, sections 18 to 23.
    """
    width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
    blocks = _GifBlocks(data, 13 + _gif_table_bytes(data[10:11]))
    kept = [data[: blocks.position]]
    while (kind := blocks.byte()) == _GIF_EXTENSION:
        start = blocks.position - 1
        label = blocks.byte()
        blocks.skip()
        if label == _GRAPHIC_CONTROL:  # It names the transparent colour.
            kept = [kept[0], data[start : blocks.position]]
    if kind != _GIF_IMAGE:
        raise PhotoError("truncated", format="GIF")
    start = blocks.position - 1
    left, top, wide, high = (
        int.from_bytes(data[start + at : start + at + 2], "little") for at in (1, 3, 5, 7)
    )
    blocks.position = start + 10 + _gif_table_bytes(data[start + 9 : start + 10]) + 1
    blocks.skip()
    picture = b"".join([*kept, data[start : blocks.position], bytes([_GIF_TRAILER])])
    # A frame that reaches beyond the screen makes it larger.
    width, height = max(width, left + wide), max(height, top + high)
    pixels = width * height
    nanoseconds = _GIF_NS * pixels + _GIF_NS_PER_BYTE * len(picture)
    return Header("GIF", width, height, _GIF_BYTES * pixels, nanoseconds / 1e9, picture)


def _gif_table_bytes(flags: bytes) -> int:
    """The length of the colour table that flags announce; they are empty where the file ends."""
    if not flags:
        raise PhotoError("truncated", format="GIF")
    return 3 << (flags[0] % 8 + 1) if flags[0] >= 128 else 0


class _GifBlocks:
    """A place in the file, and the blocks that are left to be skipped."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = data
        self.position = position
        self._left = GIF_MAX_BLOCKS

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


JPEG_MAX_SEGMENTS = 4096
JPEG_MAX_SCANS = 100

_END_OF_IMAGE = 0xD9
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
    for _ in range(JPEG_MAX_SEGMENTS):
        found = _MARKER.search(data, position)
        if found is None:
            break
        start, marker, position = found.start(), data[found.end() - 1], found.end()
        if marker == _END_OF_IMAGE:
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
    if scans > JPEG_MAX_SCANS:
        raise PhotoError("too_complex", format="JPEG")
    return _header_of_frame(
        frame, scans, first_scan, _joined_parts(data, kept), exif_orientation(exif)
    )


def _joined_parts(data: bytes, parts: Sequence[tuple[int, int]]) -> bytes:
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


def _header_of_frame(
    frame: bytes, scans: int, first_scan: int, data: bytes, orientation: int
) -> Header:
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


PNG_MAX_CHUNKS = 30_000

_PNG_PICTURE = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Measured: memory per pixel, time per unpacked byte and per byte of the file.
_PNG_BYTES, _PNG_NS, _PNG_NS_PER_UNPACKED_BYTE, _PNG_NS_PER_BYTE = 5.0, 5.0, 3.0, 14.0


def png_header(data: bytes) -> Header:
    """Walk the chunks; the decoder is given only those that carry the picture.

    Texts, profiles and further frames never reach it. Source: PNG (third edition), section 5.
    """
    kept, header, exif, xmp, position = [data[:8]], b"", b"", b"", 8
    for _ in range(PNG_MAX_CHUNKS):
        length, name = (
            int.from_bytes(data[position : position + 4]),
            data[position + 4 : position + 8],
        )
        start, position = position, position + 12 + length
        if position > len(data):
            raise PhotoError("truncated", format="PNG")
        if name == b"IHDR" and not header:
            header = data[start + 8 : position - 4]
        if name in _PNG_PICTURE:
            kept.append(data[start:position])
        elif name == b"eXIf":
            exif = exif or data[start + 8 : position - 4]
        elif name == b"iTXt" and data.startswith(b"XML:com.adobe.xmp\0", start + 8):
            xmp = xmp or data[start + 8 : position - 4]
        if name == b"IEND":
            break
    else:
        raise PhotoError("too_complex", format="PNG")
    if len(header) != 13 or header[9] not in _PNG_CHANNELS:
        raise PhotoError("truncated", format="PNG")
    orientation = max(exif_orientation(exif), xmp_orientation(xmp))
    width, height = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
    unpacked = _PNG_CHANNELS[header[9]] * max(header[8] // 8, 1)
    picture, pixels = b"".join(kept), width * height
    nanoseconds = (
        _PNG_NS + _PNG_NS_PER_UNPACKED_BYTE * unpacked
    ) * pixels + _PNG_NS_PER_BYTE * len(picture)
    return Header(
        "PNG", width, height, _PNG_BYTES * pixels, nanoseconds / 1e9, picture, orientation
    )


WEBP_MAX_CHUNKS = 10_000

_WEBP_PICTURE = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"})
# Measured, per pixel and per byte of the file.
_WEBP_BYTES, _WEBP_NS, _WEBP_NS_PER_BYTE = 16.0, 12.0, 33.0


def webp_header(data: bytes) -> Header:
    """Walk the chunks; the decoder is given those of the picture and of the first frame.

    Source: WebP container specification (RFC 9649, section 2).
    """
    kept: list[bytes] = []
    size, exif, xmp, position, frames = None, b"", b"", 12, 0
    end = min(len(data), 8 + int.from_bytes(data[4:8], "little"))
    for _ in range(WEBP_MAX_CHUNKS):
        if position + 8 > end:
            break
        name = data[position : position + 4]
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        start, position = position, position + 8 + length + length % 2
        if start + 8 + length > end:
            raise PhotoError("truncated", format="WEBP")
        body = data[start + 8 : start + 8 + min(length, 65_536)]
        size = size or _webp_size(name, body)
        frames += name == b"ANMF"
        if name in _WEBP_PICTURE and (name != b"ANMF" or frames == 1):
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
    nanoseconds = _WEBP_NS * pixels + _WEBP_NS_PER_BYTE * len(picture)
    return Header(
        "WEBP", width, height, _WEBP_BYTES * pixels, nanoseconds / 1e9, picture, orientation
    )


def _webp_size(name: bytes, body: bytes) -> tuple[int, int] | None:
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


_READERS: dict[str, Callable[[bytes], Header]] = {
    "AVIF": avif_header,
    "BMP": bmp_header,
    "GIF": gif_header,
    "HEIF": heif_header,
    "JPEG": jpeg_header,
    "PNG": png_header,
    "WEBP": webp_header,
}


def read_header(data: bytes, picture_format: str) -> Header:
    """The header of a file of one of the formats of ``vision.photo.files``.

    PhotoError with the codes truncated, unsupported_format and too_complex.
    """
    return _READERS[picture_format](data)
