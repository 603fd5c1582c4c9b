"""`companion`: its help, and backup and restore on SQLite and PostgreSQL."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.cli import app
from companion.cli.companion_command import build_parser, main
from companion.languages import Language, codes, say
from companion.store import URL_VARIABLE, Game, open_store
from companion.store.labelled_squares import count_squares, keep_square
from companion.store.photos import keep_photo, load_photo, photos_of
from companion.version import companion_version
from tests.companion.store.conftest import bare_url, new_url, postgres
from tests.companion.store.pictures import camera_photo
from tests.companion.store.table_talk import FOUR, board, new_game, send

COMMANDS = ("app", "backup", "restore")

__all__ = ["bare_url", "new_url", "postgres"]


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


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


def test_the_size_of_a_backup_is_in_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{tmp_path / 'games.sqlite'}")
    monkeypatch.setattr(
        "companion.store.backup.backup", lambda store, path: path.write_bytes(bytes(2_500_000))
    )
    assert main(["backup", str(tmp_path / "games.zip")]) == 0
    assert "2.5 MB" in capsys.readouterr().out


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
    ("url", "code"),
    [
        ("no address", "bad_url"),
        ("strange://somewhere/games", "bad_url"),
        ("postgresql+pg8000://games:SECRET@127.0.0.1:9/games", "no_driver"),
        ("postgresql://games:SECRET@127.0.0.1:9/games?connect_timeout=2", "no_server"),
        ("sqlite:////no/such/folder/SECRET.sqlite", "no_file"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_why_a_database_is_not_there_is_told(
    url: str,
    code: str,
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(URL_VARIABLE, url)
    assert main(["backup", "--language", language, str(tmp_path / "games.zip")]) == 1
    told = capsys.readouterr()
    assert told.err == say(f"store_error.{code}", Language(language)) + "\n"
    assert "KINGDOMINO_DATABASE_URL" in told.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--language", language, *([] if command is None else [command]), "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert ("Aufruf: " if language == "de" else "usage: ") in told
    examples = told.split("example" if language == "en" else "Beispiele", 1)[1]
    assert f"companion {command or 'backup'}" in examples


def test_nothing_of_the_german_help_is_english(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["backup"], ["restore"]):
        with pytest.raises(SystemExit):
            main(["--language", "de", *command, "--help"])
    told = capsys.readouterr().out
    for english in (" the ", " file", "Write", "Fill", "FILE", "replace", "examples", "options"):
        assert english not in told.replace("--overwrite", "")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"companion {companion_version()}\n"


def test_the_app_is_that_of_kingdomino() -> None:
    args = build_parser(Language.ENGLISH).parse_args(["app", "--port", "8080", "--no-browser"])
    assert args.run is app.run_app
    assert (args.port, args.no_browser) == (8080, True)


@pytest.mark.parametrize("arguments", [[], ["backup"], ["restore"], ["app", "--port", "0"]])
def test_wrong_use_ends_with_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_help_is_quick_because_it_loads_no_pictures_no_screens_and_no_database() -> None:
    code = (
        "import sys\n"
        "from companion.cli.companion_command import build_parser\n"
        "build_parser()\n"
        "heavy = {'alembic', 'cv2', 'numpy', 'scipy', 'sqlalchemy', 'streamlit'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


ROOT = Path(__file__).parents[3]


def test_every_kind_of_game_is_known() -> None:
    code = (
        "import sys\n"
        "from companion.games import register_kinds\n"
        "from companion.store import registered\n"
        "assert registered() == ()\n"
        "register_kinds()\n"
        "print(*(kind.key for kind in registered()))\n"
        "print(*(name.split('.')[-2] for name in sys.modules if name.endswith('.kind')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    kinds, games = map(str.split, done.stdout.splitlines())
    there = [path.parent.name for path in (ROOT / "companion" / "games").glob("*/kind.py")]
    assert sorted(games) == sorted(there)
    assert {"kingdomino", "domino_duell", "mexican_train", "chickenfoot"} < {*kinds}
    assert {"muggins", "castle_rock"} < {*kinds}


def test_every_refusal_of_the_store_has_its_words() -> None:
    raised = set()
    for file in (ROOT / "companion").rglob("*.py"):
        raised |= set(re.findall(r'StoreError\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert {"bad_backup", "not_empty", "newer_database"} <= raised
    assert {f"store_error.{code}" for code in raised} <= codes()
