"""The whole store in one file, and back into an empty one of any kind."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from PIL import Image

from companion.store import Store, StoreError, open_store
from companion.store.backup import backup, restore
from companion.store.exchange import Compared, compare_copies, export_games
from companion.store.history import erase_game, find_games, remembered_names
from companion.store.labelled_squares import count_squares, keep_square
from companion.store.photos import keep_photo, load_photo, photos_of
from tests.companion.store.pictures import camera_photo
from tests.companion.store.table_talk import ANNA, BEN, FOUR, board, new_game, send


@pytest.mark.parametrize("portable", [False, True])
def test_a_backup_brings_everything_back(
    store: Store, new_url: Callable[[], str], tmp_path: Path, portable: bool
) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    photo = keep_photo(store, game.id, camera_photo(), consent=True)
    square = np.zeros((64, 64, 3), np.uint8)
    keep_square(store, game.id, square, "w", place="0,0", source_photo=photo.id, consent=True)
    store.join(game.id, BEN)
    path = tmp_path / "all.zip"
    backup(store, path, portable=portable)
    with ZipFile(path) as file:
        kept = {name.partition("/")[0] for name in file.namelist()}
    is_copy = not (portable or store.is_on_server)
    assert kept == (
        {"games.sqlite"}
        if is_copy
        else {"games.json", "pictures.json", "erased.json", "photos", "squares"}
    )
    other = open_store(new_url())
    assert restore(other, path) == 1
    assert other.game(game.id) == store.game(game.id)
    assert load_photo(other, photo.id) == load_photo(store, photo.id)
    assert count_squares(other, "kingdomino") == {"w": 1}
    assert remembered_names(other, ANNA.device, 9) == remembered_names(store, ANNA.device, 9)
    assert [each.id for each in find_games(other, device=ANNA.device)] == [game.id]
    exports = [export_games(each, with_devices=True) for each in (store, other)]
    assert exports[0]["games"] == exports[1]["games"]
    assert exports[0]["names"] == exports[1]["names"]
    with pytest.raises(StoreError, match="not_empty"):
        restore(other, path)
    other.close()


@pytest.mark.parametrize("portable", [False, True])
def test_what_was_erased_is_not_taken_back_from_phones_after_a_restore(
    store: Store, another_store: Store, tmp_path: Path, portable: bool
) -> None:
    erased, here = new_game(store), new_game(store)
    held = {each.id: store.game(each.id).sequence for each in (erased, here)}
    erase_game(store, erased.id)
    backup(store, tmp_path / "all.zip", portable=portable)
    assert restore(another_store, tmp_path / "all.zip") == 1
    assert compare_copies(another_store, ANNA.device, held) == Compared(gone=(erased.id,))


def test_a_backup_of_sqlite_goes_into_postgresql(tmp_path: Path, postgres: str) -> None:
    from tests.companion.store.servers import fresh_database

    source = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    game = new_game(source)
    backup(source, tmp_path / "all.zip")
    source.close()
    target = open_store(fresh_database(postgres, "restored"))
    assert restore(target, tmp_path / "all.zip") == 1
    assert target.game(game.id).players[0].name == "Anna"
    target.close()


def test_what_is_no_backup_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    path.write_bytes(b"no zip at all")
    with pytest.raises(StoreError, match="bad_backup"):
        restore(store, path)
    assert find_games(store) == []


def test_a_backup_that_fails_leaves_the_old_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "all.zip"
    backup(store, path, portable=True)
    before = path.read_bytes()
    monkeypatch.setattr("companion.store.backup.export_text", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        backup(store, path, portable=True)
    assert path.read_bytes() == before
    assert list(tmp_path.glob("*.zip")) == [path]


def _zip(path: Path, **members: bytes) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("_", "."), content)
    return path


NO_PICTURES = b'{"photos": [], "squares": []}'


MOMENT = "2026-01-01T00:00:00+00:00"


def _export(**more: object) -> bytes:
    export = {"format": "companion-games", "version": 1, "exported_at": MOMENT, "games": []}
    return json.dumps({**export, **more}).encode()


GAME = {
    "id": "game-0123456789abcdef",
    "kind": "kingdomino",
    "kept": False,
    "created_at": MOMENT,
    "deleted_at": None,
    "changes": [],
    "collisions": [],
    "readings": {},
}
PHOTO = json.dumps(
    {
        "photos": [
            {"id": "a", "game_id": GAME["id"], "width": 1, "height": 1, "created_at": MOMENT}
        ],
        "squares": [],
    }
).encode()


ARCHIVES = {
    "deep": {"games_json": b"[" * 1_000_000, "pictures_json": NO_PICTURES},
    "no object": {"games_json": _export(), "pictures_json": b"[]"},
    "unknown field": {"games_json": _export(), "pictures_json": b'{"photos": [{"x": 1}]}'},
    "huge number": {
        "games_json": _export(),
        "pictures_json": b'{"photos": [{"id": "a", "game_id": "game-of-nobody-0001", '
        b'"width": 1e999, "height": 1, "created_at": "2026-01-01T00:00:00+00:00"}], "squares": []}',
    },
    "photo of no game": {
        "games_json": _export(),
        "pictures_json": b'{"photos": [{"id": "a", "game_id": "game-of-nobody-0001", '
        b'"width": 1, "height": 1, "created_at": "2026-01-01T00:00:00+00:00"}], "squares": []}',
        "photos/a_jpg": camera_photo(),
    },
    "picture that is none": {
        "games_json": _export(games=[GAME]),
        "pictures_json": PHOTO,
        "photos/a_jpg": b"<script>",
    },
    "picture that is not there": {"games_json": _export(games=[GAME]), "pictures_json": PHOTO},
    "erased game of no id": {
        "games_json": _export(),
        "pictures_json": NO_PICTURES,
        "erased_json": b'{"games": ["../a"]}',
    },
    "name of another": {
        "games_json": _export(
            names=[{"device": "a", "name": "Anna", "name_key": "ben", "used_at": MOMENT}]
        ),
        "pictures_json": NO_PICTURES,
    },
    "bomb": {"games_json": b" " * 30_000_000, "pictures_json": NO_PICTURES},
    "no database": {"games_sqlite": b"x" * 5000},
    "bomb of a database": {"games_sqlite": bytes(30_000_000)},
}


REASONS = {
    "deep": ("$", "not_json"),
    "no object": ("pictures.json:$", "model_type"),
    "unknown field": ("pictures.json:$.photos[0].id", "missing"),
    "huge number": ("pictures.json:$.photos[0].width", "int_type"),
    "photo of no game": ("$", "not_kept"),
    "picture that is none": ("photos/a.jpg", "no_picture"),
    "picture that is not there": ("photos/a.jpg", "no_picture"),
    "erased game of no id": ("erased.json:$.games[0]", "string_pattern_mismatch"),
    "name of another": ("$.names[0].name_key", "other_name"),
    "bomb": ("$", "too_large"),
    "no database": ("$", "damaged"),
    "bomb of a database": ("$", "too_large"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_that_somebody_made_up_changes_nothing(
    store: Store, tmp_path: Path, name: str
) -> None:
    path = _zip(tmp_path / "odd.zip", **ARCHIVES[name])
    with pytest.raises(StoreError) as refused:
        restore(store, path)
    assert refused.value.code == "bad_backup"
    assert (refused.value.details["place"], refused.value.details["reason"]) == REASONS[name]
    assert find_games(store) == []
    assert sorted(each.name for each in tmp_path.glob("*.zip")) == ["odd.zip"]


@pytest.fixture(scope="module")
def of_one_game(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> bytes:
    """A database of SQLite with one game, as a backup holds it."""
    path = Path(shutil.copy(empty_database, tmp_path_factory.mktemp("one") / "games.sqlite"))
    source = open_store(f"sqlite:///{path.as_posix()}")
    send(source, new_game(source), board(FOUR), 0)
    source.close()
    return path.read_bytes()


def _changed(database: bytes, folder: Path, sql: str) -> bytes:
    path = folder / "changed.sqlite"
    path.write_bytes(database)
    with closing(sqlite3.connect(path)) as opened:
        opened.execute(sql)
        opened.commit()
    return path.read_bytes()


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE VIEW more AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
        "SELECT x FROM n",
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "ALTER TABLE games ADD COLUMN x GENERATED ALWAYS AS (zeroblob(999999999))",
        "ALTER TABLE changes ADD COLUMN x AS (printf('%.*c', 999999999, 'x'))",
        "CREATE INDEX odd ON games (length(printf('%.*c', 9999999, 'x')))",
        "CREATE INDEX odd ON games (id) WHERE length(printf('%.*c', 9999999, 'x')) > 9",
        "CREATE TABLE odd (x CHECK (length(x) > 9))",
    ],
)
def test_a_database_that_does_something_is_not_opened(
    store: Store, of_one_game: bytes, tmp_path: Path, sql: str
) -> None:
    path = _zip(tmp_path / "odd.zip", games_sqlite=_changed(of_one_game, tmp_path, sql))
    with pytest.raises(StoreError, match="bad_backup"):
        restore(store, path)
    assert find_games(store) == []


TAMPERED = {
    """UPDATE changes SET value = '{"kingdom": "q"}' WHERE sequence = 2""": "$.games[0].changes[1]",
    """UPDATE changes SET points = '{"0": "x"}' WHERE sequence = 2""": "changes[1].points.0",
    "UPDATE changes SET at = '9998-01-01 00:00:00.000000'": "changes[0].at",
    "UPDATE games SET kind = 'chess'": "$",
    "UPDATE changes SET value = '[[' WHERE sequence = 2": "$",
    f"UPDATE changes SET value = '[{'[],' * 200_000}[]]' WHERE sequence = 2": "changes",
    f"UPDATE changes SET value = '{'[' * 900}{']' * 900}' WHERE sequence = 2": "changes[1]",
}


@pytest.mark.parametrize("sql", TAMPERED)
def test_a_tampered_database_is_refused_with_its_place(
    store: Store, of_one_game: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.setattr("companion.store.backup._MAX_VALUES", 100_000)
    path = _zip(tmp_path / "odd.zip", games_sqlite=_changed(of_one_game, tmp_path, sql))
    with pytest.raises(StoreError) as refused:
        restore(store, path)
    assert refused.value.code == "bad_backup"
    assert TAMPERED[sql] in str(refused.value.details["place"])
    assert find_games(store) == []


def refused(store: Store, path: Path) -> tuple[object, object]:
    """The place and the reason for which a backup is refused."""
    with pytest.raises(StoreError) as caught:
        restore(store, path)
    assert caught.value.code == "bad_backup"
    return caught.value.details["place"], caught.value.details["reason"]


def test_a_backup_is_packed_on_the_disk_and_made_where_it_shall_lie(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another folder may be on another disk, from which nothing appears whole."""
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(file: int) -> None:
        done.append("synced")
        sync(file)

    def replaced(path: Path, target: Path) -> Path:
        done.append("there")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    backup(store, tmp_path / "all.zip", portable=True)
    assert done == ["synced", "there"]
    with ZipFile(tmp_path / "all.zip") as file:
        assert {each.filename: each.compress_type for each in file.infolist()} == {
            "games.json": ZIP_DEFLATED,
            "pictures.json": ZIP_DEFLATED,
            "erased.json": ZIP_DEFLATED,
        }
        # Of a form that holds more than 4 GB, which nobody knows before all games are written.
        assert file.getinfo("games.json").extract_version == 45
        assert json.loads(file.read("pictures.json")) == {"photos": [], "squares": []}


