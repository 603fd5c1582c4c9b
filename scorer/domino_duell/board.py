"""Shapes of boards as data, and a board with its stones at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from scorer.computed import computed_once
from scorer.domino_duell.errors import BoardError, NotationError
from scorer.domino_duell.stone import JOKER, JOKERS, Piece, Stone, parse_piece

HOLLOW, MIDDLE_HOLLOW = "o", "x"
"""How a hollow and a hollow of the middle are drawn."""

Place = tuple[int, int]
"""Where a hollow lies: x in half steps from the left of the drawing, and row from the top."""

DIRECTIONS: tuple[Place, ...] = ((2, 0), (1, 1), (-1, 1))
"""The three straight lines through a hollow; the neighbours lie one step along each, both ways."""

STEPS: tuple[Place, ...] = DIRECTIONS + tuple((-x, -row) for x, row in DIRECTIONS)


@dataclass(frozen=True, slots=True)
class Window:
    """Three or four hollows in a row that hold a certain one.

    ``others`` are the indices of the rest, ``hollows`` the names of all in their order along the
    line, ``inside`` for four hollows the numbers of the windows of three within, as bits.
    """

    others: tuple[int, ...]
    hollows: tuple[str, ...]
    inside: int = 0


@dataclass(frozen=True)
class Shape:
    """The shape of a board (Spielbrett), drawn row by row: ``o`` a hollow, ``x`` one of the middle.

    Hollows of a row stand two columns apart, those of the next row between them, one column to
    the left or right. Rows are named from ``a``, the hollows of a row counted from 1: ``f6``. A
    row may have gaps. NotationError ``empty_board``, ``too_many_rows``, ``bad_hollow_mark`` or
    ``off_lattice`` (with ``line`` and ``column`` from 1).
    """

    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.rows) > len(ascii_lowercase):
            raise NotationError("too_many_rows", found=len(self.rows), allowed=len(ascii_lowercase))
        parity = None
        for line, row in enumerate(self.rows):
            for column, mark in enumerate(row):
                if mark not in (HOLLOW, MIDDLE_HOLLOW, " "):
                    raise NotationError(
                        "bad_hollow_mark", text=mark, line=line + 1, column=column + 1
                    )
                if mark == " ":
                    continue
                parity = (line + column) % 2 if parity is None else parity
                if (line + column) % 2 != parity:
                    raise NotationError("off_lattice", line=line + 1, column=column + 1)
        if parity is None:
            raise NotationError("empty_board")

    @classmethod
    def parse(cls, text: str) -> Shape:
        """The shape of a drawing; NotationError as above. Blanks at the right don't matter."""
        return cls(tuple(row.rstrip() for row in text.strip("\n").split("\n")))

    def __str__(self) -> str:
        return "\n".join(self.rows)

    @computed_once
    def places(self) -> tuple[Place, ...]:
        """Where each hollow lies, row by row."""
        return tuple(
            (x, row)
            for row, drawn in enumerate(self.rows)
            for x, mark in enumerate(drawn)
            if mark != " "
        )

    @computed_once
    def hollows(self) -> tuple[str, ...]:
        """The names of the hollows in the same order."""
        return tuple(self._names())

    def _names(self) -> Iterator[str]:
        for letter, drawn in zip(ascii_lowercase, self.rows, strict=False):
            count = len(drawn.replace(" ", ""))
            yield from (f"{letter}{number}" for number in range(1, count + 1))

    @computed_once
    def index(self) -> dict[str, int]:
        """The index of each hollow by name."""
        return {name: number for number, name in enumerate(self.hollows)}

    @computed_once
    def middle(self) -> tuple[str, ...]:
        """The hollows marked for the start stones."""
        marks = [mark for drawn in self.rows for mark in drawn if mark != " "]
        return tuple(
            name for name, mark in zip(self.hollows, marks, strict=True) if mark == MIDDLE_HOLLOW
        )

    @computed_once
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The up to six hollows that touch each hollow."""
        return tuple(tuple(self._near(place, STEPS)) for place in self.places)

    @computed_once
    def surroundings(self) -> tuple[tuple[int, ...], ...]:
        """The up to 18 hollows within two steps of each hollow, as the crow flies."""
        steps = {(a + c, b + d) for a, b in STEPS for c, d in STEPS} | set(STEPS)
        steps.discard((0, 0))
        return tuple(tuple(self._near(place, sorted(steps))) for place in self.places)

    @computed_once
    def edge(self) -> frozenset[str]:
        """The hollows with fewer than six neighbours."""
        return frozenset(
            name
            for name, near in zip(self.hollows, self.neighbours, strict=True)
            if len(near) < len(STEPS)
        )

    @computed_once
    def triples(self) -> tuple[tuple[Window, ...], ...]:
        """For each hollow the windows of three hollows in a row that hold it."""
        return tuple(
            tuple(Window(others, hollows) for others, hollows in self._windows(index, 3))
            for index in range(len(self.places))
        )

    @computed_once
    def quadruples(self) -> tuple[tuple[Window, ...], ...]:
        """For each hollow the windows of four hollows in a row that hold it."""
        found = []
        for index, triples in enumerate(self.triples):
            windows = []
            for others, hollows in self._windows(index, 4):
                inside = sum(
                    1 << number
                    for number, triple in enumerate(triples)
                    if set(triple.hollows) <= set(hollows)
                )
                windows.append(Window(others, hollows, inside))
            found.append(tuple(windows))
        return tuple(found)

    @computed_once
    def _index_of_place(self) -> dict[Place, int]:
        return {place: number for number, place in enumerate(self.places)}

    def _near(self, place: Place, steps: Sequence[Place]) -> Iterator[int]:
        for right, down in steps:
            index = self._index_of_place.get((place[0] + right, place[1] + down))
            if index is not None:
                yield index

    def _windows(self, index: int, size: int) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
        x, row = self.places[index]
        for right, down in DIRECTIONS:
            for first in range(1 - size, 1):
                places = [(x + k * right, row + k * down) for k in range(first, first + size)]
                if all(place in self._index_of_place for place in places):
                    members = [self._index_of_place[place] for place in places]
                    others = tuple(member for member in members if member != index)
                    yield others, tuple(self.hollows[member] for member in members)


DEFAULT_SHAPE = Shape.parse(
    """
     o o o o o o
    o o o o o o o
   o o o o o o o o
  o o o o o o o o o
 o o o o o o o o o o
o o o o o x x o o o o
 o o o o x x o o o o o
  o o o o o o o o o o
   o o o o o o o o o
    o o o o o o o o
     o o o o o o o
      o o o o o o
"""
)
"""The board of 102 hollows: twelve rows of 6 to 11, middle ``f6 f7 g5 g6``.

The sheet's picture of the board is lost; this is the one convex hexagon of 102 hollows with a
middle of four.
"""


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

    @computed_once
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
