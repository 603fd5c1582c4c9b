"""What all visitors of one server share: the store, photos in memory, limits, and who is here."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakSet

from companion.store import Store, open_store
from companion.store.history import erase_deleted
from companion.web.photo_cache import PhotoCache, PhotoCacheSettings

__all__ = [
    "FORGET_PHOTOS_AFTER",
    "Full",
    "Inbox",
    "InboxSettings",
    "OpenPage",
    "ReadingQueue",
    "SharedState",
    "shared_state",
]


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


class ReadingQueue:
    """The places of the visitors of this process; safe to use from many threads."""

    def __init__(self) -> None:
        self._places: dict[object, tuple[str, int]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def waiting_place(self, device: str) -> Iterator[Callable[[int], None]]:
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


FORGET_PHOTOS_AFTER = "COMPANION_FORGET_PHOTOS_AFTER_S"
"""The environment variable that shortens how long photos that nobody looks at are remembered."""

_LOCK = threading.Lock()
_STATES: dict[str, SharedState] = {}


class OpenPage(Protocol):
    """A page that somebody has open; gone when nothing but the shared state refers to them."""

    device: str


@dataclass
class SharedState:
    """The store and the photos of one server process; any thread may use all of it."""

    store: Store
    photos: PhotoCache = field(default_factory=PhotoCache)
    inbox: Inbox = field(default_factory=Inbox)
    reading_queue: ReadingQueue = field(default_factory=ReadingQueue)
    _open_pages: WeakSet[OpenPage] = field(default_factory=WeakSet)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add_page(self, page: OpenPage) -> None:
        """Somebody has a page open: from now on this device may send photos and games."""
        with self._lock:
            self._open_pages.add(page)

    def is_here(self, device: str) -> bool:
        """Whether a page is open on the device, or was until a moment ago."""
        with self._lock:
            return any(page.device == device for page in self._open_pages)

    def may_see(self, game_id: str, device: str) -> bool:
        """Whether a device has made or joined the game."""
        return self.store.has_joined(game_id, device)


def shared_state() -> SharedState:
    """The state of this process, opened once for each database that the environment names."""
    name = os.environ.get("KINGDOMINO_DATABASE_URL", "") + os.environ.get("XDG_DATA_HOME", "")
    with _LOCK:
        if name not in _STATES:
            shared = SharedState(open_store(), PhotoCache(_photo_cache_settings()))
            erase_deleted(shared.store)
            _STATES[name] = shared
        return _STATES[name]


def _photo_cache_settings() -> PhotoCacheSettings:
    """Those of the photo cache, with the time of the environment where one is set."""
    text = os.environ.get(FORGET_PHOTOS_AFTER, "")
    if not text.isdecimal():
        return PhotoCacheSettings()
    seconds = min(float(text), PhotoCacheSettings().unused_for_s)
    return PhotoCacheSettings(unused_for_s=seconds, sweep_every_s=max(1.0, seconds / 10))
