"""Games of the past: found, deleted and brought back; what they say of each player; the table for a
spreadsheet.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO

from sqlalchemy import ColumnElement, case, delete, func, select
from sqlalchemy.orm import Session, aliased

from companion.store.confirming import log
from companion.store.errors import StoreError
from companion.store.kinds import kind_of
from companion.store.merging import Json, Merged
from companion.store.model import GAME, Actor, Change
from companion.store.parts import name_key
from companion.store.store import Store, new_id
from companion.store.tables import (
    ChangeRow,
    DeviceRow,
    ErasedRow,
    GameRow,
    NameRow,
    PartRow,
    ResultRow,
)

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
    joined = select(GameRow).join(DeviceRow)
    mine = joined.where(DeviceRow.device == device).cte("mine").prefix_with("MATERIALIZED")
    return aliased(GameRow, mine)


def in_portions(ids: Sequence[str], size: int = 200) -> Iterator[Sequence[str]]:
    """The ids, so many at once as one question to the database takes."""
    return (ids[start : start + size] for start in range(0, len(ids), size))


def find_games(
    store: Store,
    text: str = "",
    *,
    device: str | None = None,
    kind: str | None = None,
    player: str | None = None,
    kept: bool = False,
    deleted: bool = False,
    limit: int | None = None,
) -> list[Summary]:
    """Games, the latest first, that have every word of the text in a name, title, place or note.

    ``device`` limits them to those it made or joined, which a server with many visitors must;
    ``player`` to those of a player, by name; ``kept`` gives boards kept without a game instead,
    ``deleted`` the deleted ones.
    """
    games = games_of(device)
    wanted = select(games).where(*_asked(games, text, kind, player, kept=kept, deleted=deleted))
    wanted = wanted.order_by(games.played_at.desc(), games.id).limit(limit)
    with store.reading() as session:
        rows = session.scalars(wanted).all()
        return _summaries(session, rows)


def count_games(
    store: Store,
    text: str = "",
    *,
    device: str | None = None,
    kind: str | None = None,
    player: str | None = None,
) -> int:
    """How many games ``find_games`` would find, without its limit."""
    games = games_of(device)
    asked = _asked(games, text, kind, player, kept=False, deleted=False)
    with store.reading() as session:
        return session.scalars(select(func.count()).select_from(games).where(*asked)).one()


def _asked(
    games: type[GameRow],
    text: str,
    kind: str | None,
    player: str | None,
    *,
    kept: bool,
    deleted: bool,
) -> list[ColumnElement[bool]]:
    """What ``find_games`` asks of each game."""
    asked = [
        games.kept.is_(kept),
        games.deleted_at.is_not(None) if deleted else games.deleted_at.is_(None),
        *(games.search_text.contains(word, autoescape=True) for word in text.casefold().split()),
    ]
    if kind is not None:
        asked.append(games.kind == kind)
    if player is not None:
        of_game = select(ResultRow.player).where(ResultRow.game_id == games.id)
        asked.append(of_game.where(ResultRow.name_key == name_key(player)).exists())
    return asked


def kinds_and_players(
    store: Store, device: str, limit: int = 50
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The kinds of a device's games, and who plays in them, who plays most before the others."""
    games = games_of(device)
    there = games.kept.is_(False), games.deleted_at.is_(None)
    names = (
        select(func.max(ResultRow.name))
        .join(games)
        .where(*there)
        .group_by(ResultRow.name_key)
        .order_by(func.count().desc(), ResultRow.name_key)
        .limit(limit)
    )
    with store.reading() as session:
        kinds = session.scalars(select(games.kind).where(*there).distinct()).all()
        return frozenset(kinds), tuple(session.scalars(names))


def summary_of(store: Store, game_id: str) -> Summary:
    """One game as it stands in a list, a deleted one too. StoreError ``no_game``."""
    with store.reading() as session:
        game = session.get(GameRow, game_id)
        if game is None:
            raise StoreError("no_game")
        return _summaries(session, [game])[0]


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
        session.merge(ErasedRow(id=game_id))


