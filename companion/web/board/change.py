"""What comes up from the board, believed only after a hard look."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.web.board.frame import Frame
from scorer.kingdomino import Kingdom, NotationError, Position, Square

__all__ = ["MAX_SIDE", "Action", "BoardChange", "ChangeKind", "Corners", "parse_change"]

MAX_SIDE = 9
"""Rows or columns of the board; more than any game allows, so that a slip can be shown."""

Corners = tuple[tuple[float, float], ...]
"""Four corners (x, y) in pixels of the photo, clockwise from the top left of the kingdom."""

_MAX_NUMBER = 2**31 - 1
_MAX_ACTIONS = 200
_MAX_TEXT = MAX_SIDE * MAX_SIDE * 6
_MAX_PX = 100_000.0
_MAX_OFFSET = 99
_MIN_SINE = 0.05
_CLIENT = re.compile(r"[0-9a-z]{8,40}")
_SIDES = ("top", "right", "bottom", "left")


class ChangeKind(StrEnum):
    """What a person did on the board."""

    SET = "set"
    PAINT = "paint"
    CONFIRM = "confirm"
    UNDO = "undo"
    REDO = "redo"
    ADD_LINE = "add_line"
    REMOVE_LINE = "remove_line"
    MOVE = "move"
    TURN = "turn"
    CLEAR = "clear"
    CORNERS = "corners"


@dataclass(frozen=True)
class Action:
    """One step of a person, for the log.

    ``value`` is the notation that squares were set to, or the side of a line or a move.
    """

    seq: int
    kind: ChangeKind
    squares: tuple[Position, ...] = ()
    value: str | None = None


@dataclass(frozen=True)
class BoardChange:
    """The whole kingdom after what a person did.

    ``client`` names the board on one phone, ``seq`` numbers its changes from 1. ``base`` is the
    revision of ``BoardState`` that the kingdom is built on: where the store is further, somebody
    else changed it meanwhile. ``actions`` are all that no answer has confirmed yet, the oldest
    first. ``corners`` and ``grid`` (rows, columns) ask for the squares to be read again in that
    frame.
    """

    client: str
    seq: int
    base: int
    kingdom: Kingdom
    settled: frozenset[Position]
    frame: Frame
    actions: tuple[Action, ...]
    corners: Corners | None = None
    grid: tuple[int, int] | None = None


class _Unbelievable(ValueError):
    pass


def parse_change(message: object) -> BoardChange | None:
    """The change in a message of a browser; None for anything that the board doesn't send."""
    try:
        return _change(message)
    except (_Unbelievable, NotationError):
        return None


def _change(message: object) -> BoardChange:
    fields = _fields(message)
    client = fields.get("client")
    if not isinstance(client, str) or not _CLIENT.fullmatch(client):
        raise _Unbelievable("client")
    kingdom = _kingdom(fields.get("kingdom"))
    return BoardChange(
        client=client,
        seq=_integer(fields.get("seq"), 1, _MAX_NUMBER),
        base=_integer(fields.get("base"), 0, _MAX_NUMBER),
        kingdom=kingdom,
        settled=_settled(fields.get("settled"), kingdom),
        frame=_frame(fields.get("frame")),
        actions=tuple(_action(each) for each in _list(fields.get("done"), _MAX_ACTIONS)),
        corners=_corners(fields.get("corners")),
        grid=_grid(fields.get("grid")),
    )


def _fields(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Unbelievable("object")
    return value


def _integer(value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _Unbelievable("integer")
    return value


def _list(value: object, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise _Unbelievable("list")
    return value


def _kingdom(text: object) -> Kingdom:
    if not isinstance(text, str) or len(text) > _MAX_TEXT:
        raise _Unbelievable("kingdom")
    kingdom = Kingdom.parse(text)
    if kingdom.height > MAX_SIDE or kingdom.width > MAX_SIDE:
        raise _Unbelievable("size")
    return kingdom


def _settled(marks: object, kingdom: Kingdom) -> frozenset[Position]:
    places = [place for place, _ in kingdom.items()]
    if not isinstance(marks, str) or len(marks) != len(places) or set(marks) - {"0", "1"}:
        raise _Unbelievable("settled")
    return frozenset(place for place, mark in zip(places, marks, strict=True) if mark == "1")


def _frame(value: object) -> Frame:
    numbers = _list(value, 3)
    if len(numbers) != 3:
        raise _Unbelievable("frame")
    turns, row, column = numbers
    return Frame(
        _integer(turns, 0, 3),
        _integer(row, -_MAX_OFFSET, _MAX_OFFSET),
        _integer(column, -_MAX_OFFSET, _MAX_OFFSET),
    )


def _action(value: object) -> Action:
    fields = _fields(value)
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in list(ChangeKind):
        raise _Unbelievable("kind")
    squares = _list(fields.get("squares", []), MAX_SIDE * MAX_SIDE)
    return Action(
        _integer(fields.get("seq"), 1, _MAX_NUMBER),
        ChangeKind(kind),
        tuple(_pair(each, 0, MAX_SIDE - 1) for each in squares),
        _value(fields.get("value")),
    )


def _value(value: object) -> str | None:
    if value is None or (isinstance(value, str) and value in _SIDES):
        return value
    if not isinstance(value, str):
        raise _Unbelievable("value")
    return str(Square.parse(value))


def _pair(value: object, low: int, high: int) -> tuple[int, int]:
    numbers = _list(value, 2)
    if len(numbers) != 2:
        raise _Unbelievable("pair")
    return _integer(numbers[0], low, high), _integer(numbers[1], low, high)


def _grid(value: object) -> tuple[int, int] | None:
    return None if value is None else _pair(value, 1, MAX_SIDE)


def _corners(value: object) -> Corners | None:
    if value is None:
        return None
    points = [_point(each) for each in _list(value, 4)]
    if len(points) != 4 or not all(map(_is_bend, points, points[1:] + points[:1], _turned(points))):
        raise _Unbelievable("corners")
    return tuple(points)


def _point(value: object) -> tuple[float, float]:
    numbers = _list(value, 2)
    if len(numbers) != 2:
        raise _Unbelievable("point")
    x, y = (_coordinate(number) for number in numbers)
    return x, y


def _coordinate(number: object) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise _Unbelievable("coordinate")
    if not (-_MAX_PX <= number <= _MAX_PX and math.isfinite(number)):
        raise _Unbelievable("coordinate")
    return float(number)


def _turned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return points[2:] + points[:2]


def _is_bend(
    last: tuple[float, float], corner: tuple[float, float], following: tuple[float, float]
) -> bool:
    """Whether the way turns clearly clockwise at a corner, as it does round a convex area."""
    ax, ay = corner[0] - last[0], corner[1] - last[1]
    bx, by = following[0] - corner[0], following[1] - corner[1]
    length = math.hypot(ax, ay) * math.hypot(bx, by)
    return length > 0 and (ax * by - ay * bx) / length > _MIN_SINE
