"""Kingdoms: terrains, squares, an immutable rectangle of squares, its notation and its territories.

The notation has the rows from the top, separated by ``/``, and their squares separated by spaces:
``w w1 f . c/m3!! l1 g2 s .``. With The Court ``w*`` is a square with its token, ``w+1`` one with a
building, ``w:queen`` one with a character.

Scoring many kingdoms spends most of its time on the neighbours of squares, so a ``Board`` is a
kingdom as flat lists by square index, with tables that are cached for each size of grid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_, itemgetter
from typing import Any, NamedTuple

from scorer.kingdomino.errors import NotationError


class Terrain(Enum):
    """A terrain (Landschaftstyp); the castle has none.

    Source: Kingdomino, overview of the terrains on the last page of the sheet.
    """

    WHEAT = ("w", "wheat field", "Getreidefeld", "#e5b82e")
    FOREST = ("f", "forest", "Wald", "#2f6b3c")
    LAKE = ("l", "lake", "See", "#2f7fc1")
    GRASSLAND = ("g", "grassland", "Wiese", "#8fc24a")
    SWAMP = ("s", "swamp", "Sumpf", "#a39a80")
    MINE = ("m", "mine", "Mine", "#4a4148")

    def __init__(self, letter: str, english: str, german: str, colour: str) -> None:
        self.letter = letter
        self.english = english
        self.german = german
        self.colour = colour

    @classmethod
    def of(cls, letter: str) -> Terrain:
        """The terrain with that letter; ValueError for any other text."""
        for terrain in cls:
            if terrain.letter == letter:
                return terrain
        letters = " ".join(terrain.letter for terrain in cls)
        raise ValueError(f"terrain: expected one of {letters}, got {letter!r}")


class Character(Enum):
    """A character of The Court: key, English and German name, and its own points.

    What the squares around it add is in ``scorer.kingdomino.court``.

    Source: The Court, overview of the characters.
    """

    FARMER = ("farmer", "farmer", "Bauer", 3)
    LUMBERJACK = ("lumberjack", "lumberjack", "Holzfäller", 3)
    FISHERMAN = ("fisherman", "fisherman", "Fischer", 3)
    SHEPHERDESS = ("shepherdess", "shepherdess", "Schäferin", 3)
    BANKER = ("banker", "banker", "Bankier", 2)
    QUEEN = ("queen", "queen", "Königin", 2)
    KING = ("king", "king", "König", 0)
    CAPTAIN = ("captain", "captain", "Hauptmann", 1)
    AXE_WARRIOR = ("axe-warrior", "axe warrior", "Axtkrieger", 3)
    SWORD_WARRIOR = ("sword-warrior", "sword warrior", "Schwertkrieger", 3)
    LIGHT_ARCHER = ("light-archer", "light archer", "leichter Bogenschütze", 4)
    HEAVY_ARCHER = ("heavy-archer", "heavy archer", "schwerer Bogenschütze", 4)

    def __init__(self, key: str, english: str, german: str, points: int) -> None:
        self.key = key
        self.english = english
        self.german = german
        self.points = points


MAX_CROWNS = 3
MAX_BUILDING_CROWNS = 2
MAX_CHARACTER_POINTS = 99
"""The most points that can be given to a character by hand; none earns more than 26."""

WITH_TOKENS = (Terrain.WHEAT, Terrain.FOREST, Terrain.LAKE, Terrain.GRASSLAND)
"""The terrains whose squares get a token of The Court where no crown is printed."""


@dataclass(frozen=True, slots=True)
class Square:
    """A square (Feld): half a domino, the start tile with the castle, or an empty place.

    ``crowns`` is the number of printed crowns (0..3), ``giants`` how many of them giants cover
    (0..crowns). Of The Court at most one of three lies on it, and only where no crown is printed:
    its resource as a ``token`` (not on swamps and mines), a ``building`` with 1 or 2 crowns, or a
    ``character``, whose ``points`` may be given by hand (0..99) instead of being counted.
    ValueError if the parts contradict each other. Any number of crowns is valid on any terrain;
    ``problems`` knows which of them the box has.

    Its notation is ``.`` (empty), ``c`` (castle) or the letter of its terrain, the number of crowns
    unless it is 0, and a ``!`` for each giant: ``w``, ``m3!!``; of The Court ``w*`` with a token,
    ``g+2`` with a building, ``f:queen`` with a character, ``f:queen:7`` with points by hand.

    Source: Kingdomino, "Spielmaterial"; giants: Age of Giants, "Ankunft der Giganten"; The Court.
    """

    terrain: Terrain | None = None
    crowns: int = 0
    giants: int = 0
    is_castle: bool = False
    token: bool = False
    building: int = 0
    character: Character | None = None
    points: int | None = None
    is_printed: bool = field(init=False, repr=False, compare=False, default=True)
    """Whether nothing lies on it: it is as it was printed."""

    def __post_init__(self) -> None:
        if not 0 <= self.crowns <= MAX_CROWNS:
            raise ValueError(f"crowns: expected 0..{MAX_CROWNS}, got {self.crowns}")
        if not 0 <= self.giants <= self.crowns:
            raise ValueError(f"giants: expected 0..{self.crowns} (the crowns), got {self.giants}")
        if self.terrain is None and self.crowns:
            raise ValueError(f"crowns: expected 0 without terrain, got {self.crowns}")
        if self.terrain is not None and self.is_castle:
            raise ValueError(f"terrain: expected none under the castle, got {self.terrain.name}")
        if self.has_piece or self.points is not None:
            self._check_piece()
        if self.giants or self.has_piece:
            object.__setattr__(self, "is_printed", False)

    def _check_piece(self) -> None:
        if self.terrain is None or self.crowns:
            raise ValueError("piece: expected on terrain without crowns only")
        if self.token + bool(self.building) + (self.character is not None) > 1:
            raise ValueError("piece: expected a token, a building or a character, got several")
        if self.token and self.terrain not in WITH_TOKENS:
            raise ValueError(f"token: expected none on {self.terrain.name}")
        if not 0 <= self.building <= MAX_BUILDING_CROWNS:
            raise ValueError(f"building: expected 0..{MAX_BUILDING_CROWNS}, got {self.building}")
        if self.points is None:
            return
        if self.character is None or not 0 <= self.points <= MAX_CHARACTER_POINTS:
            expected = f"0..{MAX_CHARACTER_POINTS} of a character"
            raise ValueError(f"points: expected {expected}, got {self.points}")

    @classmethod
    def parse(cls, text: str) -> Square:
        """Parse the notation of a square; NotationError ``bad_square`` for any other text."""
        try:
            return _BY_NOTATION[text]
        except KeyError:
            found = _POINTS_BY_HAND.fullmatch(text)
            if found is None or found[1] not in _BY_NOTATION:
                raise NotationError("bad_square", text=text) from None
            return replace(_BY_NOTATION[found[1]], points=int(found[2]))

    def __str__(self) -> str:
        if self.is_castle:
            return "c"
        if self.terrain is None:
            return "."
        letter = self.terrain.letter
        if not self.has_piece:
            return f"{letter}{self.crowns or ''}{'!' * self.giants}"
        if self.character is None:
            return f"{letter}*" if self.token else f"{letter}+{self.building}"
        by_hand = "" if self.points is None else f":{self.points}"
        return f"{letter}:{self.character.key}{by_hand}"

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there."""
        return self.terrain is None and not self.is_castle

    @property
    def has_piece(self) -> bool:
        """Whether a token, a building or a character of The Court lies on it."""
        return self.token or self.building != 0 or self.character is not None

    @property
    def counting_crowns(self) -> int:
        """The printed crowns that no giant covers, and those of a building.

        Source: Age of Giants, "Ankunft der Giganten", last sentence; The Court, buildings.
        """
        return self.crowns - self.giants + self.building

    @property
    def printed(self) -> Square:
        """The square as it is printed on the domino, with nothing on it."""
        return self if self.is_printed else Square(self.terrain, self.crowns)


