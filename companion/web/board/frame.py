"""Where the board lies on the lattice that was read, through turns and added lines."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino import Position

__all__ = ["AS_READ", "Frame"]

_TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))


@dataclass(frozen=True)
class Frame:
    """The place of a board on the lattice of its reading.

    ``turns`` are quarter turns clockwise (0..3) that the board was turned by, ``row`` and
    ``column`` the lattice place of its square (0, 0).
    """

    turns: int = 0
    row: int = 0
    column: int = 0

    def __post_init__(self) -> None:
        if self.turns not in range(4):
            raise ValueError(f"turns: expected 0..3, got {self.turns}")

    def lattice_place(self, position: Position) -> Position:
        """The (row, column) of the reading that a square of the board lies on."""
        a, b, c, d = _TURNS[self.turns]
        row, column = position
        return a * row + b * column + self.row, c * row + d * column + self.column


AS_READ = Frame()
