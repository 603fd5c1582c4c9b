"""Where the games of this user lie, and an engine for that database with its tables up to date."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    NoSuchModuleError,
    SAWarning,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from companion.store.errors import StoreError

DATABASE_ERRORS = (SQLAlchemyError, ModuleNotFoundError)
"""What any use of a store raises where the database refuses, is not there, or has no driver."""
URL_VARIABLE = "KINGDOMINO_DATABASE_URL"
_FILE = "games.sqlite"


def why_unusable(error: Exception) -> str:
    """Which of ``DATABASE_ERRORS`` it is: ``no_driver``, ``no_file`` or ``no_server``.

    What the error itself says may hold the address, and with it a password.
    """
    if isinstance(error, ModuleNotFoundError):
        return "no_driver"
    is_file = isinstance(error, DBAPIError) and isinstance(error.orig, sqlite3.Error)
    return "no_file" if is_file else "no_server"


def data_folder() -> Path:
    """The user's folder for the companion's data, made if it is not there.

    ``~/.local/share/kingdomino`` (or under ``XDG_DATA_HOME``), ``~/Library/Application
    Support/kingdomino``, ``%LOCALAPPDATA%\\kingdomino``. OSError with its name as ``filename``
    where it can't be made or written.
    """
    folder = user_data_path("kingdomino", appauthor=False)
    # Only the user may look into it: names and photos of people lie there.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    return folder


def database_url(environment: Mapping[str, str] | None = None) -> URL:
    """The address of the database: ``KINGDOMINO_DATABASE_URL``, else a file in the data folder.

    ``postgres://`` and ``postgresql://`` without a driver are served by psycopg. StoreError
    ``bad_url`` for a text that is no address of a database.
    """
    text = (os.environ if environment is None else environment).get(URL_VARIABLE, "").strip()
    if not text:
        return URL.create("sqlite", database=str(data_folder() / _FILE))
    return parsed_url(text)


def parsed_url(text: str) -> URL:
    """The address of a database from its text; StoreError ``bad_url``."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The address itself may hold a password, so that it is not repeated.
        raise StoreError("bad_url") from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    return url


_BUSY_SECONDS = 30
# Any number does, as long as nothing else in the database takes the same one.
_UPGRADE_LOCK = 0x6B696E67


def make_engine(url: URL) -> Engine:
    """An engine whose confirmed transactions outlast a killed process and a lost power supply.

    StoreError ``bad_url`` for an address of no known kind of database, or with options of another
    kind than the driver takes.
    """
    if url.get_backend_name() != "sqlite":
        return _engine(url, pool_pre_ping=True)
    engine = _engine(url, connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _engine(url: URL, **settings: Any) -> Engine:
    with warnings.catch_warnings():
        # It quotes the options of the address, which may hold a password, and so do the errors.
        warnings.simplefilter("ignore", SAWarning)
        try:
            return create_engine(url, json_serializer=_json, **settings)
        except (NoSuchModuleError, TypeError, ValueError):
            raise StoreError("bad_url") from None


def writing(engine: Engine) -> Engine:
    """The engine for transactions that write: in SQLite they lock before they read."""
    return engine.execution_options(locks_first=True)


def migration_config() -> Config:
    """Alembic's configuration with the migrations that are part of this package."""
    config = Config()
    config.set_main_option("script_location", "companion.store:migrations")
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
        try:
            scripts.get_revision(revision)  # type: ignore[arg-type]
        except CommandError:
            raise StoreError("newer_database", revision=revision) from None
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
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
