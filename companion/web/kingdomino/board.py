"""The board: a kingdom on its photo and as tiles, edited with fingers, mouse or keys.

What comes from a browser is checked before it is used.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Self

import streamlit as st

from companion.games.kingdomino.kept_board import AS_READ, Frame
from companion.games.kingdomino.terrain_art import symbols
from companion.languages import Language, say
from companion.web.parts import words_of
from companion.web.shell.bridge import Component, Message, sent_by
from scorer.kingdomino import (
    Bonus,
    Character,
    CharacterScore,
    Kingdom,
    NotationError,
    Position,
    Score,
    Square,
    Terrain,
)
from scorer.kingdomino.kingdom import WITH_TOKENS
from vision.kingdomino.result import KingdomReading, SquareReading

MAX_SIDE = 9
"""Rows or columns of the board; more than any game allows, so that a slip can be shown."""

Corners = tuple[tuple[float, float], ...]
"""Four corners (x, y) in pixels of the photo, clockwise from the top left of the kingdom."""

_MAX_NUMBER = 2**31 - 1
_MAX_TEXT = MAX_SIDE * MAX_SIDE * (len("w:sword-warrior:99") + 1)
_MAX_PX = 100_000.0
_MAX_OFFSET = 99
_MIN_SINE = 0.05
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

    ``value`` is the notation that squares were set to, or the side of a line or a move. ``change``
    is the number of the change in the game that is taken back, where it read the squares anew.
    """

    seq: int
    kind: ChangeKind
    squares: tuple[Position, ...] = ()
    value: str | None = None
    change: int | None = None


@dataclass(frozen=True)
class BoardChange:
    """The whole kingdom after what a person did.

    ``client`` names the board on one phone, ``seq`` numbers its changes from 1. ``base`` is the
    revision of ``BoardState`` that the kingdom is built on: where the store is further, somebody
    else changed it meanwhile. ``insisted`` are those of the ``settled`` squares that a person
    called right although the box says otherwise. ``actions`` are all that no answer has confirmed
    yet, the oldest first. ``corners`` and ``grid`` (rows, columns) ask for the squares to be read
    again in that frame.
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
    insisted: frozenset[Position] = frozenset()


class _Unbelievable(ValueError):
    pass


def parse_change(message: Message) -> BoardChange | None:
    """The change in a message of a browser; None for anything that the board doesn't send."""
    try:
        return _change(message)
    except (_Unbelievable, NotationError):
        return None


def _change(message: Message) -> BoardChange:
    fields = message.data
    kingdom = _kingdom(fields.get("kingdom"))
    marks = _marks(fields.get("settled"), kingdom)
    return BoardChange(
        client=message.client,
        seq=message.seq,
        base=_integer(fields.get("base"), 0, _MAX_NUMBER),
        kingdom=kingdom,
        settled=frozenset(place for place, mark in marks.items() if mark != "0"),
        frame=_frame(fields.get("frame")),
        actions=tuple(_action(seq, each) for seq, each in message.done),
        corners=_corners(fields.get("corners")),
        grid=_grid(fields.get("grid")),
        insisted=frozenset(place for place, mark in marks.items() if mark == "2"),
    )


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


def _marks(marks: object, kingdom: Kingdom) -> dict[Position, str]:
    """What people said of each square: "1" set or confirmed, "2" insisted on, "0" nothing."""
    places = [place for place, _ in kingdom.items()]
    if not isinstance(marks, str) or len(marks) != len(places) or set(marks) - {"0", "1", "2"}:
        raise _Unbelievable("settled")
    return dict(zip(places, marks, strict=True))


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


def _action(seq: int, fields: Mapping[str, Any]) -> Action:
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in list(ChangeKind):
        raise _Unbelievable("kind")
    squares = _list(fields.get("squares", []), MAX_SIDE * MAX_SIDE)
    return Action(
        seq,
        ChangeKind(kind),
        tuple(_pair(each, 0, MAX_SIDE - 1) for each in squares),
        _value(fields.get("value")),
        _integer(fields["change"], 1, _MAX_NUMBER) if "change" in fields else None,
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


@dataclass(frozen=True)
class BoardPhoto:
    """The photo that lies under the board: its address and its size in pixels."""

    url: str
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"photo: expected a size from 1×1, got {self.width}×{self.height}")


@dataclass(frozen=True)
class BoardBonus:
    """A bonus in the words of the reader's language, and the squares that earned it."""

    name: str
    points: int
    squares: tuple[Position, ...] = ()


@dataclass(frozen=True)
class BoardScore:
    """The points of the kingdom that is sent with it; territories the board counts itself."""

    points: int
    bonuses: tuple[BoardBonus, ...] = ()

    @classmethod
    def of(cls, score: Score, name_of: Callable[[Bonus | CharacterScore], str]) -> Self:
        """A score with its bonuses and characters named; a character's own square is the first."""
        bonuses = [BoardBonus(name_of(each), each.points, each.squares) for each in score.bonuses]
        characters = [
            BoardBonus(name_of(each), each.points, (each.square, *each.around))
            for each in score.characters
        ]
        return cls(score.points, (*bonuses, *characters))


@dataclass(frozen=True)
class BoardPast:
    """A kingdom as it was, what people had said of its squares, and where it lay on the photo."""

    kingdom: Kingdom
    settled: frozenset[Position] = frozenset()
    frame: Frame = AS_READ
    insisted: frozenset[Position] = frozenset()

    def to_data(self) -> dict[str, Any]:
        """As it goes down to the board."""
        marks = (
            str((place in self.settled) + (place in self.insisted))
            for place, _ in self.kingdom.items()
        )
        return {
            "kingdom": self.kingdom.format(),
            "settled": "".join(marks),
            "frame": [self.frame.turns, self.frame.row, self.frame.column],
        }


