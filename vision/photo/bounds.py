"""What a picture may cost in memory and time, and which are decoded without further ado."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.common.runtime import slowness
from vision.photo.errors import PhotoError
from vision.photo.unpack import Limits


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
