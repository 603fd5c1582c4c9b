"""Memory that is not in use given back to the system, so that a long evening needs no more."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

__all__ = ["give_spare_memory_back"]


def give_spare_memory_back() -> bool:
    """Whether the C library had a way to do it; glibc keeps what was freed between other things.

    Takes some milliseconds, so not to be called while somebody waits.
    """
    trim = _trim()
    if trim is None:
        return False
    trim(0)
    return True


@cache
def _trim() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # Another C library, or Windows.
        return None
