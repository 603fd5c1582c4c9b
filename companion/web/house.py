"""What all visitors of one server share: the store and the shelf of photos."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field

from companion.games import Store, open_store
from companion.games.history import erase_deleted
from companion.games.tables import DeviceRow
from companion.web.photo_shelf import PhotoShelf

__all__ = ["House", "the_house"]

_LOCK = threading.Lock()
_HOUSES: dict[str, House] = {}


@dataclass
class House:
    """The store and the photos of one server process; any thread may use both."""

    store: Store
    shelf: PhotoShelf = field(default_factory=PhotoShelf)

    def may_see(self, game_id: str, device: str) -> bool:
        """Whether a device has made or joined the game."""
        with self.store.reading() as session:
            return session.get(DeviceRow, (game_id, device)) is not None


def the_house() -> House:
    """The house of this process, opened once for each database that the environment names."""
    name = os.environ.get("KINGDOMINO_DATABASE_URL", "") + os.environ.get("XDG_DATA_HOME", "")
    with _LOCK:
        if name not in _HOUSES:
            house = House(open_store())
            erase_deleted(house.store)
            _HOUSES[name] = house
        return _HOUSES[name]
