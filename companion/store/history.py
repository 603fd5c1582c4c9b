"""Games of the past: found, deleted and brought back; what they say of each player; the table for a
spreadsheet.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session, aliased

from companion.store.confirming import log
from companion.store.errors import StoreError
from companion.store.merging import Json, Merged
from companion.store.model import GAME, Actor, Change
from companion.store.parts import name_key
from companion.store.store import Store, new_id
from companion.store.tables import ChangeRow, DeviceRow, GameRow, NameRow, PartRow, ResultRow

__all__ = [
    "COLUMNS",
    "DELETED_FOR",
    "GamePoints",
    "PlayerStatistics",
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
    "results_csv",
    "statistics_by_player",
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
    """A game in a list: players in order of their places, those without one last.

    ``deleted_by`` is the device that deleted it, "" for a game that is not deleted, or was on
    another machine.
    """

    id: str
    kind: str
    title: str
    kept: bool
    complete: bool
    played_at: datetime
    changed_at: datetime
    deleted_at: datetime | None
    players: tuple[Standing, ...]
    deleted_by: str = ""


def games_of(device: str | None) -> type[GameRow]:
    """The games that a device made or joined, to select from; all of them for None.

    A device's games are looked up before anything else is asked of them. Left to itself a database
    may rather walk through the games of everybody by date or kind until it has met enough of them.
    """
    if device is None:
        return GameRow
    joined = select(GameRow).join(DeviceRow, DeviceRow.game_id == GameRow.id)
    mine = joined.where(DeviceRow.device == device).cte("mine").prefix_with("MATERIALIZED")
    return aliased(GameRow, mine)


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
    after: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[Summary]:
    """Games, the latest first, that have every word of the text in a name, title, place or note.

    ``device`` limits them to those it made or joined, which a server with many visitors must;
    ``kept`` gives boards kept without a game instead, ``deleted`` the deleted ones. ``after``
    continues a list behind the game with this ``played_at`` and id, whatever came in before it.
    """
    games = games_of(device)
    wanted = select(games).where(games.kept.is_(kept))
    wanted = wanted.where(games.deleted_at.is_not(None) if deleted else games.deleted_at.is_(None))
    for word in text.casefold().split():
        wanted = wanted.where(games.search_text.contains(word, autoescape=True))
    if kind is not None:
        wanted = wanted.where(games.kind == kind)
    if since is not None:
        wanted = wanted.where(games.played_at >= since)
    if until is not None:
        wanted = wanted.where(games.played_at < until)
    if after is not None:
        played_at, game_id = after
        same_moment = and_(games.played_at == played_at, games.id > game_id)
        wanted = wanted.where(or_(games.played_at < played_at, same_moment))
    wanted = wanted.order_by(games.played_at.desc(), games.id).limit(limit)
    with store.reading() as session:
        rows = session.scalars(wanted).all()
        return _summaries(session, rows)


def delete_game(store: Store, game_id: str, actor: Actor) -> None:
    """Delete a game so that everybody who had it can bring it back for ``DELETED_FOR``.

    It is in the log, also where somebody else has deleted it before. StoreError ``no_game``.
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
            deleter = _deleters(session, [game_id]).get(game_id, "")
            if at is None or deleter == actor.device:
                return
        else:
            game.deleted_at = at
        value = {"deleted": at is not None}
        action = "delete" if at else "restore"
        log(session, game, Change(GAME, value, 0, new_id(), action), actor, Merged(value), value)


def _deleters(session: Session, ids: Iterable[str]) -> dict[str, str]:
    """The devices that deleted games last, by the id of the game."""
    wanted = (
        select(ChangeRow.game_id, ChangeRow.device)
        .where(ChangeRow.game_id.in_(list(ids)), ChangeRow.part == GAME)
        .where(ChangeRow.action == "delete")
        .order_by(ChangeRow.sequence)
    )
    deleters: dict[str, str] = dict(session.execute(wanted).all())
    return deleters


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
    deleted = [row.id for row in rows if row.deleted_at is not None]
    deleters = _deleters(session, deleted) if deleted else {}
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
            deleters.get(row.id, ""),
        )
        for row in rows
    ]


