"""What comes in a file: the models of an export, and each of its games checked in full before
anything of it is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    ValidationError,
    model_validator,
)

from companion.store.errors import StoreError
from companion.store.kinds import GameKind, Results, kind_of
from companion.store.merging import WHOLE, Json
from companion.store.model import GAME
from companion.store.parts import (
    END_OF_MOMENTS,
    FIRST_MOMENT,
    MAX_NAME,
    check_plain,
    checked,
    checked_text,
    leaf_of,
    name_key,
)

FORMAT = "companion-games"
VERSION = 1


def parsed(text: bytes, max_bytes: int, max_values: int) -> Json:
    """JSON of bounded cost in memory; StoreError ``bad_import``.

    A value takes many times the two bytes that it may be long, so values are counted too, by what
    stands between them.
    """
    if len(text) > max_bytes or sum(map(text.count, (b",", b"[", b"{", b":"))) > max_values:
        raise StoreError("bad_import", place="$", reason="too_large")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError("bad_import", place="$", reason="not_json") from error


def _moment(value: object) -> datetime:
    """ISO 8601 with its zone, within the years 2000 to 2199."""
    if not isinstance(value, str) or len(value) > 40:
        raise ValueError("expected a moment as text")
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None or not FIRST_MOMENT <= moment < END_OF_MOMENTS:
        raise ValueError("expected a zone, and a year from 2000 to 2199")
    return moment


def _line(value: str) -> str:
    if checked_text(value, MAX_NAME) != value:
        raise ValueError("expected no blanks around it")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_moment)]
Line = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(_line)]
"""A text as the store writes names: without control characters or blanks at its ends."""
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
Device = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{0,64}$")]
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,64}$")]
PartKey = Annotated[str, Field(max_length=40, pattern=r"^[a-z][a-z_]*(:[0-9]{1,4}){0,3}$")]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Pixels = Annotated[int, Field(ge=1, le=100_000)]
PlayerId = Annotated[str, Field(pattern=r"^([0-9]|1[0-5])$")]
Points = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


Item = TypeVar("Item")
Listed = Annotated[list[Item], FailFast()]


def _not_many(value: Any) -> Any:
    if isinstance(value, dict) and len(value) > _MAX_READINGS:
        raise ValueError(f"expected at most {_MAX_READINGS}")
    return value


_MAX_READINGS = 2000


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few(cls, data: Any) -> Any:
        """Every unknown field would be an error of its own, a million of them in one file."""
        if isinstance(data, dict) and len(data) > len(cls.model_fields) + 8:
            raise ValueError("too many fields")
        return data


class IncomingChange(_Model):
    """A line of the log; the fields are those of ``ChangeRow``."""

    sequence: Number
    part: PartKey
    part_sequence: Number
    based_on: Annotated[int, Field(ge=0, le=1_000_000)]
    change_id: Identifier
    who: Line
    at: Moment
    action: Line
    outcome: Literal["applied", "merged", "collided"]
    undoes: Number | None
    value: Any = Field(description="What the part held after the change; null where it was removed")
    sent: Any = Field(description="What was sent, where it was merged into something else")
    points: Annotated[dict[PlayerId, Points | None] | None, BeforeValidator(_not_many)] = Field(
        description="The points of each player after the change, by id"
    )
    device: Device = ""


class IncomingCollision(_Model):
    """A place that two changes set differently; the fields are those of ``CollisionRow``."""

    sequence: Number
    part: PartKey
    leaf: Annotated[str, Field(max_length=80)]
    kept: Any
    other: Any
    settled_by: Number | None


class IncomingDevice(_Model):
    """A device that made or joined the game, in a backup."""

    device: Device
    joined_at: Moment


class IncomingName(_Model):
    """A name that a device has used, in a backup."""

    device: Device
    name: Line
    name_key: str
    used_at: Moment


class IncomingGame(_Model):
    """A game with its whole log."""

    id: GameId
    kind: Annotated[str, Field(pattern=r"^[a-z_]{1,32}$")]
    kept: bool
    created_at: Moment
    deleted_at: Moment | None
    changes: Listed[IncomingChange]
    collisions: Listed[IncomingCollision]
    readings: Annotated[dict[Identifier, dict[str, Any]], BeforeValidator(_not_many)]
    devices: Listed[IncomingDevice] = []


class ExportData(_Model):
    """Games kept by the companion, with every change from the first."""

    format: Literal["companion-games"]
    version: Literal[1]
    exported_at: Moment
    games: Listed[IncomingGame]
    names: Listed[IncomingName] = []


class PhotoData(_Model):
    """What a backup says of a photo, beside its JPEG."""

    id: Identifier
    game_id: GameId
    width: Pixels
    height: Pixels
    created_at: Moment


class SquareData(_Model):
    """What a backup says of a labelled square, beside its PNG."""

    id: Identifier
    game_id: GameId
    kind: Annotated[str, Field(pattern=r"^[a-z_]{1,32}$")]
    label: Annotated[str, Field(pattern=r"^[a-z0-9.|]{1,16}$")]
    source_photo: Identifier
    created_at: Moment


class PicturesData(_Model):
    """What a backup says of its pictures."""

    photos: Listed[PhotoData]
    squares: Listed[SquareData]


class ErasedData(_Model):
    """The ids of games that were erased, in a backup: phones must not give them back."""

    games: Listed[GameId]


@dataclass(frozen=True)
class CheckedGame:
    """A game of which every value was checked by its kind, ready to be written.

    ``log`` has the value of each change in its normal form, ``parts`` what each part holds at the
    end, by key, and ``results`` the standing then.
    """

    data: IncomingGame
    kind: GameKind
    log: tuple[Json, ...]
    parts: Mapping[str, Json]
    results: Results


Data = TypeVar("Data", bound=BaseModel)


def check_form(model: type[Data], data: Json, place: str = "$") -> Data:
    """The data as their model; StoreError ``bad_import`` with the place and what is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        inside = "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in first["loc"])
        raise StoreError("bad_import", place=(place + inside)[:200], reason=first["type"]) from None


