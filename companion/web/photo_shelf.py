"""Photos while people work with them: in memory, for a short time, for those who may see them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.games import new_id
from vision.photo import PhotoSettings, decode

__all__ = ["PhotoShelf", "ShelfSettings", "ShelvedPhoto"]


@dataclass(frozen=True)
class ShelfSettings:
    """A photo leaves the shelf so long after it was last used, or when there is no more room."""

    unused_for_s: float = 120.0
    max_bytes_each: int = 30_000_000
    max_bytes: int = 300_000_000
    long_side_px: int = 1600
    jpeg_quality: int = 85


@dataclass
class ShelvedPhoto:
    """A photo as it was sent, and as it is shown: an upright JPEG without metadata.

    ``width`` and ``height`` are pixels of the upright photo as it was taken.
    """

    id: str
    device: str
    data: bytes = field(repr=False)
    jpeg: bytes = field(repr=False)
    width: int
    height: int
    used_at: float
    game: str | None = None

    @property
    def size(self) -> int:
        return len(self.data) + len(self.jpeg)


class PhotoShelf:
    """The photos that visitors of this process work with; safe to use from many threads."""

    def __init__(
        self,
        settings: ShelfSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings or ShelfSettings()
        self._clock = clock
        self._photos: dict[str, ShelvedPhoto] = {}
        self._lock = threading.Lock()

    def put(self, data: bytes, device: str) -> ShelvedPhoto:
        """Take a photo in, under an unguessable id. PhotoError for bytes that are no picture."""
        settings = self.settings
        photo = decode(data, PhotoSettings())
        shelved = ShelvedPhoto(
            new_id(), device, data, _shown(photo.rgb, settings), photo.width, photo.height, 0.0
        )
        with self._lock:
            shelved.used_at = self._clock()
            self._photos[shelved.id] = shelved
            self._tidy()
        return shelved

    def get(self, photo_id: str) -> ShelvedPhoto | None:
        """The photo, used just now; None where it is not there (any more)."""
        with self._lock:
            self._tidy()
            photo = self._photos.get(photo_id)
            if photo is not None:
                photo.used_at = self._clock()
            return photo

    def keep_alive(self, game: str) -> None:
        """Somebody still has this game open: its photos stay."""
        with self._lock:
            for photo in self._photos.values():
                if photo.game == game:
                    photo.used_at = self._clock()

    def drop(self, photo_id: str) -> None:
        """Forget a photo at once."""
        with self._lock:
            self._photos.pop(photo_id, None)

    def __len__(self) -> int:
        with self._lock:
            self._tidy()
            return len(self._photos)

    def _tidy(self) -> None:
        before = self._clock() - self.settings.unused_for_s
        photos = sorted(self._photos.values(), key=lambda each: -each.used_at)
        kept: dict[str, ShelvedPhoto] = {}
        room = self.settings.max_bytes
        for photo in photos:
            room -= photo.size
            if photo.used_at >= before and (room >= 0 or not kept):
                kept[photo.id] = photo
        self._photos = kept


def _shown(rgb: NDArray[np.uint8], settings: ShelfSettings) -> bytes:
    picture = Image.fromarray(rgb)
    picture.thumbnail((settings.long_side_px, settings.long_side_px))
    file = BytesIO()
    picture.save(file, "JPEG", quality=settings.jpeg_quality)
    return file.getvalue()
