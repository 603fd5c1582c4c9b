"""Photos while people work with them: those of a game for the evening, any other for a short time,
for those who may see them, on disk without a name, so that nothing of them is left when the process
ends.
"""

from __future__ import annotations

import tempfile
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.reading.decoding import decode_isolated
from companion.reading.memory import give_spare_memory_back
from companion.store import Store, new_id
from companion.store.photos import (
    WorkingPhoto,
    keep_working_photo,
    load_working_photo,
)
from companion.web.reading_queue import Sender
from vision.photo import Photo, PhotoSettings

Decoder = Callable[..., Photo]


class Full(Exception):
    """More has come in than there is space for; it may be sent again a little later."""


@dataclass(frozen=True)
class SpoolSettings:
    """Bytes and files of all that came in and is still needed, of one network, and of one device.

    As nothing of one device is dropped for another's, a network has at most half of all, and a
    device takes no more than what then is free in its network: of n devices at full speed each
    gets one part of n + 1, and whoever comes next finds as much.
    """

    max_bytes: int = 600_000_000
    max_bytes_of_network: int = 300_000_000
    max_bytes_of_device: int = 90_000_000
    max_files: int = 400
    max_files_of_network: int = 200
    max_files_of_device: int = 30


_IN_MEMORY_BYTES = 300_000
"""A picture of the live view or a file with a few games is not worth a file on disk."""


class _Closable(Protocol):
    """What can be closed."""

    def close(self) -> None: ...


class Spooled:
    """Bytes of a sender in a file without a name, gone when nobody refers to them any more."""

    def __init__(self, spool: Spool, sender: Sender) -> None:
        self.sender = sender
        self.size = 0
        self._spool = spool
        # Closed by whoever gives its space back.
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES)  # noqa: SIM115
        self._lock = threading.Lock()
        self._held = [0]
        weakref.finalize(self, spool.give_back, sender, self._file, self._held)

    def reserve(self, size: int) -> None:
        """Reserve space for a file of this size. ``Full`` where there is none.

        Several that come in at once would else fill it with parts, and none would get on.
        """
        more = size - self._held[0]
        if more > 0:
            self._spool.take(self.sender, more)
            self._held[0] += more

    def write(self, data: bytes | bytearray) -> None:
        """Add bytes at the end. ``Full`` where there is no space, of the spool or of the disk."""
        self.reserve(self.size + len(data))
        try:
            with self._lock:
                self._file.seek(self.size)
                self._file.write(data)
                self.size += len(data)
        except OSError as error:
            raise Full from error

    def go_to_disk(self) -> None:
        """Hold no bytes in memory any more. ``Full`` where the disk has no space."""
        try:
            with self._lock:
                self._file.rollover()
        except OSError as error:
            raise Full from error

    def read(self, start: int = 0, end: int | None = None) -> bytes:
        """The bytes from ``start`` up to ``end``, else up to the last."""
        with self._lock:
            self._file.seek(start)
            return self._file.read((self.size if end is None else end) - start)


