"""How much may come in at once: what people send is held in memory until it is dealt with."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Full", "Inbox", "InboxSettings"]


class Full(Exception):
    """More has come in than there is room for; it may be sent again a little later."""


@dataclass(frozen=True)
class InboxSettings:
    """Bytes of all that is on its way in, and how many of them may be of one device."""

    max_bytes: int = 150_000_000
    max_at_once: int = 12


class Inbox:
    """What is on its way into this process; safe to use from many threads."""

    def __init__(self, settings: InboxSettings | None = None) -> None:
        self.settings = settings or InboxSettings()
        self._bytes = 0
        self._of_device: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def receiving(self, device: str) -> Iterator[Callable[[int], None]]:
        """Room for one thing of a device, taken byte by byte. ``Full`` where there is no more."""
        held = 0

        def take(more: int) -> None:
            nonlocal held
            with self._lock:
                if self._bytes + more > self.settings.max_bytes:
                    raise Full
                self._bytes += more
                held += more

        with self._lock:
            if self._of_device[device] >= self.settings.max_at_once:
                raise Full
            self._of_device[device] += 1
        try:
            yield take
        finally:
            with self._lock:
                self._bytes -= held
                self._of_device[device] -= 1
                if not self._of_device[device]:
                    del self._of_device[device]
