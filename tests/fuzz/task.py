"""What the child does with a batch of cases: make each, decode it, and measure.

What has to be decoded in a process of its own is decoded in a fork of this one, which has its
libraries already, under the same limits of the system.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any, BinaryIO

import pi_heif  # type: ignore[import-untyped]
from PIL import AvifImagePlugin, BmpImagePlugin, GifImagePlugin, WebPImagePlugin

from tests.fuzz.mutate import mutated
from tests.fuzz.seeds import large_seeds
from vision.common.network import slowness
from vision.photo import PhotoError, decode, decoding
from vision.photo.decoding import understood
from vision.photo.unpack import Limits, Unpacked, answered, limit

HIGH_MB = 250.0
"""Peaks below are not worth the time that it takes to forget them."""
PROGRAM_MB = 30.0
"""What the program holds that decodes such a picture, before it does."""

ENDED_BY_LIMITS = {0, getattr(signal, "SIGPROF", 0)}
"""A decoder that ends by another signal fell by a fault of its own, in its own process."""
LOADED = (AvifImagePlugin, BmpImagePlugin, GifImagePlugin, WebPImagePlugin, pi_heif)

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Forked:
    """Decodes in forks, and adds up what they take."""

    def __init__(self) -> None:
        self.seconds = self.peak_mb = 0.0

    def unpack(self, data: bytes, picture_format: str, limits: Limits) -> Unpacked:
        heard, said = os.pipe()
        before_mb = _memory_mb("VmRSS")
        child = os.fork()
        if not child:
            try:
                with os.fdopen(said, "wb") as stream:
                    self._answer(stream, data, picture_format, limits)
            finally:
                os._exit(0)
        os.close(said)
        with os.fdopen(heard, "rb") as stream:
            answer = stream.read()
        _, status, usage = os.wait4(child, 0)
        self.seconds += usage.ru_utime + usage.ru_stime
        peak, _, answer = answer.partition(b"\n")
        if peak:
            self.peak_mb = max(self.peak_mb, PROGRAM_MB + float(peak) - before_mb)
        return understood(os.waitstatus_to_exitcode(status), answer, picture_format)

    @staticmethod
    def _answer(stream: BinaryIO, data: bytes, picture_format: str, limits: Limits) -> None:
        limit(limits)
        parts = answered(data, picture_format, limits)
        for part in (f"{_memory_mb('VmHWM')}\n".encode(), *parts):
            stream.write(part)


forked = Forked()


def warm_up() -> None:
    if hasattr(os, "fork"):
        decoding.unpack_limited = forked.unpack
        AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    large_seeds()
    mutated(0)


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Decode the cases from ``first`` on, ``count`` of them.

    The answer has for each its format, its outcome (read, or a code), seconds of the processor
    on which limits were measured, the peak of memory in MB (0 where the system does not tell),
    of this case or of one before it that took less than ``HIGH_MB``, and the bytes of its file.
    Without ``first`` the only case is the ``block``.
    """
    if "first" not in record:
        return {"cases": [_measured(0, "", block)]}, b""
    return {"cases": [_made(record["first"] + number) for number in range(record["count"])]}, b""


def _made(seed: int) -> list[Any]:
    return _measured(seed, *mutated(seed))


def _measured(seed: int, name: str, data: bytes) -> list[Any]:
    if _memory_mb("VmHWM") > HIGH_MB:
        _forget_peak()
    forked.seconds = forked.peak_mb = 0.0
    started = time.process_time()
    try:
        decode(data)
        outcome = "read"
    except PhotoError as error:
        ended_by = error.details.get("signal", 0)
        outcome = error.code if ended_by in ENDED_BY_LIMITS else "decoder_fell"
    seconds = (time.process_time() - started + forked.seconds) / slowness()
    peak_mb = max(_memory_mb("VmHWM"), forked.peak_mb)
    return [seed, name, outcome, seconds, peak_mb, len(data)]


def _forget_peak() -> None:
    if CLEAR.exists():
        CLEAR.write_text("5", encoding="ascii")


def _memory_mb(name: str) -> float:
    if not STATUS.exists():
        return 0.0
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
