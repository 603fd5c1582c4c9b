"""Corrected squares as labelled pictures, kept if the people say so, for training."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from sqlalchemy import func, select

from companion.store.confirming import locked
from companion.store.errors import StoreError
from companion.store.store import Store
from companion.store.tables import GameRow, SquareRow

HEADER = ("file", "label", "source_photo", "session")
"""Columns of the table of labels, as the training data has them."""

SIDE_PX = 64
"""The side of the pictures that are kept."""

_LABEL = re.compile(r"[a-z0-9.|]{1,16}")


@dataclass(frozen=True, eq=False)
class CorrectedSquare:
    """The picture (h, w, 3) of what people put right or confirmed, at a ``place`` of the photo."""

    place: str
    rgb: NDArray[np.uint8]
    label: str


def keep_corrected(
    store: Store,
    game_id: str,
    squares: Iterable[CorrectedSquare],
    *,
    source_photo: str,
    consent: bool,
) -> int:
    """Keep the picture of each square, see ``keep_square``; returns their number."""
    kept = [
        keep_square(
            store,
            game_id,
            each.rgb,
            each.label,
            place=each.place,
            source_photo=source_photo,
            consent=consent,
        )
        for each in squares
    ]
    return len(kept)


def keep_square(
    store: Store,
    game_id: str,
    rgb: NDArray[np.uint8],
    label: str,
    *,
    place: str,
    source_photo: str,
    consent: bool,
) -> str:
    """Keep the picture of a square, RGB of shape (h, w, 3), with what it shows; its id.

    It is reduced to 64 pixels. ``place`` names the square in the photo: a second correction of
    it replaces the first. StoreError ``no_consent``, or ``bad_value`` for a label that is none.
    """
    if not consent:
        raise StoreError("no_consent")
    if not _LABEL.fullmatch(label):
        raise StoreError("bad_value", part="square", reason="bad_label")
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
        raise ValueError(f"rgb: expected shape (h, w, 3) uint8, got {rgb.shape} {rgb.dtype}")
    file = BytesIO()
    picture = Image.fromarray(rgb).resize((SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)
    picture.save(file, "PNG")
    square_id = _short_hash(game_id, source_photo, place)
    with store.writing() as session:
        game = locked(session, game_id)
        session.merge(
            SquareRow(
                id=square_id,
                game_id=game_id,
                kind=game.kind,
                label=label,
                source_photo=_short_hash(game_id, source_photo),
                created_at=datetime.now(UTC),
                png=file.getvalue(),
            )
        )
    return square_id


def count_squares(store: Store, kind: str) -> Mapping[str, int]:
    """How many squares are kept of each label."""
    with store.reading() as session:
        rows = session.execute(
            select(SquareRow.label, func.count())
            .where(SquareRow.kind == kind)
            .group_by(SquareRow.label)
            .order_by(SquareRow.label)
        )
        return dict(rows.all())


def export_squares(store: Store, kind: str, folder: Path) -> int:
    """Write the pictures and ``labels.csv`` into a folder, as the training data has them.

    A folder a label, ``session`` one a game (not its link, which stays secret), so that training
    and held-back squares can be split by it. Squares of deleted games are left out. How many.
    """
    with store.reading() as session:
        rows = session.execute(
            select(SquareRow, SquareRow.png)
            .join(GameRow, GameRow.id == SquareRow.game_id)
            .where(SquareRow.kind == kind, GameRow.deleted_at.is_(None))
            .order_by(SquareRow.label, SquareRow.id)
        ).all()
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for row, png in rows:
        name = f"{_folder_of(row.label)}/{row.source_photo}_{row.id}.png"
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(png)
        lines.append((name, row.label, row.source_photo, _short_hash(row.game_id)))
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(lines)
    return len(lines)


def _folder_of(label: str) -> str:
    """A folder's name for a label; "." and "|" would mean something else to file systems."""
    return {".": "empty"}.get(label, label.replace("|", "-"))


def _short_hash(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