def check_export(export: Json) -> tuple[ExportData, list[CheckedGame]]:
    """An export with every value in it checked by the kind of its game.

    StoreError ``bad_import`` with the ``place`` and the ``reason``, or ``unknown_kind``.
    """
    if not isinstance(export, dict) or export.get("format") != FORMAT:
        raise StoreError("bad_import", place="$.format", reason="not_an_export")
    if export.get("version") != VERSION:
        raise StoreError("bad_import", place="$.version", reason="other_version")
    data = check_form(ExportData, export)
    for number, name in enumerate(data.names):
        if name.name_key != name_key(name.name):
            raise StoreError("bad_import", place=f"$.names[{number}].name_key", reason="other_name")
    games = [_checked_game(game, f"$.games[{n}]") for n, game in enumerate(data.games)]
    if len({game.id for game in data.games}) < len(games):
        raise StoreError("bad_import", place="$.games", reason="game_twice")
    return data, games


def _checked_game(game: IncomingGame, place: str) -> CheckedGame:
    kind = kind_of(game.kind)
    _check_log(game, place)
    log: list[Json] = []
    for number, change in enumerate(game.changes):
        with _at(f"{place}.changes[{number}]"):
            log.append(_normal(kind, change.part, change.value))
            _normal(kind, change.part, change.sent)
    last = {change.part: number for number, change in enumerate(game.changes)}
    last.pop(GAME, None)
    values = {part: log[number] for part, number in last.items() if log[number] is not None}
    parts: dict[str, Json] = {}
    for part, number in last.items():
        others = {key: value for key, value in values.items() if key != part}
        with _at(f"{place}.changes[{number}].value"):
            parts[part] = checked(kind, part, log[number], others)
    for key, reading in game.readings.items():
        with _at(f"{place}.readings.{key}"):
            check_plain("reading", reading)
            kind.check_reading(reading)
    _check_collisions(game, kind, log, place)
    results = kind.results({key: value for key, value in parts.items() if value is not None})
    return CheckedGame(game, kind, tuple(log), parts, results)


