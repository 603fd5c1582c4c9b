"""From a photograph or its pixels to an upright RGB picture, with limits set before decoding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.photo import unpack as unpack_program
from vision.photo.bounds import (
    Header,
    PhotoSettings,
    check_bounds,
    check_size,
    is_ordinary,
    limits_of,
)
from vision.photo.errors import PhotoError
from vision.photo.headers import file_bytes, picture_format, read_header
from vision.photo.unpack import OUT_OF_MEMORY, Limits, Refused, Unpacked, reduction, unpack


def mirrored_axes(orientation: int) -> tuple[bool, bool]:
    """Whether x and y of the upright picture run against those of the stored one.

    The upright x is the stored y from orientation 5 on.
    """
    return orientation in (2, 3, 6, 7), orientation in (3, 4, 7, 8)


def upright(rgb: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """The picture, shape (h, w, 3), turned and mirrored as EXIF orientation 1..8 asks."""
    if orientation >= 5:
        rgb = rgb.transpose(1, 0, 2)
    mirrored_x, mirrored_y = mirrored_axes(orientation)
    if mirrored_y:
        rgb = rgb[::-1]
    if mirrored_x:
        rgb = rgb[:, ::-1]
    return np.ascontiguousarray(rgb)


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
    CMYK pictures become 8-bit RGB, an animated picture gives its first frame. All but ordinary
    JPEGs and PNGs are decoded in a process of their own, whose memory and time the system limits.
    Raises ``PhotoError`` with one of the codes missing_file, not_permitted, not_readable,
    is_folder, not_a_file, empty_file, not_a_picture, truncated, unsupported_format,
    too_many_bytes, too_many_pixels, too_complex and too_small.
    """
    settings = settings or PhotoSettings()
    return decode_checked(read_checked(source, settings), settings)[0]


@dataclass(frozen=True, eq=False)
class Checked:
    """A photograph that may be decoded: ``file_bytes`` of one of the formats that are read.

    ``header`` is there for JPEG and PNG; its ``data``, where there is one, is what is decoded.
    """

    data: bytes
    file_bytes: int
    format: str
    header: Header | None

    def is_ordinary(self, settings: PhotoSettings) -> bool:
        """Whether it is decoded in this process."""
        return self.header is not None and is_ordinary(self.header, self.file_bytes, settings)


def read_checked(source: bytes | str | os.PathLike[str], settings: PhotoSettings) -> Checked:
    """A photograph whose header does not forbid it to be decoded.

    Nothing of the picture is decoded yet. PhotoError as of ``decode``.
    """
    data = source if isinstance(source, bytes) else file_bytes(source, settings.max_file_bytes)
    if not data:
        raise PhotoError("empty_file")
    name = picture_format(data)
    if len(data) > settings.max_file_bytes:
        raise PhotoError("too_many_bytes", limit=settings.max_file_bytes)
    header = read_header(data, name)
    if header is None:
        return Checked(data, len(data), name, None)
    check_bounds(header, len(data), settings)
    return Checked(header.data, len(data), name, header)


def decode_checked(picture: Checked, settings: PhotoSettings) -> tuple[Photo, int]:
    """The picture that ``read_checked`` gave, and its orientation as stored, 1..8.

    PhotoError as of ``decode``.
    """
    header, limits = picture.header, limits_of(settings, picture.header)
    if header is not None and picture.is_ordinary(settings):
        try:
            photo = _decoded_by_opencv(header, settings) if header.is_plain else None
            if photo is not None:
                return photo, header.orientation
            found = unpack(picture.data, picture.format, limits)
        except Refused as refused:
            # Its header promised to be ordinary: it is this process that is out of memory.
            if refused.code in ("too_complex", "too_many_pixels"):
                raise MemoryError from refused
            raise PhotoError(refused.code, **refused.details) from refused
        except cv2.error as error:
            if OUT_OF_MEMORY.search(str(error)):
                raise MemoryError from error
            raise PhotoError("truncated", format=picture.format) from error
    else:
        found = unpack_limited(picture.data, picture.format, limits)
    width, height = found.size
    # A decoder that found more pixels than its header was bounded for is not believed.
    if header is not None and width * height > header.width * header.height:
        raise PhotoError("truncated", format=picture.format)
    orientation = header.orientation if header is not None else found.orientation
    if orientation >= 5:
        width, height = height, width
    rgb = upright(np.asarray(found.image), orientation)
    return Photo(rgb, width=width, height=height), orientation


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


# Flags of OpenCV by how many times smaller; "grayscale" stands for no colour order at all.
_REDUCED = {
    1: 0,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}


def _factor(width: int, height: int, settings: PhotoSettings) -> int:
    return reduction(width, height, settings.target_long_side_px, settings.min_side_px)


def _decoded_by_opencv(header: Header, settings: PhotoSettings) -> Photo | None:
    """A plain JPEG; None where OpenCV gives no picture of the size that the header tells."""
    width, height = header.width, header.height
    rgb = decode_reduced(header, _factor(width, height, settings))
    if rgb is None:
        return None
    if header.orientation >= 5:
        width, height = height, width
    return Photo(upright(rgb, header.orientation), width=width, height=height)


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
    factor = _factor(width, height, settings)
    if factor > 1:
        size = (width // factor, height // factor)
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Photo(np.ascontiguousarray(rgb), width=width, height=height)


# By the clock, for what waits for ever: others may have the processor for most of the time.
_MOST_WAITING_S = 20.0


def unpack_limited(data: bytes, picture_format: str, limits: Limits) -> Unpacked:
    """What ``unpack`` gives, from a fresh process, so that no picture depends on another.

    PhotoError as of ``unpack``, and too_complex for one that its decoder does not survive, with
    the ``signal`` that ended it.
    """
    command = [sys.executable, "-P", "-W", "ignore", unpack_program.__file__]
    command += [picture_format, json.dumps(asdict(limits))]
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        try:
            answer, _ = process.communicate(data, timeout=_MOST_WAITING_S + 5 * limits.max_s)
        except subprocess.TimeoutExpired as error:
            raise PhotoError("too_complex", format=picture_format) from error
        finally:
            process.kill()
    return understood(process.returncode, answer, picture_format)


def understood(returncode: int, answer: bytes, picture_format: str) -> Unpacked:
    """What a process meant that ended with this code. PhotoError as of ``unpack_limited``."""
    line, whole, pixels = answer.partition(b"\n")
    if returncode or not whole:
        raise PhotoError("too_complex", format=picture_format, signal=-returncode)
    found = json.loads(line)
    if "code" in found:
        raise PhotoError(found["code"], **found["details"])
    (width, height), reduced = found["size"], tuple(found["reduced"])
    image = Image.frombuffer("RGB", reduced, pixels, "raw", "RGB", 0, 1)
    return Unpacked(image, (width, height), found["orientation"])
