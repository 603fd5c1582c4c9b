"""Shapes of boards as data: the hollows of a drawing, their names, neighbours, lines and edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from scorer.domino_duell.errors import NotationError

__all__ = ["DEFAULT_SHAPE", "HOLLOW", "MIDDLE_HOLLOW", "Place", "Shape", "Window"]

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

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Where each hollow lies, row by row."""
        return tuple(
            (x, row)
            for row, drawn in enumerate(self.rows)
            for x, mark in enumerate(drawn)
            if mark != " "
        )

    @cached_property
    def hollows(self) -> tuple[str, ...]:
        """The names of the hollows in the same order."""
        return tuple(self._names())

    def _names(self) -> Iterator[str]:
        for letter, drawn in zip(ascii_lowercase, self.rows, strict=False):
            count = len(drawn.replace(" ", ""))
            yield from (f"{letter}{number}" for number in range(1, count + 1))

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each hollow by name."""
        return {name: number for number, name in enumerate(self.hollows)}

    @cached_property
    def middle(self) -> tuple[str, ...]:
        """The hollows marked for the start stones."""
        marks = [mark for drawn in self.rows for mark in drawn if mark != " "]
        return tuple(
            name for name, mark in zip(self.hollows, marks, strict=True) if mark == MIDDLE_HOLLOW
        )

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The up to six hollows that touch each hollow."""
        return tuple(tuple(self._near(place, STEPS)) for place in self.places)

    @cached_property
    def surroundings(self) -> tuple[tuple[int, ...], ...]:
        """The up to 18 hollows within two steps of each hollow, as the crow flies."""
        steps = {(a + c, b + d) for a, b in STEPS for c, d in STEPS} | set(STEPS)
        steps.discard((0, 0))
        return tuple(tuple(self._near(place, sorted(steps))) for place in self.places)

    @cached_property
    def edge(self) -> frozenset[str]:
        """The hollows with fewer than six neighbours."""
        return frozenset(
            name
            for name, near in zip(self.hollows, self.neighbours, strict=True)
            if len(near) < len(STEPS)
        )

    @cached_property
    def triples(self) -> tuple[tuple[Window, ...], ...]:
        """For each hollow the windows of three hollows in a row that hold it."""
        return tuple(
            tuple(Window(others, hollows) for others, hollows in self._windows(index, 3))
            for index in range(len(self.places))
        )

    @cached_property
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

    @cached_property
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
