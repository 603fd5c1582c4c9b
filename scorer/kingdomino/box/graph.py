"""The kingdoms of a game as a graph of squares, possible dominoes and territories.

A cut into dominoes is a perfect matching: a set of edges that covers every square once. It can be
laid in a legal order if and only if every territory is connected to one at a castle by dominoes
that lie in two territories. For once a square of a territory is laid, its neighbours can follow, so
the whole territory can be laid, and each domino that reaches out of it starts another one.

Source: Kingdomino, "Anlegeregeln".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorer.kingdomino.board import Board
from scorer.kingdomino.kingdom import Kingdom, Position, edge_neighbours
from scorer.kingdomino.square import Square
from scorer.kingdomino.territories import territories_of

__all__ = ["BoxGraph", "GamePosition", "Kind", "kind_of"]

Kind = tuple[Square, Square]
"""The printed squares of a domino in the order of their notation; 24 to 27 are of one kind."""

GamePosition = tuple[int, Position]
"""The number of a kingdom, from 0, and the (row, column) of a square in it."""


def kind_of(one: Square, other: Square) -> Kind:
    """The kind of a domino with these two squares, without giants."""
    first, second = sorted((one.printed, other.printed), key=str)
    return first, second


@dataclass(frozen=True, slots=True)
class BoxGraph:
    """The terrain squares of several kingdoms with consecutive numbers.

    ``neighbours[square]`` has (adjacent square, number of the kind of their domino) for every kind
    that is allowed; ``kinds`` are those that occur. ``territory[square]`` is the number of its
    territory, and ``at_castle`` has the numbers of the territories next to a castle.
    """

    places: tuple[GamePosition, ...]
    squares: tuple[Square, ...]
    neighbours: tuple[tuple[tuple[int, int], ...], ...]
    kinds: tuple[Kind, ...]
    territory: tuple[int, ...]
    at_castle: frozenset[int]

    @classmethod
    def of(cls, kingdoms: Sequence[Kingdom], allowed: Iterable[Kind]) -> BoxGraph:
        """The graph of the kingdoms with the allowed kinds of dominoes."""
        allowed = frozenset(allowed)
        kinds: dict[Kind, int] = {}
        places: list[GamePosition] = []
        territory: dict[GamePosition, int] = {}
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
    for near in edge_neighbours(position):
        if 0 <= near[0] < kingdom.height and 0 <= near[1] < kingdom.width:
            yield near
