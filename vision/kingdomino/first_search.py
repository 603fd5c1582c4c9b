"""A photograph decoded, and searched for the first time meanwhile."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.common.clock import Clock
from vision.kingdomino.dim import is_dim
from vision.kingdomino.locate.search import (
    Located,
    LocateSettings,
    locate,
    locate_in_preview,
)
from vision.kingdomino.settings import ReadSettings
from vision.kingdomino.weights import Weights
from vision.photo import Photo, PhotoSettings, decode
from vision.photo.pixels import photo_of_pixels
from vision.photo.preview import Preview, decode_and_look, shrink

__all__ = ["FirstLook", "Source", "decode_and_search", "decode_source"]

Image = NDArray[np.uint8]
Source = bytes | str | os.PathLike[str] | Image | Photo


class FirstLook(NamedTuple):
    """A decoded photo, whether it is dim, and all that the first search finds, if that counts.

    What was ``searched_quickly``, in 8 bits, counts where it is of one piece but for stray squares;
    elsewhere the photo is to be searched in full precision.
    """

    photo: Photo
    is_dim: bool
    found: Located | None
    searched_quickly: bool


def decode_source(source: Source, settings: PhotoSettings) -> Photo:
    """The photo of a file, of its bytes or of pixels; one that is decoded already as it is."""
    if isinstance(source, Photo):
        return source
    if isinstance(source, np.ndarray):
        return photo_of_pixels(source, settings)
    return decode(source, settings)


def decode_and_search(
    source: Source, weights: Weights, settings: ReadSettings, clock: Clock
) -> FirstLook:
    """The photo, looked at for the first time.

    The time after which it is decoded counts as ``decode``, what the search takes longer as
    ``locate``. PhotoError as of ``vision.photo.decode``, ValueError for an array of another kind.
    """
    started = time.perf_counter()
    long_side_px = settings.locate.long_side_px
    quick = weights.quick_locator

    def look(preview: Preview) -> tuple[bool, Located]:
        found = locate_in_preview(preview, quick or weights.locator, settings.locate)
        return is_dim(preview.rgb, settings.dim), found

    if isinstance(source, Photo | np.ndarray):
        photo = decode_source(source, settings.photo)
        decode_s = time.perf_counter() - started
        preview = shrink(photo, long_side_px, settings.photo)
        seen = look(preview) if preview else None
    else:
        looked = decode_and_look(source, long_side_px, look, settings.photo)
        photo, seen, decode_s = looked.photo, looked.found, looked.decode_s
    if seen is None and quick:
        height, width = photo.rgb.shape[:2]
        seen = look(Preview(photo.rgb, 1, (width, height)))
    dim, found = seen or (is_dim(photo.rgb, settings.dim), None)
    if found:
        found = _finish(photo, found, weights, settings.locate)
    clock.add("decode", decode_s)
    clock.add("locate", time.perf_counter() - started - decode_s)
    return FirstLook(photo, dim, found, bool(quick and found))


def _finish(
    photo: Photo, found: Located, weights: Weights, settings: LocateSettings
) -> Located | None:
    """What was found, searched closer if it is small; None where a quick search leaves doubts."""
    quick = weights.quick_locator
    if quick and not _is_of_one_piece(found, settings):
        return None
    closer = locate(photo.rgb, quick or weights.locator, settings, found)
    return None if quick and not _is_of_one_piece(closer, settings) else closer


def _is_of_one_piece(found: Located, settings: LocateSettings) -> bool:
    """Whether all squares lie on one lattice, but for a few stray ones."""
    sizes = [len(lattice.members) for lattice in found.lattices]
    return bool(sizes) and sum(sizes[1:]) <= settings.stray_share * sizes[0]
