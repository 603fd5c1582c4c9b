"""Memory that this process no longer needs goes back to the system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_M_MMAP_THRESHOLD = -3
_LARGE_BLOCK_BYTES = 1 << 20


def give_large_blocks_back() -> bool:
    """Have each block of 1 MB or more go back when it is freed; False where nobody can be asked.

    glibc raises that bound to the largest block that was ever freed, up to 32 MB. Every thread has
    memory of its own, so that a few photos of 30 MB would leave as much in each. See mallopt(3).
    """
    mallopt = _of_c_library("mallopt")
    return mallopt is not None and mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK_BYTES) == 1


def give_spare_memory_back() -> bool:
    """Whether the C library had a way to do it; glibc keeps what was freed between other things.

    Takes some milliseconds, so not to be called while somebody waits. See malloc_trim(3).
    """
    trim = _of_c_library("malloc_trim")
    if trim is None:
        return False
    trim(0)
    return True


@cache
def _of_c_library(name: str) -> Any:
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # Another C library, or Windows.
        return None