def _normal(kind: GameKind, part: str, value: Json) -> Json:
    """A value of the log alone; what it says of other parts is checked for the last one only."""
    if part != GAME:
        return checked(kind, part, value, {})
    if value is not None and not (
        isinstance(value, dict) and [*value] == ["deleted"] and type(value["deleted"]) is bool
    ):
        raise StoreError("bad_value", part=part, reason="bad_form")
    return value


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Turns what a kind refuses into ``bad_import`` with the place."""
    try:
        yield
    except StoreError as error:
        reason = str(error.details.get("reason", error.code))
        raise StoreError("bad_import", place=place, reason=reason) from error


def _check_log(game: IncomingGame, place: str) -> None:
    """Raise StoreError ``bad_import`` for a log that the store can't have written."""
    ids: set[str] = set()
    of_part: dict[str, int] = {}
    deleted = False
    for number, change in enumerate(game.changes):
        of_part[change.part] = of_part.get(change.part, 0) + 1
        undone = None
        if change.undoes is not None and change.undoes <= number:
            undone = game.changes[change.undoes - 1]
        right = {
            "sequence": change.sequence == number + 1,
            "change_id": change.change_id not in ids,
            "part_sequence": change.part_sequence == of_part[change.part],
            "based_on": change.based_on < change.part_sequence,
            "sent": change.outcome != "applied" or change.sent is None,
            "undoes": change.undoes is None
            or (undone is not None and undone.part == change.part and undone.undoes is None),
            "value": change.part != GAME or change.value is not None,
        }
        for field, is_right in right.items():
            if not is_right:
                wrong = f"{place}.changes[{number}].{field}"
                raise StoreError("bad_import", place=wrong, reason="bad_log")
        ids.add(change.change_id)
        if change.part == GAME:
            deleted = change.value == {"deleted": True}
    if deleted != (game.deleted_at is not None):
        raise StoreError("bad_import", place=f"{place}.deleted_at", reason="bad_log")


def _check_collisions(game: IncomingGame, kind: GameKind, log: list[Json], place: str) -> None:
    """Raise StoreError ``bad_import`` for collisions that no change of the log can have had."""
    seen: set[tuple[int, str]] = set()
    for number, each in enumerate(game.collisions):
        wrong = f"{place}.collisions[{number}]"
        if each.sequence > len(log) or (each.sequence, each.leaf) in seen:
            raise StoreError("bad_import", place=f"{wrong}.sequence", reason="bad_log")
        seen.add((each.sequence, each.leaf))
        change = game.changes[each.sequence - 1]
        values = [change.value, log[each.sequence - 1]]
        right = {
            "sequence": change.outcome == "collided",
            "part": each.part == change.part,
            "kept": each.kept in [_leaf(kind, each, value) for value in values],
            "other": each.other == _leaf(kind, each, change.sent) != each.kept,
            "settled_by": each.settled_by is None
            or (
                each.sequence < each.settled_by <= len(log)
                and game.changes[each.settled_by - 1].part == each.part
            ),
        }
        for field, is_right in right.items():
            if not is_right:
                raise StoreError("bad_import", place=f"{wrong}.{field}", reason="bad_log")
    collided = {each.sequence for each in game.changes if each.outcome == "collided"}
    if collided != {sequence for sequence, _ in seen}:
        raise StoreError("bad_import", place=f"{place}.collisions", reason="bad_log")


class _Nowhere:
    """What stands at a place that no value of the kind has; equal to nothing."""


def _leaf(kind: GameKind, collision: IncomingCollision, value: Json) -> Json:
    if collision.leaf == WHOLE:
        return value
    try:
        return leaf_of(kind, collision.part, value, collision.leaf)
    except (ValueError, LookupError, TypeError, AttributeError):
        return _Nowhere()
