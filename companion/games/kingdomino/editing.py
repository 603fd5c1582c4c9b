"""A kingdom that was read from a photo while people edit it, and the reading as it is kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from enum import Enum
from threading import Lock
from typing import Self

import numpy as np

from companion.games.kingdomino.kept_board import KeptBoard
from companion.reading.kingdomino import KINGDOMS
from companion.store import Store
from companion.store.merging import Json
from scorer.kingdomino import Kingdom, NotationError, Position, Square
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

_MAX_PX = 100_000


@dataclass(frozen=True)
class KeptReading:
    """The reading of a kingdom with its photo.

    ``photo`` is the id of the kept photo, or another name for it; None if there is none. ``width``
    and ``height`` are those of the upright photo in pixels, to which the homography maps.
    ``warnings`` are those of the whole photo, as codes of ``vision.kingdomino.judge.warn``.
    ValueError for a photo of an impossible size.
    """

    reading: KingdomReading
    photo: str | None = None
    width: int = 0
    height: int = 0
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (0 <= self.width <= _MAX_PX and 0 <= self.height <= _MAX_PX):
            raise ValueError(f"size: expected 0..{_MAX_PX}, got {self.width}, {self.height}")

    def to_data(self) -> Json:
        """Plain data, which ``from_data`` turns back into the same reading to the bit."""
        return _CODEC.to_plain(self)

    @classmethod
    def from_data(cls, data: Json) -> KeptReading:
        """The reading from plain data; ValueError if they are invalid."""
        return _CODEC.from_plain(data)


_CODEC = KINGDOMS.codec.of(KeptReading)


MAX_SIDE = 9
"""The most rows or columns that can be entered, more than any game allows, to show mistakes."""


class Side(Enum):
    """A side of the grid."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