def test_each_picture_comes_back_as_it_was(
    store: Store, another_store: Store, tmp_path: Path
) -> None:
    game = new_game(store)
    photos = [
        keep_photo(store, game.id, camera_photo(size, 40), consent=True) for size in (60, 80, 100)
    ]
    for number, shade in enumerate((10, 120, 250)):
        square = np.full((64, 64, 3), shade, np.uint8)
        keep_square(
            store, game.id, square, "w", place=f"0,{number}", source_photo="p", consent=True
        )
    # Of another game people keep squares and no photo.
    other = new_game(store)
    keep_square(store, other.id, square, "f", place="0,0", source_photo="p", consent=True)
    backup(store, tmp_path / "all.zip", portable=True)
    restore(another_store, tmp_path / "all.zip")
    assert count_squares(another_store, "kingdomino") == {"f": 1, "w": 3}
    assert photos_of(another_store, game.id) == photos_of(store, game.id) == photos
    for photo in photos:
        assert load_photo(another_store, photo.id) == load_photo(store, photo.id)
    backup(another_store, tmp_path / "again.zip", portable=True)
    with ZipFile(tmp_path / "all.zip") as one, ZipFile(tmp_path / "again.zip") as two:
        assert [each.filename for each in one.infolist()] == [
            each.filename for each in two.infolist()
        ]
        for name in one.namelist()[1:]:
            assert one.read(name) == two.read(name), name


