"""`companion backup` and `companion restore`, on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.cli.companion_command import main
from companion.store import URL_VARIABLE, Game, open_store
from companion.store.labelled_squares import count_squares, keep_square
from companion.store.photos import keep_photo, load_photo, photos_of
from tests.companion.games.pictures import camera_photo
from tests.companion.games.table_talk import FOUR, board, new_game, send

Urls = Callable[[], str]


def a_played_game(url: str) -> Game:
    """A database with one game, its board, a photo and a labelled square."""
    store = open_store(url)
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    photo = keep_photo(store, game.id, camera_photo(), consent=True)
    square = np.zeros((64, 64, 3), np.uint8)
    keep_square(store, game.id, square, "w", place="0,0", source_photo=photo.id, consent=True)
    kept = store.game(game.id)
    store.close()
    return kept


def test_a_backup_fills_an_empty_database(
    new_url: Urls,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, target = new_url(), new_url()
    game = a_played_game(source)
    path = tmp_path / "games.zip"
    monkeypatch.setenv(URL_VARIABLE, source)
    assert main(["backup", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"Backup written: {path}, 0.")
    monkeypatch.setenv(URL_VARIABLE, target)
    assert main(["restore", str(path)]) == 0
    assert capsys.readouterr().out == "1 game is back.\n"
    store = open_store(target)
    assert store.game(game.id) == game
    (photo,) = photos_of(store, game.id)
    assert load_photo(store, photo.id)
    assert count_squares(store, "kingdomino") == {"w": 1}
    store.close()
    # A second time it is refused, and says so in the reader's language.
    assert main(["restore", "--language", "de", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "In der Datenbank sind schon Spiele" in told.err
    store = open_store(target)
    assert store.game(game.id) == game
    store.close()


def test_no_file_is_replaced_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{tmp_path / 'games.sqlite'}")
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"a photo")
    assert main(["backup", str(path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert path.read_bytes() == b"a photo"
    assert main(["backup", "--overwrite", str(path)]) == 0
    assert path.read_bytes().startswith(b"PK")


@pytest.mark.parametrize("arguments", [["backup"], ["backup", "--overwrite"], ["restore"]])
def test_a_folder_or_a_place_that_is_not_there(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{tmp_path / 'games.sqlite'}")
    for path in (tmp_path, tmp_path / "nowhere" / "games.zip"):
        assert main([*arguments, str(path)]) == 2
        assert str(path) in capsys.readouterr().err


def test_what_is_no_backup_is_refused(
    new_url: Urls,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(URL_VARIABLE, new_url())
    path = tmp_path / "games.zip"
    path.write_bytes(b"no zip at all")
    assert main(["restore", str(path)]) == 1
    assert "no backup of the companion" in capsys.readouterr().err


@pytest.mark.parametrize(
    "url",
    [
        "no address",
        "strange://somewhere/games",
        "postgresql://games:SECRET@127.0.0.1:9/games?connect_timeout=2",
        "sqlite:////no/such/folder/SECRET.sqlite",
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_database_that_is_not_there(
    url: str,
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(URL_VARIABLE, url)
    assert main(["backup", "--language", language, str(tmp_path / "games.zip")]) == 1
    told = capsys.readouterr()
    assert "KINGDOMINO_DATABASE_URL" in told.err
    assert "SECRET" not in told.err
    assert told.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
