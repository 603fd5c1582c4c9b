"""A domino and its notation ``5|9``, the sets of dominoes, and what a player has left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.computed import computed_once
from scorer.pip_dominoes.errors import NotationError, RulesError
from scorer.pip_dominoes.records import whole_number

HIGHEST_PIPS = 18
"""The most pips on a half, in the largest set."""

_NOTATION = re.compile(r"(\d{1,2})[|-](\d{1,2})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A domino (Dominostein) with ``low`` and ``high`` pips on its halves, each 0 to 18.

    The two ways to hold a domino are one tile: ``Tile.of`` takes the halves in either order.
    ValueError for halves outside 0 to 18 or with the larger one first.
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= HIGHEST_PIPS:
            raise ValueError(
                f"halves: expected 0 <= low <= high <= {HIGHEST_PIPS}, got {self.low}, {self.high}"
            )

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these halves, whichever comes first."""
        return cls(min(one, other), max(one, other))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile of a text such as ``5|9`` or ``9-5``; NotationError ``bad_tile`` for others."""
        return cls.of(*halves_of(text))

    def __str__(self) -> str:
        return f"{self.low}|{self.high}"

    @property
    def pips(self) -> int:
        """The pips on both halves."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Whether both halves are alike."""
        return self.low == self.high

    def has(self, number: int) -> bool:
        """Whether one of the halves shows this number."""
        return number in (self.low, self.high)

    def beside(self, number: int) -> int:
        """The half that stays free when ``number`` is joined; ValueError without that number."""
        if not self.has(number):
            raise ValueError(f"number: expected a half of {self}, got {number}")
        return self.high if number == self.low else self.low


DOUBLE_BLANK = Tile(0, 0)


def halves_of(text: str) -> tuple[int, int]:
    """Both halves in the order written; a minus may stand for the bar, which shells take.

    NotationError ``bad_tile`` for a text that is no tile.
    """
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise NotationError("bad_tile", text=text.strip())
    one, other = int(match[1]), int(match[2])
    if max(one, other) > HIGHEST_PIPS:
        raise NotationError("bad_tile", text=text.strip())
    return one, other


SETS = (6, 9, 12, 15, 18)
"""The pips on a half of the highest tile of each set."""


@dataclass(frozen=True)
class DominoSet:
    """A set, named by the pips on a half of its ``highest`` tile; each of its tiles exists once.

    RulesError ``unknown_set`` for a set other than 6, 9, 12, 15 and 18.
    """

    highest: int

    def __post_init__(self) -> None:
        if self.highest not in SETS:
            raise RulesError("unknown_set", set=self.highest)

    @classmethod
    def holding(cls, number: int) -> DominoSet:
        """The smallest set with ``number`` on a half; RulesError ``unknown_set`` if none has."""
        return cls(next((highest for highest in SETS if highest >= number), number))

    def __str__(self) -> str:
        return str(self.highest)

    def __contains__(self, tile: Tile) -> bool:
        return tile.high <= self.highest

    @computed_once
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile, the lowest first."""
        numbers = range(self.highest + 1)
        return tuple(Tile(low, high) for low in numbers for high in numbers if low <= high)

    @property
    def size(self) -> int:
        """How many tiles the set has."""
        return (self.highest + 1) * (self.highest + 2) // 2

    @property
    def pips(self) -> int:
        """The pips of all tiles together."""
        return self.highest * self.size

    @property
    def doubles(self) -> tuple[Tile, ...]:
        """The doubles, the highest first."""
        return tuple(Tile(number, number) for number in range(self.highest, -1, -1))


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles of a hand in the order given; RulesError ``tile_twice`` for a repeated one.

    The notation has the tiles separated by blanks: ``10|11 0|0 12|3``; no tile is an empty text.
    """

    tiles: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        for tile in self.tiles:
            if self.tiles.count(tile) > 1:
                raise RulesError("tile_twice", tile=str(tile))

    @classmethod
    def of(cls, tiles: Iterable[Tile]) -> Hand:
        """The hand of these tiles."""
        return cls(tuple(tiles))

    @classmethod
    def parse(cls, text: str) -> Hand:
        """The hand of a notation; NotationError ``bad_tile``, RulesError ``tile_twice``."""
        return cls(tuple(map(Tile.parse, text.split())))

    def __str__(self) -> str:
        return " ".join(map(str, self.tiles))

    def __len__(self) -> int:
        return len(self.tiles)

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles)

    def __contains__(self, tile: object) -> bool:
        return tile in self.tiles

    @property
    def pips(self) -> int:
        """The pips on all tiles; the double blank's 50 points are none."""
        return sum(tile.pips for tile in self.tiles)

    @property
    def has_double_blank(self) -> bool:
        """Whether the double blank is in it."""
        return DOUBLE_BLANK in self.tiles

    def without(self, tile: Tile) -> Hand:
        """The hand after a tile left it; RulesError ``not_in_hand`` if it isn't there."""
        if tile not in self.tiles:
            raise RulesError("not_in_hand", tile=str(tile))
        return Hand(tuple(each for each in self.tiles if each != tile))


@dataclass(frozen=True, slots=True)
class HandProblem:
    """What is odd about the hands of a round.

    ``code`` is ``outside_set`` (a tile with a half above the set), ``in_two_hands``,
    ``starting_double_in_hand`` (it lies in the middle) or ``too_many_tiles`` (more than the set
    has; no ``tile``). ``players`` are those concerned, in the order given.
    """

    code: str
    players: tuple[str, ...]
    tile: Tile | None = None


def hand_problems(
    hands: Mapping[str, Hand], domino_set: DominoSet, starting_double: Tile | None = None
) -> tuple[HandProblem, ...]:
    """Everything odd about the hands of one round, tile by tile; scoring works all the same.

    Source: rules, "Common facts": each tile exists once, the starting double is in no hand (for
    the double blank decision 14), and all hands together hold at most the other tiles.
    """
    owners: dict[Tile, list[str]] = {}
    for player, hand in hands.items():
        for tile in hand:
            owners.setdefault(tile, []).append(player)
    found = []
    for tile, players in owners.items():
        if tile not in domino_set:
            found.append(HandProblem("outside_set", tuple(players), tile))
        if len(players) > 1:
            found.append(HandProblem("in_two_hands", tuple(players), tile))
        if tile == starting_double:
            found.append(HandProblem("starting_double_in_hand", tuple(players), tile))
    most = domino_set.size - (starting_double is not None)
    if sum(map(len, hands.values())) > most:
        found.append(HandProblem("too_many_tiles", tuple(hands)))
    return tuple(found)


def left_record(left: Hand | int) -> str | int:
    """What a player had left as JSON: the notation of a hand, or the number counted."""
    return left if isinstance(left, int) else str(left)


def left_of(value: Any) -> Hand | int:
    """The hand of a notation, or a number counted; NotationError or RulesError for others."""
    return Hand.parse(value) if isinstance(value, str) else whole_number(value, "hands")