def test_files_are_bounded_to_the_byte(
    store: Store, of_one_game: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"games_json": _export(), "pictures_json": NO_PICTURES}
    path = _zip(tmp_path / "texts.zip", **texts)
    size = sum(map(len, texts.values()))
    for bound, left in (
        ("_MAX_TEXT_BYTES", size - 1),
        ("_SMALL_BYTES", size - 100 * path.stat().st_size - 1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"companion.store.backup.{bound}", left)
            assert refused(store, path) == ("$", "too_large")
            patch.setattr(f"companion.store.backup.{bound}", left + 1)
            assert restore(store, path) == 0
    twice = tmp_path / "twice.zip"
    with ZipFile(twice, "w") as file:
        file.writestr("games.json", _export())
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("games.json", _export())
    assert refused(store, twice) == ("$", "file_twice")
    kept = tmp_path / "kept.zip"
    _zip(kept, games_sqlite=of_one_game)
    size, values = _texts_of(of_one_game, tmp_path)
    for bound, exact in (("_MAX_TEXT_BYTES", size), ("_MAX_VALUES", values)):
        with monkeypatch.context() as patch:
            patch.setattr(f"companion.store.backup.{bound}", exact - 1)
            assert refused(store, kept) == ("games.sqlite:parts", "too_large")
            # What is exported of it is longer.
            patch.setattr(f"companion.store.backup.{bound}", exact)
            assert refused(store, kept) == ("$", "too_large")


def _texts_of(database: bytes, folder: Path) -> tuple[int, int]:
    """Characters of JSON in a database, and what stands between its values."""
    path = folder / "texts.sqlite"
    path.write_bytes(database)
    queries = (
        "SELECT value FROM changes UNION ALL SELECT sent FROM changes "
        "UNION ALL SELECT points FROM changes UNION ALL SELECT value FROM parts"
    )
    with closing(sqlite3.connect(path)) as opened:
        texts = [text for (text,) in opened.execute(queries) if text is not None]
    return sum(map(len, texts)), sum(text.count(each) for text in texts for each in ",:[{")


@pytest.mark.parametrize(
    ("width", "too_large"), [(5000, False), (5001, True)], ids=["widest", "wider"]
)
def test_a_picture_has_so_many_pixels_a_side(
    store: Store, tmp_path: Path, width: int, too_large: bool
) -> None:
    picture = BytesIO()
    Image.new("L", (width, 1)).save(picture, "JPEG")
    games = {"games_json": _export(games=[GAME]), "pictures_json": PHOTO}
    path = tmp_path / "wide.zip"
    with ZipFile(path, "w") as file:
        for name, content in games.items():
            file.writestr(name.replace("_", "."), content)
        file.writestr("photos/a.jpg", picture.getvalue())
    if too_large:
        assert refused(store, path) == ("photos/a.jpg", "too_large")
    else:
        assert restore(store, path) == 1


def test_a_picture_has_so_many_bytes(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = camera_photo()
    path = tmp_path / "photo.zip"
    with ZipFile(path, "w") as file:
        for name, content in (("games", _export(games=[GAME])), ("pictures", PHOTO)):
            file.writestr(f"{name}.json", content)
        file.writestr("photos/a.jpg", data)
    monkeypatch.setattr("companion.store.backup._MAX_PICTURE_BYTES", len(data) - 1)
    assert refused(store, path) == ("photos/a.jpg", "too_large")
    monkeypatch.setattr("companion.store.backup._MAX_PICTURE_BYTES", len(data))
    assert restore(store, path) == 1


def test_what_is_wrong_with_a_database_is_named(
    store: Store, of_one_game: bytes, tmp_path: Path
) -> None:
    view = _changed(of_one_game, tmp_path, "CREATE VIEW odd AS SELECT 1")
    assert refused(store, _zip(tmp_path / "a.zip", games_sqlite=view)) == (
        "games.sqlite:odd",
        "not_plain",
    )
    chess = _changed(of_one_game, tmp_path, "UPDATE games SET kind = 'chess'")
    assert refused(store, _zip(tmp_path / "b.zip", games_sqlite=chess)) == ("$", "unknown_kind")
    with pytest.raises(FileNotFoundError):
        restore(store, tmp_path / "nothing.zip")


def test_a_database_is_looked_at_before_it_is_trusted(
    store: Store, of_one_game: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, list[str]]] = []
    connect = sqlite3.connect

    def traced(address: Any, **how: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = connect(address, **how)
        if "uri" in how:
            asked.append((address.rpartition("?")[2], []))
            opened.set_trace_callback(asked[-1][1].append)
        return opened

    path = _zip(tmp_path / "all.zip", games_sqlite=of_one_game)
    monkeypatch.setattr("companion.store.backup.sqlite3.connect", traced)
    assert restore(store, path) == 1
    ((how, statements),) = asked
    assert how == "mode=ro"
    assert statements[0] == "PRAGMA trusted_schema = OFF"
