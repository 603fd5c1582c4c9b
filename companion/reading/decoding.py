"""The workers that everybody shares, and decoding in them: no byte of a photo is looked into by
the one that asks.
"""

from __future__ import annotations

import atexit
import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo import Photo, PhotoSettings, decode
from vision.photo.decoding import decode_checked, read_checked
from vision.photo.errors import PhotoError
from vision.photo.unpack import OUT_OF_MEMORY

DECODING = "companion.reading.decoding"


SMALL_MEMORY_BYTES = 1_500_000_000
"""With less there is one worker: a server that has read photos with two takes half of it."""

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def memory_bytes() -> int | None:
    """The memory of this computer, or what a container leaves of it; None where nobody says."""
    found = []
    for file in _LIMITS:
        with suppress(OSError, ValueError):
            found.append(int(Path(file).read_text(encoding="ascii")))
    with suppress(AttributeError, OSError, ValueError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return min(found, default=None)


def pool_settings(memory: int | None) -> PoolSettings:
    """Two workers; where memory is small one, whose photos may take a third of it."""
    if memory is None or memory >= SMALL_MEMORY_BYTES:
        return PoolSettings(workers=2)
    return PoolSettings(workers=1, max_task_bytes=memory // 3)


@cache
def shared_pool() -> WorkerPool:
    """So many photos are decoded or read at once as there are workers, the others wait.

    ``pool_settings`` says how many.
    """
    pool = WorkerPool(DECODING, pool_settings(memory_bytes()))
    atexit.register(pool.close)
    return pool


def ask_worker(
    task: str,
    record: dict[str, Any],
    photo: bytes,
    *,
    pool: WorkerPool | None = None,
) -> tuple[dict[str, Any], bytes]:
    """What a task module answers about a photo.

    PhotoError for an answer with an ``error``, and with the codes crashed, took_too_long and
    too_complex for a photo that ended its worker.
    """
    try:
        answer, block = (pool or shared_pool()).carry_out({**record, "task": task}, photo)
    except WorkerDied as died:
        raise PhotoError(died.code) from died
    if answer.get("error") is not None:
        raise error_from_plain(answer["error"])
    return answer, block


Answer = tuple[dict[str, Any], bytes]
Source = TypeVar("Source")
Reading = TypeVar("Reading")


def error_to_plain(error: PhotoError) -> dict[str, Any]:
    """The code and what its message needs."""
    details = {
        name: value if isinstance(value, int | float) else str(value)
        for name, value in error.details.items()
    }
    return {"code": error.code, "details": details}


def error_from_plain(plain: dict[str, Any]) -> PhotoError:
    """What ``error_to_plain`` was given."""
    return PhotoError(plain["code"], **plain["details"])


def read_or_refuse(source: Source, read: Callable[[Source], Reading]) -> Reading:
    """What ``read`` makes of a photo; PhotoError for whatever goes wrong with it.

    A fault of the program becomes ``unexpected``, so that it never costs the other photos.
    """
    try:
        return read(source)
    except (PhotoError, MemoryError):
        raise
    except Exception as error:
        if OUT_OF_MEMORY.search(str(error)):  # OpenCV's and ONNX Runtime's own types.
            raise MemoryError from error
        raise PhotoError("unexpected", fault=type(error).__name__) from error


def warm_up() -> None:
    """Load the decoders."""
    try:
        decode(b"\xff\xd8\xff")
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> Answer:
    """The upright picture of the ``block``: RGB, uint8, of ``shape``, taken in ``size``.

    With ``only_ordinary`` a picture that may take long is said to be ``costly``, and left.
    """
    return refused_or(lambda: _decoded(block, record["long_side_px"], record["only_ordinary"]))


def refused_or(answer: Callable[[], Answer]) -> Answer:
    """An answer, or the error as plain data where a photo is refused."""
    try:
        return read_or_refuse(b"", lambda _: answer())
    except PhotoError as error:
        if error.code == "unexpected":
            traceback.print_exc()
        return {"error": error_to_plain(error)}, b""


def _decoded(data: bytes, long_side_px: int, only_ordinary: bool) -> Answer:
    settings = replace(PhotoSettings(), target_long_side_px=long_side_px)
    checked = read_checked(data, settings)
    if only_ordinary and not checked.is_ordinary(settings):
        return {"costly": True}, b""
    photo, _ = decode_checked(checked, settings)
    answer = {"shape": list(photo.rgb.shape), "size": [photo.width, photo.height]}
    return answer, photo.rgb.tobytes()


class Costly(Exception):
    """A picture that may take long to decode, by its header or because none tells."""


def decode_isolated(
    data: bytes, settings: PhotoSettings | None = None, *, only_ordinary: bool = False
) -> Photo:
    """``vision.photo.decode`` in a worker that the photo may kill without harm.

    PhotoError with its codes, and with those of ``ask_worker``; with ``only_ordinary`` ``Costly``
    for all but ordinary JPEGs and PNGs, at once.
    """
    side = (settings or PhotoSettings()).target_long_side_px
    record = {"long_side_px": side, "only_ordinary": only_ordinary}
    answer, pixels = ask_worker(DECODING, record, data)
    if "costly" in answer:
        raise Costly
    rgb = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    width, height = answer["size"]
    return Photo(rgb, width=width, height=height)
