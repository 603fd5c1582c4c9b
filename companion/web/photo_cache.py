"""Photos while people work with them: in memory, for a short time, for those who may see them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.reading.decoding import OnWaiting, decode_isolated
from companion.reading.worker import give_spare_memory_back
from companion.store import new_id
from vision.photo import Photo, PhotoSettings

__all__ = ["CachedPhoto", "Decoder", "PhotoCache", "PhotoCacheSettings"]

Decoder = Callable[[bytes, PhotoSettings, OnWaiting | None], Photo]


@dataclass(frozen=True)
class PhotoCacheSettings:
    """A photo leaves the cache so long after it was last used, or when there is no more room.

    The cache is looked through every ``sweep_every_s``, so that photos go though nobody comes:
    two minutes after a visitor has gone the last of them has. Decoded pixels are kept for the last
    ``max_decoded`` photos only; any other is decoded again when it is read.
    """

    unused_for_s: float = 100.0
    sweep_every_s: float = 10.0
    max_bytes_each: int = 30_000_000
    max_bytes_of_device: int = 90_000_000
    max_bytes: int = 300_000_000
    max_decoded: int = 6
    long_side_px: int = 1600
    jpeg_quality: int = 85


@dataclass
class CachedPhoto:
    """A photo as it was sent, and as it is shown: an upright JPEG without metadata.

    ``width`` and ``height`` are pixels of the upright photo as it was taken. ``decoded`` are the
    pixels to read from, which ``take_decoded`` hands out once.
    """

    id: str
    device: str
    data: bytes = field(repr=False)
    jpeg: bytes = field(repr=False)
    width: int
    height: int
    used_at: float
    game: str | None = None
    decoded: Photo | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        return len(self.data) + len(self.jpeg)

    def take_decoded(self) -> Photo | None:
        """The photo as it was decoded when it came in; None from the second time on."""
        decoded, self.decoded = self.decoded, None
        return decoded


class PhotoCache:
    """The photos that visitors of this process work with; safe to use from many threads.

    They are decoded by ``decoder``, in a worker process that a photo may kill without harm.
    """

    def __init__(
        self,
        settings: PhotoCacheSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        decoder: Decoder = decode_isolated,
    ) -> None:
        self.settings = settings or PhotoCacheSettings()
        self._clock = clock
        self._decoder = decoder
        self._sweeping = False
        self._photos: dict[str, CachedPhoto] = {}
        self._lock = threading.Lock()

    def put(self, data: bytes, device: str, on_waiting: OnWaiting | None = None) -> CachedPhoto:
        """Take a photo in, under an unguessable id. PhotoError for bytes that are no picture.

        ``on_waiting`` is told the place among the photos that wait to be decoded.
        """
        settings = self.settings
        photo = self._decoder(data, PhotoSettings(), on_waiting)
        cached = CachedPhoto(
            new_id(),
            device,
            data,
            _shown(photo.rgb, settings),
            photo.width,
            photo.height,
            0.0,
            decoded=photo,
        )
        with self._lock:
            cached.used_at = self._clock()
            self._photos[cached.id] = cached
            self._tidy()
            self._sweep_later()
        return cached

    def get(self, photo_id: str) -> CachedPhoto | None:
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
        kept: dict[str, CachedPhoto] = {}
        for photo in [each for each in photos if each.decoded][self.settings.max_decoded :]:
            photo.decoded = None
        room = self.settings.max_bytes
        own_room: Counter[str] = Counter()
        for photo in photos:
            if photo.used_at < before:
                continue
            room -= photo.size
            own_room[photo.device] += photo.size
            fits = room >= 0 and own_room[photo.device] <= self.settings.max_bytes_of_device
            if fits or not kept:
                kept[photo.id] = photo
        self._photos = kept

    def _sweep_later(self) -> None:
        if self._photos and not self._sweeping:
            self._sweeping = True
            timer = threading.Timer(self.settings.sweep_every_s, self._sweep)
            timer.daemon = True
            timer.start()

    def _sweep(self) -> None:
        with self._lock:
            self._tidy()
            self._sweeping = False
            self._sweep_later()
        give_spare_memory_back()


def _shown(rgb: NDArray[np.uint8], settings: PhotoCacheSettings) -> bytes:
    picture = Image.fromarray(rgb)
    picture.thumbnail((settings.long_side_px, settings.long_side_px))
    file = BytesIO()
    picture.save(file, "JPEG", quality=settings.jpeg_quality)
    return file.getvalue()
