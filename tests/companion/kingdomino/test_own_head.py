from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.data_folder import data_folder
from companion.kingdomino import own_head
from companion.kingdomino.own_head import install_head, newest_head, undo_head, use_own_head
from vision.kingdomino.weights import OWN_HEAD


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.delenv(OWN_HEAD, raising=False)
    yield
    os.environ.pop(OWN_HEAD, None)


def test_the_names_are_those_of_the_reader_and_of_the_store() -> None:
    assert own_head._VARIABLE == OWN_HEAD
    assert own_head._folder().parent == data_folder()


def test_the_newest_is_used_and_undone_one_by_one() -> None:
    assert newest_head() is None
    assert not undo_head()
    first, second = install_head(b"1"), install_head(b"2")
    assert newest_head() == second
    assert undo_head()
    assert newest_head() == first
    assert first.read_bytes() == b"1"
    assert undo_head()
    assert newest_head() is None


def test_the_reader_is_told_of_it() -> None:
    use_own_head()
    assert OWN_HEAD not in os.environ
    newest = install_head(b"1")
    use_own_head()
    assert os.environ[OWN_HEAD] == str(newest)


def test_an_empty_name_keeps_the_shipped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    install_head(b"1")
    monkeypatch.setenv(OWN_HEAD, "")
    use_own_head()
    assert os.environ[OWN_HEAD] == ""
