"""What the bytes of a file say of the picture in it, before anything of it is decoded: its format,
what the headers of JPEG and PNG tell, and whether that stays within the bounds of memory and time.

Other formats are left to their decoders, in a process with limits."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vision.common.network import slowness
from vision.photo.errors import PhotoError
from vision.photo.unpack import Limits, exif_orientation, xmp_orientation


@dataclass(frozen=True)
class PhotoSettings:
    """Limits and target of decoding.

    The picture is reduced by 2, 4 or 8 while its long side keeps ``target_long_side_px``.
    ``max_decoding_bytes`` bounds the memory that a file and its decoder may take; with the
    libraries loaded it keeps decoding under 500 MB. ``max_decoding_s`` bounds the time of one
    core, as measured on a server processor of 2024, and keeps decoding under 2 s there; a slower
    machine is given as much longer. A JPEG or PNG whose header promises to stay below
    ``ordinary_bytes`` and ``ordinary_s`` is decoded in this process, all else in one of its own
    that the system limits.
    """

    target_long_side_px: int = 1600
    min_side_px: int = 24
    max_side_px: int = 30_000
    max_file_bytes: int = 100_000_000
    max_decoding_bytes: int = 380_000_000
    max_decoding_s: float = 1.9
    ordinary_bytes: int = 200_000_000
    ordinary_s: float = 0.7


@dataclass(frozen=True)
class Header:
    """What the header of a JPEG or a PNG says of its picture.

    ``width`` and ``height`` are pixels as stored, before the EXIF ``orientation`` (1..8) is
    applied. ``decoding_bytes`` and ``decoding_s`` estimate what the decoder takes beyond
    ``data``, the part of the file that it is given: the picture without anything around it.
    ``is_plain`` tells a JPEG of three components in a single scan, which OpenCV decodes to the
    same pixels as Pillow, in less time.
    """

    format: str
    width: int
    height: int
    decoding_bytes: float
    decoding_s: float
    data: bytes = field(repr=False)
    orientation: int = 1
    is_plain: bool = False


def check_size(width: int, height: int, settings: PhotoSettings) -> None:
    """PhotoError too_small or too_many_pixels for sides that no photograph has."""
    if min(width, height) < settings.min_side_px:
        raise PhotoError("too_small", width=width, height=height, limit=settings.min_side_px)
    if max(width, height) > settings.max_side_px:
        raise PhotoError("too_many_pixels", width=width, height=height, limit=settings.max_side_px)


def check_bounds(header: Header, file_bytes: int, settings: PhotoSettings) -> None:
    """PhotoError where decoding would take more than the settings allow.

    The codes are too_many_pixels, too_small, and too_complex for a file that takes long for the
    pixels it has.
    """
    width, height = header.width, header.height
    held = header.decoding_bytes + file_bytes + len(header.data)
    if held > settings.max_decoding_bytes:
        raise PhotoError("too_many_pixels", width=width, height=height, format=header.format)
    check_size(width, height, settings)
    if header.decoding_s > settings.max_decoding_s:
        raise PhotoError("too_complex", format=header.format)


def is_ordinary(header: Header, file_bytes: int, settings: PhotoSettings) -> bool:
    """Whether its header alone promises enough for it to be decoded without limits."""
    held = header.decoding_bytes + file_bytes + len(header.data)
    return held <= settings.ordinary_bytes and header.decoding_s <= settings.ordinary_s


def limits_of(settings: PhotoSettings, header: Header | None) -> Limits:
    """What the program that decodes all else is given on this machine.

    Where a header has promised to stay in bounds, twice the time: then its answer is the same
    however busy the machine is.
    """
    return Limits(
        settings.target_long_side_px,
        settings.min_side_px,
        settings.max_side_px,
        settings.max_decoding_bytes,
        settings.max_decoding_s * slowness() * (1 if header is None else 2),
    )


def may_be_decoded_twice(header: Header, file_bytes: int, settings: PhotoSettings) -> bool:
    """Whether two decoders at once stay within what ``check_bounds`` allows to one."""
    held = 2 * header.decoding_bytes + file_bytes + len(header.data)
    return held <= settings.max_decoding_bytes and 2 * header.decoding_s <= settings.max_decoding_s


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
            # A long one goes on in further segments.
            exif = exif or body
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
# Measured with the slowest filter, Paeth: memory per pixel, time per unpacked byte and per byte of
# the file.
_PNG_BYTES, _PNG_NS, _PNG_NS_PER_UNPACKED_BYTE, _PNG_NS_PER_BYTE = 5.0, 6.0, 5.0, 14.0


def png_header(data: bytes) -> Header:
    """Walk the chunks; the decoder is given only those that carry the picture.

    Texts, profiles and further frames never reach it. Source: PNG (third edition), section 5.
    """
    # The header is the first chunk and the only one of its kind: a decoder would take the last.
    header = data[16:29] if data[8:16] == b"\0\0\0\rIHDR" else b""
    kept, exif, xmp, position = [data[:8]], b"", b"", 8
    for _ in range(PNG_MAX_CHUNKS):
        length, name = (
            int.from_bytes(data[position : position + 4]),
            data[position + 4 : position + 8],
        )
        start, position = position, position + 12 + length
        if position > len(data) or (name == b"IHDR" and start > 8):
            raise PhotoError("truncated", format="PNG")
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


_READERS: dict[str, Callable[[bytes], Header]] = {"JPEG": jpeg_header, "PNG": png_header}


def read_header(data: bytes, picture_format: str) -> Header | None:
    """The header of a file; None for a format that is left to its decoder.

    PhotoError with the codes truncated, unsupported_format and too_complex.
    """
    read = _READERS.get(picture_format)
    return read(data) if read else None


SIGNATURE_BYTES = 64
"""So many bytes of a file tell its format."""


READ_FORMATS = ("JPEG", "PNG", "HEIF", "WEBP", "AVIF", "GIF", "BMP")
"""The formats that are read, the usual ones first, named as people know them."""


_SIGNATURES = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
}
_BRANDS = {
    **dict.fromkeys(
        (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"),
        "HEIF",
    ),
    b"avif": "AVIF",
    b"avis": "AVIF",
}
# Pictures and their neighbours that people do try, named so that the message can say it.
_REFUSED_SIGNATURES = {
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"%PDF": "PDF",
    b"8BPS": "Photoshop",
    b"\xff\x0a": "JPEG XL",
    b"\0\0\0\x0cJXL ": "JPEG XL",
    b"\0\0\0\x0cjP  ": "JPEG 2000",
    b"FUJIFILMCCD-RAW": "RAW",
    b"<svg": "SVG",
}


def picture_format(data: bytes) -> str:
    """One of ``READ_FORMATS``, from the first ``SIGNATURE_BYTES`` of a file.

    PhotoError with the codes unsupported_format and not_a_picture for everything else.
    """
    for signature, name in _SIGNATURES.items():
        if data.startswith(signature):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return "BMP"
    if data[4:8] == b"ftyp":
        brand, others = data[8:12], data[16 : min(int.from_bytes(data[:4]), SIGNATURE_BYTES)]
        # These two say how the file is built; how its pictures are coded, one of the others does.
        if brand in (b"mif1", b"msf1") and b"avif" in others:
            return "AVIF"
        if brand in _BRANDS:
            return _BRANDS[brand]
        name = "".join(c for c in brand.decode("ascii", "replace") if c.isalnum())
        raise PhotoError("unsupported_format", format=name)
    for signature, name in _REFUSED_SIGNATURES.items():
        if data.startswith(signature):
            raise PhotoError("unsupported_format", format=name)
    raise PhotoError("not_a_picture")


# Without it, opening a pipe waits for somebody who writes into it. Windows has neither.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)


def file_bytes(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    """All bytes of a picture file.

    PhotoError with the codes missing_file, not_permitted, not_readable, is_folder,
    not_a_file (a pipe, a device), too_many_bytes and those of ``picture_format``: what is no
    picture is refused as such before gigabytes of it are read.
    """
    name = os.fsdecode(path)
    try:
        if os.path.isdir(name):
            os.scandir(name).close()  # A folder that may not be looked into is told as such.
            raise PhotoError("is_folder", path=name)
        descriptor = os.open(name, os.O_RDONLY | _AT_ONCE | _BINARY)
        with open(descriptor, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise PhotoError("not_a_file", path=name)
            start = file.read(SIGNATURE_BYTES)
            if not start:
                raise PhotoError("empty_file")
            picture_format(start)
            if status.st_size > max_bytes:
                raise PhotoError("too_many_bytes", limit=max_bytes)
            file.seek(0)
            return file.read(max_bytes)
    except PhotoError:
        raise
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from error


def _refusal(name: str, error: OSError | ValueError) -> PhotoError:
    if isinstance(error, PermissionError):
        return PhotoError("not_permitted", path=name)
    number = getattr(error, "errno", None)
    if number in (None, errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL):
        return PhotoError("missing_file", path=name)
    if number == errno.ENXIO:  # A socket, or a device that is not there.
        return PhotoError("not_a_file", path=name)
    return PhotoError("not_readable", path=name, reason=getattr(error, "strerror", str(error)))
