"""What all visitors of one server share: the store, the shelf of photos, and who is here."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakSet

from companion.games import Store, open_store
from companion.games.history import erase_deleted
from companion.games.tables import DeviceRow
from companion.web.inbox import Inbox
from companion.web.photo_shelf import PhotoShelf, ShelfSettings
from companion.web.waiting import WaitingRoom

__all__ = ["FORGET_PHOTOS_AFTER", "Guest", "House", "the_house"]

FORGET_PHOTOS_AFTER = "COMPANION_FORGET_PHOTOS_AFTER_S"
"""The environment variable that shortens how long photos that nobody looks at are remembered."""

_LOCK = threading.Lock()
_HOUSES: dict[str, House] = {}


class Guest(Protocol):
    """Whoever has a page open; gone when nothing but the house knows of them."""

    device: str


@dataclass
class House:
    """The store and the photos of one server process; any thread may use all of it."""

    store: Store
    shelf: PhotoShelf = field(default_factory=PhotoShelf)
    inbox: Inbox = field(default_factory=Inbox)
    waiting: WaitingRoom = field(default_factory=WaitingRoom)
    _guests: WeakSet[Guest] = field(default_factory=WeakSet)
    _door: threading.Lock = field(default_factory=threading.Lock)

    def welcome(self, guest: Guest) -> None:
        """Somebody has a page open: from now on this device may send photos and games."""
        with self._door:
            self._guests.add(guest)

    def is_here(self, device: str) -> bool:
        """Whether a page is open on the device, or was until a moment ago."""
        with self._door:
            return any(guest.device == device for guest in self._guests)

    def may_see(self, game_id: str, device: str) -> bool:
        """Whether a device has made or joined the game."""
        with self.store.reading() as session:
            return session.get(DeviceRow, (game_id, device)) is not None


def the_house() -> House:
    """The house of this process, opened once for each database that the environment names."""
    name = os.environ.get("KINGDOMINO_DATABASE_URL", "") + os.environ.get("XDG_DATA_HOME", "")
    with _LOCK:
        if name not in _HOUSES:
            house = House(open_store(), PhotoShelf(_shelf_settings()))
            erase_deleted(house.store)
            _HOUSES[name] = house
        return _HOUSES[name]


def _shelf_settings() -> ShelfSettings:
    """Those of the shelf, with the time of the environment where one is set."""
    text = os.environ.get(FORGET_PHOTOS_AFTER, "")
    if not text.isdecimal():
        return ShelfSettings()
    seconds = min(float(text), ShelfSettings().unused_for_s)
    return ShelfSettings(unused_for_s=seconds, sweep_every_s=max(1.0, seconds / 10))
