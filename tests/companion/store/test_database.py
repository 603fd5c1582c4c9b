"""Where games lie, tables brought up to date, and SQLite set so that nothing is lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url, text

from companion.store import Store, StoreError, data_folder, database_url, open_store
from companion.store.database import (
    URL_VARIABLE,
    make_engine,
    migration_config,
    parsed_url,
    upgrade,
    writing,
)
from companion.store.tables import Base
from tests.companion.store.table_talk import new_game


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
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
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
def test_any_address_is_taken(text: str, driver: str) -> None:
    assert database_url({URL_VARIABLE: f" {text} "}).drivername == driver


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
    with pytest.raises(PermissionError, match="kingdomino"):
        data_folder()
