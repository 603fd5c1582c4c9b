"""The tables of the store."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from companion.store.merging import Json

PLAIN = JSON(none_as_null=True)

ADDED_UP = PLAIN.with_variant(JSONB(none_as_null=True), "postgresql")
"""For what statistics add up: PostgreSQL would read the text of plain JSON anew for each figure."""


class Utc(TypeDecorator[datetime]):
    """A moment, kept as UTC without a zone and given back as UTC, in every database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment as the database keeps it; ValueError for one without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected a moment with its zone, got {value}")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC of what the database has kept."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """The tables, with names for all constraints, so that migrations can change them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def _game() -> Mapped[str]:
    return mapped_column(String(64), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


class GameRow(Base):
    """A game, or a board kept without one; ``sequence`` is the number of its last change."""

    __tablename__ = "games"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(32), index=True)
    kept: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(Utc)
    changed_at: Mapped[datetime] = mapped_column(Utc)
    played_at: Mapped[datetime] = mapped_column(Utc, index=True)
    deleted_at: Mapped[datetime | None] = mapped_column(Utc)
    sequence: Mapped[int]
    complete: Mapped[bool]
    search_text: Mapped[str] = mapped_column(Text)


class PartRow(Base):
    """What a part of a game holds now; null after its first change was undone."""

    __tablename__ = "parts"
    game_id: Mapped[str] = _game()
    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    sequence: Mapped[int]
    value: Mapped[Json] = mapped_column(PLAIN, nullable=True)


class ChangeRow(Base):
    """One confirmed change; never altered. ``value`` is what the part held after it.

    ``sent`` is what was sent, where merging made something else of it. ``points`` are those of
    the players after the change, by id.
    """

    __tablename__ = "changes"
    game_id: Mapped[str] = _game()
    sequence: Mapped[int] = mapped_column(primary_key=True)
    part: Mapped[str] = mapped_column(String(40))
    part_sequence: Mapped[int]
    based_on: Mapped[int]
    change_id: Mapped[str] = mapped_column(String(64))
    device: Mapped[str] = mapped_column(String(64))
    who: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(Utc)
    action: Mapped[str] = mapped_column(String(40))
    outcome: Mapped[str] = mapped_column(String(16))
    undoes: Mapped[int | None]
    value: Mapped[Json] = mapped_column(PLAIN, nullable=True)
    sent: Mapped[Json] = mapped_column(PLAIN, nullable=True)
    points: Mapped[Json] = mapped_column(PLAIN, nullable=True)
    __table_args__ = (
        UniqueConstraint("game_id", "change_id"),
        UniqueConstraint("game_id", "part", "part_sequence"),
    )


class CollisionRow(Base):
    """A place where the change ``sequence`` met another one; ``settled_by`` is a later change."""

    __tablename__ = "collisions"
    game_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    leaf: Mapped[str] = mapped_column(String(80), primary_key=True)
    part: Mapped[str] = mapped_column(String(40))
    kept: Mapped[Json] = mapped_column(PLAIN, nullable=True)
    other: Mapped[Json] = mapped_column(PLAIN, nullable=True)
    settled_by: Mapped[int | None]
    __table_args__ = (
        ForeignKeyConstraint(
            ["game_id", "sequence"], ["changes.game_id", "changes.sequence"], ondelete="CASCADE"
        ),
    )


class ReadingRow(Base):
    """What the reader made of a photo; never altered, named by the boards that come from it."""

    __tablename__ = "readings"
    game_id: Mapped[str] = _game()
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[Json] = mapped_column(PLAIN)


class ResultRow(Base):
    """The standing of a player, written with every change."""

    __tablename__ = "results"
    game_id: Mapped[str] = _game()
    player: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    name_key: Mapped[str] = mapped_column(String(200))
    points: Mapped[int | None]
    place: Mapped[int | None]
    won: Mapped[bool]
    details: Mapped[Json] = mapped_column(ADDED_UP)


class DeviceRow(Base):
    """A device that made or joined a game: its history shows the game."""

    __tablename__ = "devices"
    game_id: Mapped[str] = _game()
    device: Mapped[str] = mapped_column(String(64), primary_key=True)
    joined_at: Mapped[datetime] = mapped_column(Utc)
    __table_args__ = (Index(None, "device"),)


class ErasedRow(Base):
    """That there was a game of this id, which was erased: copies of it are not taken back."""

    __tablename__ = "erased_games"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)


class NameRow(Base):
    """A player's name that a device has used."""

    __tablename__ = "names"
    device: Mapped[str] = mapped_column(String(64), primary_key=True)
    name_key: Mapped[str] = mapped_column(String(200), primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    used_at: Mapped[datetime] = mapped_column(Utc)


class PhotoRow(Base):
    """A photo kept with consent, as JPEG without metadata; ``width`` and ``height`` as taken."""

    __tablename__ = "photos"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    game_id: Mapped[str] = mapped_column(
        String(64), ForeignKey("games.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(Utc)
    width: Mapped[int]
    height: Mapped[int]
    jpeg: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)


class WorkingPhotoRow(Base):
    """A photo of an open game, for an evening: as it was sent, and behind it as it is shown."""

    __tablename__ = "working_photos"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    game_id: Mapped[str] = mapped_column(
        String(64), ForeignKey("games.id", ondelete="CASCADE"), index=True
    )
    device: Mapped[str] = mapped_column(String(64), index=True)
    taken_at: Mapped[datetime] = mapped_column(Utc)
    width: Mapped[int]
    height: Mapped[int]
    sent: Mapped[int]
    size: Mapped[int]
    content: Mapped[bytes] = mapped_column(LargeBinary)


class SquareRow(Base):
    """A corrected square as a labelled picture, kept with consent."""

    __tablename__ = "squares"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    game_id: Mapped[str] = mapped_column(
        String(64), ForeignKey("games.id", ondelete="CASCADE"), index=True
    )
    kind: Mapped[str] = mapped_column(String(32))
    label: Mapped[str] = mapped_column(String(32))
    source_photo: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(Utc)
    png: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
