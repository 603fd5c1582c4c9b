"""Where the games of this user lie: the folder of the system's custom, or any database."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from companion.games.errors import StoreError

__all__ = ["URL_VARIABLE", "data_folder", "database_url"]

URL_VARIABLE = "KINGDOMINO_DATABASE_URL"
_FILE = "games.sqlite"


def data_folder() -> Path:
    """The user's folder for the companion's data, made if it is not there.

    ``~/.local/share/kingdomino`` (or under ``XDG_DATA_HOME``), ``~/Library/Application
    Support/kingdomino``, ``%LOCALAPPDATA%\\kingdomino``.
    """
    folder = user_data_path("kingdomino", appauthor=False)
    # Only the user may look into it: names and photos of people lie there.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