class Spool:
    """What has come in, as far as it is still needed; safe to use from many threads.

    ``make_room`` lets go of something where the accounts that are named last have no space left
    for a sender; False where there is nothing.
    """

    def __init__(self, settings: SpoolSettings | None = None) -> None:
        self.settings = settings or SpoolSettings()
        self.make_room: Callable[[Sender, set[str]], bool] = lambda sender, full: False
        self._bytes: Counter[str] = Counter()
        self._files: Counter[str] = Counter()
        # Also that of the photos: what is let go of gives its bytes back in this very thread.
        self.lock = threading.RLock()

    def open(self, sender: Sender) -> Spooled:
        """A new file without bytes. ``Full`` where there is no space for one, or no disk."""
        settings = self.settings
        limits = (settings.max_files, settings.max_files_of_network, settings.max_files_of_device)
        with self.lock:
            self._take(self._files, sender, 1, limits)
        try:
            return Spooled(self, sender)
        except OSError as error:
            self._give_back(self._files, sender, 1)
            raise Full from error

    def take(self, sender: Sender, count: int) -> None:
        """Reserve space for so many bytes more. ``Full`` where there is none."""
        settings = self.settings
        limits = (settings.max_bytes, settings.max_bytes_of_network, settings.max_bytes_of_device)
        with self.lock:
            self._take(self._bytes, sender, count, limits)

    def give_back(self, sender: Sender, file: _Closable, held: list[int]) -> None:
        """Close a file that nobody needs, and give its space to others."""
        file.close()
        with self.lock:
            self._give_back(self._bytes, sender, held[0])
            self._give_back(self._files, sender, 1)

    def used(self, device: str = "") -> int:
        """Bytes that are held now, of all or of a device."""
        with self.lock:
            return self._bytes[f"device {device}" if device else ""]

    def _take(
        self, held: Counter[str], sender: Sender, count: int, limits: tuple[int, int, int]
    ) -> None:
        accounts = accounts_of(sender)
        while full := _without_space(held, accounts, count, limits):
            if not self.make_room(sender, full):
                raise Full
        for name in accounts:
            held[name] += count

    def _give_back(self, held: Counter[str], sender: Sender, count: int) -> None:
        with self.lock:
            for name in accounts_of(sender):
                held[name] -= count
                if held[name] <= 0:
                    del held[name]


def _without_space(
    held: Counter[str], accounts: tuple[str, str, str], count: int, limits: tuple[int, int, int]
) -> set[str]:
    """The accounts that can't take so much more; of a device see ``SpoolSettings``."""
    _, network, device = accounts
    free = limits[1] - held[network]
    most = dict(zip(accounts, limits, strict=True))
    most[device] = min(most[device], free)
    return {name for name in accounts if held[name] + count > most[name]}


def accounts_of(sender: Sender) -> tuple[str, str, str]:
    """What the space of a sender is taken from: that of all, of its network, and of its device."""
    return "", f"network {sender.network}", f"device {sender.device}"


@dataclass(frozen=True)
class PhotoCacheSettings:
    """How long photos are kept, and how large.

    - ``unused_for_s``: a photo is dropped so long after it was last used,
    - ``of_game_for_s``: and one of a game not before so long after it was taken, where there is
      space: an evening.
    - ``sweep_every_s``: how often the cache is looked through, whether or not anybody visits.
    - ``max_bytes_each``: the bound of one file.
    - ``max_decoded``, ``max_decoded_bytes``: decoded pixels are kept for the last photos only, one
      of each device; any other is decoded again when it is read.
    - ``long_side_px``, ``jpeg_quality``: of the picture that the page shows.
    """

    unused_for_s: float = 100.0
    of_game_for_s: float = 12 * 3600.0
    sweep_every_s: float = 10.0
    max_bytes_each: int = 30_000_000
    max_decoded: int = 6
    max_decoded_bytes: int = 60_000_000
    long_side_px: int = 1600
    jpeg_quality: int = 85


@dataclass
class CachedPhoto:
    """A photo as it was sent, and as it is shown: an upright JPEG without metadata.

    ``width`` and ``height`` are pixels of the upright photo as it was taken. ``decoded`` are the
    pixels to read from, which ``take_decoded`` hands out once. ``file`` has the photo in its first
    ``sent`` bytes, and after them the JPEG.
    """

    id: str
    file: Spooled = field(repr=False)
    sent: int
    width: int
    height: int
    taken_at: float
    used_at: float
    game: str | None = None
    decoded: Photo | None = field(default=None, repr=False)

    @property
    def device(self) -> str:
        """The device that sent it."""
        return self.file.sender.device

    @property
    def data(self) -> bytes:
        """The bytes as they were sent."""
        return self.file.read(0, self.sent)

    @property
    def jpeg(self) -> bytes:
        """The picture as a JPEG."""
        return self.file.read(self.sent)

    def take_decoded(self) -> Photo | None:
        """The photo as it was decoded when it came in; None from the second time on."""
        decoded, self.decoded = self.decoded, None
        return decoded


