"""Territories: squares of one terrain joined edge to edge."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino.board import Board
from scorer.kingdomino.kingdom import Position
from scorer.kingdomino.terrain import Terrain

__all__ = ["Territory", "territories_of"]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory (Gebiet): its squares as (row, column), row by row, and its crowns.

    ``crowns`` are those that count, ``covered_crowns`` those under giants.

    Source: Kingdomino, "Spielende"; giants: Age of Giants, "Ankunft der Giganten".
    """

    terrain: Terrain
    squares: tuple[Position, ...]
    crowns: int
    covered_crowns: int = 0

    @property
    def size(self) -> int:
        """How many squares it has."""
        return len(self.squares)

    @property
    def points(self) -> int:
        """Prestige points: squares times counting crowns, so none without a crown.

        Source: Kingdomino, "Spielende", second and fourth point.
        """
        return len(self.squares) * self.crowns


def territories_of(board: Board) -> tuple[Territory, ...]:
    """All territories, most points first, then the larger ones, then from the top left.

    The castle belongs to none, and neither corners nor the castle join squares.

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
