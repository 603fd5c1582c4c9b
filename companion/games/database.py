"""An engine for any database: SQLite so that nothing confirmed is lost, tables up to date."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

from companion.games.errors import StoreError

__all__ = ["make_engine", "migration_config", "upgrade", "writing"]

_BUSY_SECONDS = 30
# Any number does, as long as nothing else in the database takes the same one.
_UPGRADE_LOCK = 0x6B696E67


def make_engine(url: URL) -> Engine:
    """An engine whose confirmed transactions outlast a killed process and a lost power supply."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True, json_serializer=_json)
    engine = create_engine(
        url, connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None}, json_serializer=_json
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def writing(engine: Engine) -> Engine:
    """The engine for transactions that write: in SQLite they lock before they read."""
    return engine.execution_options(locks_first=True)


def migration_config() -> Config:
    """Alembic's configuration with the migrations that are part of this package."""
    config = Config()
    config.set_main_option("script_location", "companion.games:migrations")
    config.set_main_option("path_separator", "os")
    return config


def upgrade(engine: Engine) -> None:
    """Bring the tables up to date; a second process that starts meanwhile waits.

    StoreError ``newer_database`` for tables made by a later version.
    """
    config = migration_config()
    scripts = ScriptDirectory.from_config(config)
    with engine.connect() as connection:
        if _revision(connection) == scripts.get_current_head():
            return
    with writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _UPGRADE_LOCK})
        revision = _revision(connection)
        if revision == scripts.get_current_head():
            return
        with _known(scripts, revision):
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


@contextmanager
def _known(scripts: ScriptDirectory, revision: str | None) -> Iterator[None]:
    try:
        scripts.get_revision(revision)  # type: ignore[arg-type]
    except CommandError:
        raise StoreError("newer_database", revision=revision) from None
    yield


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {1000 * _BUSY_SECONDS}")
    _write_ahead(cursor)
    # FULL waits for the disk at every commit; on macOS only fullfsync really does.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA fullfsync = ON")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _write_ahead(cursor: DBAPICursor) -> None:
    """Switch to write-ahead logging; several processes that start at once take turns.

    SQLite doesn't wait for a lock in this one statement, whatever the busy timeout says.
    """
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes then could be refused in between.
    locks_first = connection.get_execution_options().get("locks_first")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if locks_first else "BEGIN")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
