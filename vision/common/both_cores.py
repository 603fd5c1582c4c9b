"""Work shared out to a few threads, where OpenCV is not told to use one alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import cv2

__all__ = ["THREADS", "map_in_threads"]

# The cores that one reading uses at most.
THREADS = 2

Item = TypeVar("Item")
Found = TypeVar("Found")

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None


def map_in_threads(
    function: Callable[[Item], Found], items: Sequence[Item], at_least: int = 4
) -> list[Found]:
    """``function`` of each item, in order; with two threads from ``at_least`` items on.

    It pays where the function leaves Python, as OpenCV does.
    """
    threads = min(THREADS, cv2.getNumThreads())
    if threads < 2 or len(items) < at_least:
        return [function(item) for item in items]

    def every_second(first: int) -> list[Found]:
        return [function(item) for item in items[first::2]]

    odd = _shared_pool().submit(every_second, 1)
    even = every_second(0)
    found: list[Found] = [even[0]] * len(items)
    found[0::2], found[1::2] = even, odd.result()
    return found


def _shared_pool() -> ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="both-cores")
        return _pool


def _forget() -> None:
    """A process that was forked has the pool, but none of its threads."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
