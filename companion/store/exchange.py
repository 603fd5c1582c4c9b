"""Games given to others and taken from them: JSON by a schema, a play for BG Stats, and the copies
that phones keep.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import quote

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from companion.store.confirming import record_results
from companion.store.errors import StoreError
from companion.store.history import games_of, in_portions, restore_game
from companion.store.incoming import (
    FORMAT,
    VERSION,
    CheckedGame,
    ExportData,
    IncomingCollision,
    IncomingGame,
    check_export,
)
from companion.store.kinds import kind_of
from companion.store.merging import Json
from companion.store.model import Actor, Game
from companion.store.store import Store
from companion.store.tables import (
    Base,
    ChangeRow,
    CollisionRow,
    DeviceRow,
    ErasedRow,
    GameRow,
    NameRow,
    PartRow,
    ReadingRow,
)

CHANGE_FIELDS = (
    "sequence",
    "part",
    "part_sequence",
    "based_on",
    "change_id",
    "who",
    "action",
    "outcome",
    "undoes",
    "value",
    "sent",
    "points",
)
"""What an export says of a change, besides when it was made."""
COLLISION_FIELDS = ("sequence", "part", "leaf", "kept", "other", "settled_by")
"""What an export says of a collision."""


def schema() -> Json:
    """The JSON Schema (draft 2020-12) of an export."""
    return ExportData.model_json_schema()


MAX_CHANGES = 100_000
"""So many changes are taken in at once from a file that anybody may have made."""


@dataclass(frozen=True)
class Imported:
    """How many games came in new, were continued, were known already, or came in as a copy.

    A game that had been deleted here and is back is continued. One that went on differently here
    and there is kept as a second game beside the first.
    """

    new: int = 0
    continued: int = 0
    known: int = 0
    copied: int = 0


def export_games(
    store: Store,
    *,
    device: str | None = None,
    game_ids: Iterable[str] | None = None,
    with_devices: bool = False,
) -> Json:
    """All games, those of a device, or some, with logs and readings, deleted ones too.

    ``with_devices`` adds which device joined what and the remembered names, for a backup: the ids
    of devices open their history and should not be given away.
    """
    chosen = _chosen(store, device, game_ids)
    return (
        _head()
        | {"games": list(_exported(store, chosen, with_devices))}
        | ({"names": _names(store)} if with_devices else {})
    )


def export_text(
    store: Store,
    *,
    device: str | None = None,
    game_ids: Iterable[str] | None = None,
    with_devices: bool = False,
) -> Iterator[str]:
    """``export_games`` as JSON in pieces, a game on each line.

    Each game is as it stands when its turn comes, and nothing is held between the pieces: however
    many games there are, and however slowly they are taken, no memory grows and nobody waits.
    """
    yield f'{json.dumps(_head())[:-1]}, "games": ['
    before = ""
    for game in _exported(store, _chosen(store, device, game_ids), with_devices):
        yield f"{before}\n{json.dumps(game, ensure_ascii=False)}"
        before = ","
    names = json.dumps(_names(store), ensure_ascii=False) if with_devices else ""
    yield f'\n], "names": {names}}}\n' if with_devices else "\n]}\n"


def _head() -> dict[str, Json]:
    now = datetime.now(UTC).isoformat()
    return {"format": FORMAT, "version": VERSION, "exported_at": now}


def _chosen(
    store: Store, device: str | None, game_ids: Iterable[str] | None = None
) -> Sequence[str]:
    """The ids of the games of a device, or of some of them, the oldest first."""
    mine = games_of(device)
    wanted = select(mine.id).order_by(mine.created_at, mine.id)
    with store.reading() as session:
        found = session.scalars(wanted).all()
    some = None if game_ids is None else set(game_ids)
    return found if some is None else [each for each in found if each in some]


def _names(store: Store) -> list[Json]:
    with store.reading() as session:
        names = session.scalars(select(NameRow).order_by(NameRow.device, NameRow.name_key))
        return [
            {"device": row.device, "name": row.name, "used_at": row.used_at.isoformat()}
            | {"name_key": row.name_key}
            for row in names
        ]


def import_games(store: Store, export: Json, device: str = "") -> Imported:
    """Take in an export, all of it or nothing; the games are in the history of ``device`` too.

    Importing twice changes nothing. What the file says of devices is left out: it may come from
    anybody. StoreError ``bad_import`` with the ``place`` and ``reason``, or ``unknown_kind``.
    """
    # Before the transaction, in which everybody else waits.
    if isinstance(export, dict) and isinstance(export.get("games"), list):
        logs = (game.get("changes") for game in export["games"] if isinstance(game, dict))
        if sum(len(log) for log in logs if isinstance(log, list)) > MAX_CHANGES:
            raise StoreError("bad_import", place="$.games", reason="too_many_changes")
    _, games = check_export(export)
    try:
        with store.reading() as session:
            plans = [_plan(session, game) for game in games]
        with store.writing() as session:
            found = _take_in(session, zip(games, plans, strict=True), device)
    except (DataError, IntegrityError) as error:
        raise StoreError("bad_import", place="$", reason="not_kept") from error
    back = 0
    for game, plan in zip(games, plans, strict=True):
        # Who brings a game in wants to have it, also where it was deleted since it was saved.
        if game.data.deleted_at is None and store.is_deleted(plan.id):
            restore_game(store, plan.id, Actor(device))
            back += plan.outcome == "known"
    return replace(found, continued=found.continued + back, known=found.known - back)


def write_backup(session: Session, data: ExportData, games: Sequence[CheckedGame]) -> None:
    """Write checked games into an empty store, with devices and names."""
    for game in games:
        _write(session, game, _Plan(game.data.id, "new"), with_devices=True)
    for name in data.names:
        session.merge(NameRow(**name.model_dump()))


@dataclass(frozen=True)
class _Plan:
    """What is to be done with a game: under which id, and ``Imported``'s word for it.

    ``seen`` is the number of the last change of the game that is here under this id, if any.
    """

    id: str
    outcome: str
    seen: int | None = None


def _take_in(
    session: Session, planned: Iterable[tuple[CheckedGame, _Plan]], device: str
) -> Imported:
    outcomes = {"new": 0, "continued": 0, "known": 0, "copied": 0}
    for game, made in planned:
        plan = made
        present = session.get(GameRow, plan.id, with_for_update=True)
        if (present.sequence if present else None) != plan.seen:
            plan = _plan(session, game)
        if plan.outcome != "known":
            _write(session, game, plan)
        _add_device(session, plan.id, device, datetime.now(UTC))
        outcomes[plan.outcome] += 1
    return Imported(**outcomes)


def _exported(store: Store, chosen: Sequence[str], with_devices: bool) -> Iterator[Json]:
    """The games of these ids, as far as they are still there, some at once."""
    for some in in_portions(chosen):
        with store.reading() as session:
            games = session.scalars(select(GameRow).where(GameRow.id.in_(some))).all()
            changes = _by_game(session, ChangeRow, some, ChangeRow.sequence)
            collisions = _by_game(
                session, CollisionRow, some, CollisionRow.sequence, CollisionRow.leaf
            )
            readings = _by_game(session, ReadingRow, some, ReadingRow.id)
            devices = _by_game(session, DeviceRow, some, DeviceRow.device) if with_devices else {}
        order = {game_id: number for number, game_id in enumerate(some)}
        for game in sorted(games, key=lambda game: order[game.id]):
            exported = {
                "id": game.id,
                "kind": game.kind,
                "kept": game.kept,
                "created_at": game.created_at.isoformat(),
                "deleted_at": game.deleted_at.isoformat() if game.deleted_at else None,
                "changes": [
                    {name: getattr(row, name) for name in CHANGE_FIELDS}
                    | {"at": row.at.isoformat()}
                    | ({"device": row.device} if with_devices else {})
                    for row in changes[game.id]
                ],
                "collisions": [
                    {name: getattr(row, name) for name in COLLISION_FIELDS}
                    for row in collisions[game.id]
                ],
                "readings": {row.id: row.data for row in readings[game.id]},
            }
            if with_devices:
                exported["devices"] = [
                    {"device": row.device, "joined_at": row.joined_at.isoformat()}
                    for row in devices[game.id]
                ]
            yield exported


def _by_game(
    session: Session, table: type[Base], ids: Sequence[str], *order: Any
) -> dict[str, list[Any]]:
    """The rows of these games, by the game's id, each in this order of columns."""
    columns = Base.metadata.tables[table.__tablename__].columns
    wanted = select(*columns).where(columns["game_id"].in_(ids)).order_by(*order)
    found: dict[str, list[Any]] = defaultdict(list)
    for row in session.execute(wanted):
        found[row.game_id].append(row)
    return found


