"""A kingdom as flat lists by square index, with tables by size of grid, and its territories.

Scoring many kingdoms spends most of its time on the neighbours of squares, so these tables are
cached for each size of grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_, itemgetter
from typing import Any, NamedTuple

from scorer.kingdomino.kingdom import Kingdom, Position, Terrain


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of a size of grid; the index of a square is row * width + column.

    ``alone`` has each position in a tuple of its own. ``neighbours`` are the squares that share an
    edge with each square, ``rings`` the up to 8 around it, ``lines`` the rows, columns and
    diagonals of at least three squares. ``pairs`` are all squares that share an edge, each pair
    once and in order; ``firsts`` and ``seconds`` pick what a list by square index has for the one
    and the other of each.
    """

    positions: tuple[Position, ...]
    alone: tuple[tuple[Position], ...]
    neighbours: tuple[tuple[int, ...], ...]
    rings: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[int, int], ...]
    firsts: Callable[[Sequence[Any]], Sequence[Any]]
    seconds: Callable[[Sequence[Any]], Sequence[Any]]


@lru_cache(maxsize=256)
def layout(height: int, width: int) -> Layout:
    """The tables of a grid of that size."""
    positions = tuple((row, column) for row in range(height) for column in range(width))
    index = {position: number for number, position in enumerate(positions)}

    def near(position: Position, steps: Sequence[Position]) -> tuple[int, ...]:
        around = ((position[0] + down, position[1] + right) for down, right in steps)
        return tuple(index[place] for place in around if place in index)

    ring = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    edges = [(down, right) for down, right in ring if not down or not right]

    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in positions:
            if (row - down, column - right) in index:
                continue
            line = []
            while (row, column) in index:
                line.append(index[row, column])
                row, column = row + down, column + right
            if len(line) >= 3:
                lines.append(tuple(line))
    neighbours = tuple(near(position, edges) for position in positions)
    pairs = tuple(
        (one, other) for one, near_by in enumerate(neighbours) for other in near_by if one < other
    )
    return Layout(
        positions,
        tuple((position,) for position in positions),
        neighbours,
        tuple(near(position, ring) for position in positions),
        tuple(lines),
        pairs,
        _picker([one for one, _ in pairs]),
        _picker([other for _, other in pairs]),
    )


