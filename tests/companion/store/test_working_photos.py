"""Photos of open games in the store: for all copies of the app, for an evening, and bounded."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from companion.store import Game, Store
from companion.store.history import erase_game
from companion.store.photos import (
    WorkingPhoto,
    WorkingPhotoLimits,
    keep_working_photo,
    load_working_photo,
)
from companion.web.photo_cache import PhotoCache, PhotoCacheSettings
from tests.companion.store.pictures import camera_photo
from tests.companion.store.table_talk import new_game


@pytest.fixture
def game(store: Store) -> Game:
    return new_game(store)


def photo_of(game: Game, name: str = "one", device: str = "phone", size: int = 100) -> WorkingPhoto:
    return WorkingPhoto(name, game.id, device, 40, 30, size // 2, bytes(size))


def test_a_photo_is_there_until_its_evening_or_its_game_ends(store: Store, game: Game) -> None:
    photo = photo_of(game)
    keep_working_photo(store, photo)
    keep_working_photo(store, photo)
    assert load_working_photo(store, "one") == photo
    past = WorkingPhotoLimits(kept_for=timedelta(0))
    assert load_working_photo(store, "one", past) is None
    keep_working_photo(store, replace(photo, id="two"), past)
    assert load_working_photo(store, "one") is None
    erase_game(store, game.id)
    assert load_working_photo(store, "two") is None
    keep_working_photo(store, replace(photo, id="three"))
    assert load_working_photo(store, "three") is None


def test_the_oldest_go_where_there_is_no_space(store: Store, game: Game) -> None:
    limits = WorkingPhotoLimits(max_bytes=500, max_bytes_of_device=200)

    def there() -> list[str]:
        names = ("a", "b", "c", "d", "e", "f")
        return [name for name in names if load_working_photo(store, name)]

    for name in "abc":
        keep_working_photo(store, photo_of(game, name), limits)
    assert there() == ["b", "c"]
    for name, size in (("d", 150), ("e", 150)):
        keep_working_photo(store, photo_of(game, name, f"phone {name}", size), limits)
    assert there() == ["b", "c", "d", "e"]
    keep_working_photo(store, photo_of(game, "f", "another", 100), limits)
    assert there() == ["c", "d", "e", "f"]


def test_who_has_no_space_left_costs_nobody_else_a_photo(store: Store, game: Game) -> None:
    limits = WorkingPhotoLimits(max_bytes=300, max_bytes_of_device=200)
    keep_working_photo(store, photo_of(game, "a", "another"), limits)
    for name in "bcd":
        keep_working_photo(store, photo_of(game, name), limits)
    assert [name for name in "abcd" if load_working_photo(store, name)] == ["a", "c", "d"]


def test_another_copy_finds_the_photos_of_games_and_no_others(store: Store, game: Game) -> None:
    one, other = PhotoCache(shared=store), PhotoCache(shared=store)
    data = camera_photo()
    alone, of_game = one.put(data, "phone-a"), one.put(data, "phone-b")
    one.give_to(of_game, game.id)
    assert other.get(alone.id) is None
    found = other.get(of_game.id)
    assert found is not None
    assert (found.data, found.jpeg) == (data, of_game.jpeg)
    assert (found.game, found.device) == (game.id, "phone-b")
    assert (found.width, found.height) == (of_game.width, of_game.height)
    assert found.file._file._rolled  # type: ignore[attr-defined]
    assert other.get(of_game.id) is found
    assert len(PhotoCache().put(data, "phone-a").data) == len(data)


def test_what_came_from_another_copy_is_forgotten_though_nobody_asks(
    store: Store, game: Game
) -> None:
    at_once = PhotoCacheSettings(unused_for_s=0.0, of_game_for_s=0.0, sweep_every_s=0.01)
    one, other = PhotoCache(shared=store), PhotoCache(at_once, shared=store)
    photo = one.put(camera_photo(), "phone")
    one.give_to(photo, game.id)
    assert other.get(photo.id) is not None
    until = time.monotonic() + 10
    while other.spool.used() and time.monotonic() < until:
        time.sleep(0.01)
    assert other.spool.used() == 0


def test_photos_go_to_the_byte_and_the_minute(
    store: Store, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    exactly = WorkingPhotoLimits(max_bytes=300, max_bytes_of_device=200)
    for name, size in (("a", 100), ("b", 100), ("c", 100)):
        keep_working_photo(store, photo_of(game, name, f"phone {name}", size), exactly)
    keep_working_photo(store, photo_of(game, "d", "phone c", 99), exactly)
    there = [name for name in "abcd" if load_working_photo(store, name)]
    assert there == ["b", "c", "d"]
    keep_working_photo(store, photo_of(game, "e", "phone c", 1), exactly)
    assert [name for name in "bcde" if load_working_photo(store, name)] == ["b", "c", "d", "e"]
    begin = datetime.now(UTC)

    class Later:
        at = begin

        @classmethod
        def now(cls, zone: tzinfo) -> datetime:
            assert zone is UTC
            return cls.at

    monkeypatch.setattr("companion.store.photos.datetime", Later)
    Later.at = begin + timedelta(hours=11, minutes=59)
    assert load_working_photo(store, "e") is not None
    Later.at = begin + timedelta(hours=12, minutes=1)
    assert load_working_photo(store, "e") is None
    keep_working_photo(store, photo_of(game, "f"))
    Later.at = begin
    assert [name for name in "bcdef" if load_working_photo(store, name)] == ["f"]


def test_photos_stay_as_long_and_take_as_much_as_the_documents_say() -> None:
    text = (Path(__file__).parents[3] / "docs" / "running.md").read_text(encoding="utf-8")
    limits = WorkingPhotoLimits()
    said = f"{limits.kept_for // timedelta(hours=1)} hours and {limits.max_bytes / 1e6:.12g} MB"
    assert said in text
