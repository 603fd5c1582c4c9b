"""Decoding photos in a worker process: no byte of them is looked into by the one that asks."""

from __future__ import annotations

import numpy as np

from companion.reading.shared import DECODING, OnWaiting, ask_worker
from vision.photo import Photo, PhotoSettings

__all__ = ["decode_isolated"]


def decode_isolated(
    data: bytes, settings: PhotoSettings | None = None, on_waiting: OnWaiting | None = None
) -> Photo:
    """``vision.photo.decode`` in a worker that the photo may kill without harm.

    PhotoError with its codes, and with those of ``ask_worker``.
    """
    side = (settings or PhotoSettings()).target_long_side_px
    answer, pixels = ask_worker(DECODING, {"long_side_px": side}, data, on_waiting)
    rgb = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    width, height = answer["size"]
    return Photo(rgb, width=width, height=height)