def _plan(session: Session, game: CheckedGame) -> _Plan:
    """A game goes under its own id unless another history is there; else it becomes a copy.

    The id of a copy comes from what it holds, so that the same file makes the same copy again.
    """
    for copy, game_id in enumerate(_ids(game.data)):
        present = session.get(GameRow, game_id)
        if present is None:
            return _Plan(game_id, "copied" if copy else "new")
        outcome = _continuing(session, present, game)
        if outcome is not None:
            return _Plan(game_id, outcome, present.sequence)
    raise StoreError("bad_import", place="$.games", reason="id_taken")


def _ids(game: IncomingGame) -> Iterator[str]:
    yield game.id
    yield _hash(json.dumps([game.id, [change.change_id for change in game.changes]]))
    yield _hash(game.model_dump_json(exclude={"devices": True, "changes": {"__all__": {"device"}}}))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _continuing(session: Session, present: GameRow, game: CheckedGame) -> str | None:
    """ "known" or "continued" where one of the two histories begins with the other; else None.

    All that they have in common must be the same, whoever did it and when, not the ids alone.
    """
    data = game.data
    if (present.kind, present.kept, present.created_at) != (data.kind, data.kept, data.created_at):
        return None
    common = min(present.sequence, len(data.changes))
    rows = session.execute(
        select(*(getattr(ChangeRow, name) for name in (*CHANGE_FIELDS, "at")))
        .where(ChangeRow.game_id == present.id, ChangeRow.sequence <= common)
        .order_by(ChangeRow.sequence)
    ).all()
    for row, change, value in zip(rows, data.changes[:common], game.log, strict=False):
        here = row._asdict()
        kept = here.pop("value")
        if kept not in (change.value, value) or any(here[k] != getattr(change, k) for k in here):
            return None
    readings = session.scalars(select(ReadingRow).where(ReadingRow.game_id == present.id))
    if any(data.readings.get(row.id, row.data) != row.data for row in readings):
        return None
    found = session.scalars(select(CollisionRow).where(CollisionRow.game_id == present.id))
    if _collisions(found, common) != _collisions(data.collisions, common):
        return None
    return "continued" if present.sequence < len(data.changes) else "known"


