"""A kingdom as an immutable rectangle of squares, and its notation.

The notation has the rows from the top, separated by ``/``, and their squares separated by spaces:
``w w1 f . c/m3!! l1 g2 s .``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.kingdomino.errors import NotationError
from scorer.kingdomino.square import EMPTY, Square

__all__ = ["Kingdom", "Position", "edge_neighbours"]

Position = tuple[int, int]
"""(row, column) of a square, counted from 0 at the top left."""


def edge_neighbours(position: Position) -> tuple[Position, ...]:
    """The four positions that share an edge with one: above, left, right, below."""
    row, column = position
    return ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))


@dataclass(frozen=True, slots=True)
class Kingdom:
    """A kingdom (Königreich) as rows of squares from the top, all of the same length.

    Any rectangle with at least one square is accepted, also what the game doesn't allow; see
    ``problems``. ValueError for no rows or rows of different lengths.
    """

    rows: tuple[tuple[Square, ...], ...]

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.rows}
        if len(widths) != 1 or 0 in widths:
            raise ValueError(f"rows: expected equally long rows, got lengths {sorted(widths)}")

    @classmethod
    def parse(cls, text: str) -> Kingdom:
        """Parse a notation such as ``w w1 c/f . .``; NotationError for any other text.

        Additional spaces between squares, around ``/`` and at the ends are accepted.
        """
        if not text.strip():
            raise NotationError("empty_text")
        lines = [line.split() for line in text.split("/")]
        for row, words in enumerate(lines):
            if len(words) != len(lines[0]) or not words:
                raise NotationError(
                    "unequal_rows", row=row, expected=len(lines[0]) or 1, actual=len(words)
                )
        return cls(
            tuple(
                tuple(_square_at(word, row, column) for column, word in enumerate(words))
                for row, words in enumerate(lines)
            )
        )

    @classmethod
    def empty(cls, height: int, width: int) -> Kingdom:
        """A rectangle of empty squares."""
        return cls(((EMPTY,) * width,) * height)

    def format(self) -> str:
        """The notation of the kingdom, which ``parse`` turns back into the same kingdom."""
        return "/".join(" ".join(map(str, row)) for row in self.rows)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"Kingdom.parse({self.format()!r})"

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def __getitem__(self, position: Position) -> Square:
        row, column = position
        if row not in range(self.height) or column not in range(self.width):
            size = (self.height, self.width)
            raise IndexError(f"position: expected inside {size}, got {position}")
        return self.rows[row][column]

    def items(self) -> Iterator[tuple[Position, Square]]:
        """Every (row, column) with its square, row by row, empty ones too."""
        for row, squares in enumerate(self.rows):
            for column, square in enumerate(squares):
                yield (row, column), square

    def replace(self, squares: Mapping[Position, Square]) -> Kingdom:
        """The kingdom with these squares replaced; IndexError for a position outside it."""
        for position in squares:
            self[position]
        return Kingdom(
            tuple(
                tuple(squares.get((row, column), square) for column, square in enumerate(line))
                for row, line in enumerate(self.rows)
            )
        )

    def trimmed(self) -> Kingdom:
        """The kingdom without empty outer rows and columns; one empty square if all are empty."""
        taken = [position for position, square in self.items() if not square.is_empty]
        if not taken:
            return Kingdom.empty(1, 1)
        top, bottom = min(row for row, _ in taken), max(row for row, _ in taken)
        left, right = min(column for _, column in taken), max(column for _, column in taken)
        return Kingdom(tuple(line[left : right + 1] for line in self.rows[top : bottom + 1]))

    def transposed(self) -> Kingdom:
        """The kingdom with rows and columns swapped."""
        return Kingdom(tuple(zip(*self.rows, strict=True)))

    def turned(self) -> Kingdom:
        """The kingdom turned by 90 degrees clockwise."""
        return Kingdom(tuple(zip(*reversed(self.rows), strict=True)))

    def mirrored(self) -> Kingdom:
        """The kingdom with left and right swapped."""
        return Kingdom(tuple(tuple(reversed(row)) for row in self.rows))


def _square_at(text: str, row: int, column: int) -> Square:
    try:
        return Square.parse(text)
    except NotationError as error:
        raise NotationError("bad_square", text=text, row=row, column=column) from error