@dataclass(frozen=True)
class EditedKingdom:
    """A kingdom with the state of its squares.

    ``doubtful`` are the squares still to check, ``corrected`` those that a person set or confirmed.
    ``reading`` is the reading of the photo, if there is one; its square (0, 0) is the square
    ``origin`` of the kingdom.
    """

    kingdom: Kingdom
    reading: KingdomReading | None = None
    origin: Position = (0, 0)
    doubtful: frozenset[Position] = frozenset()
    corrected: frozenset[Position] = frozenset()

    @classmethod
    def empty(cls, side: int) -> Self:
        """A grid to be filled by hand, with the castle in its middle."""
        castle = {(side // 2, side // 2): Square(is_castle=True)}
        return cls(Kingdom.empty(side, side).replace(castle))

    @classmethod
    def of_reading(cls, reading: KingdomReading) -> Self:
        """The kingdom of a photo, with its doubts."""
        return cls(reading.kingdom, reading, doubtful=frozenset(reading.doubtful))

    def with_square(self, position: Position, square: Square) -> Self:
        """The kingdom with a square set by a person, no longer in doubt."""
        return replace(
            self,
            kingdom=self.kingdom.replace({position: square}),
            doubtful=self.doubtful - {position},
            corrected=self.corrected | {position},
        )

    def confirmed(self, position: Position) -> Self:
        """The kingdom with a square confirmed by a person."""
        return self.with_square(position, self.kingdom[position])

    def with_line(self, side: Side) -> Self:
        """The kingdom with one more empty row or column on a side, up to ``MAX_SIDE``."""
        height, width = self.kingdom.height, self.kingdom.width
        across = side in (Side.TOP, Side.BOTTOM)
        if (height if across else width) >= MAX_SIDE:
            return self
        rows, columns = (1, 0) if across else (0, 1)
        shift = (int(side is Side.TOP), int(side is Side.LEFT))
        moved = {_moved(place, shift): square for place, square in self.kingdom.items()}
        return replace(
            self._shifted(shift),
            kingdom=Kingdom.empty(height + rows, width + columns).replace(moved),
        )

    def trimmed(self) -> Self:
        """The kingdom without empty outer rows and columns; an empty kingdom is unchanged."""
        taken = [place for place, square in self.kingdom.items() if not square.is_empty]
        if not taken:
            return self
        shift = (-min(row for row, _ in taken), -min(column for _, column in taken))
        return replace(self._shifted(shift), kingdom=self.kingdom.trimmed())._inside()

    def read_at(self, position: Position) -> SquareReading | None:
        """The reading of a square; None outside the grid of the reading."""
        if self.reading is None:
            return None
        row, column = _moved(position, (-self.origin[0], -self.origin[1]))
        kingdom = self.reading.kingdom
        if row not in range(kingdom.height) or column not in range(kingdom.width):
            return None
        return self.reading.squares[row][column]

    def offers(self, position: Position) -> tuple[Square, ...]:
        """Other squares that the photo may show there, most probable first."""
        read = self.read_at(position)
        labels = (read.label, read.runner_up, read.settled_from) if read else ()
        return tuple(
            dict.fromkeys(
                square
                for label in labels
                if (square := _square_of(label)) is not None and square != self.kingdom[position]
            )
        )

    def as_reading(self) -> KingdomReading | None:
        """The reading with the present squares, to draw on the photo.

        Rows and columns added since are left out; those trimmed since are empty.
        """
        if self.reading is None:
            return None
        rows = tuple(
            tuple(
                self._square_now(_moved((row, column), self.origin), square)
                for column, square in enumerate(squares)
            )
            for row, squares in enumerate(self.reading.squares)
        )
        kingdom = Kingdom(
            tuple(tuple(Square.parse(square.label) for square in row) for row in rows)
        )
        return replace(self.reading, kingdom=kingdom, squares=rows)

    def holds(self, position: Position) -> bool:
        """Whether the position is inside the present grid."""
        row, column = position
        return row in range(self.kingdom.height) and column in range(self.kingdom.width)

    def _square_now(self, position: Position, read: SquareReading) -> SquareReading:
        if not self.holds(position):
            return SquareReading(".", 1.0)
        return replace(read, label=str(self.kingdom[position]), doubtful=position in self.doubtful)

    def _shifted(self, shift: Position) -> Self:
        return replace(
            self,
            origin=_moved(self.origin, shift),
            doubtful=frozenset(_moved(place, shift) for place in self.doubtful),
            corrected=frozenset(_moved(place, shift) for place in self.corrected),
        )

    def _inside(self) -> Self:
        places = frozenset(place for place, _ in self.kingdom.items())
        return replace(self, doubtful=self.doubtful & places, corrected=self.corrected & places)


def _square_of(label: str | None) -> Square | None:
    """The square of a label; None for a label outside the notation."""
    try:
        return None if label is None else Square.parse(label)
    except NotationError:
        return None


def _moved(position: Position, shift: Position) -> Position:
    return position[0] + shift[0], position[1] + shift[1]


_PARSED: OrderedDict[tuple[str, str], KeptReading] = OrderedDict()
_MOST_PARSED = 64
_LOCK = Lock()


def kept_readings(store: Store, game_id: str) -> dict[str, KeptReading]:
    """The readings of a game by id; what came in with a game and is none is left out.

    A reading never changes, so that the last ones are parsed once.
    """
    found = {}
    for reading_id, data in store.readings(game_id).items():
        key = (game_id, reading_id)
        with _LOCK:
            kept = _PARSED.get(key)
        if kept is None:
            try:
                kept = KeptReading.from_data(data)
            except ValueError:
                continue
        with _LOCK:
            _PARSED[key] = kept
            _PARSED.move_to_end(key)
            while len(_PARSED) > _MOST_PARSED:
                _PARSED.popitem(last=False)
        found[reading_id] = kept
    return found


def board_of(edited: EditedKingdom, reading_id: str | None = None, frame: str = "") -> KeptBoard:
    """The board to keep of an edited kingdom; ``reading_id`` is the id of its kept reading."""
    return KeptBoard(
        edited.kingdom, edited.origin, edited.doubtful, edited.corrected, frame, reading_id
    )


def edited_of(board: KeptBoard, reading: KeptReading | None = None) -> EditedKingdom:
    """A kept kingdom to edit again, with its reading if that was kept."""
    found = reading.reading if reading else None
    return EditedKingdom(board.kingdom, found, board.origin, board.doubtful, board.corrected)


_SHARE = 0.6
"""The side of the grid over the shorter side of the photo."""


def unread_photo(width: int, height: int, side: int = 5) -> PhotoReading:
    """An empty kingdom of ``side`` squares each way in the middle of a photo.

    ``width`` and ``height`` are pixels of the upright photo.
    """
    square = _SHARE * min(width, height) / side
    left, top = (width - side * square) / 2, (height - side * square) / 2
    homography = np.array([[square, 0.0, left], [0.0, square, top], [0.0, 0.0, 1.0]])
    empty = SquareReading(".", 0.0)
    squares = tuple((empty,) * side for _ in range(side))
    reading = KingdomReading(Kingdom.empty(side, side), squares, homography)
    return PhotoReading((reading,), width, height)
