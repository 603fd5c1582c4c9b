"""The score of a kingdom, explained territory by territory and bonus by bonus."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino.kingdom import Kingdom, Position
from scorer.kingdomino.terrain import Terrain

__all__ = ["Score", "Territory", "score"]


@dataclass(frozen=True, slots=True)
class Territory:
    terrain: Terrain
    squares: tuple[Position, ...]
    crowns: int
    covered_crowns: int

    @property
    def size(self) -> int:
        return len(self.squares)

    @property
    def points(self) -> int:
        return len(self.squares) * self.crowns


@dataclass(frozen=True)
class Score:
    territories: tuple[Territory, ...]

    @property
    def points(self) -> int:
        return sum(territory.points for territory in self.territories)

    @property
    def largest_territory(self) -> int:
        return max((territory.size for territory in self.territories), default=0)

    @property
    def crowns(self) -> int:
        return sum(territory.crowns for territory in self.territories)


def score(kingdom: Kingdom) -> Score:
    territories = []
    seen: set[Position] = set()
    for start, square in kingdom.items():
        if square.terrain is None or start in seen:
            continue
        joined = [start]
        seen.add(start)
        for row, column in joined:
            for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                inside = 0 <= r < kingdom.height and 0 <= c < kingdom.width
                if inside and (r, c) not in seen and kingdom[r, c].terrain is square.terrain:
                    seen.add((r, c))
                    joined.append((r, c))
        territories.append(
            Territory(
                square.terrain,
                tuple(sorted(joined)),
                sum(kingdom[p].counting_crowns for p in joined),
                sum(kingdom[p].giants for p in joined),
            )
        )
    return Score(tuple(territories))