@dataclass(frozen=True)
class GamePoints:
    """The points of a player in one game, for a chart over time."""

    game_id: str
    played_at: datetime
    points: int
    place: int
    won: bool


@dataclass(frozen=True)
class PlayerStatistics:
    """A player over all complete games of a kind; a shared victory counts as a win for each.

    ``best`` and ``worst`` are points, the lowest being best where the lowest wins. ``details``
    are the means of the further figures a kind gives, such as the points by terrain.
    """

    name: str
    games: int
    wins: int
    mean: float
    best: int
    worst: int
    details: Mapping[str, float]
    history: tuple[GamePoints, ...]

    @property
    def win_share(self) -> float:
        """Wins over games, 0 to 1."""
        return self.wins / self.games


def statistics_by_player(
    store: Store, kind: str, *, device: str | None = None, highest_wins: bool = True
) -> list[PlayerStatistics]:
    """Every player of complete games that are not deleted, most wins first, then most games.

    Names are one player however they are capitalised; the last spelling is shown.
    """
    games = games_of(device)
    wanted = (
        select(ResultRow, games.played_at)
        .join(games, games.id == ResultRow.game_id)
        .where(
            games.kind == kind,
            games.complete.is_(True),
            games.kept.is_(False),
            games.deleted_at.is_(None),
            ResultRow.points.is_not(None),
        )
        .order_by(games.played_at, ResultRow.game_id)
    )
    with store.reading() as session:
        rows = session.execute(wanted).all()
    by_player: dict[str, list[tuple[ResultRow, datetime]]] = defaultdict(list)
    for result, played_at in rows:
        by_player[result.name_key].append((result, played_at))
    found = [_of_player(results, highest_wins) for results in by_player.values()]
    return sorted(found, key=lambda each: (-each.wins, -each.games, each.name.casefold()))


def _of_player(rows: list[tuple[ResultRow, datetime]], highest_wins: bool) -> PlayerStatistics:
    history = tuple(
        GamePoints(row.game_id, played_at, row.points or 0, row.place or 0, row.won)
        for row, played_at in rows
    )
    points = [each.points for each in history]
    details: dict[str, list[int]] = defaultdict(list)
    for row, _ in rows:
        for name, value in row.details.items():
            details[name].append(value)
    return PlayerStatistics(
        rows[-1][0].name,
        len(history),
        sum(each.won for each in history),
        sum(points) / len(points),
        max(points) if highest_wins else min(points),
        min(points) if highest_wins else max(points),
        {name: sum(values) / len(values) for name, values in details.items()},
        history,
    )


COLUMNS = ("game", "kind", "played_at", "complete", "player", "points", "place", "won")
"""The first columns; after them come the further figures of all kinds, by name."""


def results_csv(store: Store, *, device: str | None = None, kind: str | None = None) -> str:
    """A line for each player of each game that is not deleted, the earliest game first.

    ``game`` counts the games from 1; their links stay secret. A text that a spreadsheet would
    take for a formula is led by an apostrophe.
    """
    games = games_of(device)
    listed: list[ColumnElement[bool]] = [games.kept.is_(False), games.deleted_at.is_(None)]
    if kind is not None:
        listed.append(games.kind == kind)
    wanted = select(games).where(*listed).order_by(games.played_at, games.id)
    found = select(ResultRow).join(games, games.id == ResultRow.game_id).where(*listed)
    with store.reading() as session:
        rows = session.scalars(wanted).all()
        results: dict[str, list[ResultRow]] = {row.id: [] for row in rows}
        for each in session.scalars(found.order_by(ResultRow.game_id, ResultRow.player)):
            results[each.game_id].append(each)
    details = sorted({name for game in results.values() for each in game for name in each.details})
    file = StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow((*COLUMNS, *details))
    for number, row in enumerate(rows, start=1):
        for each in results[row.id]:
            writer.writerow(
                (
                    number,
                    row.kind,
                    row.played_at.isoformat(timespec="seconds"),
                    int(row.complete),
                    _harmless(each.name),
                    each.points,
                    each.place,
                    int(each.won),
                    *(each.details.get(name) for name in details),
                )
            )
    return file.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
