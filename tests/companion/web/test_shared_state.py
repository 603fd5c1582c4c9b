"""What the visitors of one server share: photos for a while, messages, places to wait."""

from __future__ import annotations

import time
import weakref
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from companion.web.photo_cache import PhotoCache, PhotoCacheSettings
from companion.web.shared_state import Full, Inbox, InboxSettings, ReadingQueue
from vision.photo import PhotoError


def test_room_is_given_back() -> None:
    inbox = Inbox(InboxSettings(max_bytes=100, max_at_once=2))
    with inbox.receiving("a") as take, inbox.receiving("b") as other:
        take(60)
        other(40)
        with pytest.raises(Full):
            other(1)
    with inbox.receiving("a") as take:
        take(100)


def test_one_device_sends_so_much_at_once() -> None:
    inbox = Inbox(InboxSettings(max_at_once=2))
    with inbox.receiving("a"), inbox.receiving("a"), inbox.receiving("b"), pytest.raises(Full):
        inbox.receiving("a").__enter__()
    with inbox.receiving("a"):
        pass
    assert not inbox._of_device


def jpeg(width: int = 900, height: int = 600) -> bytes:
    file = BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "a camera"
    noise = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
    Image.fromarray(noise).save(file, "JPEG", exif=exif)
    return file.getvalue()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_photo_is_shown_upright_without_metadata() -> None:
    photos = PhotoCache(PhotoCacheSettings(long_side_px=300))
    photo = photos.put(jpeg(), "device")
    assert (photo.width, photo.height) == (900, 600)
    with Image.open(BytesIO(photo.jpeg)) as shown:
        assert max(shown.size) <= 300
        assert not shown.getexif()


def test_a_photo_that_nobody_uses_leaves() -> None:
    clock = Clock()
    photos = PhotoCache(PhotoCacheSettings(unused_for_s=120), clock)
    photo = photos.put(jpeg(), "device")
    photo.game = "game"
    clock.now = 100
    photos.keep_alive("game")
    clock.now = 219
    assert photos.get(photo.id) is photo
    clock.now = 340
    assert photos.get(photo.id) is None
    assert len(photos) == 0


def test_the_photos_used_last_stay_where_there_is_no_more_room() -> None:
    clock = Clock()
    data = jpeg()
    photos = PhotoCache(PhotoCacheSettings(max_bytes=3 * len(data)), clock)
    first = photos.put(data, "device")
    clock.now = 1
    last = photos.put(data, "device")
    clock.now = 2
    another = photos.put(data, "device")
    assert photos.get(first.id) is None
    assert photos.get(another.id) is another
    assert last.id != another.id


def test_one_device_does_not_take_the_room_of_the_others() -> None:
    data = jpeg()
    photos = PhotoCache(PhotoCacheSettings(max_bytes_of_device=3 * len(data)))
    other = photos.put(data, "another device")
    first = photos.put(data, "device")
    rest = [photos.put(data, "device") for _ in range(3)]
    assert photos.get(first.id) is None
    assert photos.get(rest[-1].id) is rest[-1]
    assert photos.get(other.id) is other


def test_photos_leave_though_nobody_comes_any_more() -> None:
    """As after the last visitor of an evening, with times shortened a hundred times."""
    photos = PhotoCache(PhotoCacheSettings(unused_for_s=1.0, sweep_every_s=0.1))
    gone = weakref.ref(photos.put(jpeg(), "device"))
    stays = photos.put(jpeg(), "device")
    stays.game = "game"
    deadline = time.monotonic() + 10
    while gone() is not None and time.monotonic() < deadline:
        photos.keep_alive("game")
        time.sleep(0.05)
    assert gone() is None
    assert photos._photos == {stays.id: stays}
    before = time.monotonic()
    while photos._photos and time.monotonic() < deadline:
        time.sleep(0.05)
    assert 0.8 < time.monotonic() - before < 5
    # The same with the times as they are: everything is gone within two minutes.
    assert PhotoCacheSettings().unused_for_s + PhotoCacheSettings().sweep_every_s <= 120


def test_a_photo_is_looked_into_by_a_worker_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def decoded(*_: object) -> None:
        raise AssertionError("decoded here")

    monkeypatch.setattr("vision.photo.decoding.decode_checked", decoded)
    cached = PhotoCache().put(jpeg(), "device")
    assert (cached.width, cached.height) == (900, 600)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        PhotoCache().put(b"no picture", "device")


def test_what_was_decoded_is_handed_out_once_and_kept_for_the_last_photos_only() -> None:
    clock = Clock()
    photos = PhotoCache(PhotoCacheSettings(max_decoded=2), clock)
    sent = []
    for clock.now in range(3):
        sent.append(photos.put(jpeg(), "device"))
    assert [photo.decoded is None for photo in sent] == [True, False, False]
    last = sent[-1]
    decoded = last.take_decoded()
    assert decoded is not None
    assert (decoded.width, decoded.height) == (900, 600)
    assert last.take_decoded() is None


def test_the_place_is_that_of_the_photo_that_waits_longest() -> None:
    waiting = ReadingQueue()
    with (
        waiting.waiting_place("a") as first,
        waiting.waiting_place("a") as second,
        waiting.waiting_place("b") as other,
    ):
        first(1)
        second(4)
        other(7)
        assert (waiting.place("a"), waiting.place("b"), waiting.place("c")) == (4, 7, 0)
        second(0)
        assert waiting.place("a") == 1
    assert waiting.place("a") == 0
