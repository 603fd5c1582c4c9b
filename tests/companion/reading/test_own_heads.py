from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.reading.own_heads import OwnHeads
from companion.store.database import data_folder

VARIABLE = "READER_OF_A_TEST"
HEADS = OwnHeads("things", VARIABLE)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    os.environ.pop(VARIABLE, None)


def test_the_folder_is_that_of_the_store() -> None:
    assert HEADS.folder.parent == data_folder()


def test_the_newest_is_used_and_undone_one_by_one() -> None:
    assert HEADS.newest() is None
    assert not HEADS.undo()
    first, second = HEADS.install(b"1"), HEADS.install(b"2")
    assert HEADS.newest() == second
    assert HEADS.undo()
    assert HEADS.newest() == first
    assert first.read_bytes() == b"1"
    assert HEADS.undo()
    assert HEADS.newest() is None


def test_layers_are_counted_and_come_whole() -> None:
    for number in range(1, 12):
        assert HEADS.install(f"{number}".encode()).name == f"things-{number:04}.npz"
    assert HEADS.newest() == HEADS.folder / "things-0011.npz"
    (HEADS.folder / "things-99999.npz").touch()
    (HEADS.folder / "things-none.npz").touch()
    assert HEADS.install(b"last").name == "things-0012.npz"
    assert not list(HEADS.folder.glob("*.unfinished"))


def test_the_folder_is_nobody_elses_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def on_windows(name: str, appauthor: object = None) -> Path:
        asked.append((name, appauthor))
        return Path("data")

    monkeypatch.setattr("companion.reading.own_heads.user_data_path", on_windows)
    assert HEADS.folder == Path("data/own_head")
    assert asked == [("kingdomino", False)]


@pytest.mark.skipif(os.name == "nt", reason="modes of folders are those of Unix")
def test_nobody_else_may_look_into_the_folder() -> None:
    HEADS.install(b"1")
    assert HEADS.folder.stat().st_mode & 0o777 == 0o700


def test_readers_keep_out_of_each_others_way() -> None:
    other = OwnHeads("others", VARIABLE)
    path = HEADS.install(b"1")
    assert other.newest() is None
    assert not other.undo()
    assert HEADS.newest() == path


def test_the_reader_is_told_of_it() -> None:
    HEADS.use()
    assert VARIABLE not in os.environ
    newest = HEADS.install(b"1")
    HEADS.use()
    assert os.environ[VARIABLE] == str(newest)


def test_an_empty_name_keeps_the_shipped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    HEADS.install(b"1")
    monkeypatch.setenv(VARIABLE, "")
    HEADS.use()
    assert os.environ[VARIABLE] == ""


def test_a_folder_that_may_not_be_looked_into_costs_no_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(_: OwnHeads) -> Path:
        raise PermissionError(13, "Permission denied")

    HEADS.install(b"1")
    monkeypatch.setattr(OwnHeads, "newest", refused)
    HEADS.use()
    assert VARIABLE not in os.environ
