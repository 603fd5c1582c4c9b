"""The whole store in one file, and back."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from PIL import Image
from sqlalchemy import URL, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from companion.store.errors import StoreError
from companion.store.exchange import export_text, write_backup
from companion.store.incoming import ErasedData, PicturesData, check_export, check_form
from companion.store.incoming import parsed as parsed_json
from companion.store.merging import Json
from companion.store.store import Store
from companion.store.tables import ErasedRow, GameRow, PhotoRow, SquareRow

_DATABASE = "games.sqlite"
_EXPORT = "games.json"
_PICTURES = "pictures.json"
_ERASED = "erased.json"

# Logs are the part that packs best, into a tenth or a twentieth.
_MAX_TIMES = 100
_SMALL_BYTES = 1_000_000
_MAX_TEXT_BYTES = 500_000_000
_MAX_VALUES = 30_000_000
_MAX_PICTURE_BYTES = 40_000_000
_MAX_PICTURE_PX = 5000
_PLAIN = frozenset({"table", "index"})
_ODD_WORDS = ("virtual", "check", " where ")
_TEXTS = {
    "changes": "value, sent, points",
    "collisions": "kept, other",
    "parts": "value",
    "readings": "data",
}
"""Tables with their columns of JSON."""


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

    StoreError ``not_empty`` (nothing is changed) or ``bad_backup`` with the ``place`` and
    ``reason`` of what is wrong.
    """
    with store.reading() as session:
        if session.scalars(select(select(GameRow.id).exists())).one():
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
        if error.code not in ("bad_import", "unknown_kind"):
            raise
        details = {"place": "$", "reason": error.code} | error.details
        raise _refused(str(details["place"]), str(details["reason"])) from error
    except OSError:
        raise
    except Exception as error:  # An archive that somebody made up may raise anything.
        raise _refused("$", "damaged") from error
    with store.reading() as session:
        return len(session.scalars(select(GameRow.id)).all())


def _refused(place: str, reason: str) -> StoreError:
    return StoreError("bad_backup", place=place, reason=reason)


def _check_sizes(file: ZipFile, archive_bytes: int) -> None:
    """Raise StoreError ``bad_backup`` for an archive that unpacks to far more than games do."""
    infos = file.infolist()
    sizes = {info.filename: info.file_size for info in infos}
    texts = sum(sizes.get(name, 0) for name in (_EXPORT, _PICTURES, _ERASED))
    if sum(sizes.values()) > _MAX_TIMES * archive_bytes + _SMALL_BYTES or texts > _MAX_TEXT_BYTES:
        raise _refused("$", "too_large")
    if len(sizes) < len(infos):
        raise _refused("$", "file_twice")


def _copy_sqlite(source: str, target: str) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _write_export(store: Store, file: ZipFile) -> None:
    """Games one by one, then the pictures that belong to them, of which one is held at a time."""
    with store.reading() as session:
        chosen = session.scalars(select(GameRow.id).order_by(GameRow.created_at, GameRow.id)).all()
    with file.open(_EXPORT, "w", force_zip64=True) as export:
        for piece in export_text(store, game_ids=chosen, with_devices=True):
            export.write(piece.encode())
    of_games = set(chosen)
    pictures: dict[str, Json] = {"photos": [], "squares": []}
    for photo, jpeg in _pictures(store, PhotoRow, PhotoRow.jpeg):
        if photo.game_id in of_games:
            file.writestr(f"photos/{photo.id}.jpg", jpeg)
            pictures["photos"].append(_fields(photo, "id", "game_id", "width", "height"))
    for square, png in _pictures(store, SquareRow, SquareRow.png):
        if square.game_id in of_games:
            file.writestr(f"squares/{square.id}.png", png)
            names = ("id", "game_id", "kind", "label", "source_photo")
            pictures["squares"].append(_fields(square, *names))
    file.writestr(_PICTURES, json.dumps(pictures))
    with store.reading() as session:
        erased = session.scalars(select(ErasedRow.id).order_by(ErasedRow.id)).all()
    file.writestr(_ERASED, json.dumps({"games": list(erased)}))


