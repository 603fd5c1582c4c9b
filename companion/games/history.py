"""Games of the past: found, deleted and brought back; names that were used before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Select, delete, exists, select
from sqlalchemy.orm import Session

from companion.games.checking import name_key
from companion.games.confirming import log
from companion.games.errors import StoreError
from companion.games.merging import Json, Merged
from companion.games.model import GAME, Actor, Change
from companion.games.store import Store, new_id
from companion.games.tables import DeviceRow, GameRow, NameRow, PartRow, ResultRow

__all__ = [
    "DELETED_FOR",
    "Standing",
    "Summary",
    "delete_game",
    "erase_deleted",
    "erase_game",
    "find_games",
    "forget_name",
    "games_of",
    "remembered_names",
    "restore_game",
]

DELETED_FOR = timedelta(days=30)
"""How long a deleted game can be brought back; after that it is erased with its photos."""


@dataclass(frozen=True)
class Standing:
    """A player in the list of games."""

    name: str
    points: int | None
    place: int | None
    won: bool


@dataclass(frozen=True)
class Summary:
    """A game in a list: players in order of their places, those without one last."""

    id: str
    kind: str
    title: str
    kept: bool
    complete: bool
    played_at: datetime
    changed_at: datetime
    deleted_at: datetime | None
    players: tuple[Standing, ...]


def games_of(device: str | None) -> Select[GameRow]:
    """The games that a device made or joined; all of them for None."""
    wanted = select(GameRow)
    if device is None:
        return wanted
    mine = exists().where(DeviceRow.game_id == GameRow.id, DeviceRow.device == device)
    return wanted.where(mine)


def find_games(
    store: Store,
    text: str = "",
    *,
    device: str | None = None,
    kind: str | None = None,
    kept: bool = False,
    deleted: bool = False,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 50,
    offset: int = 0,
) -> list[Summary]:
    """Games, the latest first, that have every word of the text in a name, title, place or note.

    ``device`` limits them to those it made or joined, which a server with many visitors must;
    ``kept`` gives boards kept without a game instead, ``deleted`` the deleted ones.
    """
    wanted = games_of(device).where(GameRow.kept.is_(kept))
    wanted = wanted.where(
        GameRow.deleted_at.is_not(None) if deleted else GameRow.deleted_at.is_(None)
    )
    for word in text.casefold().split():
        wanted = wanted.where(GameRow.search_text.contains(word, autoescape=True))
    if kind is not None:
        wanted = wanted.where(GameRow.kind == kind)
    if since is not None:
        wanted = wanted.where(GameRow.played_at >= since)
    if until is not None:
        wanted = wanted.where(GameRow.played_at < until)
    wanted = wanted.order_by(GameRow.played_at.desc(), GameRow.id).limit(limit).offset(offset)
    with store.reading() as session:
        rows = session.scalars(wanted).all()
        return _summaries(session, rows)


def delete_game(store: Store, game_id: str, actor: Actor) -> None:
    """Delete a game so that it can be brought back for ``DELETED_FOR``; it is in the log.

    StoreError ``no_game``.
    """
    _set_deleted(store, game_id, actor, datetime.now(UTC))


def restore_game(store: Store, game_id: str, actor: Actor) -> None:
    """Bring a deleted game back as it was. StoreError ``no_game``."""
    _set_deleted(store, game_id, actor, None)


def erase_game(store: Store, game_id: str) -> None:
    """Remove a game for good, with its log, photos and pictures. StoreError ``no_game``."""
    with store.writing() as session:
        game = session.get(GameRow, game_id)
        if game is None:
            raise StoreError("no_game")
        session.delete(game)


def erase_deleted(store: Store, now: datetime | None = None) -> int:
    """Remove for good what has been deleted for longer than ``DELETED_FOR``; how many games."""
    before = (now or datetime.now(UTC)) - DELETED_FOR
    with store.writing() as session:
        ids = session.scalars(select(GameRow.id).where(GameRow.deleted_at < before)).all()
        session.execute(delete(GameRow).where(GameRow.id.in_(ids)))
        return len(ids)


def remembered_names(
    store: Store, device: str | None = None, start: str = "", limit: int = 20
) -> list[str]:
    """Names that were typed before, the last used first; those that begin so."""
    wanted = select(NameRow).order_by(NameRow.used_at.desc(), NameRow.name_key)
    if device is not None:
        wanted = wanted.where(NameRow.device == device)
    if start.strip():
        wanted = wanted.where(NameRow.name_key.startswith(name_key(start), autoescape=True))
    with store.reading() as session:
        names: dict[str, str] = {}
        for row in session.scalars(wanted):
            names.setdefault(row.name_key, row.name)
        return list(names.values())[:limit]


def forget_name(store: Store, name: str, device: str | None = None) -> None:
    """Offer a name no more; games keep it."""
    unwanted = delete(NameRow).where(NameRow.name_key == name_key(name))
    if device is not None:
        unwanted = unwanted.where(NameRow.device == device)
    with store.writing() as session:
        session.execute(unwanted)


def _set_deleted(store: Store, game_id: str, actor: Actor, at: datetime | None) -> None:
    with store.writing() as session:
        game = session.get(GameRow, game_id, with_for_update=True)
        if game is None:
            raise StoreError("no_game")
        if (game.deleted_at is None) == (at is None):
            return
        game.deleted_at = at
        value = {"deleted": at is not None}
        action = "delete" if at else "restore"
        log(session, game, Change(GAME, value, 0, new_id(), action), actor, Merged(value), value)


def _summaries(session: Session, games: Iterable[GameRow]) -> list[Summary]:
    rows = list(games)
    ids = [row.id for row in rows]
    standings: dict[str, list[ResultRow]] = {each: [] for each in ids}
    for result in session.scalars(select(ResultRow).where(ResultRow.game_id.in_(ids))):
        standings[result.game_id].append(result)
    found = select(PartRow.game_id, PartRow.value).where(
        PartRow.game_id.in_(ids), PartRow.key == "about"
    )
    abouts: dict[str, Json] = dict(session.execute(found).all())
    return [
        Summary(
            row.id,
            row.kind,
            (abouts.get(row.id) or {}).get("title", ""),
            row.kept,
            row.complete,
            row.played_at,
            row.changed_at,
            row.deleted_at,
            tuple(
                Standing(each.name, each.points, each.place, each.won)
                for each in sorted(standings[row.id], key=lambda r: (r.place or 99, r.player))
            ),
        )
        for row in rows
    ]
