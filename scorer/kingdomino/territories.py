"""Territories: squares of one terrain that are connected by edges."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino.board import Board
from scorer.kingdomino.kingdom import Position
from scorer.kingdomino.terrain import Terrain

__all__ = ["Territory", "territories_of"]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory (Gebiet): its squares as (row, column), row by row, and its crowns.

    ``crowns`` is the number of crowns that count, ``covered_crowns`` of those under giants.

    Source: Kingdomino, "Spielende"; giants: Age of Giants, "Ankunft der Giganten".
    """

    terrain: Terrain
    squares: tuple[Position, ...]
    crowns: int
    covered_crowns: int = 0

    @property
    def size(self) -> int:
        """The number of its squares."""
        return len(self.squares)

    @property
    def points(self) -> int:
        """Prestige points: the number of squares times that of counting crowns.

        Source: Kingdomino, "Spielende", second and fourth point.
        """
        return len(self.squares) * self.crowns


def territories_of(board: Board) -> tuple[Territory, ...]:
    """All territories, sorted by points, then by size, most first, then from the top left.

    The castle belongs to none, and neither corners nor the castle connect squares.

    Source: Kingdomino, "Spielende", first and third point.
    """
    terrains, crowns, giants = board.terrains, board.crowns, board.giants
    neighbours, positions = board.layout.neighbours, board.layout.positions
    left_over = terrains.copy()
    found = []
    for start, terrain in enumerate(terrains):
        if terrain is None or left_over[start] is None:
            continue
        left_over[start] = None
        joined = [start]
        for index in joined:  # grows while it is walked
            for neighbour in neighbours[index]:
                if left_over[neighbour] is terrain:
                    left_over[neighbour] = None
                    joined.append(neighbour)
        joined.sort()
        counting = sum([crowns[index] for index in joined])
        covered = sum([giants[index] for index in joined])
        squares = tuple([positions[index] for index in joined])
        found.append((-len(joined) * counting, -len(joined), start, squares, counting, covered))
    found.sort()
    return tuple(
        Territory(terrain, squares, counting, covered)
        for _, _, start, squares, counting, covered in found
        if (terrain := terrains[start]) is not None
    )
