"""The row of Castle Rock: what may and what must be removed, and how far it can be cleared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.tile import Tile, halves_of

__all__ = ["Clearing", "Removal", "Row", "UprightTile", "best_clearing"]

MOST_ROWS = 2_000
"""Rows that the solver looks at before it settles for the best found."""


@dataclass(frozen=True, slots=True)
class UprightTile:
    """A tile as it stands in the row, never turned (decision 6); notation ``top|bottom``."""

    top: int
    bottom: int

    @classmethod
    def parse(cls, text: str) -> UprightTile:
        """The tile of a text such as ``3|5``; NotationError ``bad_tile``."""
        return cls(*halves_of(text))

    def __str__(self) -> str:
        return f"{self.top}|{self.bottom}"

    @property
    def tile(self) -> Tile:
        return Tile.of(self.top, self.bottom)

    def agrees_with(self, other: UprightTile) -> bool:
        """Whether both show one number at the same end."""
        return self.top == other.top or self.bottom == other.bottom


@dataclass(frozen=True, slots=True)
class Removal:
    """Tiles that may go together: their ``positions`` in the row, from 0, and the sheet's option.

    ``option`` 1 takes the tile between two that agree, 2 any of three neighbours that all agree.
    """

    positions: tuple[int, ...]
    option: int


@dataclass(frozen=True, slots=True)
class Row:
    """The tiles side by side, from the left, whichever they are.

    Whether they can lie there is up to the game: ``CastleRock`` refuses a tile that is there twice.
    """

    tiles: tuple[UprightTile, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Row:
        """The row of a notation such as ``3|5 2|2 3|1``; NotationError ``bad_tile``."""
        return cls(tuple(map(UprightTile.parse, text.split())))

    def __str__(self) -> str:
        return " ".join(map(str, self.tiles))

    def __len__(self) -> int:
        return len(self.tiles)

    @property
    def pips(self) -> int:
        return sum(each.tile.pips for each in self.tiles)

    @property
    def removals(self) -> tuple[Removal, ...]:
        """Every removal that is open; while there is one, no tile may be drawn.

        Three neighbours that agree at one end leave the choice of any one, two or three of them,
        the one between included. Source: sheet, "Castle Rock, Spielablauf".
        """
        found: dict[tuple[int, ...], Removal] = {}
        for removal in self._of_three():
            found.setdefault(removal.positions, removal)
        for left in range(len(self.tiles) - 2):
            if self.tiles[left].agrees_with(self.tiles[left + 2]):
                between = (left + 1,)
                found.setdefault(between, Removal(between, 1))
        return tuple(sorted(found.values(), key=lambda each: (len(each.positions), each.positions)))

    def _of_three(self) -> Iterator[Removal]:
        for left in range(len(self.tiles) - 2):
            three = self.tiles[left : left + 3]
            tops, bottoms = {each.top for each in three}, {each.bottom for each in three}
            if len(tops) == 1 or len(bottoms) == 1:
                for count in (1, 2, 3):
                    for positions in combinations(range(left, left + 3), count):
                        yield Removal(positions, 2)

    def without(self, positions: tuple[int, ...]) -> Row:
        """The row closed up after a removal; RulesError ``not_removable`` if it isn't open."""
        if positions not in {removal.positions for removal in self.removals}:
            raise RulesError("not_removable", tiles=tuple(each + 1 for each in positions))
        return self._closed_up(positions)

    def _closed_up(self, positions: tuple[int, ...]) -> Row:
        kept = (each for number, each in enumerate(self.tiles) if number not in positions)
        return Row(tuple(kept))

    def with_tile(self, tile: UprightTile) -> Row:
        """The row with a tile more on the right."""
        return Row((*self.tiles, tile))


@dataclass(frozen=True, slots=True)
class Clearing:
    """Removals, one after the other, and the row that they leave.

    ``is_best`` is False where the row has so many ways that the search stopped before the end.
    """

    removals: tuple[Removal, ...]
    left: Row
    is_best: bool


def best_clearing(row: Row, most_rows: int = MOST_ROWS) -> Clearing:
    """The removals without drawing that leave the fewest tiles, then the fewest pips.

    An empty ``removals`` says that the row offers none. At most ``most_rows`` rows are looked at.
    """
    ways: dict[Row, tuple[Removal, ...]] = {row: ()}
    waiting, cleared = [row], list[Row]()
    for _ in range(most_rows):
        if not waiting:
            break
        # Larger removals are tried first, so that a row that can be emptied soon is.
        current = waiting.pop()
        if not len(current):
            return Clearing(ways[current], current, True)
        removals = current.removals
        if not removals:
            cleared.append(current)
        for removal in removals:
            after = current._closed_up(removal.positions)
            if after not in ways:
                ways[after] = (*ways[current], removal)
                waiting.append(after)
    left = min(cleared or ways, key=lambda each: (len(each), each.pips))
    return Clearing(ways[left], left, not waiting)
