"""Dominoes in a kingdom, and a legal order to lay them in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.kingdomino.dominoes import GIANT_DOMINOES, Domino
from scorer.kingdomino.kingdom import Kingdom, Position, edge_neighbours

__all__ = ["LaidDomino", "find_laying_order"]


@dataclass(frozen=True, slots=True)
class LaidDomino:
    """A domino in a kingdom: the positions of its left and its right square.

    ``domino`` is None for one of the expansion with a pair of squares that no source shows.
    """

    domino: Domino | None
    left: Position
    right: Position

    @property
    def is_certain(self) -> bool:
        """Whether its pair of squares is certain; the pairs of the expansion are not."""
        return self.domino is not None and self.domino not in GIANT_DOMINOES


def find_laying_order(kingdom: Kingdom, dominoes: Iterable[LaidDomino]) -> list[LaidDomino]:
    """The dominoes that can be laid, in a legal order.

    A laid domino never makes another one illegal, so it is enough to lay any legal one repeatedly.

    Source: Kingdomino, "Anlegeregeln".
    """
    waiting = sorted(dominoes, key=lambda each: (each.left, each.right))
    laid: list[LaidDomino] = []
    lying = {position for position, square in kingdom.items() if square.is_castle}

    def fits(end: Position) -> bool:
        terrain = kingdom[end].terrain
        return any(
            kingdom[near].terrain in (None, terrain)
            for near in edge_neighbours(end)
            if near in lying
        )

    while True:
        following = [each for each in waiting if fits(each.left) or fits(each.right)]
        if not following:
            return laid
        laid += following
        waiting = [each for each in waiting if each not in following]
        lying |= {end for each in following for end in (each.left, each.right)}
