"""The kingdoms of a game as a graph: squares, the dominoes that could cover them, territories.

A cut into dominoes is a set of edges that covers every square once. A cut can be laid in a legal
order exactly if every territory hangs together with one at the castle through dominoes that lie
in two territories: as soon as one square of a territory lies, its neighbours may follow, so the
whole territory can be laid, and a domino reaching out of it starts the next one.

Source: Kingdomino, "Anlegeregeln".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorer.kingdomino.board import Board
from scorer.kingdomino.kingdom import Kingdom, Position
from scorer.kingdomino.square import Square
from scorer.kingdomino.territories import territories_of

__all__ = ["BoxGraph", "Kind", "Place", "kind_of"]

Kind = tuple[Square, Square]
"""The two printed squares of a domino in the order of their notation: 24 to 27 are one kind."""

Place = tuple[int, Position]
"""The number of a kingdom, from 0, and the (row, column) of a square in it."""


def kind_of(one: Square, other: Square) -> Kind:
    """The kind of a domino with these two squares, giants left aside."""
    first, second = sorted((one.printed, other.printed), key=str)
    return first, second


@dataclass(frozen=True, slots=True)
class BoxGraph:
    """The terrain squares of several kingdoms, numbered through.

    ``neighbours[square]`` has (square next to it, number of the kind they would make) for every
    kind that may exist at all; ``kinds`` are those that occur. ``territory[square]`` is the number
    of its territory, and ``at_castle`` has the numbers of those with a square next to a castle.
    """

    places: tuple[Place, ...]
    squares: tuple[Square, ...]
    neighbours: tuple[tuple[tuple[int, int], ...], ...]
    kinds: tuple[Kind, ...]
    territory: tuple[int, ...]
    at_castle: frozenset[int]

    @classmethod
    def of(cls, kingdoms: Sequence[Kingdom], allowed: Iterable[Kind]) -> BoxGraph:
        """The graph of the kingdoms with the kinds of dominoes that are allowed."""
        allowed = frozenset(allowed)
        kinds: dict[Kind, int] = {}
        places: list[Place] = []
        territory: dict[Place, int] = {}
        territories = 0
        at_castle = set()
        for number, kingdom in enumerate(kingdoms):
            for found in territories_of(Board(kingdom)):
                for position in found.squares:
                    territory[number, position] = territories
                    if any(kingdom[near].is_castle for near in _around(kingdom, position)):
                        at_castle.add(territories)
                territories += 1
            places += sorted(place for place in territory if place[0] == number)
        index = {place: square for square, place in enumerate(places)}
        squares = tuple(kingdoms[number][position] for number, position in places)
        neighbours = []
        for square, (number, position) in enumerate(places):
            joined = []
            for near in _around(kingdoms[number], position):
                other = index.get((number, near))
                if other is not None:
                    kind = kind_of(squares[square], squares[other])
                    if kind in allowed:
                        joined.append((other, kinds.setdefault(kind, len(kinds))))
            neighbours.append(tuple(joined))
        return cls(
            tuple(places),
            squares,
            tuple(neighbours),
            tuple(kinds),
            tuple(territory[place] for place in places),
            frozenset(at_castle),
        )


def _around(kingdom: Kingdom, position: Position) -> Iterable[Position]:
    row, column = position
    for near in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= near[0] < kingdom.height and 0 <= near[1] < kingdom.width:
            yield near
