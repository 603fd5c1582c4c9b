"""Every story of the store is told on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.store import Store, open_store
from tests.companion.store.servers import fresh_database, postgres_server

_NUMBERS = count()

NewUrl = Callable[[], str]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with postgres_server(durable=False) as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> NewUrl:
    """Gives the address of another database without tables with every call."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path / f'games{next(_NUMBERS)}.sqlite'}"
    server: str = request.getfixturevalue("postgres")
    return lambda: fresh_database(server, f"games{next(_NUMBERS)}")


@pytest.fixture
def new_url(bare_url: NewUrl, empty_database: Path) -> NewUrl:
    """Gives the address of another database without games with every call."""

    def with_tables() -> str:
        url = bare_url()
        if url.startswith("sqlite:///"):
            shutil.copy(empty_database, url.removeprefix("sqlite:///"))
        return url

    return with_tables


@pytest.fixture
def url(new_url: NewUrl) -> str:
    return new_url()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()
