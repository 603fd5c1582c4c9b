"""A store without games for each test: a copy of one whose tables are made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.store import Store, open_store


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with all tables, for copies."""
    path = tmp_path_factory.mktemp("empty") / "games.sqlite"
    open_store(f"sqlite:///{path.as_posix()}").close()
    return path


@pytest.fixture
def store(empty_database: Path, tmp_path: Path) -> Iterator[Store]:
    path = shutil.copy(empty_database, tmp_path / "games.sqlite")
    opened = open_store(f"sqlite:///{Path(path).as_posix()}")
    yield opened
    opened.close()
