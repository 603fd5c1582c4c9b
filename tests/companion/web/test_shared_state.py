"""What the visitors of one server share: photos for a while, messages, places to wait."""

from __future__ import annotations

import asyncio
import time
import weakref
from datetime import UTC, datetime, timedelta
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from companion.languages import Language
from companion.reading.decoding import DECODING
from companion.reading.pool import PoolSettings, WorkerPool
from companion.store import Actor, Store, open_store
from companion.store.history import delete_game, find_games
from companion.store.tables import GameRow
from companion.web import shared_state
from companion.web.home import home_markup
from companion.web.photo_cache import (
    Full,
    PhotoCache,
    PhotoCacheSettings,
    Spool,
    Spooled,
    SpoolSettings,
)
from companion.web.reading_queue import Sender
from companion.web.shared_state import Inbox, SharedState
from companion.web.visit import Visit
from vision.photo import PhotoError

ANNA, BEN, CLUB = Sender("anna", "10.0.0.1"), Sender("ben", "10.0.0.2"), Sender("cleo", "10.0.0.1")


def test_room_is_given_back_with_the_last_who_needs_it() -> None:
    spool = Spool(SpoolSettings(max_bytes=100))
    first, second = spool.open(ANNA), spool.open(BEN)
    first.write(b"a" * 60)
    second.write(b"b" * 40)
    with pytest.raises(Full):
        second.write(b"b")
    assert second.read() == b"b" * 40
    del first
    second.write(b"c" * 60)
    assert second.read(39, 42) == b"bcc"
    assert (spool.used(), spool.used("ben")) == (100, 100)
    del second
    assert spool.used() == 0
    assert not spool._files


def test_a_disk_without_space_for_a_file_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    spool = Spool(SpoolSettings(max_files=1))
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.SpooledTemporaryFile", refuse)
        with pytest.raises(Full):
            spool.open(ANNA)
    assert spool.open(ANNA).size == 0


@pytest.mark.parametrize("limited", ["max_bytes_of_network", "max_files_of_network"])
def test_a_network_has_its_share_and_others_have_theirs(limited: str) -> None:
    spool = Spool(SpoolSettings(**{limited: 1}))
    own = spool.open(ANNA)
    own.write(b"a")
    with pytest.raises(Full):
        spool.open(CLUB).write(b"c")
    other = spool.open(BEN)
    other.write(b"b")


@pytest.mark.parametrize("devices", [1, 4, 9])
def test_whoever_comes_next_finds_as_much_as_those_who_fill_a_network(devices: int) -> None:
    spool = Spool(SpoolSettings(max_bytes_of_network=3000, max_bytes_of_device=2000))
    files = [spool.open(Sender(f"device {number}", "10.0.0.1")) for number in range(devices)]
    growing = files
    while growing:
        growing = [file for file in growing if _takes_more(file)]
    part = 3000 // (devices + 1)
    assert all(part - 20 <= file.size <= part for file in files)
    spool.open(Sender("next", "10.0.0.1")).reserve(part)


def _takes_more(file: Spooled) -> bool:
    try:
        file.write(b"a" * 10)
    except Full:
        return False
    return True


def test_what_comes_in_is_on_disk_where_nobody_finds_it() -> None:
    """And gives its room back, whatever the disk says."""
    spool = Spool()
    file = spool.open(ANNA)
    file.write(bytes(2_000_000))
    assert file._file._rolled  # type: ignore[attr-defined]
    assert not isinstance(file._file.name, str)


def test_what_has_room_at_its_beginning_has_it_to_its_end() -> None:
    spool = Spool(SpoolSettings(max_bytes_of_device=100))
    first, second = spool.open(ANNA), spool.open(ANNA)
    first.reserve(60)
    with pytest.raises(Full):
        second.reserve(60)
    first.write(b"a" * 30)
    first.write(b"b" * 30)
    assert spool.used() == 60
    del first
    second.reserve(60)


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    spool = Spool()
    file = spool.open(ANNA)

    def full(_: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file._file, "write", full)
    with pytest.raises(Full):
        file.write(b"a")
    del file
    assert spool.used() == 0


def test_an_address_of_version_6_counts_with_its_network() -> None:
    assert Sender("a", "2001:db8::1").network == Sender("b", "2001:db8::ffff:1").network
    assert Sender("a", "2001:db8::1").network != Sender("b", "2001:db8:0:1::1").network
    assert Sender("a", "10.0.0.1").network != Sender("b", "10.0.0.2").network
    assert Sender("a", "testclient").network == "testclient"


