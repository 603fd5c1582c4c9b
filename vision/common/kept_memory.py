"""Memory that is freed and soon needed again, kept by the process."""

from __future__ import annotations

import numpy as np

__all__ = ["keep_freed_memory"]

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
