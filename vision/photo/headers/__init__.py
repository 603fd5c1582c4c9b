"""What the header of each format says of a picture, before anything of it is decoded."""

from __future__ import annotations

from collections.abc import Callable

from vision.photo.bounds import Header
from vision.photo.headers.bmp import bmp_header
from vision.photo.headers.gif import gif_header
from vision.photo.headers.heif import avif_header, heif_header
from vision.photo.headers.jpeg import jpeg_header
from vision.photo.headers.png import png_header
from vision.photo.headers.webp import webp_header

__all__ = ["read_header"]

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
    """The header of a file of one of the formats of ``vision.photo.formats``.

    PhotoError with the codes truncated, unsupported_format and too_complex.
    """
    return _READERS[picture_format](data)
