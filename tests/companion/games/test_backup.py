"""The whole store in one file, and back into an empty one of any kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.games import Store, StoreError, open_store
from companion.games.backup import backup, restore
from companion.games.exchange import export_games
from companion.games.history import find_games, remembered_names
from companion.games.labelled_squares import count_squares, keep_square
from companion.games.photos import keep_photo, load_photo
from tests.companion.games.pictures import camera_photo
from tests.companion.games.table_talk import ANNA, FOUR, board, new_game, send


@pytest.mark.parametrize("portable", [False, True])
def test_a_backup_brings_everything_back(
    store: Store, new_url: Callable[[], str], tmp_path: Path, portable: bool
) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    photo = keep_photo(store, game.id, camera_photo(), consent=True)
    square = np.zeros((64, 64, 3), np.uint8)
    keep_square(store, game.id, square, "w", place="0,0", source_photo=photo.id, consent=True)
    path = tmp_path / "all.zip"
    backup(store, path, portable=portable)
    other = open_store(new_url())
    assert restore(other, path) == 1
    assert other.game(game.id) == store.game(game.id)
    assert load_photo(other, photo.id) == load_photo(store, photo.id)
    assert count_squares(other, "kingdomino") == {"w": 1}
    assert remembered_names(other, ANNA.device) == remembered_names(store, ANNA.device)
    assert [each.id for each in find_games(other, device=ANNA.device)] == [game.id]
    exports = [export_games(each, with_devices=True) for each in (store, other)]
    assert exports[0]["games"] == exports[1]["games"]
    with pytest.raises(StoreError, match="not_empty"):
        restore(other, path)
    other.close()


def test_a_backup_of_sqlite_goes_into_postgresql(tmp_path: Path, postgres: str) -> None:
    from tests.companion.games.servers import fresh_database

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
    monkeypatch.setattr("companion.games.backup.export_games", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        backup(store, path, portable=True)
    assert path.read_bytes() == before
    assert list(tmp_path.glob("*.zip")) == [path]