def _picker(indices: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    if len(indices) > 1:
        return itemgetter(*indices)
    return lambda values: [values[index] for index in indices]


_TERRAIN, _CROWNS = attrgetter("terrain"), attrgetter("crowns")
_IS_PRINTED = attrgetter("is_printed")


class Board:
    """A kingdom by square index: terrains, crowns that count, giants, castle, extent.

    ``is_printed`` is whether nothing lies on any square; ``giants`` are None then.
    ``castle`` is the index of the only castle, None if there is none or more than one. ``top``,
    ``left``, ``bottom`` and ``right`` are the rows and columns of the bounding rectangle of the
    kingdom, ``corners`` its 1, 2 or 4 corner squares; ``taken`` is the number of squares that are
    not empty.
    """

    __slots__ = (
        "bottom",
        "castle",
        "corners",
        "crowns",
        "giants",
        "is_printed",
        "layout",
        "left",
        "right",
        "taken",
        "terrains",
        "top",
        "width",
    )

    def __init__(self, kingdom: Kingdom) -> None:
        rows = kingdom.rows
        squares = [square for row in rows for square in row]
        self.width = width = len(rows[0])
        self.layout = layout(len(rows), width)
        self.terrains: list[Terrain | None] = list(map(_TERRAIN, squares))
        self.crowns = list(map(_CROWNS, squares))
        self.is_printed = all(map(_IS_PRINTED, squares))
        self.giants: list[int] | None = None
        if not self.is_printed:
            self.crowns = [square.counting_crowns for square in squares]
            self.giants = [square.giants for square in squares]
        # Few squares have no terrain, and in most kingdoms the castle alone.
        bare, castles = self.terrains.count(None), []
        index = -1
        for _ in range(bare):
            index = self.terrains.index(None, index + 1)
            if squares[index].is_castle:
                castles.append(index)
        self.castle = castles[0] if len(castles) == 1 else None
        self.taken = len(squares) - bare + len(castles)
        if self.taken == len(squares):
            self.top = self.left = 0
            self.bottom, self.right = len(rows) - 1, width - 1
        else:
            indices = [number for number, each in enumerate(self.terrains) if each is not None]
            indices += castles
            columns = {number % width for number in indices}
            self.top = min(indices, default=0) // width
            self.bottom = max(indices, default=0) // width
            self.left = min(columns, default=0)
            self.right = max(columns, default=0)
        top, bottom = self.top * width, self.bottom * width
        self.corners = sorted(
            {top + self.left, top + self.right, bottom + self.left, bottom + self.right}
        )

    @property
    def castle_centred(self) -> bool:
        """Whether the castle is in the centre of the bounding rectangle.

        Source: Kingdomino, variant "Reich der Mitte".
        """
        if self.castle is None:
            return False
        row, column = divmod(self.castle, self.width)
        return row - self.top == self.bottom - row and column - self.left == self.right - column


class Territory(NamedTuple):
    """A territory (Gebiet): its squares as (row, column), row by row, and its crowns.

    ``crowns`` is the number of crowns that count, ``covered_crowns`` of those under giants.

    Source: Kingdomino, "Spielende"; giants: Age of Giants, "Ankunft der Giganten".
    """

    terrain: Terrain
    squares: tuple[Position, ...]
    crowns: int
    covered_crowns: int = 0

    @property
    def size(self) -> int:
        """The number of its squares."""
        return len(self.squares)

    @property
    def points(self) -> int:
        """Prestige points: the number of squares times that of counting crowns.

        Source: Kingdomino, "Spielende", second and fourth point.
        """
        return len(self.squares) * self.crowns


def territories_of(board: Board) -> tuple[Territory, ...]:
    """All territories, sorted by points, then by size, most first, then from the top left.

    The castle belongs to none, and neither corners nor the castle connect squares.

    Source: Kingdomino, "Spielende", first and third point.
    """
    terrains, crowns, giants = board.terrains, board.crowns, board.giants
    tables = board.layout
    positions, alone = tables.positions, tables.alone
    # The squares of a territory share one list, which begins with the first of them.
    joined: list[list[int] | None] = [None] * len(terrains)
    same = map(is_, tables.firsts(terrains), tables.seconds(terrains))
    for one, other in compress(tables.pairs, same):
        mine, theirs = joined[one], joined[other]
        if mine is None:
            if theirs is None:
                joined[one] = joined[other] = [one, other]
            else:
                theirs.append(one)
                joined[one] = theirs
        elif theirs is None:
            mine.append(other)
            joined[other] = mine
        elif mine is not theirs:
            if theirs[0] < mine[0]:
                mine, theirs = theirs, mine
            mine += theirs
            for index in theirs:
                joined[index] = mine
    # By a number that orders them: points, then size, then the first square. What ``Territory``
    # does itself is done here without its detour: there are a dozen in each kingdom.
    found: dict[int, Territory] = {}
    count = len(terrains)
    of_points, new = count * (count + 1), tuple.__new__
    for start, indices in enumerate(joined):
        terrain = terrains[start]
        if terrain is None:
            continue
        if indices is None:  # more than half of all territories
            counting, covered = crowns[start], giants[start] if giants else 0
            order = start - count - of_points * counting
            found[order] = new(Territory, (terrain, alone[start], counting, covered))
        elif indices[0] == start:
            indices.sort()
            counting, squares = 0, []
            for index in indices:
                counting += crowns[index]
                squares.append(positions[index])
            covered = sum([giants[index] for index in indices]) if giants else 0
            order = start - len(indices) * (count + of_points * counting)
            whole = (terrain, tuple(squares), counting, covered)
            found[order] = new(Territory, whole)
    return tuple([found[order] for order in sorted(found)])
