"""The reading of a kingdom as it is kept with a game, and that of a photo where none was found."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

import numpy as np

from companion.reading.kingdomino import KINGDOMS
from companion.store import Store
from companion.store.merging import Json
from scorer.kingdomino import Kingdom
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

_MAX_PX = 100_000


@dataclass(frozen=True)
class KeptReading:
    """The reading of a kingdom with its photo.

    ``photo`` is the id of the kept photo, or another name for it; None if there is none. ``width``
    and ``height`` are those of the upright photo in pixels, to which the homography maps.
    ``warnings`` are those of the whole photo, as codes of ``vision.kingdomino.warn``.
    ValueError for a photo of an impossible size.
    """

    reading: KingdomReading
    photo: str | None = None
    width: int = 0
    height: int = 0
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (0 <= self.width <= _MAX_PX and 0 <= self.height <= _MAX_PX):
            raise ValueError(f"size: expected 0..{_MAX_PX}, got {self.width}, {self.height}")

    def to_data(self) -> Json:
        """Plain data, which ``from_data`` turns back into the same reading to the bit."""
        return _CODEC.to_plain(self)

    @classmethod
    def from_data(cls, data: Json) -> KeptReading:
        """The reading from plain data; ValueError if they are invalid."""
        return _CODEC.from_plain(data)


_CODEC = KINGDOMS.codec.of(KeptReading)


_PARSED: OrderedDict[tuple[str, str], KeptReading] = OrderedDict()
_MOST_PARSED = 64
_LOCK = Lock()


def kept_readings(store: Store, game_id: str) -> dict[str, KeptReading]:
    """The readings of a game by id; what came in with a game and is none is left out.

    A reading never changes, so that the last ones are parsed once.
    """
    found = {}
    for reading_id, data in store.readings(game_id).items():
        key = (game_id, reading_id)
        with _LOCK:
            kept = _PARSED.get(key)
        if kept is None:
            try:
                kept = KeptReading.from_data(data)
            except ValueError:
                continue
        with _LOCK:
            _PARSED[key] = kept
            _PARSED.move_to_end(key)
            while len(_PARSED) > _MOST_PARSED:
                _PARSED.popitem(last=False)
        found[reading_id] = kept
    return found


_SHARE = 0.6
"""The side of the grid over the shorter side of the photo."""


def unread_photo(width: int, height: int, side: int = 5) -> PhotoReading:
    """An empty kingdom of ``side`` squares each way in the middle of a photo.

    ``width`` and ``height`` are pixels of the upright photo.
    """
    square = _SHARE * min(width, height) / side
    left, top = (width - side * square) / 2, (height - side * square) / 2
    homography = np.array([[square, 0.0, left], [0.0, square, top], [0.0, 0.0, 1.0]])
    empty = SquareReading(".", 0.0)
    squares = tuple((empty,) * side for _ in range(side))
    reading = KingdomReading(Kingdom.empty(side, side), squares, homography)
    return PhotoReading((reading,), width, height)
