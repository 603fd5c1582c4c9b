"""Castle Rock: how far the row can be cleared, what a game comes to, and the best figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import combinations
from typing import Any

from scorer.pip_dominoes.errors import NotationError, RulesError
from scorer.pip_dominoes.games import CASTLE_ROCK_ROW, Game
from scorer.pip_dominoes.records import Record, field_of, optional_number
from scorer.pip_dominoes.tiles import DominoSet, Hand, Tile, halves_of

MOST_ROWS = 2_000
"""Rows that the solver looks at before it settles for the best found."""


@dataclass(frozen=True, slots=True)
class UprightTile:
    """A tile as it stands in the row, never turned (decision 6); notation ``top|bottom``."""

    top: int
    bottom: int

    @classmethod
    def parse(cls, text: str) -> UprightTile:
        """The tile of a text such as ``3|5``; NotationError ``bad_tile``."""
        return cls(*halves_of(text))

    def __str__(self) -> str:
        return f"{self.top}|{self.bottom}"

    @property
    def tile(self) -> Tile:
        """The tile, whichever half is at the top."""
        return Tile.of(self.top, self.bottom)

    def agrees_with(self, other: UprightTile) -> bool:
        """Whether both show one number at the same end."""
        return self.top == other.top or self.bottom == other.bottom


@dataclass(frozen=True, slots=True)
class Removal:
    """Tiles that may go together: their ``positions`` in the row, from 0, and the sheet's option.

    ``option`` 1 takes the tile between two that agree, 2 any of three neighbours that all agree.
    """

    positions: tuple[int, ...]
    option: int


@dataclass(frozen=True, slots=True)
class Row:
    """The tiles side by side, from the left, whichever they are.

    Whether they can lie there is up to the game: ``CastleRock`` refuses a tile that is there twice.
    """

    tiles: tuple[UprightTile, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Row:
        """The row of a notation such as ``3|5 2|2 3|1``; NotationError ``bad_tile``."""
        return cls(tuple(map(UprightTile.parse, text.split())))

    def __str__(self) -> str:
        return " ".join(map(str, self.tiles))

    def __len__(self) -> int:
        return len(self.tiles)

    @property
    def pips(self) -> int:
        """The pips on all tiles of the row."""
        return sum(each.tile.pips for each in self.tiles)

    @property
    def removals(self) -> tuple[Removal, ...]:
        """Every removal that is open; while there is one, no tile may be drawn.

        Three neighbours that agree at one end leave the choice of any one, two or three of them,
        the one between included. Source: sheet, "Castle Rock, Spielablauf".
        """
        found: dict[tuple[int, ...], Removal] = {}
        for removal in self._of_three():
            found.setdefault(removal.positions, removal)
        for left in range(len(self.tiles) - 2):
            if self.tiles[left].agrees_with(self.tiles[left + 2]):
                between = (left + 1,)
                found.setdefault(between, Removal(between, 1))
        return tuple(sorted(found.values(), key=lambda each: (len(each.positions), each.positions)))

    def _of_three(self) -> Iterator[Removal]:
        for left in range(len(self.tiles) - 2):
            three = self.tiles[left : left + 3]
            tops, bottoms = {each.top for each in three}, {each.bottom for each in three}
            if len(tops) == 1 or len(bottoms) == 1:
                for count in (1, 2, 3):
                    for positions in combinations(range(left, left + 3), count):
                        yield Removal(positions, 2)

    def without(self, positions: tuple[int, ...]) -> Row:
        """The row closed up after a removal; RulesError ``not_removable`` if it isn't open."""
        if positions not in {removal.positions for removal in self.removals}:
            raise RulesError("not_removable", tiles=tuple(each + 1 for each in positions))
        return self._closed_up(positions)

    def _closed_up(self, positions: tuple[int, ...]) -> Row:
        kept = (each for number, each in enumerate(self.tiles) if number not in positions)
        return Row(tuple(kept))

    def with_tile(self, tile: UprightTile) -> Row:
        """The row with a tile more on the right."""
        return Row((*self.tiles, tile))


@dataclass(frozen=True, slots=True)
class Clearing:
    """Removals, one after the other, and the row that they leave.

    ``is_best`` is False where the row has so many ways that the search stopped before the end.
    """

    removals: tuple[Removal, ...]
    left: Row
    is_best: bool


def best_clearing(row: Row, most_rows: int = MOST_ROWS) -> Clearing:
    """The removals without drawing that leave the fewest tiles, then the fewest pips.

    An empty ``removals`` says that the row offers none. At most ``most_rows`` rows are looked at.
    """
    ways: dict[Row, tuple[Removal, ...]] = {row: ()}
    waiting, cleared = [row], list[Row]()
    for _ in range(most_rows):
        if not waiting:
            break
        # Larger removals are tried first, so that a row that can be emptied soon is.
        current = waiting.pop()
        if not len(current):
            return Clearing(ways[current], current, True)
        removals = current.removals
        if not removals:
            cleared.append(current)
        for removal in removals:
            after = current._closed_up(removal.positions)
            if after not in ways:
                ways[after] = (*ways[current], removal)
                waiting.append(after)
    left = min(cleared or ways, key=lambda each: (len(each), each.pips))
    return Clearing(ways[left], left, not waiting)


