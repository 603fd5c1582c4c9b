"""Where games lie, tables brought up to date, and SQLite set so that nothing is lost."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, make_url, text

from companion.store import Store, StoreError, data_folder, database_url, open_store
from companion.store.database import (
    URL_VARIABLE,
    _write_ahead,
    make_engine,
    migration_config,
    parsed_url,
    upgrade,
    writing,
)
from companion.store.tables import Base
from tests.companion.store.table_talk import FOUR, board, new_game, send


def test_tables_are_made_from_nothing_and_only_once(store: Store) -> None:
    game = new_game(store)
    upgrade(store.engine)
    upgrade(store.engine)
    assert store.game(game.id).id == game.id
    assert set(Base.metadata.tables) <= set(inspect(store.engine).get_table_names())


def test_every_migration_goes_back_and_forth(store: Store) -> None:
    config = migration_config()
    with writing(store.engine).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert set(inspect(store.engine).get_table_names()) <= {"alembic_version"}
    upgrade(store.engine)
    new_game(store)


def test_there_is_one_line_of_migrations() -> None:
    assert len(ScriptDirectory.from_config(migration_config()).get_heads()) == 1


def test_tables_of_a_later_version_are_left_alone(new_url: Callable[[], str]) -> None:
    url = new_url()
    open_store(url).close()
    engine = make_engine(parsed_url(url))
    with writing(engine).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer_database"):
        open_store(url)


def test_sqlite_waits_for_the_disk_and_for_others(tmp_path: Path) -> None:
    engine = make_engine(make_url(f"sqlite:///{tmp_path / 'games.sqlite'}"))
    with engine.connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in (
                *("journal_mode", "synchronous", "fullfsync", "foreign_keys", "busy_timeout"),
            )
        }
    engine.dispose()
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "foreign_keys": 1,
        "busy_timeout": 30_000,
    }


def test_an_interrupted_migration_leaves_nothing_behind(
    bare_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = bare_url()
    real = command.upgrade

    def fails_at_the_end(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]  # passed on as they come
        raise RuntimeError("power cut")

    monkeypatch.setattr(command, "upgrade", fails_at_the_end)
    with pytest.raises(RuntimeError):
        open_store(url)
    monkeypatch.undo()
    engine = make_engine(parsed_url(url))
    assert inspect(engine).get_table_names() == []
    engine.dispose()
    open_store(url).close()


@pytest.mark.skipif(sys.platform != "linux", reason="the custom of Linux")
def test_games_lie_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "kingdomino"
    assert data_folder().stat().st_mode & 0o777 == 0o700
    url = database_url({})
    assert (url.drivername, url.database) == ("sqlite", str(tmp_path / "kingdomino/games.sqlite"))


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        ("sqlite:////srv/games.sqlite", "sqlite"),
        ("postgres://me:secret@host/games", "postgresql+psycopg"),
        ("postgresql://me@host/games", "postgresql+psycopg"),
        ("postgresql+psycopg://me@host/games", "postgresql+psycopg"),
    ],
)
def test_any_address_is_taken(text: str, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert database_url({URL_VARIABLE: f" {text} "}).drivername == driver
    monkeypatch.setenv(URL_VARIABLE, text)
    assert database_url().drivername == driver


def test_a_wrong_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(StoreError) as caught:
        database_url({URL_VARIABLE: "my secret"})
    assert caught.value.code == "bad_url"
    assert "secret" not in str(caught.value)


def test_a_folder_that_may_not_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(PermissionError) as caught:
        data_folder()
    assert caught.value.filename == str(tmp_path / "kingdomino")
    assert (caught.value.errno, caught.value.strerror) == (errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.skipif(sys.platform != "linux", reason="the custom of Linux")
def test_the_data_folder_is_made_with_those_above_it_and_none_of_an_author(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new" / "data"))
    assert data_folder().is_dir()
    asked: list[object] = []

    def on_windows(name: str, appauthor: object = None) -> Path:
        asked.append((name, appauthor))
        return tmp_path

    monkeypatch.setattr("companion.store.database.user_data_path", on_windows)
    assert data_folder() == tmp_path
    assert asked == [("kingdomino", False)]


def test_who_writes_locks_before_reading_and_who_reads_does_not(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with closing(sqlite3.connect(tmp_path / "games.sqlite", timeout=0)) as other:
        other.isolation_level = None
        with store.reading() as session:
            session.execute(text("SELECT 1"))
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        with store.writing() as session:
            session.execute(text("SELECT 1"))
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
    store.close()


def test_a_closed_store_lets_go_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    store = open_store(url)
    assert store.answers()
    assert store.engine.pool.checkedin() == 1  # type: ignore[attr-defined]  # of its kind
    store.close()
    assert store.engine.pool.checkedin() == 0  # type: ignore[attr-defined]
    engines: list[Engine] = []

    def failing(engine: Engine) -> None:
        engine.connect().close()
        engines.append(engine)
        raise RuntimeError("power cut")

    monkeypatch.setattr("companion.store.store.upgrade", failing)
    with pytest.raises(RuntimeError):
        open_store(url)
    assert [each.pool.checkedin() for each in engines] == [0]  # type: ignore[attr-defined]


def test_a_server_is_asked_whether_it_is_still_there() -> None:
    engine = make_engine(parsed_url("postgresql://me@host/games"))
    assert engine.pool._pre_ping
    with pytest.raises(StoreError, match="bad_url"):
        make_engine(parsed_url("sqlite:///x.sqlite?timeout=soon"))


class Busy:
    """A cursor whose database is locked for the first statements."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.asked: list[str] = []

    def execute(self, statement: str) -> None:
        self.asked.append(statement)
        self.left -= 1
        if self.left >= 0:
            raise sqlite3.OperationalError("database is locked")


def test_several_that_start_at_once_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    clock = count(100)
    monkeypatch.setattr("companion.store.database.time.sleep", slept.append)
    monkeypatch.setattr("companion.store.database.time.monotonic", lambda: next(clock))
    cursor = Busy(3)
    _write_ahead(cursor)  # type: ignore[arg-type]  # all that is asked of one
    assert cursor.asked == ["PRAGMA journal_mode = WAL"] * 4
    assert slept == [0.02] * 3
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        _write_ahead(Busy(99))  # type: ignore[arg-type]
    assert len(slept) == 3 + 30


def test_values_are_kept_as_short_as_they_can_be(store: Store) -> None:
    """And nothing is kept as the text "null" where there is nothing."""
    game = new_game(store, about={"title": "Käse", "place": "Ulm"})
    send(store, game, board(FOUR), 0)
    send(store, game, None, 1)
    with store.reading() as session:
        about = session.execute(text("SELECT value FROM parts WHERE key = 'about'")).scalar_one()
        told = session.execute(text("SELECT value IS NULL, sent IS NULL FROM changes")).all()
    if not store.is_on_server:
        assert about == '{"title":"Käse","place":"Ulm"}'
    assert sorted(tuple(map(bool, each)) for each in told) == [(False, True)] * 3 + [(True, True)]
