"""Photos of open games, where all copies of the app see them: for an evening, and bounded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, select, true
from sqlalchemy.orm import Session

from companion.store.store import Store
from companion.store.tables import GameRow, WorkingPhotoRow

__all__ = [
    "WorkingPhoto",
    "WorkingPhotoLimits",
    "keep_working_photo",
    "load_working_photo",
]


@dataclass(frozen=True)
class WorkingPhotoLimits:
    """How long photos are kept, and bytes of all and of one device; the oldest go first."""

    kept_for: timedelta = timedelta(hours=12)
    max_bytes: int = 600_000_000
    max_bytes_of_device: int = 90_000_000


@dataclass(frozen=True)
class WorkingPhoto:
    """A photo as a device sent it, and as it is shown: the JPEG behind the first ``sent`` bytes.

    ``width`` and ``height`` are pixels of the upright photo as it was taken.
    """

    id: str
    game: str
    device: str
    width: int
    height: int
    sent: int
    content: bytes


def keep_working_photo(
    store: Store, photo: WorkingPhoto, limits: WorkingPhotoLimits | None = None
) -> None:
    """Keep a photo, in place of older ones where there is no space; nothing without its game."""
    limits = limits or WorkingPhotoLimits()
    now = datetime.now(UTC)
    with store.writing() as session:
        if session.get(GameRow, photo.game) is None:
            return
        session.execute(
            delete(WorkingPhotoRow).where(
                (WorkingPhotoRow.taken_at < now - limits.kept_for)
                | (WorkingPhotoRow.id == photo.id)
            )
        )
        _make_room(session, true(), limits.max_bytes - len(photo.content))
        of_device = WorkingPhotoRow.device == photo.device
        _make_room(session, of_device, limits.max_bytes_of_device - len(photo.content))
        session.add(
            WorkingPhotoRow(
                id=photo.id,
                game_id=photo.game,
                device=photo.device,
                taken_at=now,
                width=photo.width,
                height=photo.height,
                sent=photo.sent,
                size=len(photo.content),
                content=photo.content,
            )
        )


def _make_room(session: Session, which: ColumnElement[bool], left: int) -> None:
    """Forget the oldest of these, until no more bytes than ``left`` are held by them."""
    held = session.scalars(select(func.sum(WorkingPhotoRow.size)).where(which)).one() or 0
    if held <= left:
        return
    oldest = select(WorkingPhotoRow.id, WorkingPhotoRow.size).where(which)
    for photo_id, size in session.execute(oldest.order_by(WorkingPhotoRow.taken_at)).all():
        if held <= left:
            return
        session.execute(delete(WorkingPhotoRow).where(WorkingPhotoRow.id == photo_id))
        held -= size


def load_working_photo(
    store: Store, photo_id: str, limits: WorkingPhotoLimits | None = None
) -> WorkingPhoto | None:
    """The photo; None where it is not there, or not any more."""
    since = datetime.now(UTC) - (limits or WorkingPhotoLimits()).kept_for
    with store.reading() as session:
        row = session.get(WorkingPhotoRow, photo_id)
        if row is None or row.taken_at < since:
            return None
        return WorkingPhoto(
            row.id, row.game_id, row.device, row.width, row.height, row.sent, row.content
        )
