"""Where a board lies on the lattice of its reading, and the board turned."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.kingdomino.kind import KeptBoard
from scorer.kingdomino import Kingdom, Position

__all__ = [
    "AS_READ",
    "Frame",
    "board_frame",
    "frame_name",
    "lattice_place",
    "origin_of",
    "rotated",
]

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


def board_frame(board: KeptBoard) -> Frame:
    """Where a kept board lies on the lattice of its reading."""
    turns = int(board.frame or "0")
    row, column = _turned(board.origin, turns)
    return Frame(turns, -row, -column)


def lattice_place(board: KeptBoard, position: Position) -> Position:
    """The (row, column) of the reading that a square of a kept board lies on."""
    return board_frame(board).lattice_place(position)


def origin_of(frame: Frame) -> Position:
    """The origin of a board in a frame: the square that lies on the lattice place (0, 0)."""
    return _turned_back((-frame.row, -frame.column), frame.turns)


def frame_name(frame: Frame) -> str:
    """The name of a frame: its turns, since squares are merged within one turn only."""
    return str(frame.turns) if frame.turns else ""


def rotated(board: KeptBoard, turns: int) -> KeptBoard:
    """The board turned clockwise by quarter turns, its marks and its place on the lattice too."""
    for _ in range(turns % 4):
        height = board.kingdom.height
        rows = tuple(
            tuple(board.kingdom[height - 1 - row, column] for row in range(height))
            for column in range(board.kingdom.width)
        )
        frame = board_frame(board)
        first = frame.lattice_place((height - 1, 0))
        after = (frame.turns + 1) % 4
        board = KeptBoard(
            Kingdom(rows),
            origin_of(Frame(after, *first)),
            frozenset((c, height - 1 - r) for r, c in board.doubtful),
            frozenset((c, height - 1 - r) for r, c in board.corrected),
            frame_name(Frame(after)),
            board.reading,
        )
    return board


def _turned(place: Position, turns: int) -> Position:
    """A step on the board as a step on the lattice."""
    return Frame(turns).lattice_place(place)


def _turned_back(place: Position, turns: int) -> Position:
    return Frame((4 - turns) % 4).lattice_place(place)
