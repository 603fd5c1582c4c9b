"""A domino and its notation: ``5|9``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scorer.pip_dominoes.errors import NotationError

__all__ = ["DOUBLE_BLANK", "HIGHEST_PIPS", "Tile", "halves_of"]

HIGHEST_PIPS = 18
"""The most pips on a half, in the largest set."""

_NOTATION = re.compile(r"(\d{1,2})[|-](\d{1,2})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A domino (Dominostein) with ``low`` and ``high`` pips on its halves, each 0 to 18.

    The two ways to hold a domino are one tile: ``Tile.of`` takes the halves in either order.
    ValueError for halves outside 0 to 18 or with the larger one first.
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= HIGHEST_PIPS:
            raise ValueError(
                f"halves: expected 0 <= low <= high <= {HIGHEST_PIPS}, got {self.low}, {self.high}"
            )

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these halves, whichever comes first."""
        return cls(min(one, other), max(one, other))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile of a text such as ``5|9`` or ``9-5``; NotationError ``bad_tile`` for others."""
        return cls.of(*halves_of(text))

    def __str__(self) -> str:
        return f"{self.low}|{self.high}"

    @property
    def pips(self) -> int:
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        return self.low == self.high

    def has(self, number: int) -> bool:
        """Whether one of the halves shows this number."""
        return number in (self.low, self.high)

    def beside(self, number: int) -> int:
        """The half that stays free when ``number`` is joined; ValueError without that number."""
        if not self.has(number):
            raise ValueError(f"number: expected a half of {self}, got {number}")
        return self.high if number == self.low else self.low


DOUBLE_BLANK = Tile(0, 0)


def halves_of(text: str) -> tuple[int, int]:
    """Both halves in the order written; a minus may stand for the bar, which shells take.

    NotationError ``bad_tile`` for a text that is no tile.
    """
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise NotationError("bad_tile", text=text.strip())
    one, other = int(match[1]), int(match[2])
    if max(one, other) > HIGHEST_PIPS:
        raise NotationError("bad_tile", text=text.strip())
    return one, other