@dataclass(frozen=True)
class CastleRock:
    """A game in play: the ``row``, and the tiles that are ``gone`` from it.

    Every other tile of the set is in the boneyard. RulesError ``tile_twice`` or ``outside_set``.

    Source: sheet, "Castle Rock"; decision 6.
    """

    domino_set: DominoSet
    row: Row = field(default_factory=Row)
    gone: Hand = field(default_factory=Hand)

    def __post_init__(self) -> None:
        for tile in Hand((*(each.tile for each in self.row.tiles), *self.gone)):
            if tile not in self.domino_set:
                raise RulesError("outside_set", tile=str(tile), set=self.domino_set.highest)

    @property
    def boneyard(self) -> int:
        """How many tiles are left to draw."""
        return self.domino_set.size - len(self.row) - len(self.gone)

    @property
    def to_draw(self) -> int:
        """How many tiles to lay now; 0 while something must be removed, and at the end.

        Into an empty row three are laid, or as many as are left (decision 6).
        """
        if self.row.removals:
            return 0
        return min(self.boneyard, 1 if len(self.row) else CASTLE_ROCK_ROW)

    @property
    def is_over(self) -> bool:
        """Whether the boneyard is empty and nothing can go."""
        return not self.boneyard and not self.row.removals

    @property
    def is_won(self) -> bool:
        """Whether no tile is left."""
        return self.is_over and not len(self.row)

    def with_drawn(self, tile: UprightTile) -> CastleRock:
        """The game with a tile drawn; RulesError ``must_remove`` while a removal is open."""
        if self.row.removals:
            raise RulesError("must_remove")
        return replace(self, row=self.row.with_tile(tile))

    def with_removed(self, positions: tuple[int, ...]) -> CastleRock:
        """The game with the tiles at these positions of the row, from 0, removed.

        RulesError ``not_removable``.
        """
        row = self.row.without(positions)
        taken = (self.row.tiles[position].tile for position in positions)
        return replace(self, row=row, gone=Hand((*self.gone, *taken)))

    def result(self, seconds: float | None = None) -> CastleRockResult:
        """What the game comes to as it stands: tiles not drawn yet are left, too."""
        gone = set(self.gone)
        left = Hand.of(tile for tile in self.domino_set.tiles if tile not in gone)
        return CastleRockResult(self.domino_set, left, seconds)

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON; ``from_dict`` gives the same game back."""
        return {
            "game": Game.CASTLE_ROCK.key,
            "set": self.domino_set.highest,
            "row": str(self.row),
            "gone": str(self.gone),
        }

    @classmethod
    def from_dict(cls, record: Record) -> CastleRock:
        """The game of a record; NotationError or RulesError for any other record."""
        if field_of(record, "game", str) != Game.CASTLE_ROCK.key:
            raise NotationError("bad_record", field="game")
        return cls(
            DominoSet(field_of(record, "set", int)),
            Row.parse(field_of(record, "row", str)),
            Hand.parse(field_of(record, "gone", str)),
        )


@dataclass(frozen=True)
class CastleRockResult:
    """The tiles ``left`` at the end and, where it was taken, the time in seconds.

    The fewer pips the better; the double blank counts 0 here. RulesError ``outside_set`` or
    ``below_zero`` for a negative time.
    """

    domino_set: DominoSet
    left: Hand
    seconds: float | None = None

    def __post_init__(self) -> None:
        for tile in self.left:
            if tile not in self.domino_set:
                raise RulesError("outside_set", tile=str(tile), set=self.domino_set.highest)
        if self.seconds is not None and not self.seconds >= 0:
            raise RulesError("below_zero")

    @property
    def tiles_left(self) -> int:
        """How many tiles are left."""
        return len(self.left)

    @property
    def tiles_out(self) -> int:
        """How many tiles of the set have gone."""
        return self.domino_set.size - len(self.left)

    @property
    def score(self) -> int:
        """The pips left."""
        return self.left.pips

    @property
    def is_won(self) -> bool:
        """Whether no tile is left."""
        return not len(self.left)

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON; ``from_dict`` gives the same result back."""
        return {
            "set": self.domino_set.highest,
            "left": str(self.left),
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, record: Record) -> CastleRockResult:
        """The result of a record; NotationError or RulesError for any other record."""
        return cls(
            DominoSet(field_of(record, "set", int)),
            Hand.parse(field_of(record, "left", str)),
            optional_number(record, "seconds"),
        )


class Challenge(Enum):
    """What the best list goes by (sheet, "Variationen").

    PIPS: the fewest pips left; CLOCK: the most tiles out, then the shortest time.
    """

    PIPS = "pips"
    CLOCK = "clock"


def best_list(
    results: Iterable[CastleRockResult],
    domino_set: DominoSet,
    challenge: Challenge = Challenge.PIPS,
) -> tuple[CastleRockResult, ...]:
    """One's own results with this set, the best first; equal ones keep their order.

    What the challenge leaves equal is settled by the other figures: fewer tiles, then less time,
    or fewer pips. A result without a time comes after those with one.
    """
    own = [result for result in results if result.domino_set == domino_set]
    key = _by_pips if challenge is Challenge.PIPS else _by_clock
    return tuple(sorted(own, key=key))


def _by_pips(result: CastleRockResult) -> tuple[float, ...]:
    return result.score, result.tiles_left, _time(result)


def _by_clock(result: CastleRockResult) -> tuple[float, ...]:
    return result.tiles_left, _time(result), result.score


def _time(result: CastleRockResult) -> float:
    return float("inf") if result.seconds is None else result.seconds
