"""A board with its stones at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorer.domino_duell.errors import BoardError, NotationError
from scorer.domino_duell.shape import DEFAULT_SHAPE, Shape
from scorer.domino_duell.stone import JOKER, JOKERS, Piece, Stone, parse_piece

__all__ = ["JOKER_NUMBER", "NOTHING", "Board", "parse_placing"]

NOTHING, JOKER_NUMBER = -1, -2


@dataclass(frozen=True)
class Board:
    """Which piece lies in which hollow; ``cells`` has one entry for each hollow of the shape.

    BoardError ``piece_twice`` for a stone in two hollows, ``too_many_jokers`` for more than four.
    """

    shape: Shape
    cells: tuple[Piece | None, ...]

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.shape.hollows):
            expected = len(self.shape.hollows)
            raise ValueError(f"cells: expected {expected}, got {len(self.cells)}")
        stones = [number for number in self.numbers if number >= 0]
        if len(set(stones)) < len(stones):
            twice = next(
                cell for cell in self.cells if cell is not None and self.cells.count(cell) > 1
            )
            raise BoardError("piece_twice", stone=str(twice), hollows=self._places_of(twice))
        if (jokers := self.numbers.count(JOKER_NUMBER)) > JOKERS:
            raise BoardError("too_many_jokers", found=jokers, allowed=JOKERS)

    @classmethod
    def of(
        cls, pieces: Mapping[str, Piece | str] | None = None, shape: Shape = DEFAULT_SHAPE
    ) -> Board:
        """The board with these pieces, given by hollow.

        BoardError ``off_board`` for a hollow that the board hasn't, NotationError ``bad_stone``.
        """
        cells: list[Piece | None] = [None] * len(shape.hollows)
        for hollow, piece in (pieces or {}).items():
            if hollow not in shape.index:
                raise BoardError("off_board", hollow=hollow)
            cells[shape.index[hollow]] = parse_piece(piece) if isinstance(piece, str) else piece
        return cls(shape, tuple(cells))

    @classmethod
    def parse(cls, text: str, shape: Shape = DEFAULT_SHAPE) -> Board:
        """The board of a text such as ``f6=rtl g5=gml``, in any order.

        NotationError ``bad_placing``, ``bad_stone``, ``off_board`` or ``hollow_twice``,
        BoardError as above.
        """
        pieces: dict[str, Piece] = {}
        for word in text.split():
            hollow, piece = parse_placing(word, shape)
            if hollow in pieces:
                raise NotationError("hollow_twice", text=word, hollow=hollow)
            pieces[hollow] = piece
        return cls.of(pieces, shape)

    def __str__(self) -> str:
        return " ".join(f"{hollow}={piece}" for hollow, piece in self.items())

    def __getitem__(self, hollow: str) -> Piece | None:
        """What lies in a hollow; KeyError for a hollow that the board hasn't."""
        return self.cells[self.shape.index[hollow]]

    def items(self) -> Iterator[tuple[str, Piece]]:
        """The occupied hollows with their pieces, row by row."""
        for hollow, piece in zip(self.shape.hollows, self.cells, strict=True):
            if piece is not None:
                yield hollow, piece

    @property
    def stones(self) -> tuple[Stone, ...]:
        """The stones on the board, without jokers."""
        return tuple(cell for cell in self.cells if isinstance(cell, Stone))

    @property
    def jokers(self) -> int:
        """How many jokers lie on the board."""
        return self.numbers.count(JOKER_NUMBER)

    @property
    def free(self) -> tuple[str, ...]:
        """The hollows without a piece."""
        pairs = zip(self.shape.hollows, self.cells, strict=True)
        return tuple(hollow for hollow, piece in pairs if piece is None)

    def with_piece(self, hollow: str, piece: Piece | None) -> Board:
        """The board after a piece was put into a hollow, or None taken out of it."""
        index = self.shape.index[hollow]
        return Board(self.shape, (*self.cells[:index], piece, *self.cells[index + 1 :]))

    @cached_property
    def numbers(self) -> list[int]:
        """The cells as numbers, for counting: 0..63 stones, -1 nothing, -2 a joker."""
        return [
            NOTHING if cell is None else JOKER_NUMBER if cell is JOKER else cell.number
            for cell in self.cells
        ]

    def _places_of(self, piece: Piece) -> tuple[str, ...]:
        return tuple(hollow for hollow, each in self.items() if each == piece)


def parse_placing(text: str, shape: Shape) -> tuple[str, Piece]:
    """Hollow and piece of a text such as ``f6=rtl``.

    NotationError ``bad_placing``, ``off_board`` or ``bad_stone``.
    """
    hollow, equals, piece = text.partition("=")
    if not equals:
        raise NotationError("bad_placing", text=text)
    if hollow not in shape.index:
        raise NotationError("off_board", text=hollow, hollow=hollow)
    try:
        return hollow, parse_piece(piece)
    except NotationError as error:
        raise error.at(1, len(hollow) + 2) from None
