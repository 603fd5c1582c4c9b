"""Games given to other programs and taken from them: JSON by a schema, and a play for BG Stats."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from urllib.parse import quote

from jsonschema import Draft202012Validator  # has no types
from sqlalchemy import delete, select
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from companion.store.confirming import record_results, values_of
from companion.store.errors import StoreError
from companion.store.history import games_of
from companion.store.kinds import GameKind, kind_of
from companion.store.merging import Json
from companion.store.model import GAME, Game
from companion.store.parts import check_text, checked
from companion.store.store import Store
from companion.store.tables import (
    ChangeRow,
    CollisionRow,
    DeviceRow,
    GameRow,
    NameRow,
    PartRow,
    ReadingRow,
)

__all__ = [
    "CHANGE_FIELDS",
    "FORMAT",
    "MAX_CHANGES",
    "SOURCE",
    "VERSION",
    "Imported",
    "bg_stats_link",
    "bg_stats_play",
    "export_games",
    "import_games",
    "import_into",
    "schema",
    "validate",
]

FORMAT = "companion-games"
VERSION = 1
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


@cache
def schema() -> Json:
    """The JSON Schema (draft 2020-12) of an export."""
    text = files("companion.store").joinpath("export.schema.json").read_text(encoding="utf-8")
    return json.loads(text)


def validate(export: Json) -> None:
    """StoreError ``bad_import`` with the first thing of an export that is wrong."""
    if not isinstance(export, dict) or export.get("format") != FORMAT:
        raise StoreError("bad_import", reason="not_an_export")
    if export.get("version") != VERSION:
        raise StoreError("bad_import", reason="other_version", version=export.get("version"))
    error = next(iter(Draft202012Validator(schema()).iter_errors(export)), None)
    if error is not None:
        raise StoreError("bad_import", reason="schema", place=error.json_path)
    check_text(export)
    for game in export["games"]:
        sequences = [change["sequence"] for change in game["changes"]]
        ids = {change["change_id"] for change in game["changes"]}
        if sequences != list(range(1, len(sequences) + 1)) or len(ids) != len(sequences):
            raise StoreError("bad_import", reason="bad_log", game=game["id"])
        parts: dict[str, int] = {}
        for change in game["changes"]:
            parts[change["part"]] = parts.get(change["part"], 0) + 1
            if change["part_sequence"] != parts[change["part"]]:
                raise StoreError("bad_import", reason="bad_log", game=game["id"])
        if any(each["sequence"] > len(sequences) for each in game["collisions"]):
            raise StoreError("bad_import", reason="bad_log", game=game["id"])


MAX_CHANGES = 100_000
"""So many changes are taken in at once from a file that anybody may have made."""


@dataclass(frozen=True)
class Imported:
    """How many games came in new, were continued, were known already, or came in as a copy.

    A game that went on differently here and there is kept as a second game beside the first.
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
    wanted = games_of(device).order_by(GameRow.created_at, GameRow.id)
    if game_ids is not None:
        wanted = wanted.where(GameRow.id.in_(list(game_ids)))
    with store.reading() as session:
        games = [_exported(session, row, with_devices) for row in session.scalars(wanted)]
        names = session.scalars(select(NameRow).order_by(NameRow.device, NameRow.name_key))
        export: dict[str, Json] = {
            "format": FORMAT,
            "version": VERSION,
            "exported_at": datetime.now(UTC).isoformat(),
            "games": games,
        }
        if with_devices:
            export["names"] = [
                {"device": row.device, "name": row.name, "used_at": row.used_at.isoformat()}
                | {"name_key": row.name_key}
                for row in names
            ]
        return export


def import_games(store: Store, export: Json, device: str = "") -> Imported:
    """Take in an export, all of it or nothing; the games are in the history of ``device`` too.

    Importing twice changes nothing. What the file says of devices is left out: it may come from
    anybody. StoreError ``bad_import`` with the place and reason, or ``unknown_kind``.
    """
    # Before the transaction, in which everybody else waits.
    validate(export)
    if sum(len(game["changes"]) for game in export["games"]) > MAX_CHANGES:
        raise StoreError("bad_import", reason="too_many_changes", limit=MAX_CHANGES)
    for game in export["games"]:
        kind = kind_of(game["kind"])
        for change in game["changes"]:
            if change["part"] != GAME:
                _checked_value(kind, change, {}, game["id"])
    try:
        with store.writing() as session:
            return _take_in(session, export, device, with_devices=False)
    except (DataError, IntegrityError) as error:  # Such as the same collision twice.
        raise StoreError("bad_import", reason="not_kept") from error


def import_into(
    session: Session, export: Json, device: str | None, *, with_devices: bool = False
) -> Imported:
    """``import_games`` as part of a transaction; with devices and names, for a restored backup."""
    validate(export)
    return _take_in(session, export, device, with_devices=with_devices)


def _take_in(session: Session, export: Json, device: str | None, *, with_devices: bool) -> Imported:
    outcomes = {"new": 0, "continued": 0, "known": 0, "copied": 0}
    for game in export["games"]:
        outcomes[_import_game(session, game, device, with_devices)] += 1
    if with_devices:
        for name in export.get("names", []):
            session.merge(NameRow(**{**name, "used_at": datetime.fromisoformat(name["used_at"])}))
    return Imported(**outcomes)