def test_one_device_sends_so_much_at_once() -> None:
    inbox = Inbox(max_at_once=2, patience_s=0.3)

    async def send(device: str, seconds: float) -> bool:
        try:
            async with inbox.receiving(device):
                await asyncio.sleep(seconds)
        except Full:
            return False
        return True

    async def all_at_once(seconds: float) -> list[bool]:
        return await asyncio.gather(*(send(device, seconds) for device in "aaab"))

    assert asyncio.run(all_at_once(1.0)) == [True, True, False, True]
    assert asyncio.run(all_at_once(0.1)) == [True] * 4
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
    assert photo.data == jpeg()
    assert (photo.width, photo.height) == (900, 600)
    with Image.open(BytesIO(photo.jpeg)) as shown:
        assert max(shown.size) <= 300
        assert not shown.getexif()


def test_a_photo_that_nobody_uses_leaves() -> None:
    clock = Clock()
    photos = PhotoCache(PhotoCacheSettings(unused_for_s=120), clock)
    photo = photos.put(jpeg(), "device")
    clock.now = 100
    assert photos.get(photo.id) is photo
    clock.now = 219
    assert len(photos) == 1
    clock.now = 221
    assert photos.get(photo.id) is None
    assert len(photos) == 0


def test_photos_of_a_game_stay_for_the_evening_and_no_longer() -> None:
    clock = Clock()
    clock.now = 5000
    photos = PhotoCache(clock=clock)
    photo = photos.put(jpeg(60, 40), "device")
    photo.game = "game"
    assert photo.file._file._rolled  # type: ignore[attr-defined]
    clock.now += 12 * 3600
    assert len(photos) == 1
    clock.now += 1
    assert len(photos) == 0
    again = photos.put(jpeg(60, 40), "device")
    again.game = "game"
    clock.now += 12 * 3600 - 10
    photos.keep_alive("game")
    clock.now += 60
    assert photos.get(again.id) is again
    clock.now += 120
    assert len(photos) == 0


def test_photos_of_past_evenings_make_room_and_those_in_use_do_not() -> None:
    clock = Clock()
    photos = PhotoCache(clock=clock, spool=Spool(SpoolSettings(max_files=2)))
    sent = {game: photos.put(jpeg(60, 40), game).id for game in ("earlier", "open")}
    for game, photo_id in sent.items():
        photos._photos[photo_id].game = game
    clock.now = 200
    photos.keep_alive("open")
    now = photos.put(jpeg(60, 40), "device").id
    assert photos.get(sent["earlier"]) is None
    assert photos.get(sent["open"]) is not None
    assert photos.get(now) is not None
    with pytest.raises(Full):
        photos.put(jpeg(60, 40), "somebody else")


def test_what_fills_the_share_of_a_network_is_no_reason_to_drop_what_others_sent() -> None:
    clock = Clock()
    photos = PhotoCache(clock=clock, spool=Spool(SpoolSettings(max_files_of_network=1)))
    file = photos.spool.open(BEN)
    file.write(jpeg(60, 40))
    other = photos.take_in(file)
    other.game = "game"
    held = photos.spool.open(ANNA)
    clock.now = 200
    with pytest.raises(Full):
        photos.spool.open(CLUB)
    assert photos.get(other.id) is other
    del held


def test_the_photos_used_last_stay_where_a_device_has_no_more_room() -> None:
    clock = Clock()
    data = jpeg()
    spool = Spool(SpoolSettings(max_bytes_of_device=7 * len(data)))
    photos = PhotoCache(clock=clock, spool=spool)
    sent = []
    for clock.now in range(3):
        sent.append(photos.put(data, "device").id)
    clock.now = 3
    photos.get(sent[0])
    sent.append(photos.put(data, "device").id)
    left = [photo for photo in sent if photos.get(photo) is not None]
    assert left[0] == sent[0]
    assert left[-1] == sent[-1]
    assert len(left) < len(sent)
    assert spool.used("device") <= 7 * len(data)


def test_no_device_takes_the_room_of_another() -> None:
    """Nor where there is none left: what comes then is refused, and what is there stays."""
    data = jpeg()
    photos = PhotoCache(spool=Spool(SpoolSettings(max_bytes=5 * len(data))))
    other = photos.put(data, "another device")
    for _ in range(9):
        photos.put(data, "device")
    with pytest.raises(Full):
        photos.put(bytes(5 * len(data)), "device")
    assert photos.get(other.id) is other


def test_as_many_files_of_a_device_as_it_may_have() -> None:
    photos = PhotoCache(spool=Spool(SpoolSettings(max_files_of_device=2)))
    sent = [photos.put(jpeg(60, 40), "device").id for _ in range(5)]
    assert [photos.get(each) is not None for each in sent] == [False] * 3 + [True] * 2


