"""From a photograph or its pixels to an upright RGB picture, with limits set before decoding."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.AvifImagePlugin import AvifImageFile
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from vision.photo.bounds import Header, PhotoSettings, check_bounds, check_size, reduction
from vision.photo.errors import PhotoError
from vision.photo.files import file_bytes, picture_format
from vision.photo.headers import read_header
from vision.photo.upright import upright

__all__ = ["Photo", "decode", "decode_header", "decode_reduced", "photo_of_pixels", "read_checked"]

_BAND_ROWS = 128


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photograph, possibly reduced.

    ``rgb`` has shape (h, w, 3), uint8, RGB. ``width`` and ``height`` are pixels of the upright
    photograph at full resolution, ``scale`` is reduced over full.
    """

    rgb: NDArray[np.uint8]
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.rgb.ndim != 3 or self.rgb.shape[2] != 3 or self.rgb.dtype != np.uint8:
            got = f"{self.rgb.shape} {self.rgb.dtype}"
            raise ValueError(f"rgb: expected shape (h, w, 3) uint8, got {got}")

    @property
    def scale(self) -> float:
        """Pixels of ``rgb`` for one pixel of the full photograph, in 0..1."""
        return float(max(self.rgb.shape[:2])) / max(self.width, self.height)


def decode(source: bytes | str | os.PathLike[str], settings: PhotoSettings | None = None) -> Photo:
    """The upright RGB picture of a photograph, given its bytes or its path.

    EXIF orientation is applied, transparent parts become white, 16-bit, grey, palette and
    CMYK pictures become 8-bit RGB, an animated picture gives its first frame. Raises
    ``PhotoError`` with one of the codes missing_file, not_permitted, not_readable, is_folder,
    not_a_file, empty_file, not_a_picture, truncated, unsupported_format, too_many_bytes,
    too_many_pixels, too_complex and too_small.
    """
    settings = settings or PhotoSettings()
    header, _ = read_checked(source, settings)
    return decode_header(header, settings)


def read_checked(
    source: bytes | str | os.PathLike[str], settings: PhotoSettings
) -> tuple[Header, int]:
    """The header of a photograph that may be decoded, and the bytes of its file.

    Nothing of the picture is decoded yet. PhotoError as of ``decode``.
    """
    data = source if isinstance(source, bytes) else file_bytes(source, settings.max_file_bytes)
    if not data:
        raise PhotoError("empty_file")
    name = picture_format(data)
    if len(data) > settings.max_file_bytes:
        raise PhotoError("too_many_bytes", limit=settings.max_file_bytes)
    header = read_header(data, name)
    check_bounds(header, len(data), settings)
    return header, len(data)


def decode_header(header: Header, settings: PhotoSettings) -> Photo:
    """The picture of a header that ``read_checked`` gave. PhotoError as of ``decode``."""
    try:
        return _decoded(header, settings)
    except PhotoError:
        raise
    except MemoryError as error:
        raise PhotoError("too_complex", format=header.format) from error
    except Exception as error:  # Decoders raise any type on damaged files.
        raise PhotoError("truncated", format=header.format) from error


