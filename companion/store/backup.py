"""The whole store in one file, and back."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import URL, select
from sqlalchemy.orm import Session

from companion.store.errors import StoreError
from companion.store.exchange import export_games, import_into
from companion.store.merging import Json
from companion.store.store import Store
from companion.store.tables import GameRow, PhotoRow, SquareRow

__all__ = ["backup", "restore"]

_DATABASE = "games.sqlite"
_EXPORT = "games.json"
_PICTURES = "pictures.json"

# Logs are the part that packs best, into a tenth or a twentieth.
_MAX_TIMES = 100
_SMALL_BYTES = 10_000_000
_MAX_TEXT_BYTES = 1_000_000_000
_PLAIN = frozenset({"table", "index"})


def backup(store: Store, path: Path, *, portable: bool = False) -> None:
    """Write everything into a zip file while the store goes on being used.

    From SQLite it holds a consistent copy of the database; from any other database, or with
    ``portable``, the JSON export with photos and labelled squares as files. The file appears
    whole or not at all. It holds all names, links and photos: keep it private.
    """
    url = store.engine.url
    with tempfile.TemporaryDirectory(dir=path.absolute().parent) as folder:
        unfinished = Path(folder) / "backup.zip"
        with ZipFile(unfinished, "w", ZIP_DEFLATED) as file:
            if url.get_backend_name() == "sqlite" and not portable:
                copy = Path(folder) / _DATABASE
                _copy_sqlite(str(url.database), str(copy))
                file.write(copy, _DATABASE)
            else:
                _write_export(store, file)
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())
        unfinished.replace(path)


def restore(store: Store, path: Path) -> int:
    """Fill an empty store from a backup of any database; how many games it has then.

    StoreError ``not_empty`` (nothing is changed) or ``bad_backup``.
    """
    with store.reading() as session:
        if session.scalars(select(GameRow.id).limit(1)).first() is not None:
            raise StoreError("not_empty")
    try:
        with ZipFile(path) as file, tempfile.TemporaryDirectory() as folder:
            _check_sizes(file, path.stat().st_size)
            if _DATABASE in file.namelist():
                copy = Path(folder) / _DATABASE
                with file.open(_DATABASE) as source, copy.open("wb") as target:
                    shutil.copyfileobj(source, target)
                _restore_database(store, copy)
            else:
                _restore_export(store, file)
    except StoreError as error:
        if error.code != "bad_import":
            raise
        raise StoreError("bad_backup") from error
    except OSError:
        raise
    except Exception as error:  # An archive that somebody made up may raise anything.
        raise StoreError("bad_backup") from error
    with store.reading() as session:
        return len(session.scalars(select(GameRow.id)).all())


def _check_sizes(file: ZipFile, archive_bytes: int) -> None:
    """Raise StoreError ``bad_backup`` for an archive that unpacks to far more than games do."""
    sizes = {info.filename: info.file_size for info in file.infolist()}
    unpacked = sum(info.file_size for info in file.infolist())
    texts = sizes.get(_EXPORT, 0) + sizes.get(_PICTURES, 0)
    if unpacked > _MAX_TIMES * archive_bytes + _SMALL_BYTES or texts > _MAX_TEXT_BYTES:
        raise StoreError("bad_backup", reason="too_large")


def _copy_sqlite(source: str, target: str) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _write_export(store: Store, file: ZipFile) -> None:
    file.writestr(_EXPORT, json.dumps(export_games(store, with_devices=True)))
    with store.reading() as session:
        photos = session.execute(select(PhotoRow, PhotoRow.jpeg).order_by(PhotoRow.id)).all()
        squares = session.execute(select(SquareRow, SquareRow.png).order_by(SquareRow.id)).all()
    pictures: dict[str, Json] = {"photos": [], "squares": []}
    for photo, jpeg in photos:
        file.writestr(f"photos/{photo.id}.jpg", jpeg)
        pictures["photos"].append(_fields(photo, "id", "game_id", "width", "height"))
    for square, png in squares:
        file.writestr(f"squares/{square.id}.png", png)
        names = ("id", "game_id", "kind", "label", "source_photo")
        pictures["squares"].append(_fields(square, *names))
    file.writestr(_PICTURES, json.dumps(pictures))


def _fields(row: PhotoRow | SquareRow, *names: str) -> Json:
    return {name: getattr(row, name) for name in names} | {"created_at": row.created_at.isoformat()}


def _restore_database(store: Store, copy: Path) -> None:
    """From a copy of an SQLite database, of an older version too, by way of the export."""
    _check_plain(copy)
    source = Store(URL.create("sqlite", database=str(copy)))
    try:
        portable = copy.with_suffix(".zip")
        with ZipFile(portable, "w") as file:
            _write_export(source, file)
        with ZipFile(portable) as file:
            _restore_export(store, file)
    finally:
        source.close()


def _check_plain(database: Path) -> None:
    """Raise StoreError ``bad_backup`` for a database with more in it than tables.

    Views and triggers would run whatever somebody wrote into them as soon as tables are read.
    """
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as opened:
        opened.execute("PRAGMA trusted_schema = OFF")
        rows = opened.execute("SELECT type, sql FROM sqlite_master").fetchall()
    if any(kind not in _PLAIN or "virtual" in (sql or "").lower() for kind, sql in rows):
        raise StoreError("bad_backup", reason="not_plain")


def _restore_export(store: Store, file: ZipFile) -> None:
    export = json.loads(file.read(_EXPORT))
    pictures = json.loads(file.read(_PICTURES))
    with store.writing() as session:
        import_into(session, export, device=None, with_devices=True)
        session.flush()
        for fields in pictures["photos"]:
            _add(
                session, PhotoRow(**_moments(fields), jpeg=file.read(f"photos/{fields['id']}.jpg"))
            )
        for fields in pictures["squares"]:
            picture = file.read(f"squares/{fields['id']}.png")
            _add(session, SquareRow(**_moments(fields), png=picture))


def _add(session: Session, row: PhotoRow | SquareRow) -> None:
    session.add(row)
    # One at a time, so that pictures don't gather in memory.
    session.flush()
    session.expunge(row)


def _moments(fields: Json) -> dict[str, Json]:
    return {**fields, "created_at": datetime.fromisoformat(fields["created_at"])}
