"""The most memory that a process has held."""

from __future__ import annotations

import sys


def peak_mb(*, of_children: bool = False) -> float:
    """MB at the peak of this process, or of its largest ended child; nan where unknown.

    The system counts in KiB, that of macOS in bytes.
    """
    try:
        import resource
    except ImportError:
        return float("nan")
    who = resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF
    peak = resource.getrusage(who).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
