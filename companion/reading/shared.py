"""The two workers of this process that read photos for everybody, whatever the game."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache
from typing import Any

from companion.reading.isolated import error_from_plain
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo.errors import PhotoError

__all__ = ["DECODING", "OnWaiting", "ask_worker", "shared_pool"]

DECODING = "companion.reading.decoding_task"

OnWaiting = Callable[[int], object]
"""Is told the place in the queue, from 1, and 0 when the turn has come."""


@cache
def shared_pool() -> WorkerPool:
    """Two workers: so many photos are decoded or read at once, the others wait for their turn."""
    pool = WorkerPool(DECODING, PoolSettings(workers=2))
    atexit.register(pool.close)
    return pool


def ask_worker(
    task: str,
    record: dict[str, Any],
    photo: bytes,
    on_waiting: OnWaiting | None = None,
    *,
    pool: WorkerPool | None = None,
) -> tuple[dict[str, Any], bytes]:
    """What a task module answers about a photo.

    PhotoError for an answer with an ``error``, and with the codes crashed, took_too_long and
    too_complex for a photo that ended its worker.
    """
    try:
        answer, block = (pool or shared_pool()).carry_out(
            {**record, "task": task}, photo, on_waiting
        )
    except WorkerDied as died:
        raise PhotoError(died.code) from died
    if answer.get("error") is not None:
        raise error_from_plain(answer["error"])
    return answer, block
