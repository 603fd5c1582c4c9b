"""What a reading takes of the computer: a few threads, memory that is kept, and seconds by step."""

from __future__ import annotations

import os
import random
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

import cv2
import numpy as np

# The cores that one reading uses at most.
THREADS = 2

Item = TypeVar("Item")
Found = TypeVar("Found")

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
# What may run beside what its caller does; more would only wait for a core.
_beside = threading.BoundedSemaphore(THREADS - 1)


def count_threads() -> int:
    """The threads that one reading uses: two, or one where OpenCV is told to use one alone."""
    return max(1, min(THREADS, cv2.getNumThreads()))


def map_in_threads(
    function: Callable[[Item], Found], items: Sequence[Item], at_least: int = 4
) -> list[Found]:
    """``function`` of each item, in order; with two threads from ``at_least`` items on.

    It pays where the function leaves Python, as OpenCV does.
    """
    if count_threads() < 2 or len(items) < at_least:
        return [function(item) for item in items]

    def every_second(first: int) -> list[Found]:
        return [function(item) for item in items[first::2]]

    odd = _shared_pool().submit(every_second, 1)
    even = every_second(0)
    found: list[Found] = [even[0]] * len(items)
    found[0::2], found[1::2] = even, odd.result()
    return found


def start_beside(function: Callable[[], Found]) -> Future[Found] | None:
    """``function`` begun in a thread of its own; None where no core is free for it.

    No core is free where OpenCV is told to use one thread, and while another function that was
    started so is at work.
    """
    slot = _beside
    if count_threads() < 2 or not slot.acquire(blocking=False):
        return None
    try:
        task = _shared_pool().submit(function)
    except BaseException:
        slot.release()
        raise
    task.add_done_callback(lambda _: slot.release())
    return task


def _shared_pool() -> ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="both-cores")
        return _pool


def _forget() -> None:
    """A process that was forked has the pool, but none of its threads."""
    global _pool, _lock, _beside
    _pool, _lock = None, threading.Lock()
    _beside = threading.BoundedSemaphore(THREADS - 1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


# Just below the most that the allocator of glibc learns from.
_LARGE_BLOCK_BYTES = 32 * 2**20 - 2**16


def keep_freed_memory() -> None:
    """Let the allocator keep what a reading frees, up to twice the size of a large block.

    Else each photograph takes thousands of fresh pages from the system, a tenth of the time of its
    decoding. glibc does it as soon as one large block was freed, which is never written to and
    so takes no memory (mallopt(3), "dynamic adjustment of the mmap threshold"); elsewhere nothing
    changes.
    """
    np.empty(_LARGE_BLOCK_BYTES, np.uint8)


class Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is done within as part of a step."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - started)

    def add(self, name: str, seconds: float) -> None:
        """Count seconds that were measured elsewhere as part of a step."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds


# Seconds for the yardstick on the machine on which the limits were measured.
_YARDSTICK_S = 0.00105


@cache
def slowness() -> float:
    """How many times longer this machine takes than that on which limits were measured; 1 or more.

    The best of a few runs of a yardstick, which others on the machine disturb little.
    """
    text = bytes(each & 15 for each in random.Random(1).randbytes(32_768))
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        zlib.compress(text, 6)
        seconds.append(time.perf_counter() - started)
    return max(1.0, min(seconds) / _YARDSTICK_S)
