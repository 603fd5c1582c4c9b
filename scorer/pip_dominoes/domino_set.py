"""The sets of dominoes: double-6, -9, -12, -15 and -18."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.tile import Tile

__all__ = ["SETS", "DominoSet"]

SETS = (6, 9, 12, 15, 18)
"""The pips on a half of the highest tile of each set."""


@dataclass(frozen=True)
class DominoSet:
    """A set, named by the pips on a half of its ``highest`` tile; each of its tiles exists once.

    RulesError ``unknown_set`` for a set other than 6, 9, 12, 15 and 18.
    """

    highest: int

    def __post_init__(self) -> None:
        if self.highest not in SETS:
            raise RulesError("unknown_set", set=self.highest)

    @classmethod
    def holding(cls, number: int) -> DominoSet:
        """The smallest set with ``number`` on a half; RulesError ``unknown_set`` if none has."""
        return cls(next((highest for highest in SETS if highest >= number), number))

    def __str__(self) -> str:
        return str(self.highest)

    def __contains__(self, tile: Tile) -> bool:
        return tile.high <= self.highest

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile, the lowest first."""
        numbers = range(self.highest + 1)
        return tuple(Tile(low, high) for low in numbers for high in numbers if low <= high)

    @property
    def size(self) -> int:
        """How many tiles the set has."""
        return (self.highest + 1) * (self.highest + 2) // 2

    @property
    def pips(self) -> int:
        """The pips of all tiles together."""
        return self.highest * self.size

    @property
    def doubles(self) -> tuple[Tile, ...]:
        """The doubles, the highest first."""
        return tuple(Tile(number, number) for number in range(self.highest, -1, -1))