def _pictures(
    store: Store, table: type[PhotoRow] | type[SquareRow], content: Any
) -> Iterator[tuple[Any, bytes]]:
    """The rows of a table of pictures with their bytes, as far as they are still there."""
    with store.reading() as session:
        ids = session.scalars(select(table.id).order_by(table.id)).all()
    for each in ids:
        with store.reading() as session:
            row = session.execute(select(table, content).where(table.id == each)).first()
        if row is not None:
            yield row[0], row[1]


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
    """Raise StoreError ``bad_backup`` for a database with more in it than what was written there.

    Views and triggers would run whatever somebody wrote into them as soon as tables are read, and
    so would columns that are made on reading: 3 kB of them can stand for gigabytes.
    """
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as opened:
        opened.execute("PRAGMA trusted_schema = OFF")
        for kind, name, sql in opened.execute("SELECT type, name, sql FROM sqlite_master"):
            words = str(sql).lower()
            hidden = "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden"
            computed = "SELECT count(*) FROM pragma_index_xinfo(?) WHERE cid = -2"
            count = sum(opened.execute(each, (name,)).fetchone()[0] for each in (hidden, computed))
            if kind not in _PLAIN or count or any(each in words for each in _ODD_WORDS):
                raise _refused(f"{_DATABASE}:{name}", "not_plain")
        size = values = 0
        for table, columns in _TEXTS.items():
            for row in opened.execute(f"SELECT {columns} FROM {table}"):
                texts = [text for text in row if isinstance(text, str)]
                size += sum(map(len, texts))
                values += sum(text.count(each) for text in texts for each in ",[{:")
                if size > _MAX_TEXT_BYTES or values > _MAX_VALUES:
                    raise _refused(f"{_DATABASE}:{table}", "too_large")


def _restore_export(store: Store, file: ZipFile) -> None:
    data, games = check_export(_parsed(file, _EXPORT))
    place = f"{_PICTURES}:$"
    pictures = check_form(PicturesData, _parsed(file, _PICTURES), place)
    # Earlier versions wrote none.
    erased = _parsed(file, _ERASED) if _ERASED in file.namelist() else {"games": []}
    erased_games = check_form(ErasedData, erased, f"{_ERASED}:$").games
    for photo in pictures.photos:
        _check_picture(file, f"photos/{photo.id}.jpg")
    for square in pictures.squares:
        _check_picture(file, f"squares/{square.id}.png")
    try:
        with store.writing() as session:
            write_backup(session, data, games)
            for game_id in erased_games:
                session.merge(ErasedRow(id=game_id))
            for photo in pictures.photos:
                jpeg = file.read(f"photos/{photo.id}.jpg")
                _add(session, PhotoRow(**photo.model_dump(), jpeg=jpeg))
            for square in pictures.squares:
                png = file.read(f"squares/{square.id}.png")
                _add(session, SquareRow(**square.model_dump(), png=png))
    except SQLAlchemyError as error:
        raise _refused("$", "not_kept") from error


def _parsed(file: ZipFile, name: str) -> Json:
    return parsed_json(file.read(name), _MAX_TEXT_BYTES, _MAX_VALUES)


def _check_picture(file: ZipFile, name: str) -> None:
    """Raise StoreError ``bad_backup`` for what no browser should be given as a picture."""
    try:
        if file.getinfo(name).file_size > _MAX_PICTURE_BYTES:
            raise _refused(name, "too_large")
        with Image.open(BytesIO(file.read(name)), formats=["JPEG", "PNG"]) as picture:
            if max(picture.size) > _MAX_PICTURE_PX:
                raise _refused(name, "too_large")
    except (KeyError, OSError, Image.DecompressionBombError) as error:
        raise _refused(name, "no_picture") from error


def _add(session: Session, row: PhotoRow | SquareRow) -> None:
    session.add(row)
    # One at a time, so that pictures don't gather in memory.
    session.flush()
    session.expunge(row)
