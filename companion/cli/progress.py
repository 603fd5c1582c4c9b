"""How far a long run has come, told on the standard error stream."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

from companion.languages import Language, say

__all__ = ["Progress"]


@dataclass
class Progress:
    """Counts photos and tells the pace.

    On a terminal one line is kept up to date; elsewhere a line is written every
    ``interval_s`` seconds. Below ``least_photos`` photos nothing is told.
    """

    total: int
    stream: TextIO
    language: Language
    clock: Callable[[], float] = time.monotonic
    interval_s: float = 10.0
    least_photos: int = 10
    done: int = 0
    refused: int = 0
    _started: float = field(init=False)
    _told: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = self._told = self.clock()

    @property
    def seconds(self) -> float:
        return self.clock() - self._started

    def step(self, *, refused: bool) -> None:
        """One more photo is done."""
        self.done += 1
        self.refused += refused
        if self.total < self.least_photos:
            return
        if self.stream.isatty():
            print(f"\r\x1b[K{self._line()}", end="", file=self.stream, flush=True)
        elif self.clock() - self._told >= self.interval_s:
            self._told = self.clock()
            print(self._line(), file=self.stream, flush=True)

    def clear(self) -> None:
        """Wipe the line from the terminal, before something else is printed there."""
        if self.done and self.total >= self.least_photos and self.stream.isatty():
            print("\r\x1b[K", end="", file=self.stream, flush=True)

    def finish(self) -> None:
        self.clear()
        if self.total >= self.least_photos:
            print(
                say(
                    "read.finished",
                    self.language,
                    total=self.done,
                    seconds=self.seconds,
                    refused=self.refused,
                ),
                file=self.stream,
                flush=True,
            )

    def _line(self) -> str:
        pace = self.seconds / self.done
        minutes, seconds = divmod(round(pace * (self.total - self.done)), 60)
        return say(
            "read.progress",
            self.language,
            done=self.done,
            total=self.total,
            pace=pace,
            left=f"{minutes}:{seconds:02d}",
        )
