"""From the bytes of a photograph to an upright RGB picture, with limits set before decoding."""

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

from vision.photo.errors import PhotoError
from vision.photo.jpeg_header import JpegHeader, exif_orientation, read_jpeg_header

__all__ = ["Photo", "PhotoSettings", "decode", "reduction"]


@dataclass(frozen=True)
class PhotoSettings:
    """Limits and target of decoding.

    The picture is reduced by 2, 4 or 8 while its long side keeps ``target_long_side_px``.
    ``max_decoding_bytes`` bounds the memory that a file and its decoder may take, estimated
    before decoding; with the libraries loaded it keeps a reading under 600 MB.
    """

    target_long_side_px: int = 1600
    min_side_px: int = 24
    max_decoding_bytes: int = 380_000_000


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
    ``PhotoError`` with one of the codes missing_file, is_folder, empty_file, not_a_picture,
    truncated, unsupported_format, too_many_bytes, too_many_pixels and too_small.
    """
    settings = settings or PhotoSettings()
    data = source if isinstance(source, bytes) else _file_bytes(source, settings)
    if not data:
        raise PhotoError("empty_file")
    if len(data) > settings.max_decoding_bytes:
        raise PhotoError("too_many_bytes", limit=settings.max_decoding_bytes)
    picture_format = _picture_format(data)
    if picture_format == "JPEG":
        return _decode_jpeg(data, settings)
    return _decode_other(data, picture_format, settings)


def _file_bytes(path: str | os.PathLike[str], settings: PhotoSettings) -> bytes:
    name = os.fsdecode(path)
    if os.path.isdir(name):
        raise PhotoError("is_folder", path=name)
    try:
        with open(name, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            start = file.read(_SIGNATURE_BYTES)
            if start:
                # What is no picture is refused as such, and before gigabytes of it are read.
                _picture_format(start)
            if size > settings.max_decoding_bytes:
                raise PhotoError("too_many_bytes", limit=settings.max_decoding_bytes)
            file.seek(0)
            return file.read()
    except PhotoError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PhotoError("missing_file", path=name, reason=reason) from error


# What decoding was measured to take at its peak, per pixel of the whole picture and beyond the
# file itself. A JPEG of one scan is decoded row by row, straight to the reduced size.
_BYTES_PER_PIXEL = {
    "JPEG": 6.5,
    "JPEG of one scan": 1.2,
    "PNG": 5.0,
    "GIF": 5.0,
    "BMP": 5.0,
    "HEIF": 7.2,
    "AVIF": 9.2,
    "WEBP": 16.0,
}
_SIGNATURE_BYTES = 64
_BAND_ROWS = 128
_READ_SIGNATURES = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
}
_READ_BRANDS = {
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


def _picture_format(data: bytes) -> str:
    """The name of the format by its signature, whatever the file is called."""
    for signature, name in _READ_SIGNATURES.items():
        if data.startswith(signature):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return "BMP"
    if data[4:8] == b"ftyp":
        if data[8:12] in _READ_BRANDS:
            return _READ_BRANDS[data[8:12]]
        raise PhotoError("unsupported_format", format=data[8:12].decode("ascii", "replace").strip())
    for signature, name in _REFUSED_SIGNATURES.items():
        if data.startswith(signature):
            raise PhotoError("unsupported_format", format=name)
    raise PhotoError("not_a_picture")


def _decode_jpeg(data: bytes, settings: PhotoSettings) -> Photo:
    header = read_jpeg_header(data)
    if header is None:
        raise PhotoError("truncated", format="JPEG")
    coding = "JPEG of one scan" if header.one_scan and header.components != 4 else "JPEG"
    _check_size(header.width, header.height, len(data), coding, settings)
    if not header.complete:
        raise PhotoError("truncated", format="JPEG")
    if header.frame > 2 or header.bits != 8:
        raise PhotoError("unsupported_format", format="JPEG")
    if header.components == 4:
        return _decode_other(data, "JPEG", settings)
    return _decode_colour_jpeg(data, header, settings)


_JPEG_MODES = {
    1: cv2.IMREAD_COLOR_RGB,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _decode_colour_jpeg(data: bytes, header: JpegHeader, settings: PhotoSettings) -> Photo:
    factor = reduction(header.width, header.height, settings)
    # One reading of EXIF for all formats: the orientation is applied here, not by OpenCV.
    mode = _JPEG_MODES[factor] | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), mode)
    except cv2.error as error:
        raise PhotoError("truncated", format="JPEG") from error
    if decoded is None:
        raise PhotoError("truncated", format="JPEG")
    if factor > 1:
        decoded = cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB)
    return _upright(np.asarray(decoded, np.uint8), header.width, header.height, header.orientation)


def _upright(rgb: NDArray[np.uint8], width: int, height: int, orientation: int) -> Photo:
    """The photo turned and mirrored as EXIF orientation 1..8 asks; the size is as stored."""
    if orientation >= 5:
        rgb, width, height = rgb.transpose(1, 0, 2), height, width
    if orientation in (3, 4, 7, 8):
        rgb = rgb[::-1]
    if orientation in (2, 3, 6, 7):
        rgb = rgb[:, ::-1]
    return Photo(np.ascontiguousarray(rgb), width=width, height=height)


def _decode_other(data: bytes, picture_format: str, settings: PhotoSettings) -> Photo:
    try:
        with _opened(data, picture_format) as image:
            _check_size(image.width, image.height, len(data), picture_format, settings)
            rgb = _reduced_rgb(image, reduction(image.width, image.height, settings))
            return _upright(rgb, image.width, image.height, exif_orientation(image.getexif()))
    except PhotoError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PhotoError("too_many_pixels", format=picture_format) from error
    except Exception as error:  # Decoders raise any type on damaged files.
        raise PhotoError("truncated", format=picture_format) from error


# The classes themselves and not Image.open, which tries what it likes and warns of large sizes.
_IMAGE_FILES: dict[str, Callable[[BytesIO], Image.Image]] = {
    "AVIF": AvifImageFile,
    "BMP": BmpImageFile,
    "GIF": GifImageFile,
    "JPEG": JpegImageFile,
    "PNG": PngImageFile,
    "WEBP": WebPImageFile,
}


def _opened(data: bytes, picture_format: str) -> Image.Image:
    """The picture opened by the decoder of its format and no other, nothing decoded yet."""
    if picture_format == "HEIF":
        # Loads a library of its own, so only for these files. The package carries no types.
        from pi_heif import HeifImageFile  # type: ignore[import-untyped]

        opened: Image.Image = HeifImageFile(BytesIO(data))
        return opened
    return _IMAGE_FILES[picture_format](BytesIO(data))


def _reduced_rgb(image: Image.Image, factor: int) -> NDArray[np.uint8]:
    """The pixels of an opened picture of any mode, reduced and over white.

    Worked in bands of rows, since each conversion of a whole picture would be one more copy.
    """
    image.load()
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


def _check_size(
    width: int, height: int, file_bytes: int, coding: str, settings: PhotoSettings
) -> None:
    limit = int((settings.max_decoding_bytes - file_bytes) / _BYTES_PER_PIXEL[coding])
    if width * height > limit:
        raise PhotoError("too_many_pixels", width=width, height=height, limit=limit)
    if min(width, height) < settings.min_side_px:
        limit = settings.min_side_px
        raise PhotoError("too_small", width=width, height=height, limit=limit)


def reduction(width: int, height: int, settings: PhotoSettings) -> int:
    """How many times smaller, of 1, 2, 4 and 8, the picture may be decoded."""
    long_side, short_side = max(width, height), min(width, height)
    for factor in (8, 4, 2):
        enough = long_side >= factor * settings.target_long_side_px
        if enough and short_side >= factor * settings.min_side_px:
            return factor
    return 1
