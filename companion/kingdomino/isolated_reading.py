"""Reading uploaded photos of kingdoms in worker processes that they may kill without harm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.kingdomino.reading_data import (
    kingdom_from_plain,
    reading_from_plain,
)
from companion.kingdomino.reading_jobs import ISOLATION
from companion.reading.pool import PoolSettings, WorkerPool
from companion.reading.shared import OnWaiting, ask_worker
from vision.kingdomino.result import KingdomReading, PhotoReading
from vision.photo import Photo

__all__ = ["new_pool", "read_frame_isolated", "read_kingdoms_isolated", "read_upload_isolated"]


def new_pool(workers: int = 2) -> WorkerPool:
    """Workers that read photos of kingdoms; to be closed by who asked for it."""
    return WorkerPool(ISOLATION.task, PoolSettings(workers=workers))


def read_kingdoms_isolated(
    source: bytes | Photo,
    on_waiting: OnWaiting | None = None,
    *,
    anyway: bool = False,
    giants: bool = False,
) -> PhotoReading:
    """The kingdoms of a photo, read by the workers that everybody shares.

    ``source`` are its bytes, or what a worker has decoded already. What is probably no kingdom is
    read ``anyway`` on request; with ``giants`` the dominoes of Age of Giants may be there.

    PhotoError for a photo that is not read, with the codes of ``ask_worker`` besides those of
    reading.
    """
    record: dict[str, Any] = {"pixels": False, "anyway": anyway, "giants": giants}
    block = source if isinstance(source, bytes) else source.rgb.tobytes()
    if not isinstance(source, bytes):
        record["decoded"] = {
            "shape": list(source.rgb.shape),
            "size": [source.width, source.height],
        }
    answer, _ = ask_worker(ISOLATION.task, record, block, on_waiting)
    return reading_from_plain(answer["reading"])


def read_upload_isolated(
    data: bytes, pool: WorkerPool, on_waiting: OnWaiting | None = None
) -> tuple[PhotoReading, NDArray[np.uint8]]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    PhotoError as in ``read_kingdoms_isolated``.
    """
    answer, pixels = ask_worker(ISOLATION.task, {"pixels": True}, data, on_waiting, pool=pool)
    rgb = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), rgb


def read_frame_isolated(
    data: bytes,
    corners: Sequence[tuple[float, float]],
    grid: tuple[int, int],
    size: tuple[int, int],
    on_waiting: OnWaiting | None = None,
    *,
    giants: bool = False,
) -> KingdomReading:
    """The squares of a kingdom whose frame a person has set, as ``Reader.read_frame`` gives them.

    ``corners`` and the homography of the reading are pixels of the upright photo when it was
    ``size`` large (width, height); ``data`` may be a reduced copy of it. ``giants`` and PhotoError
    as in ``read_kingdoms_isolated``.
    """
    record = {
        "corners": [list(each) for each in corners],
        "grid": list(grid),
        "size": list(size),
        "giants": giants,
    }
    answer, _ = ask_worker(ISOLATION.task, record, data, on_waiting)
    return kingdom_from_plain(answer["reading"])