def erase_deleted(store: Store, now: datetime | None = None) -> int:
    """Remove for good what has been deleted for longer than ``DELETED_FOR``; how many games."""
    before = (now or datetime.now(UTC)) - DELETED_FOR
    with store.writing() as session:
        ids = session.scalars(select(GameRow.id).where(GameRow.deleted_at < before)).all()
        session.execute(delete(GameRow).where(GameRow.id.in_(ids)))
        for game_id in ids:
            session.merge(ErasedRow(id=game_id))
        return len(ids)


def remembered_names(store: Store, device: str, limit: int) -> list[str]:
    """Names that were typed on a device before, the last used first."""
    wanted = (
        select(NameRow.name)
        .where(NameRow.device == device)
        .order_by(NameRow.used_at.desc(), NameRow.name_key)
        .limit(limit)
    )
    with store.reading() as session:
        return list(session.scalars(wanted))


def _set_deleted(store: Store, game_id: str, actor: Actor, at: datetime | None) -> None:
    with store.writing() as session:
        game = session.get(GameRow, game_id, with_for_update=True)
        if game is None:
            raise StoreError("no_game")
        if (game.deleted_at is None) == (at is None):
            if at is None or _deleters(session, [game_id]).get(game_id) == actor.device:
                return
        else:
            game.deleted_at = at
        value = {"deleted": at is not None}
        action = "delete" if at else "restore"
        change = Change(GAME, value, 0, new_id(), action)
        log(session, game, change, actor, Merged(value), change.value)


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
    results = select(ResultRow).where(ResultRow.game_id.in_(ids))
    by_place = ResultRow.place.is_(None), ResultRow.place, ResultRow.player
    for result in session.scalars(results.order_by(*by_place)):
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
                Standing(each.name, each.points, each.place, each.won) for each in standings[row.id]
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
    are the means of the further figures that were asked for, such as the points by terrain.
    ``history`` has the last games only, the earliest of them first.
    """

    name: str
    games: int
    wins: int
    mean: float
    best: int
    worst: int
    details: Mapping[str, float]
    history: tuple[GamePoints, ...]


RECENT_GAMES = 100
"""So many games, the last ones, are in the ``history`` of players."""


def statistics_by_player(
    store: Store,
    kind: str,
    *,
    device: str | None = None,
    details: Iterable[str] = (),
) -> list[PlayerStatistics]:
    """Every player of complete games that are not deleted, most wins first, then most games.

    Names are one player however they are capitalised; the last spelling is shown. The database
    adds up, so that it takes no longer than looking at each game once.
    """
    highest_wins = kind_of(kind).highest_wins
    codes = tuple(details)
    games = games_of(device)
    counted = (
        games.kind == kind,
        games.complete.is_(True),
        games.kept.is_(False),
        games.deleted_at.is_(None),
    )
    of_players = (*counted, ResultRow.points.is_not(None))
    names = func.min(ResultRow.name), func.max(ResultRow.name)
    points = func.sum(ResultRow.points), func.max(ResultRow.points), func.min(ResultRow.points)
    means = [func.avg(ResultRow.details[code].as_integer()) for code in codes]
    wins = func.sum(case((ResultRow.won, 1), else_=0))
    sums = (
        select(ResultRow.name_key, *names, func.count(), wins, *points, *means)
        .join(games)
        .where(*of_players)
        .group_by(ResultRow.name_key)
    )
    with store.reading() as session:
        rows = session.execute(sums).all()
        unclear = [key for key, first, last, *_ in rows if first != last]
        spelt = _last_spellings(session, games, of_players, unclear) if unclear else {}
        history = _recent_points(session, games, counted)
    found = [
        PlayerStatistics(
            spelt.get(key, name),
            count,
            won,
            total / count,
            most if highest_wins else least,
            least if highest_wins else most,
            {
                code: float(mean)
                for code, mean in zip(codes, means_here, strict=True)
                if mean is not None
            },
            tuple(history[key]),
        )
        for key, name, _, count, won, total, most, least, *means_here in rows
    ]
    return sorted(found, key=lambda each: (-each.wins, -each.games, each.name.casefold()))


def _last_spellings(
    session: Session,
    games: type[GameRow],
    counted: Sequence[ColumnElement[bool]],
    keys: Collection[str],
) -> dict[str, str]:
    """How the names of these players were spelt last, by their keys."""
    last = func.max(games.played_at)
    wanted = (
        select(ResultRow.name_key, ResultRow.name)
        .join(games)
        .where(*counted, ResultRow.name_key.in_(keys))
        .group_by(ResultRow.name_key, ResultRow.name)
        .order_by(last)
    )
    spelt: dict[str, str] = dict(session.execute(wanted).all())
    return spelt


def _recent_points(
    session: Session, games: type[GameRow], counted: Sequence[ColumnElement[bool]]
) -> dict[str, list[GamePoints]]:
    """What players had in the last games, by the keys of their names."""
    recent = select(games.id, games.played_at).where(*counted)
    last = recent.order_by(games.played_at.desc(), games.id).limit(RECENT_GAMES).subquery("last")
    wanted = (
        select(
            *(ResultRow.name_key, ResultRow.game_id, last.c.played_at),
            *(ResultRow.points, ResultRow.place, ResultRow.won),
        )
        .join(last, last.c.id == ResultRow.game_id)
        .where(ResultRow.points.is_not(None))
        .order_by(last.c.played_at, ResultRow.game_id)
    )
    found: dict[str, list[GamePoints]] = defaultdict(list)
    for key, game_id, played_at, points, place, won in session.execute(wanted):
        found[key].append(GamePoints(game_id, played_at, points, place or 0, won))
    return found


COLUMNS = ("game", "kind", "played_at", "complete", "player", "points", "place", "won")
"""The first columns; after them come the further figures of all kinds, by name."""


def results_csv(
    store: Store, *, device: str | None = None, kind: str | None = None
) -> Iterator[str]:
    """A line for each player of each game that is not deleted, the earliest game first.

    The text comes in pieces, and nothing is held between them. ``game`` counts the games from 1;
    their links stay secret. A text that a spreadsheet would take for a formula is led by an
    apostrophe.
    """
    games = games_of(device)
    listed: list[ColumnElement[bool]] = [games.kept.is_(False), games.deleted_at.is_(None)]
    if kind is not None:
        listed.append(games.kind == kind)
    with store.reading() as session:
        ids = session.scalars(
            select(games.id).where(*listed).order_by(games.played_at, games.id)
        ).all()
    details = sorted(_detail_names(store, ids))
    yield _csv([(*COLUMNS, *details)])
    numbers = {game_id: number for number, game_id in enumerate(ids, start=1)}
    for some in in_portions(ids):
        wanted = (
            select(GameRow.kind, GameRow.played_at, GameRow.complete, *_RESULT)
            .join(GameRow)
            .where(ResultRow.game_id.in_(some))
        )
        with store.reading() as session:
            rows = session.execute(wanted).all()
        yield _csv(
            (
                numbers[row.game_id],
                row.kind,
                row.played_at.isoformat(timespec="seconds"),
                int(row.complete),
                _harmless(row.name),
                row.points,
                row.place,
                int(row.won),
                *(row.details.get(name) for name in details),
            )
            for row in sorted(rows, key=lambda row: (numbers[row.game_id], row.player))
        )


_RESULT = (
    *(ResultRow.game_id, ResultRow.player, ResultRow.name),
    *(ResultRow.points, ResultRow.place, ResultRow.won, ResultRow.details),
)


def _detail_names(store: Store, ids: Sequence[str]) -> set[str]:
    """The names of all further figures in these games."""
    found: set[str] = set()
    for some in in_portions(ids):
        with store.reading() as session:
            wanted = select(ResultRow.details).where(ResultRow.game_id.in_(some))
            found.update(*session.scalars(wanted))
    return found


def _csv(rows: Iterable[Sequence[object]]) -> str:
    file = StringIO()
    csv.writer(file, lineterminator="\r\n").writerows(rows)
    return file.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