def _exported(session: Session, game: GameRow, with_devices: bool) -> Json:
    of_game = {"game_id": game.id}
    changes = session.scalars(
        select(ChangeRow).filter_by(**of_game).order_by(ChangeRow.sequence)
    ).all()
    collisions = session.scalars(
        select(CollisionRow).filter_by(**of_game).order_by(CollisionRow.sequence, CollisionRow.leaf)
    )
    readings = session.scalars(select(ReadingRow).filter_by(**of_game).order_by(ReadingRow.id))
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
            for row in changes
        ],
        "collisions": [
            {
                "sequence": row.sequence,
                "part": row.part,
                "leaf": row.leaf,
                "kept": row.kept,
                "other": row.other,
                "settled_by": row.settled_by,
            }
            for row in collisions
        ],
        "readings": {row.id: row.data for row in readings},
    }
    if with_devices:
        devices = session.scalars(select(DeviceRow).filter_by(**of_game).order_by(DeviceRow.device))
        exported["devices"] = [
            {"device": row.device, "joined_at": row.joined_at.isoformat()} for row in devices
        ]
    return exported


def _import_game(session: Session, game: Json, device: str | None, with_devices: bool) -> str:
    outcome = "new"
    present = session.get(GameRow, game["id"], with_for_update=True)
    if present is not None:
        here, there = _change_ids(session, game["id"]), [c["change_id"] for c in game["changes"]]
        if here[: len(there)] == there:
            outcome = "known"
        elif there[: len(here)] == here:
            outcome = "continued"
        else:
            text = json.dumps([game["id"], there])
            game = {**game, "id": hashlib.sha256(text.encode()).hexdigest()[:32]}
            present = session.get(GameRow, game["id"])
            outcome = "copied" if present is None else "known"
    if outcome != "known":
        _write_game(session, game, present, with_devices)
    if device is not None:
        _add_device(session, game["id"], device, datetime.now(UTC))
    return outcome


def _write_game(session: Session, game: Json, row: GameRow | None, with_devices: bool) -> None:
    """Write a game, in place of a shorter log of the same game if there is one."""
    changes, created_at = game["changes"], datetime.fromisoformat(game["created_at"])
    if row is None:
        row = GameRow(id=game["id"], kept=game["kept"], created_at=created_at)
        row.kind = kind_of(game["kind"]).key
        session.add(row)
    else:
        # Collisions go with their changes; photos, squares and devices stay.
        for table in (ChangeRow, PartRow, ReadingRow):
            session.execute(delete(table).where(table.game_id == row.id))
    row.changed_at = datetime.fromisoformat(changes[-1]["at"]) if changes else created_at
    row.played_at, row.sequence = created_at, len(changes)
    row.deleted_at = datetime.fromisoformat(game["deleted_at"]) if game["deleted_at"] else None
    row.complete, row.search_text = False, ""
    session.flush()
    session.add_all(
        ChangeRow(
            **{name: change[name] for name in CHANGE_FIELDS},
            game_id=row.id,
            device=change.get("device", "") if with_devices else "",
            at=datetime.fromisoformat(change["at"]),
        )
        for change in changes
    )
    session.flush()
    session.add_all(CollisionRow(game_id=row.id, **each) for each in game["collisions"])
    session.add_all(
        ReadingRow(game_id=row.id, id=key, data=data) for key, data in game["readings"].items()
    )
    for each in game.get("devices", []) if with_devices else []:
        _add_device(session, row.id, each["device"], datetime.fromisoformat(each["joined_at"]))
    _set_parts(session, row, changes)


def _set_parts(session: Session, row: GameRow, changes: Sequence[Json]) -> None:
    """What the parts hold after the last change of each, checked like anything that is sent."""
    kind = kind_of(row.kind)
    own = [each for each in changes if each["part"] != GAME]
    last = {each["part"]: each for each in own}
    values = {key: each["value"] for key, each in last.items() if each["value"] is not None}
    for each in own:
        _checked_value(kind, each, {}, row.id)
    for key, each in last.items():
        others = {other: value for other, value in values.items() if other != key}
        value = _checked_value(kind, each, others, row.id)
        session.add(PartRow(game_id=row.id, key=key, sequence=each["part_sequence"], value=value))
    session.flush()
    record_results(session, row, kind, values_of(session, row.id))


def _checked_value(kind: GameKind, change: Json, others: dict[str, Json], game: str) -> Json:
    try:
        return checked(kind, change["part"], change["value"], others)
    except StoreError as error:
        raise StoreError("bad_import", reason=error.code, game=game) from error


def _change_ids(session: Session, game_id: str) -> list[str]:
    wanted = select(ChangeRow.change_id).where(ChangeRow.game_id == game_id)
    return list(session.scalars(wanted.order_by(ChangeRow.sequence)))


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
        "sourcePlayId": f"{game.kind}-{game.created_at.astimezone(UTC):%Y%m%d%H%M%S%f}",
        "playDate": f"{played_at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
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
