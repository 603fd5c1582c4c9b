"""The tiles that a player has left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.pip_dominoes.domino_set import DominoSet
from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.records import whole_number
from scorer.pip_dominoes.tile import DOUBLE_BLANK, Tile

__all__ = ["Hand", "HandProblem", "hand_problems", "left_of", "left_record"]


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
        return sum(tile.pips for tile in self.tiles)

    @property
    def has_double_blank(self) -> bool:
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