def _collisions(
    found: Iterable[CollisionRow | IncomingCollision], until: int
) -> dict[tuple[int, str], Json]:
    """The collisions that there were after so many changes."""
    return {
        (each.sequence, each.leaf): (
            each.part,
            each.kept,
            each.other,
            each.settled_by if (each.settled_by or 0) <= until else None,
        )
        for each in found
        if each.sequence <= until
    }


_ROWS_AT_ONCE = 2000


def _write(session: Session, game: CheckedGame, plan: _Plan, *, with_devices: bool = False) -> None:
    """Write a game, or what it has more than the one that is here."""
    data, of_game, seen = game.data, {"game_id": plan.id}, plan.seen or 0
    row = session.get(GameRow, plan.id)
    if row is None:
        row = GameRow(id=plan.id, kind=game.kind.key, kept=data.kept, created_at=data.created_at)
        session.add(row)
    row.sequence, row.deleted_at = len(data.changes), data.deleted_at
    row.changed_at = data.changes[-1].at if data.changes else data.created_at
    row.played_at, row.complete, row.search_text = data.created_at, False, ""
    session.flush()
    lines = zip(data.changes[seen:], game.log[seen:], strict=True)
    rows = (
        {name: getattr(change, name) for name in (*CHANGE_FIELDS, "at")}
        | {"value": value, "device": change.device if with_devices else "", **of_game}
        for change, value in lines
    )
    table = Base.metadata.tables[ChangeRow.__tablename__]
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        session.execute(insert(table), some)
    for each in data.collisions:
        # Those that are here already may have been settled since.
        session.merge(CollisionRow(**of_game, **each.model_dump()))
    for key, reading in data.readings.items():
        session.merge(ReadingRow(**of_game, id=key, data=reading))
    numbers = {change.part: change.part_sequence for change in data.changes}
    session.execute(delete(PartRow).filter_by(**of_game))
    session.add_all(
        PartRow(**of_game, key=key, sequence=numbers[key], value=value)
        for key, value in game.parts.items()
    )
    session.flush()
    values = {key: value for key, value in game.parts.items() if value is not None}
    record_results(session, row, game.results, values)
    for device in data.devices if with_devices else []:
        _add_device(session, plan.id, device.device, device.joined_at)


