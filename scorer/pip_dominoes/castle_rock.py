"""A game of Castle Rock, what it comes to, and the list of one's own best figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from scorer.pip_dominoes.castle_row import Row, UprightTile
from scorer.pip_dominoes.domino_set import DominoSet
from scorer.pip_dominoes.errors import NotationError, RulesError
from scorer.pip_dominoes.games import CASTLE_ROCK_ROW, Game
from scorer.pip_dominoes.hand import Hand
from scorer.pip_dominoes.records import Record, field_of, optional_number

__all__ = ["CastleRock", "CastleRockResult", "Challenge", "best_list"]


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
        return not self.boneyard and not self.row.removals

    @property
    def is_won(self) -> bool:
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
        return len(self.left)

    @property
    def tiles_out(self) -> int:
        return self.domino_set.size - len(self.left)

    @property
    def score(self) -> int:
        """The pips left."""
        return self.left.pips

    @property
    def is_won(self) -> bool:
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
