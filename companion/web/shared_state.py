"""What all visitors of one server share: the store, photos in memory, limits, and who is here."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

import anyio
from anyio import CapacityLimiter

from companion.reading.decoding import shared_pool
from companion.store import Store, open_store
from companion.store.history import erase_deleted
from companion.web.photo_cache import Full, PhotoCache, PhotoCacheSettings
from companion.web.reading_queue import QueueSettings, ReadingQueue


class Inbox:
    """Who sends something now: so many at once of one device, and more wait for a while unread."""

    def __init__(self, max_at_once: int = 6, patience_s: float = 20.0) -> None:
        self.max_at_once = max_at_once
        self.patience_s = patience_s
        self._of_device: Counter[str] = Counter()

    @asynccontextmanager
    async def receiving(self, device: str) -> AsyncIterator[None]:
        """The device sends something while the block runs. ``Full`` where it sends too much.

        What nobody reads yet costs nothing, and less than to refuse it and have it sent again.
        """
        until = time.monotonic() + self.patience_s
        while self._of_device[device] >= self.max_at_once:
            if time.monotonic() > until:
                raise Full
            await anyio.sleep(_LOOK_EVERY_S)
        self._of_device[device] += 1
        try:
            yield
        finally:
            self._of_device[device] -= 1
            if not self._of_device[device]:
                del self._of_device[device]


_LOOK_EVERY_S = 0.2


FORGET_PHOTOS_AFTER = "COMPANION_FORGET_PHOTOS_AFTER_S"
"""The environment variable that shortens how long photos that nobody looks at are remembered."""

_LOCK = threading.Lock()
_STATES: dict[str, SharedState] = {}


class OpenPage(Protocol):
    """A page that somebody has open; gone when nothing but the shared state refers to them."""

    device: str


@dataclass
class SharedState:
    """The store and the photos of one server process; any thread may use all of it.

    ``forgets``: the disk can't be written, and games last as long as this process.
    Uploads, and files and pictures that take a while to make, have threads of their own, as those
    of the server are for what pages need at once.
    """

    store: Store
    photos: PhotoCache = field(default_factory=PhotoCache)
    inbox: Inbox = field(default_factory=Inbox)
    reading_queue: ReadingQueue = field(default_factory=ReadingQueue)
    spool_threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    upload_threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    slow_threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    forgets: bool = False
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
        """Whether a device has joined the game, and it is not deleted.

        A deleted game can be restored, but until then nobody gets its photos and its result.
        """
        return self.store.has_joined(game_id, device) and not self.store.is_deleted(game_id)


def shared_state() -> SharedState:
    """The state of this process, opened once for each database that the environment names."""
    name = os.environ.get("KINGDOMINO_DATABASE_URL", "") + os.environ.get("XDG_DATA_HOME", "")
    with _LOCK:
        if name not in _STATES:
            store, forgets = _opened_store()
            # A database of a server may have several copies of the app; a file has one.
            common = store if store.is_on_server else None
            photos = PhotoCache(_photo_cache_settings(), shared=common)
            queue = ReadingQueue(QueueSettings(slots=shared_pool().settings.workers))
            shared = SharedState(store, photos, reading_queue=queue, forgets=forgets)
            erase_deleted(shared.store)
            _STATES[name] = shared
        return _STATES[name]


def _opened_store() -> tuple[Store, bool]:
    """The store, and whether it is gone with this process: where no folder can be written.

    A hosting service may have such a disk; phones have copies of their games then.
    """
    try:
        return open_store(), False
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="companion-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        name = error.filename or ""
        print(f"companion: {name} can't be written: games are kept until the end", file=sys.stderr)
        return open_store(f"sqlite:///{(folder / 'games.sqlite').as_posix()}"), True


def _photo_cache_settings() -> PhotoCacheSettings:
    """Those of the photo cache, with the time of the environment where one is set."""
    text = os.environ.get(FORGET_PHOTOS_AFTER, "")
    if not text.isdecimal():
        return PhotoCacheSettings()
    seconds = min(float(text), PhotoCacheSettings().unused_for_s)
    sweep_every_s = max(1.0, seconds / 10)
    return PhotoCacheSettings(seconds, of_game_for_s=seconds, sweep_every_s=sweep_every_s)
