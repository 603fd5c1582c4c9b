"""What the child does with a batch of cases: make each, decode it, and measure."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.fuzz.mutate import mutated
from tests.fuzz.seeds import large_seeds
from vision.photo import PhotoError, decode

__all__ = ["carry_out", "warm_up"]

HIGH_MB = 250.0
"""Peaks below are not worth the time that it takes to forget them."""

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def warm_up() -> None:
    large_seeds()
    mutated(0)


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Decode the cases from ``first`` on, ``count`` of them.

    The answer has for each its format, its outcome (read, or a code), seconds of the processor
    and the peak of memory in MB (0 where the system does not tell), of this case or of one before
    it that took less than ``HIGH_MB``. Without ``first`` the only
    case is the ``block``.
    """
    if "first" not in record:
        return {"cases": [_measured(0, "", block)]}, b""
    return {"cases": [_made(record["first"] + number) for number in range(record["count"])]}, b""


def _made(seed: int) -> list[Any]:
    return _measured(seed, *mutated(seed))


def _measured(seed: int, name: str, data: bytes) -> list[Any]:
    if _peak_mb() > HIGH_MB:
        _forget_peak()
    started = time.process_time()
    try:
        decode(data)
        outcome = "read"
    except PhotoError as error:
        outcome = error.code
    return [seed, name, outcome, time.process_time() - started, _peak_mb()]


def _forget_peak() -> None:
    if CLEAR.exists():
        CLEAR.write_text("5", encoding="ascii")


def _peak_mb() -> float:
    if not STATUS.exists():
        return 0.0
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
