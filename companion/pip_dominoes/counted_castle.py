"""A result of Castle Rock of which a player has told the pips left, but no tiles."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.pip_dominoes import CastleRockResult

__all__ = ["CountedCastle", "knows_tiles"]


@dataclass(frozen=True)
class CountedCastle(CastleRockResult):
    """The pips ``counted``; none of them is a game that was won.

    How many tiles it was is not known, so in a best list it comes after results of as many pips
    whose tiles are.
    """

    counted: int = 0

    @property
    def score(self) -> int:
        return self.counted

    @property
    def is_won(self) -> bool:
        return not self.counted

    @property
    def tiles_left(self) -> int:
        """The most there can be; nothing to show."""
        return self.domino_set.size if self.counted else 0

    @property
    def tiles_out(self) -> int:
        return self.domino_set.size - self.tiles_left


def knows_tiles(result: CastleRockResult) -> bool:
    """Whether it is known how many tiles were left, not only how many pips."""
    return not isinstance(result, CountedCastle) or result.is_won