EMPTY = Square()
CASTLE = Square(is_castle=True)

_POINTS_BY_HAND = re.compile(r"(.:[a-z-]+):(0|[1-9][0-9]?)", re.ASCII)

# All 150 possible squares without points by hand, by their notation.
_BY_NOTATION = {
    str(square): square
    for square in (
        EMPTY,
        CASTLE,
        *(
            Square(terrain, crowns, giants)
            for terrain in Terrain
            for crowns in range(MAX_CROWNS + 1)
            for giants in range(crowns + 1)
        ),
        *(Square(terrain, token=True) for terrain in WITH_TOKENS),
        *(
            Square(terrain, building=crowns)
            for terrain in Terrain
            for crowns in range(1, MAX_BUILDING_CROWNS + 1)
        ),
        *(Square(terrain, character=each) for terrain in Terrain for each in Character),
    )
}


Position = tuple[int, int]
"""(row, column) of a square, counted from 0 at the top left."""


def edge_neighbours(position: Position) -> tuple[Position, ...]:
    """The four positions that share an edge with one: above, left, right, below."""
    row, column = position
    return ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))


@dataclass(frozen=True, slots=True)
class Kingdom:
    """A kingdom (Königreich) as rows of squares from the top, all of the same length.

    Any rectangle with at least one square is accepted, also what the game doesn't allow; see
    ``problems``. ValueError for no rows or rows of different lengths.
    """

    rows: tuple[tuple[Square, ...], ...]

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.rows}
        if len(widths) != 1 or 0 in widths:
            raise ValueError(f"rows: expected equally long rows, got lengths {sorted(widths)}")

    @classmethod
    def parse(cls, text: str) -> Kingdom:
        """Parse a notation such as ``w w1 c/f . .``; NotationError for any other text.

        Additional spaces between squares, around ``/`` and at the ends are accepted.
        """
        if not text.strip():
            raise NotationError("empty_text")
        lines = [line.split() for line in text.split("/")]
        for row, words in enumerate(lines):
            if len(words) != len(lines[0]) or not words:
                raise NotationError(
                    "unequal_rows", row=row, expected=len(lines[0]) or 1, actual=len(words)
                )
        return cls(
            tuple(
                tuple(_square_at(word, row, column) for column, word in enumerate(words))
                for row, words in enumerate(lines)
            )
        )

    @classmethod
    def empty(cls, height: int, width: int) -> Kingdom:
        """A rectangle of empty squares."""
        return cls(((EMPTY,) * width,) * height)

    def format(self) -> str:
        """The notation of the kingdom, which ``parse`` turns back into the same kingdom."""
        return "/".join(" ".join(map(str, row)) for row in self.rows)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"Kingdom.parse({self.format()!r})"

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    def __getitem__(self, position: Position) -> Square:
        row, column = position
        if row not in range(self.height) or column not in range(self.width):
            size = (self.height, self.width)
            raise IndexError(f"position: expected inside {size}, got {position}")
        return self.rows[row][column]

    def items(self) -> Iterator[tuple[Position, Square]]:
        """Every (row, column) with its square, row by row, empty ones too."""
        for row, squares in enumerate(self.rows):
            for column, square in enumerate(squares):
                yield (row, column), square

    def replace(self, squares: Mapping[Position, Square]) -> Kingdom:
        """The kingdom with these squares replaced; IndexError for a position outside it."""
        for position in squares:
            self[position]
        return Kingdom(
            tuple(
                tuple(squares.get((row, column), square) for column, square in enumerate(line))
                for row, line in enumerate(self.rows)
            )
        )

    def trimmed(self) -> Kingdom:
        """The kingdom without empty outer rows and columns; one empty square if all are empty."""
        taken = [position for position, square in self.items() if not square.is_empty]
        if not taken:
            return Kingdom.empty(1, 1)
        top, bottom = min(row for row, _ in taken), max(row for row, _ in taken)
        left, right = min(column for _, column in taken), max(column for _, column in taken)
        return Kingdom(tuple(line[left : right + 1] for line in self.rows[top : bottom + 1]))

    def transposed(self) -> Kingdom:
        """The kingdom with rows and columns swapped."""
        return Kingdom(tuple(zip(*self.rows, strict=True)))

    def turned(self) -> Kingdom:
        """The kingdom turned by 90 degrees clockwise."""
        return Kingdom(tuple(zip(*reversed(self.rows), strict=True)))

    def mirrored(self) -> Kingdom:
        """The kingdom with left and right swapped."""
        return Kingdom(tuple(tuple(reversed(row)) for row in self.rows))


def _square_at(text: str, row: int, column: int) -> Square:
    try:
        return Square.parse(text)
    except NotationError as error:
        raise NotationError("bad_square", text=text, row=row, column=column) from error


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
