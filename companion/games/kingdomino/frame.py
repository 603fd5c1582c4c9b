"""Where a board lies on the lattice of its reading."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino import Position

__all__ = ["AS_READ", "Frame", "frame_name", "origin_of"]

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


def origin_of(frame: Frame) -> Position:
    """The origin of a board in a frame: the square that lies on the lattice place (0, 0)."""
    return Frame((4 - frame.turns) % 4).lattice_place((-frame.row, -frame.column))


def frame_name(frame: Frame) -> str:
    """The name of a frame: its turns, "" for none."""
    return str(frame.turns) if frame.turns else ""
