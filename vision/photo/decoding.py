"""From a photograph or its pixels to an upright RGB picture, with limits set before decoding; and a
small preview of a large one, to be looked at meanwhile.

On two cores a JPEG is decoded twice at the same time, since libjpeg decodes to an eighth of the
size in little more than half the time of a half. Elsewhere the photograph itself is made smaller,
to nearly the same pixels: both take the mean of 8 × 8.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.common.network import start_beside
from vision.photo import unpack as unpack_program
from vision.photo.errors import PhotoError
from vision.photo.headers import (
    Header,
    PhotoSettings,
    check_bounds,
    check_size,
    file_bytes,
    is_ordinary,
    limits_of,
    may_be_decoded_twice,
    picture_format,
    read_header,
)
from vision.photo.unpack import OUT_OF_MEMORY, Limits, Refused, Unpacked, reduction, unpack

Found = TypeVar("Found")


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


File = bytes | str | os.PathLike[str]
"""A photograph as a file: its bytes or its path."""
Source = File | NDArray[np.uint8] | Photo


def decode(source: Source, settings: PhotoSettings | None = None) -> Photo:
    """The upright RGB picture of a photograph: of its bytes, its path, or its pixels.

    Pixels are upright RGB, uint8, shape (h, w, 3); a ``Photo`` is decoded already, and given back.
    EXIF orientation is applied, transparent parts become white, 16-bit, grey, palette and
    CMYK pictures become 8-bit RGB, an animated picture gives its first frame. All but ordinary
    JPEGs and PNGs are decoded in a process of their own, whose memory and time the system limits.
    Raises ``PhotoError`` with one of the codes missing_file, not_permitted, not_readable,
    is_folder, not_a_file, empty_file, not_a_picture, truncated, unsupported_format,
    too_many_bytes, too_many_pixels, too_complex and too_small, and ``ValueError`` for an array of
    another kind.
    """
    settings = settings or PhotoSettings()
    if isinstance(source, Photo):
        return source
    if isinstance(source, np.ndarray):
        return _photo_of_pixels(source, settings)
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


def read_checked(source: File, settings: PhotoSettings) -> Checked:
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


def _photo_of_pixels(rgb: NDArray[np.uint8], settings: PhotoSettings) -> Photo:
    """The photo of an upright RGB picture, which is not changed, reduced as that of a file."""
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


# A preview of nearly the size that is wanted, as by 8 of 4000 pixels for 512, is large enough.
_ENOUGH = 0.95


@dataclass(frozen=True, eq=False)
class Preview:
    """A photograph many times smaller than the ``Photo`` of it.

    ``rgb`` has shape (h, w, 3), uint8, RGB. Each of its pixels stands for ``step`` × ``step`` of
    the photo, which is of ``size`` (width, height), from the pixel ``corner`` (x, y) on.
    """

    rgb: NDArray[np.uint8]
    step: int
    size: tuple[int, int]
    corner: tuple[int, int] = (0, 0)


@dataclass(frozen=True, eq=False)
class Looked(Generic[Found]):
    """A decoded photo, and what was found in its preview; None without one.

    After ``decode_s`` seconds the photo was decoded.
    """

    photo: Photo
    found: Found | None
    decode_s: float


def decode_and_look(
    source: Source,
    long_side_px: int,
    look: Callable[[Preview], Found],
    settings: PhotoSettings | None = None,
) -> Looked[Found]:
    """Decode a photograph, and ``look`` at a preview of it: at the same time if there is a core.

    The preview has a long side of about ``long_side_px`` or more; there is one only where the photo
    is reduced. It is decoded from a plain JPEG if both decoders together stay in bounds, and else
    made of the photo. PhotoError as of ``vision.photo.decode``, whatever comes of looking.
    """
    started = time.perf_counter()
    settings = settings or PhotoSettings()
    picture = None if isinstance(source, Photo | np.ndarray) else read_checked(source, settings)

    def decoded() -> tuple[Photo, int, float]:
        one = decode_checked(picture, settings) if picture else (decode(source, settings), 1)
        return *one, time.perf_counter() - started

    header, factors, task = picture.header if picture else None, None, None
    if picture and header and header.is_plain and picture.is_ordinary(settings):
        factors = _factors(header.width, header.height, long_side_px, settings)
        if factors and may_be_decoded_twice(header, picture.file_bytes, settings):
            task = start_beside(decoded)
    seen = found = None
    if header is None or factors is None or task is None:
        photo, orientation, decode_s = decoded()
    else:
        try:
            seen = _decoded_preview(header, *factors)
            found = look(seen) if seen else None
        finally:
            photo, orientation, decode_s = decoded() if task.cancel() else task.result()
    if seen is None:
        seen = shrink(photo, long_side_px, settings, mirrored_axes(orientation))
        found = look(seen) if seen else None
    return Looked(photo, found, decode_s)


def shrink(
    photo: Photo,
    long_side_px: int,
    settings: PhotoSettings | None = None,
    mirrored: tuple[bool, bool] = (False, False),
) -> Preview | None:
    """The preview that ``decode_and_look`` shows, made of a photo that is decoded.

    None where it shows none. ``mirrored`` are the axes (x, y) that run against those of the stored
    picture, in whose blocks the preview is decoded.
    """
    width, height = photo.rgb.shape[1::-1]
    factors = _factors(photo.width, photo.height, long_side_px, settings or PhotoSettings())
    if factors is None or round(1 / photo.scale) != factors[0]:
        return None
    step = factors[1] // factors[0]
    left, top = corner = _corner((width, height), step, mirrored)
    small = width // step, height // step
    whole = photo.rgb[top : top + small[1] * step, left : left + small[0] * step]
    rgb = np.asarray(cv2.resize(whole, small, interpolation=cv2.INTER_AREA), np.uint8)
    return Preview(rgb, step, (width, height), corner)


def _factors(
    width: int, height: int, long_side_px: int, settings: PhotoSettings
) -> tuple[int, int] | None:
    """How many times smaller a photograph and its preview are decoded; None for no preview."""
    own, small = (
        reduction(width, height, target_px, settings.min_side_px)
        for target_px in (settings.target_long_side_px, math.ceil(_ENOUGH * long_side_px))
    )
    return (own, small) if 1 < own < small else None


def _corner(size: tuple[int, int], step: int, mirrored: tuple[bool, bool]) -> tuple[int, int]:
    """Where the first whole block of the photo lies; what is left over is stored last."""
    x, y = (
        side % step if is_mirrored else 0 for side, is_mirrored in zip(size, mirrored, strict=True)
    )
    return x, y


def _decoded_preview(header: Header, own: int, small: int) -> Preview | None:
    """The upright preview of a plain JPEG, ``small`` times smaller where the photo is ``own``."""
    rgb = decode_reduced(header, small)
    if rgb is None:
        return None
    step = small // own
    size = -(-header.width // own), -(-header.height // own)
    # The last pixels may stand for what lies beyond the photo, which is cut there.
    rgb = upright(rgb[: size[1] // step, : size[0] // step], header.orientation)
    if header.orientation >= 5:
        size = size[::-1]
    return Preview(rgb, step, size, _corner(size, step, mirrored_axes(header.orientation)))
