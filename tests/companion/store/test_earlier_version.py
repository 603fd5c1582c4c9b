"""What the version before wrote opens as it did.

``earlier/games.sql`` is the dump of a store that version 0.1 of the tables was filled through: a
game of every kind with merges, collisions, what was undone, readings, a photo and a labelled
square. ``earlier/games.json`` is what that version exported of it.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

import companion.games as games
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import board_key
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.store import Json, Store, open_store, registered
from companion.store.backup import restore
from companion.store.exchange import Imported, export_games, import_games
from companion.store.history import find_games, remembered_names, statistics_by_player
from companion.store.labelled_squares import count_squares
from companion.store.photos import load_photo, photos_of
from tests.companion.store.undoing import undo_last

FOLDER = Path(__file__).with_name("earlier")
EXPORT: Json = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "earlier.sqlite"
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript((FOLDER / "games.sql").read_text(encoding="utf-8"))
    return path


def everything(store: Store) -> Json:
    return json.loads(json.dumps(export_games(store, with_devices=True)))


def without_devices(found: Json) -> Json:
    return [
        {key: value for key, value in game.items() if key != "devices"}
        | {"changes": [{k: v for k, v in c.items() if k != "device"} for c in game["changes"]]}
        for game in found["games"]
    ]


def test_a_store_of_the_version_before_opens_as_it_did(database: Path) -> None:
    games.register_kinds()
    store = open_store(f"sqlite:///{database}")
    found = everything(store)
    assert found["games"] == EXPORT["games"]
    assert found["names"] == EXPORT["names"]
    assert {game["kind"] for game in found["games"]} == {kind.key for kind in registered()}
    with closing(sqlite3.connect(database)) as opened:
        rows = opened.execute("SELECT game_id, player, points, place, won FROM results").fetchall()
    for game_id, player, points, place, won in rows:
        (result,) = [r for r in store.game(game_id).results.players if r.player == player]
        assert (result.points, result.place, result.won) == (points, place, won)
    assert {r[0] for r in rows} == {game["id"] for game in EXPORT["games"]}
    assert [each.name for each in statistics_by_player(store, "kingdomino")]
    store.close()


def test_its_readings_boards_and_pictures_are_there(database: Path) -> None:
    games.register_kinds()
    store = open_store(f"sqlite:///{database}")
    (first, *_) = [game for game in EXPORT["games"] if game["kind"] == "kingdomino"]
    game = store.game(first["id"])
    assert [each.leaf for each in game.collisions] == ["0,0"]
    board = game.part(board_key(0)).value
    data = store.readings(game.id)[board["reading"]]
    kept = KeptReading.from_data(data)
    assert kept.reading.castle_colour == "pink"
    assert kept.reading.probabilities is not None
    assert kept.reading.next_best is not None
    assert kept.warnings == ("dark",)
    assert KeptReading.from_data(kept.to_data()).to_data() == kept.to_data()
    (photo,) = photos_of(store, game.id)
    assert kept.photo == photo.id
    assert load_photo(store, photo.id)[:2] == b"\xff\xd8"
    assert count_squares(store, "kingdomino") == {"w": 1}
    (train,) = [game for game in EXPORT["games"] if game["kind"] == "mexican_train"]
    (hand,) = map(KeptHandReading.from_data, store.readings(train["id"]).values())
    assert [str(each.tile) for each in hand.dominoes] == ["8|9", "0|0"]
    assert remembered_names(store, "annas-phone", 9) == ["Anna", "Ben", "Çiğdem"]
    store.close()


def test_it_goes_on_where_it_ended(database: Path) -> None:
    games.register_kinds()
    store = open_store(f"sqlite:///{database}")
    for game in EXPORT["games"]:
        if game["deleted_at"] is None and len(game["changes"]) > 1:
            part = game["changes"][-1]["part"]
            undo_last(store, game["id"], part, "undone-by-a-later-version")
            assert store.log(game["id"])[-1].action == "undo"
    store.close()


def test_an_export_of_the_version_before_comes_in_as_it_was(tmp_path: Path) -> None:
    games.register_kinds()
    store = open_store(f"sqlite:///{tmp_path / 'new.sqlite'}")
    count = len(EXPORT["games"])
    assert import_games(store, EXPORT, "my-phone") == Imported(new=count)
    assert import_games(store, EXPORT, "my-phone") == Imported(known=count)
    found = everything(store)
    assert without_devices(found) == without_devices(EXPORT)
    assert {d["device"] for game in found["games"] for d in game["devices"]} == {"my-phone"}
    assert len(find_games(store, device="my-phone")) == count - 2
    store.close()


@pytest.mark.parametrize("portable", [False, True])
def test_a_backup_of_the_version_before_is_restored(
    tmp_path: Path, database: Path, portable: bool
) -> None:
    """A game of each kind, devices included; the portable backup is the one of PostgreSQL."""
    path = tmp_path / "backup.zip"
    with ZipFile(path, "w") as file:
        if portable:
            file.writestr("games.json", json.dumps(EXPORT))
            file.writestr("pictures.json", '{"photos": [], "squares": []}')
        else:
            file.write(database, "games.sqlite")
    games.register_kinds()
    store = open_store(f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert restore(store, path) == len(EXPORT["games"])
    found = everything(store)
    assert found["games"] == EXPORT["games"]
    assert found["names"] == EXPORT["names"]
    store.close()