def decode_reduced(header: Header, factor: int) -> NDArray[np.uint8] | None:
    """The picture (h, w, 3) of a plain JPEG as stored, 1, 2, 4 or 8 times smaller.

    None where OpenCV gives no picture of the size that the header tells.
    """
    coded = np.frombuffer(header.data, np.uint8)
    flags = _REDUCED[factor] | cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    rgb = cv2.imdecode(coded, flags)
    if rgb is None or rgb.shape != (-(-header.height // factor), -(-header.width // factor), 3):
        return None
    return np.asarray(rgb, np.uint8)


# The classes themselves and not Image.open, which tries what it likes and warns of large sizes.
_IMAGE_FILES: dict[str, Callable[[BytesIO], Image.Image]] = {
    "AVIF": AvifImageFile,
    "BMP": BmpImageFile,
    "GIF": GifImageFile,
    "JPEG": JpegImageFile,
    "PNG": PngImageFile,
    "WEBP": WebPImageFile,
}


# Flags of OpenCV by how many times smaller; "grayscale" stands for no colour order at all.
_REDUCED = {
    1: 0,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}


def _decoded(header: Header, settings: PhotoSettings) -> Photo:
    if header.is_plain:
        photo = _decoded_by_opencv(header, settings)
        if photo is not None:
            return photo
    with _opened(header) as image:
        width, height = image.size
        # A decoder that found more pixels than its header was bounded for gets no further.
        if width * height > header.width * header.height:
            raise PhotoError("truncated", format=header.format)
        check_size(width, height, settings)
        factor = reduction(width, height, settings)
        if header.format == "JPEG" and factor > 1:
            # Reduced while decoding, which is faster than afterwards and takes no memory.
            image.draft(None, (width // factor, height // factor))
            factor = 1
        rgb = upright(_reduced_rgb(image, factor), header.orientation)
    if header.orientation >= 5:
        width, height = height, width
    return Photo(rgb, width=width, height=height)


def _decoded_by_opencv(header: Header, settings: PhotoSettings) -> Photo | None:
    """A plain JPEG; None where OpenCV gives no picture of the size that the header tells."""
    width, height = header.width, header.height
    rgb = decode_reduced(header, reduction(width, height, settings))
    if rgb is None:
        return None
    if header.orientation >= 5:
        width, height = height, width
    return Photo(upright(rgb, header.orientation), width=width, height=height)


def _opened(header: Header) -> Image.Image:
    """The picture opened by the decoder of its format and no other, nothing decoded yet."""
    if header.format == "HEIF":
        # Loads a library of its own, so only for these files. The package carries no types.
        from pi_heif import HeifImageFile  # type: ignore[import-untyped]

        opened: Image.Image = HeifImageFile(BytesIO(header.data))
        return opened
    return _IMAGE_FILES[header.format](BytesIO(header.data))


def _reduced_rgb(image: Image.Image, factor: int) -> NDArray[np.uint8]:
    """The pixels of an opened picture of any mode, reduced and over white.

    Worked in bands of rows, since each conversion of a whole picture would be one more copy.
    """
    image.load()
    if image.mode == "RGB" and factor == 1 and not image.has_transparency_data:
        return np.asarray(image)
    rows = factor * _BAND_ROWS
    bands = [
        _eight_bit_rgb(image.crop((0, top, image.width, min(top + rows, image.height))), factor)
        for top in range(0, image.height, rows)
    ]
    return np.concatenate(bands)


def _eight_bit_rgb(image: Image.Image, factor: int) -> NDArray[np.uint8]:
    if image.mode.startswith("I;16"):
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    elif image.has_transparency_data:
        image = image.convert("RGBA")
    else:
        image = image.convert("RGB")
    if factor > 1:
        image = image.reduce(factor)
    if image.mode == "RGBA":
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return np.asarray(image.convert("RGB"), dtype=np.uint8)


def photo_of_pixels(rgb: NDArray[np.uint8], settings: PhotoSettings | None = None) -> Photo:
    """The photo of an upright RGB picture, uint8, shape (h, w, 3), which is not changed.

    Reduced as ``decode`` would reduce it. ValueError for an array of another kind, PhotoError
    too_small or too_many_pixels for sides out of bounds.
    """
    settings = settings or PhotoSettings()
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3:
        raise ValueError(f"pixels: expected RGB uint8 (h, w, 3), got {rgb.dtype} {rgb.shape}")
    height, width = rgb.shape[:2]
    check_size(width, height, settings)
    factor = reduction(width, height, settings)
    if factor > 1:
        size = (width // factor, height // factor)
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Photo(np.ascontiguousarray(rgb), width=width, height=height)
