"""A photograph decoded, and searched for the first time meanwhile."""

from __future__ import annotations

import os
import time

import numpy as np
from numpy.typing import NDArray

from vision.common.clock import Clock
from vision.common.network import Network
from vision.kingdomino.dim import is_dim
from vision.kingdomino.locate.lattice import Detections
from vision.kingdomino.locate.search import search_preview
from vision.kingdomino.settings import ReadSettings
from vision.photo import Photo, PhotoSettings, decode
from vision.photo.pixels import photo_of_pixels
from vision.photo.preview import Preview, decode_and_look, shrink

__all__ = ["Source", "decode_and_search", "decode_source"]

Image = NDArray[np.uint8]
Source = bytes | str | os.PathLike[str] | Image | Photo


def decode_source(source: Source, settings: PhotoSettings) -> Photo:
    """The photo of a file, of its bytes or of pixels; one that is decoded already as it is."""
    if isinstance(source, Photo):
        return source
    if isinstance(source, np.ndarray):
        return photo_of_pixels(source, settings)
    return decode(source, settings)


def decode_and_search(
    source: Source, locator: Network, settings: ReadSettings, clock: Clock
) -> tuple[Photo, bool, Detections | None]:
    """The photo, whether it is dim, and what the first search finds in its preview.

    None where there is no preview: then the photo itself is to be searched. The time after which
    the photo is decoded counts as ``decode``, what the search takes longer as ``locate``.
    PhotoError as of ``vision.photo.decode``, ValueError for an array of another kind.
    """
    started = time.perf_counter()
    long_side_px = settings.locate.long_side_px

    def look(preview: Preview) -> Detections:
        return search_preview(preview, locator, settings.locate)

    def ask(photo: Photo) -> bool:
        return is_dim(photo, settings.dim)

    if isinstance(source, Photo | np.ndarray):
        photo = decode_source(source, settings.photo)
        decode_s = time.perf_counter() - started
        dim, preview = ask(photo), shrink(photo, long_side_px, settings.photo)
        found = look(preview) if preview else None
    else:
        looked = decode_and_look(source, long_side_px, look, ask, settings.photo)
        photo, dim, found, decode_s = looked.photo, looked.told, looked.found, looked.decode_s
    clock.add("decode", decode_s)
    clock.add("locate", time.perf_counter() - started - decode_s)
    return photo, dim, found
