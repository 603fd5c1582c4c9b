"""Who waits for a photo to be read, and how many photos come before theirs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["WaitingRoom"]


class WaitingRoom:
    """The places of the visitors of this process; safe to use from many threads."""

    def __init__(self) -> None:
        self._places: dict[object, tuple[str, int]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def told(self, device: str) -> Iterator[Callable[[int], None]]:
        """Takes what a pool of workers says of the place of one photo of a device."""
        ticket = object()

        def note(place: int) -> None:
            with self._lock:
                self._places[ticket] = device, place

        try:
            yield note
        finally:
            with self._lock:
                self._places.pop(ticket, None)

    def place(self, device: str) -> int:
        """The place of the device's photo that waits longest from now; 0 where none waits."""
        with self._lock:
            return max((at for whose, at in self._places.values() if whose == device), default=0)
