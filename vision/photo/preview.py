"""A small picture of a large photograph, to be looked at while the photograph is decoded.

On two cores a JPEG is decoded twice at the same time, since libjpeg decodes to an eighth of the
size in little more than half the time of a half. Elsewhere the photograph itself is made smaller,
to nearly the same pixels: both take the mean of 8 × 8.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.runtime import start_beside
from vision.photo.bounds import Header, PhotoSettings, may_be_decoded_twice
from vision.photo.decoding import (
    Photo,
    decode_checked,
    decode_reduced,
    mirrored_axes,
    read_checked,
    upright,
)
from vision.photo.unpack import reduction

Found = TypeVar("Found")

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
    source: bytes | str | os.PathLike[str],
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
    picture = read_checked(source, settings)

    def decoded() -> tuple[Photo, int, float]:
        photo, orientation = decode_checked(picture, settings)
        return photo, orientation, time.perf_counter() - started

    header, factors, task = picture.header, None, None
    if header is not None and header.is_plain and picture.is_ordinary(settings):
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
