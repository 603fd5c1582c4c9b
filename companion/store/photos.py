"""Photos of a game: kept only if the people say so, without anything but the picture in them; and
those of an open game, as they were sent, where all copies of the app see them for an evening.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO

from PIL import Image
from sqlalchemy import ColumnElement, delete, func, select, true
from sqlalchemy.orm import Session

from companion.store.confirming import locked
from companion.store.errors import StoreError
from companion.store.store import Store, new_id
from companion.store.tables import GameRow, PhotoRow, WorkingPhotoRow
from vision.photo import Photo, PhotoSettings, decode


@dataclass(frozen=True)
class PhotoLimits:
    """How large photos are kept; the long side ends between the target and twice the target."""

    max_input_bytes: int = 40_000_000
    target_long_side_px: int = 1600
    max_long_side_px: int = 2400
    jpeg_quality: int = 85
    max_photos_per_game: int = 40


@dataclass(frozen=True)
class KeptPhoto:
    """A kept photo; ``width`` and ``height`` are pixels of the upright photo as it was taken.

    Homographies of readings are in those pixels, whatever the size of the kept picture.
    """

    id: str
    game_id: str
    created_at: datetime
    width: int
    height: int


def keep_photo(
    store: Store,
    game_id: str,
    data: bytes,
    *,
    consent: bool,
    limits: PhotoLimits | None = None,
    decoder: Callable[[bytes, PhotoSettings], Photo] = decode,
) -> KeptPhoto:
    """Keep a photo with a game, if the people have said yes.

    The picture is decoded, by ``decoder`` where another process shall do it, turned upright,
    reduced and encoded anew as JPEG, so that no place, time or camera stays in it. StoreError
    ``no_consent``, ``photo_too_large``; PhotoError for bytes that are no picture.
    """
    limits = limits or PhotoLimits()
    if not consent:
        raise StoreError("no_consent")
    if len(data) > limits.max_input_bytes:
        raise StoreError("photo_too_large", limit=limits.max_input_bytes, actual=len(data))
    settings = replace(PhotoSettings(), target_long_side_px=limits.target_long_side_px)
    photo = decoder(data, settings)
    picture = Image.fromarray(photo.rgb)
    picture.thumbnail((limits.max_long_side_px, limits.max_long_side_px))
    file = BytesIO()
    picture.save(file, "JPEG", quality=limits.jpeg_quality)
    row = PhotoRow(
        id=new_id(),
        game_id=game_id,
        created_at=datetime.now(UTC),
        width=photo.width,
        height=photo.height,
        jpeg=file.getvalue(),
    )
    with store.writing() as session:
        locked(session, game_id)
        kept = session.scalars(select(PhotoRow.id).where(PhotoRow.game_id == game_id)).all()
        if len(kept) >= limits.max_photos_per_game:
            raise StoreError("photo_too_large", limit=limits.max_photos_per_game, actual=len(kept))
        session.add(row)
    return _kept(row)


def photos_of(store: Store, game_id: str) -> list[KeptPhoto]:
    """The photos kept with a game, the oldest first."""
    with store.reading() as session:
        rows = session.scalars(
            select(PhotoRow)
            .where(PhotoRow.game_id == game_id)
            .order_by(PhotoRow.created_at, PhotoRow.id)
        )
        return [_kept(row) for row in rows]


def load_photo(store: Store, photo_id: str) -> bytes:
    """The JPEG of a kept photo; StoreError ``no_photo``."""
    with store.reading() as session:
        jpeg = session.scalars(select(PhotoRow.jpeg).where(PhotoRow.id == photo_id)).first()
    if jpeg is None:
        raise StoreError("no_photo")
    return jpeg


def game_of_photo(store: Store, photo_id: str) -> str | None:
    """The game that a photo is kept with; None for one that is not there."""
    with store.reading() as session:
        wanted = select(PhotoRow.game_id).where(PhotoRow.id == photo_id)
        return session.scalars(wanted).first()


def _kept(row: PhotoRow) -> KeptPhoto:
    return KeptPhoto(row.id, row.game_id, row.created_at, row.width, row.height)


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
        # Its own first, so that nobody else loses one where those that go anyway are enough.
        of_device = WorkingPhotoRow.device == photo.device
        _make_room(session, of_device, limits.max_bytes_of_device - len(photo.content))
        _make_room(session, true(), limits.max_bytes - len(photo.content))
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
