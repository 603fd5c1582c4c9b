"""Readings for tests: what a reader would say of a photo of a given hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["ReadDomino", "ReadHand", "hand_of"]


@dataclass(frozen=True, eq=False)
class ReadDomino:
    """A domino that lies upright, 40 by 80 pixels, its corner at (``left``, 20)."""

    tile: str
    left: int = 10
    probability: float = 0.98765
    doubtful: bool = False
    runner_up: str = ""
    reasons: tuple[str, ...] = ()

    @property
    def likelihoods(self) -> NDArray[np.float64]:
        """The tile's numbers explain all, those of the runner-up two thirds of it."""
        shares = np.zeros((2, 19))
        for tile, share in ((self.runner_up, 0.65), (self.tile, 1.0)):
            for half, number in enumerate(map(int, tile.split("|") if tile else ())):
                shares[half, number] = max(shares[half, number], share)
        return shares

    @property
    def corners(self) -> NDArray[np.float64]:
        left, right, top, bottom = self.left, self.left + 40, 20, 100
        points = [(left, top), (right, top), (right, bottom), (left, bottom)]
        return np.array(points, np.float64)


@dataclass(frozen=True, eq=False)
class ReadHand:
    """A hand of a double-12 set."""

    dominoes: tuple[ReadDomino, ...]
    warnings: tuple[str, ...] = ()
    set: int = 12
    seconds: dict[str, float] = field(default_factory=lambda: {"decode": 0.0123456, "locate": 0.5})

    @property
    def sum(self) -> int:
        return sum(int(half) for each in self.dominoes for half in each.tile.split("|"))

    @property
    def doubtful(self) -> bool:
        return any(each.doubtful for each in self.dominoes) or "unread" in self.warnings


def hand_of(
    tiles: str,
    doubtful: dict[str, str] | None = None,
    *,
    warnings: tuple[str, ...] = (),
    reasons: tuple[str, ...] = (),
) -> ReadHand:
    """A hand from its notation; ``doubtful`` has the runner-up of each tile in doubt."""
    found = doubtful or {}
    dominoes = (
        ReadDomino(tile, 10 + 50 * number, 0.61234, True, found[tile], reasons)
        if tile in found
        else ReadDomino(tile, 10 + 50 * number)
        for number, tile in enumerate(tiles.split())
    )
    return ReadHand(tuple(dominoes), warnings)
