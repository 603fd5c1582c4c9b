"""The score of a kingdom by territories and bonuses."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino.board import Board
from scorer.kingdomino.bonuses import Bonus, bonuses_of
from scorer.kingdomino.kingdom import Kingdom
from scorer.kingdomino.rules import Rules
from scorer.kingdomino.terrain import Terrain
from scorer.kingdomino.territories import Territory, territories_of

__all__ = ["Score", "score"]

_PLAIN_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Score:
    """The prestige points of a kingdom with all their parts.

    ``territories`` is sorted by points, most first; ``bonuses`` has every variant and quest in
    play, also those worth nothing.
    """

    territories: tuple[Territory, ...]
    bonuses: tuple[Bonus, ...] = ()
    castle_centred: bool = False

    @property
    def points(self) -> int:
        """The total: territories and bonuses."""
        return self.territory_points + self.bonus_points

    @property
    def territory_points(self) -> int:
        return sum([territory.points for territory in self.territories])

    @property
    def bonus_points(self) -> int:
        return sum([bonus.points for bonus in self.bonuses])

    @property
    def largest_territory(self) -> int:
        """The size of the largest territory, with or without crowns, for ties; 0 if there is none.

        Source: Kingdomino, "Spielende", last paragraph.
        """
        return max([territory.size for territory in self.territories], default=0)

    @property
    def largest_terrains(self) -> tuple[Terrain, ...]:
        """The terrains of the territories with that many squares."""
        largest = self.largest_territory
        found = [each.terrain for each in self.territories if each.size == largest]
        return tuple(dict.fromkeys(found))

    @property
    def crowns(self) -> int:
        """The crowns of the whole kingdom that no giant covers."""
        return sum([territory.crowns for territory in self.territories])

    @property
    def covered_crowns(self) -> int:
        """The crowns of the whole kingdom under giants."""
        return sum([territory.covered_crowns for territory in self.territories])


def score(kingdom: Kingdom, rules: Rules = _PLAIN_RULES) -> Score:
    """The score of any kingdom, however odd, under the rules.

    Source: Kingdomino, "Spielende" and "Varianten"; Age of Giants.
    """
    board = Board(kingdom)
    territories = territories_of(board)
    return Score(territories, bonuses_of(board, territories, rules), board.castle_centred)