@dataclass(frozen=True)
class BoardStep:
    """What this device did and can take back: the kingdom before it and after it, or the number
    of the change in the game by which the squares were read anew.
    """

    before: BoardPast | None = None
    after: BoardPast | None = None
    change: int | None = None

    def to_data(self) -> dict[str, Any]:
        """As it goes down to the board."""
        if self.before is None or self.after is None:
            return {"change": self.change}
        return {"before": self.before.to_data(), "after": self.after.to_data()}


@dataclass(frozen=True)
class OpenSquare:
    """A square to be looked at: what else may lie there, the most likely first, as notation.

    ``asked`` where the box says otherwise because of what people set.
    """

    offers: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True)
class BoardState:
    """All that the board shows.

    ``reading`` is what the photo gave, ``reasons`` has the words for what makes its squares
    doubtful, by their codes. ``settled`` are the squares that a person set or confirmed,
    ``insisted`` those of them that one called right although the box says otherwise; ``frame``
    says where the kingdom lies on the lattice of ``reading``; ``open_squares`` are the doubts of
    now by their places there, None for those of the reading itself; ``revision`` counts the
    changes that the store knows of. ``title`` and ``colour`` (of the castle, as the reader names
    it) are shown beside the points, ``notice`` is a sentence about what went wrong. A board that is
    new on its page begins with its corners being set (``sets_corners``), or with the brush
    (``paints``). ``court`` offers the pieces of The Court. ``mine`` where the last change is of
    this device, if not of its board.
    """

    kingdom: Kingdom
    revision: int = 0
    score: BoardScore | None = None
    photo: BoardPhoto | None = None
    reading: KingdomReading | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    settled: frozenset[Position] = frozenset()
    frame: Frame = AS_READ
    open_squares: Mapping[Position, OpenSquare] | None = None
    title: str | None = None
    colour: str | None = None
    notice: str | None = None
    sets_corners: bool = False
    paints: bool = False
    court: bool = False
    mine: bool = False
    insisted: frozenset[Position] = frozenset()

    def dossier(self, words: Mapping[str, str]) -> dict[str, Any]:
        """The part that changes rarely and is sent once, with an ``id`` of its content."""
        content = {
            "words": dict(words),
            "symbols": symbols(),
            "photo": vars(self.photo) if self.photo else None,
            "reading": self.reading
            and {
                "homography": self.reading.homography.ravel().tolist(),
                "rows": [[self._read(each) for each in row] for row in self.reading.squares],
            },
        }
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return {"id": digest[:16], **content}

    def _read(self, square: SquareReading) -> dict[str, Any]:
        read = {"label": square.label, "runnerUp": square.runner_up, "doubtful": square.doubtful}
        why = self.reasons.get(square.reason or "")
        return {**read, "why": why} if why else read

    def message(self, dossier_id: str) -> dict[str, Any]:
        """The part that is sent each time; what there is none of is left out."""
        score = self.score and {
            "points": self.score.points,
            "bonuses": [
                {"name": each.name, "points": each.points, "squares": list(map(list, each.squares))}
                for each in self.score.bonuses
            ],
        }
        open_squares = (
            None
            if self.open_squares is None
            else {
                f"{row},{column}": {"offers": list(each.offers), "asked": each.asked}
                for (row, column), each in self.open_squares.items()
            }
        )
        message = {
            **BoardPast(self.kingdom, self.settled, self.frame, self.insisted).to_data(),
            "revision": self.revision,
            "score": score,
            "open": open_squares,
            "notice": self.notice,
            "title": self.title,
            "colour": self.colour,
            "dossierId": dossier_id,
            "setsCorners": self.sets_corners or None,
            "paints": self.paints or None,
            "court": self.court or None,
            "mine": self.mine or None,
        }
        return {name: value for name, value in message.items() if value is not None}


_FIELDS = ("column", "columns", "count", "index", "row", "rows", "square", "what")


@cache
def board_words(language: Language) -> dict[str, str]:
    """All words of the board in a language, by their code, {fields} left as they are."""
    found = words_of("board.", language, _FIELDS)
    words = {code.removeprefix("board."): text for code, text in found.items()}
    codes = [f"terrain.{terrain.letter}" for terrain in Terrain]
    codes += [f"token.{terrain.letter}" for terrain in Terrain if terrain in WITH_TOKENS]
    codes += [f"character.{character.key}" for character in Character]
    for code in codes:
        name = say(code, language)
        words[code] = name[:1].upper() + name[1:]
    return words


def _newest(message: Message) -> list[tuple[int, BoardChange]]:
    """A board sends its whole kingdom, so the newest message is the change."""
    change = parse_change(message)
    return [] if change is None else [(message.seq, change)]


_BOARD = Component(
    "kingdomino",
    "kingdomino/static/board.mjs",
    _newest,
    style="kingdomino/static/board.css",
)


def board(
    state: BoardState,
    *,
    key: str,
    words: Mapping[str, str],
    on_change: Callable[[BoardChange], None],
    earlier: Callable[[], Sequence[BoardStep]] = tuple,
) -> None:
    """Draw the board.

    ``words`` are those of ``board_words``. ``on_change`` gets what a person did, before the page
    is drawn again; it must be safe then, because drawing answers it. ``earlier`` gives what
    this device did before, the oldest first, which a board that is new on its page can then undo.
    """
    dossier = state.dossier(words)
    data = state.message(dossier["id"])
    sent = sent_by(key)
    if not isinstance(sent, Mapping) or sent.get("has") != dossier["id"]:
        data["dossier"] = dossier
        data["past"] = [each.to_data() for each in earlier()]
    with st.container(gap=None):
        _BOARD.show(data, key=key, on_change=on_change)