def _add_device(session: Session, game_id: str, device: str, joined_at: datetime) -> None:
    session.flush()
    if session.get(DeviceRow, (game_id, device)) is None:
        session.add(DeviceRow(game_id=game_id, device=device, joined_at=joined_at))


SOURCE = "Kingdomino companion"
_LINK = "bgstats://app.bgstatsapp.com/createPlay.html?data="


def bg_stats_play(game: Game) -> Json:
    """The play in the format of BG Stats; its time is UTC, when the game ended.

    The link of the game is not given away. StoreError ``bad_value`` for a game without a result.
    """
    if not game.results.complete:
        raise StoreError("bad_value", part="", reason="not_complete")
    kind = kind_of(game.kind)
    about = game.values.get("about") or {}
    played_at = game.played_at if "played_at" in about else game.changed_at
    results = {each.player: each for each in game.results.players}
    play: dict[str, Json] = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game.kind}-{game.created_at:%Y%m%d%H%M%S%f}",
        "playDate": f"{played_at:%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": kind.name,
            "sourceGameId": kind.key,
            "highestWins": kind.highest_wins,
            "noPoints": False,
        },
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": player.name.casefold(),
                "startPlayer": False,
                "score": results[player.id].points,
                "rank": results[player.id].place,
                "winner": results[player.id].won,
                "role": player.colour or "",
            }
            for player in game.players
        ],
    }
    if kind.bgg_id is not None:
        play["game"]["bggId"] = kind.bgg_id
    if about.get("place"):
        play["location"] = about["place"]
    if about.get("note"):
        play["comments"] = about["note"][:400]
    return play


def bg_stats_link(game: Game) -> str:
    """The address that opens BG Stats on this phone with the play to be kept."""
    return _LINK + quote(json.dumps(bg_stats_play(game), ensure_ascii=False), safe="")


MAX_COPIES = 200
"""So many games a phone keeps, those that were changed last."""


@dataclass(frozen=True)
class Compared:
    """What is to be done with the copies of a phone, by the ids of games.

    It should fetch ``newer``, those changed last first, drop ``gone``, and give ``lacking`` back:
    they are not here, or not as far as on the phone.
    """

    newer: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def compare_copies(store: Store, device: str, held: Mapping[str, int]) -> Compared:
    """Compare the copies that a device holds, the number of the last change by game.

    A game that was deleted or erased here is gone, whoever did it; one that this store has never
    had, or has forgotten, is lacking.
    """
    mine = games_of(device)
    wanted = (
        select(mine.id, mine.sequence)
        .where(mine.deleted_at.is_(None))
        .order_by(mine.changed_at.desc(), mine.id)
        .limit(MAX_COPIES)
    )
    ids = list(held)
    with store.reading() as session:
        kept = {row.id: row.sequence for row in session.execute(wanted)}
        here = {
            row.id: row
            for row in session.execute(
                select(GameRow.id, GameRow.sequence, GameRow.deleted_at).where(GameRow.id.in_(ids))
            )
        }
        erased = set(session.scalars(select(ErasedRow.id).where(ErasedRow.id.in_(ids))))
    deleted = {game for game, row in here.items() if row.deleted_at is not None}
    gone = deleted | (erased - here.keys())
    return Compared(
        tuple(game for game in kept if game not in held or kept[game] > held[game]),
        tuple(game for game in held if game in gone),
        tuple(
            game
            for game, sequence in held.items()
            if game not in gone and (game not in here or here[game].sequence < sequence)
        ),
    )
