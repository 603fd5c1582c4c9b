"""The dominoes of the box, as data, and a legal order to lay them in a kingdom.

Source: Kingdomino, overview of the terrains on the last page of the sheet (the squares), and the
dominoes themselves (the pairs). Of the expansion only the 24 squares are certain; each of its pairs
comes from a single source. So no score and no verdict may depend on one of those pairs alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.kingdomino.kingdom import Kingdom, Position, Square, edge_neighbours


@dataclass(frozen=True, slots=True)
class Domino:
    """A domino: the ``number`` on its back ("1".."54", "A".."F") and its two squares."""

    number: str
    left: Square
    right: Square

    def __str__(self) -> str:
        return f"{self.number}:{self.left}-{self.right}"


def _dominoes(table: str) -> tuple[Domino, ...]:
    rows = (line.split() for line in table.strip().splitlines())
    return tuple(
        Domino(number, Square.parse(left), Square.parse(right))
        for row in rows
        for number, left, right in (entry.split(",") for entry in row)
    )


BASE_DOMINOES = _dominoes(
    """
    1,w,w    2,w,w    3,f,f    4,f,f    5,f,f    6,f,f    7,l,l    8,l,l
    9,l,l    10,g,g   11,g,g   12,s,s   13,w,f   14,w,l   15,w,g   16,w,s
    17,f,l   18,f,g   19,w1,f  20,w1,l  21,w1,g  22,w1,s  23,w1,m  24,f1,w
    25,f1,w  26,f1,w  27,f1,w  28,f1,l  29,f1,g  30,l1,w  31,l1,w  32,l1,f
    33,l1,f  34,l1,f  35,l1,f  36,w,g1  37,l,g1  38,w,s1  39,g,s1  40,m1,w
    41,w,g2  42,l,g2  43,w,s2  44,g,s2  45,m2,w  46,s,m2  47,s,m2  48,w,m3
    """
)

GIANT_DOMINOES = _dominoes(
    """
    A,f,w    B,f,w    C,l,w    D,m,g    E,s,g    F,l,g
    49,w2,f1 50,f2,l1 51,l2,g1 52,g2,s1 53,s2,m1 54,m2,s1
    """
)


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