def test_photos_leave_though_nobody_comes_any_more() -> None:
    """As after the last visitor of an evening, with times shortened a hundred times."""
    photos = PhotoCache(PhotoCacheSettings(1.0, of_game_for_s=1.0, sweep_every_s=0.1))
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
    # The same with the times as they are: within two minutes, and those of a game after 12 hours.
    settings = PhotoCacheSettings()
    assert settings.unused_for_s + settings.sweep_every_s <= 120
    assert settings.of_game_for_s == 12 * 3600


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
        sent.append(photos.put(jpeg(), f"device {clock.now}"))
    assert [photo.decoded is None for photo in sent] == [True, False, False]
    last = photos.put(jpeg(), "device 1")
    assert sent[1].decoded is None
    assert sent[2].decoded is not None
    decoded = last.take_decoded()
    assert decoded is not None
    assert (decoded.width, decoded.height) == (900, 600)
    assert last.take_decoded() is None
    # One of each device, also where there is space for more.
    photos = PhotoCache(clock=clock)
    for clock.now in range(3, 5):
        sent.append(photos.put(jpeg(), "device 1"))
    assert [photo.decoded is None for photo in sent[3:]] == [True, False]


def test_where_nothing_can_be_written_games_last_as_long_as_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> Store:
        raise PermissionError(13, "Permission denied", "/there")

    monkeypatch.setattr(
        shared_state, "open_store", lambda url=None: open_store(url) if url else refused()
    )
    store, forgets = shared_state._opened_store()
    assert forgets
    assert "/there can't be written" in capsys.readouterr().err
    game = store.create_game("kingdomino")
    assert store.game(game.id) == game
    visit = Visit(SharedState(store, forgets=True), "device-of-anna-1", Language.ENGLISH)
    assert "only until the next restart" in home_markup(visit)
    visit.shared.forgets = False
    assert "only until the next restart" not in home_markup(visit)
    store.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_so_many_photos_have_a_turn_as_there_are_workers(
    workers: int, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    """A small computer has one; whoever waited for it in a turn would be charged for the time."""
    pool = WorkerPool(DECODING, PoolSettings(workers=workers))
    monkeypatch.setattr(shared_state, "shared_pool", lambda: pool)
    monkeypatch.setattr(shared_state, "_STATES", {})
    monkeypatch.setattr(shared_state, "_opened_store", lambda: (store, False))
    assert shared_state.shared_state().reading_queue.settings.slots == workers


@pytest.mark.parametrize("is_on_server", [False, True])
def test_a_database_is_opened_once_swept_and_given_photos_where_others_see_them(
    monkeypatch: pytest.MonkeyPatch, store: Store, is_on_server: bool
) -> None:
    """A file has one copy of the app, a server's database may have several."""
    opened: list[Store] = []

    def open_it() -> tuple[Store, bool]:
        opened.append(store)
        return store, True

    old, new = store.create_game("kingdomino"), store.create_game("kingdomino")
    for game in (old, new):
        delete_game(store, game.id, Actor("anna"))
    with store.writing() as session:
        session.get_one(GameRow, old.id).deleted_at = datetime.now(UTC) - timedelta(days=31)
    monkeypatch.setattr(shared_state, "_STATES", {})
    monkeypatch.setattr(shared_state, "_opened_store", open_it)
    monkeypatch.setattr(Store, "is_on_server", is_on_server)
    found = shared_state.shared_state()
    assert shared_state.shared_state() is found
    assert opened == [store]
    assert (found.store, found.forgets) == (store, True)
    assert found.photos._shared is (store if is_on_server else None)
    assert [each.id for each in find_games(store, deleted=True)] == [new.id]
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", "sqlite:///another.sqlite")
    assert shared_state.shared_state() is not found


@pytest.mark.parametrize(
    ("text", "stays", "all_evening"),
    [("5", False, False), ("", True, True), ("soon", True, True), ("9999999", True, False)],
)
def test_photos_are_forgotten_as_soon_as_the_environment_says_also_those_of_games(
    text: str, stays: bool, all_evening: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(shared_state.FORGET_PHOTOS_AFTER, text)
    clock = Clock()
    photos = PhotoCache(shared_state._photo_cache_settings(), clock)
    photo = photos.put(jpeg(), "device")
    photos.give_to(photo, "game")
    clock.now += 50.0
    assert (photos.get(photo.id) is not None) is stays
    clock.now += 101.0
    assert (photos.get(photo.id) is not None) is all_evening