class PhotoCache:
    """The photos that visitors of this process work with; safe to use from many threads.

    They are decoded by ``decoder``, in a worker process that a photo may kill without harm. Where
    several copies of the app have one store, it is ``shared``: photos of games are put there,
    and found there by every copy.
    """

    def __init__(
        self,
        settings: PhotoCacheSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        decoder: Decoder = decode_isolated,
        spool: Spool | None = None,
        shared: Store | None = None,
    ) -> None:
        self.settings = settings or PhotoCacheSettings()
        self.spool = spool or Spool()
        self.spool.make_room = self._drop_one
        self._clock = clock
        self._decoder = decoder
        self._shared = shared
        self._sweeping = False
        self._photos: dict[str, CachedPhoto] = {}
        self._lock = self.spool.lock

    def put(self, data: bytes, device: str) -> CachedPhoto:
        """``take_in`` for bytes at hand."""
        file = self.spool.open(Sender(device))
        file.write(data)
        return self.take_in(file)

    def take_in(self, file: Spooled, *, only_ordinary: bool = False) -> CachedPhoto:
        """Take a photo in, under an unguessable id.

        PhotoError for bytes that are no picture, ``Full`` where what is shown of it has no space,
        ``Costly`` as the decoder raises it.
        """
        settings, sent = self.settings, file.size
        photo = self._decoder(file.read(), PhotoSettings(), only_ordinary=only_ordinary)
        file.write(_shown(photo.rgb, settings))
        file.go_to_disk()
        cached = CachedPhoto(
            new_id(), file, sent, photo.width, photo.height, 0.0, 0.0, decoded=photo
        )
        with self._lock:
            cached.taken_at = cached.used_at = self._clock()
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
        return self._from_shared(photo_id)

    def give_to(self, photo: CachedPhoto, game: str) -> None:
        """The photo is one of a game from now on: it stays for the evening, in all copies."""
        photo.game = game
        if self._shared is not None:
            size, device = (photo.width, photo.height), photo.device
            content = photo.file.read()
            keep_working_photo(
                self._shared, WorkingPhoto(photo.id, game, device, *size, photo.sent, content)
            )

    def _from_shared(self, photo_id: str) -> CachedPhoto | None:
        """A photo that came in at another copy; None where there is none, or no space for it."""
        found = load_working_photo(self._shared, photo_id) if self._shared is not None else None
        if found is None:
            return None
        try:
            file = self.spool.open(Sender(found.device))
            file.write(found.content)
            file.go_to_disk()
        except Full:
            return None
        now = self._clock()
        size = found.width, found.height
        photo = CachedPhoto(found.id, file, found.sent, *size, now, now, game=found.game)
        with self._lock:
            photo = self._photos.setdefault(photo_id, photo)
            self._sweep_later()
        return photo

    def keep_alive(self, game: str) -> None:
        """Somebody still has this game open: its photos are in use."""
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

    def _drop_one(self, sender: Sender, full: set[str]) -> bool:
        """The one of the sender's device that was used longest ago; else one that nobody uses.

        What others look at is never dropped for a sender.
        """
        with self._lock:
            photos = self._photos.values()
            found = [photo for photo in photos if photo.device == sender.device] or [
                photo
                for photo in photos
                if not self._is_in_use(photo) and full & {*accounts_of(photo.file.sender)}
            ]
            if not found:
                return False
            del self._photos[min(found, key=lambda photo: photo.used_at).id]
            return True

    def _is_in_use(self, photo: CachedPhoto) -> bool:
        return photo.used_at >= self._clock() - self.settings.unused_for_s

    def _stays(self, photo: CachedPhoto) -> bool:
        evening = photo.taken_at >= self._clock() - self.settings.of_game_for_s
        return self._is_in_use(photo) or (photo.game is not None and evening)

    def _tidy(self) -> None:
        photos = sorted(self._photos.values(), key=lambda each: -each.used_at)
        self._photos = {photo.id: photo for photo in photos if self._stays(photo)}
        left = self.settings.max_decoded_bytes
        devices: set[str] = set()
        for photo in photos:
            if photo.decoded is None:
                continue
            left -= photo.decoded.rgb.nbytes
            full = left < 0 or len(devices) == self.settings.max_decoded
            if full or photo.device in devices:
                photo.decoded = None
            devices.add(photo.device)

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
