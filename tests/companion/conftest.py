"""A store without games for each test: a copy of one whose tables are made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from companion.store import Store, open_store


@event.listens_for(Engine, "connect")
def _in_no_order(connection: DBAPIConnection, _entry: object) -> None:
    """What is selected without an order comes in another one than it was written in, as it may."""
    if hasattr(connection, "set_progress_handler"):  # SQLite's
        connection.cursor().execute("PRAGMA reverse_unordered_selects = ON")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with all tables, for copies."""
    path = tmp_path_factory.mktemp("empty") / "games.sqlite"
    open_store(f"sqlite:///{path.as_posix()}").close()
    return path


@pytest.fixture
def empty_url(empty_database: Path, tmp_path: Path) -> str:
    """The address of a store without games."""
    path = shutil.copy(empty_database, tmp_path / "games.sqlite")
    return f"sqlite:///{Path(path).as_posix()}"


@pytest.fixture
def store(empty_url: str) -> Iterator[Store]:
    opened = open_store(empty_url)
    yield opened
    opened.close()


@pytest.fixture
def another_store(empty_database: Path, tmp_path: Path) -> Iterator[Store]:
    """A second one, to which games travel."""
    path = shutil.copy(empty_database, tmp_path / "another.sqlite")
    opened = open_store(f"sqlite:///{Path(path).as_posix()}")
    yield opened
    opened.close()
