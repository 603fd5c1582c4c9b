"""The kingdoms of a game as a graph of squares, possible dominoes and territories.

A cut into dominoes is a perfect matching: a set of edges that covers every square once. It can be
laid in a legal order if and only if every territory is connected to one at a castle by dominoes
that lie in two territories. For once a square of a territory is laid, its neighbours can follow, so
the whole territory can be laid, and each domino that reaches out of it starts another one. Where
squares can't be matched even with an unlimited number of every domino, there is no cut at all.

Source: Kingdomino, "Anlegeregeln"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scorer.kingdomino.kingdom import (
    Board,
    Kingdom,
    Position,
    Square,
    edge_neighbours,
    territories_of,
)

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


# From (bits of the last squares that are chosen or used as partners, surplus) to the fewest
# chosen squares, as their number and a linked list.
_Table = dict[tuple[int, int], tuple[int, "_Chain | None"]]
_Chain = tuple[int, "_Chain | None"]


def find_smallest_unmatched(graph: BoxGraph, kingdom: int) -> tuple[int, ...]:
    """A smallest set of squares of a kingdom that can't all be matched, as numbers in the graph.

    Empty if there is a perfect matching. The kingdom is coloured like a chessboard. By Hall's
    theorem squares of one colour can't all be matched if and only if some set of them has fewer
    possible partners than members, and a set of both colours is never smaller than one of its
    halves. The time grows with 2 to the power of the shorter side of the kingdom.
    """
    squares = [number for number, place in enumerate(graph.places) if place[0] == kingdom]
    if match_squares(graph, squares) is not None:
        return ()
    found = (_smallest_of_colour(graph, squares, colour) for colour in (0, 1))
    return min((chosen for chosen in found if chosen), key=lambda chosen: (len(chosen), chosen))


def _colour(graph: BoxGraph, square: int) -> int:
    return sum(graph.places[square][1]) % 2


def match_squares(graph: BoxGraph, squares: Iterable[int]) -> dict[int, int] | None:
    """A perfect matching of the squares by augmenting paths, or None if there is none.

    ``squares`` are all squares of one or more kingdoms; each pair is returned once.
    """
    squares = list(squares)
    partner: dict[int, int] = {}

    def match(square: int, seen: set[int]) -> bool:
        for other, _ in graph.neighbours[square]:
            if other not in seen:
                seen.add(other)
                if other not in partner or match(partner[other], seen):
                    partner[other] = square
                    return True
        return False

    white = [square for square in squares if _colour(graph, square)]
    complete = 2 * len(white) == len(squares) and all(match(square, set()) for square in white)
    return partner if complete else None


def _smallest_of_colour(graph: BoxGraph, squares: list[int], colour: int) -> tuple[int, ...]:
    """A smallest set of squares of one colour with fewer possible partners than members, or none.

    Dynamic programming over the grid, square by square: for every state of the last row of squares
    and every surplus of chosen squares over their partners, the fewest chosen squares.
    """
    at = {graph.places[square][1]: square for square in squares}
    rows, columns = [{position[axis] for position in at} for axis in (0, 1)]
    along_rows = len(columns) <= len(rows)
    inner = range(min(columns), max(columns) + 1) if along_rows else range(min(rows), max(rows) + 1)
    outer = range(min(rows), max(rows) + 1) if along_rows else range(min(columns), max(columns) + 1)
    width = len(inner)
    partners = [{other for other, _ in joined} for joined in graph.neighbours]
    table: _Table = {(0, 0): (0, None)}
    previous: list[int | None] = [None] * width
    for line in outer:
        for place, step in enumerate(inner):
            square = at.get((line, step) if along_rows else (step, line))
            above, before = previous[0], previous[-1] if place else None
            table = _advance(
                table, square, above, before, width, partners, _has_colour(graph, colour)
            )
            previous = [*previous[1:], square]
    best = (
        min((value[0], key) for key, value in table.items() if key[1] > 0)
        if any(surplus > 0 for _, surplus in table)
        else None
    )
    if best is None:
        return ()
    chosen = []
    chain = table[best[1]][1]
    while chain is not None:
        chosen.append(chain[0])
        chain = chain[1]
    return tuple(sorted(chosen))


def _has_colour(graph: BoxGraph, colour: int) -> Callable[[int], bool]:
    return lambda square: _colour(graph, square) == colour


def _advance(
    table: _Table,
    square: int | None,
    above: int | None,
    before: int | None,
    width: int,
    partners: list[set[int]],
    choosable: Callable[[int], bool],
) -> _Table:
    """The table after one more square; ``above`` and ``before`` are its neighbours visited before.

    The state has a bit for each of the last ``width`` squares: chosen, or used as a partner.
    """
    full = (1 << width) - 1
    above_bit = 1 << (width - 1)
    after: _Table = {}

    def keep(bits: int, surplus: int, size: int, chain: _Chain | None) -> None:
        key = (bits & full, surplus)
        if key not in after or size < after[key][0]:
            after[key] = (size, chain)

    for (bits, surplus), (size, chain) in table.items():
        if square is None:
            keep(bits << 1, surplus, size, chain)
            continue
        joined = partners[square]
        near_above = above is not None and above in joined
        near_before = before is not None and before in joined
        if not choosable(square):
            used = (near_above and bits & above_bit) or (near_before and bits & 1)
            keep(bits << 1 | bool(used), surplus - bool(used), size, chain)
            continue
        keep(bits << 1, surplus, size, chain)
        newly = bool(near_above and not bits & above_bit) + bool(near_before and not bits & 1)
        if near_before:
            bits |= 1
        keep(bits << 1 | 1, surplus + 1 - newly, size + 1, (square, chain))
    return after
