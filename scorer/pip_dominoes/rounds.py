"""A round of Chickenfoot or Mexican Train: its starting double and what each hand costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.pip_dominoes.domino_set import DominoSet
from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.hand import Hand, HandProblem, hand_problems, left_of, left_record
from scorer.pip_dominoes.records import Record, field_of, optional_field, whole_number
from scorer.pip_dominoes.tile import DOUBLE_BLANK, Tile

__all__ = [
    "DOUBLE_BLANK_POINTS",
    "PENALTY_POINTS",
    "Remains",
    "Round",
    "hand_points",
    "starting_double",
]

DOUBLE_BLANK_POINTS = 50
"""What the double blank in a hand costs beside the pips (decision 12)."""
PENALTY_POINTS = 50
"""The only penalty that the score sheet knows; the others change the play (decision 11)."""


def starting_double(domino_set: DominoSet, number: int) -> Tile:
    """The double that starts round ``number``, from 1: the highest first, 0|0 last.

    RulesError ``no_such_round`` outside 1 to the set's highest + 1 (decision 13).
    """
    if not 1 <= number <= domino_set.highest + 1:
        raise RulesError("no_such_round", round=number, rounds=domino_set.highest + 1)
    return domino_set.doubles[number - 1]


def hand_points(hand: Hand, double: Tile | None = None) -> int:
    """What a hand costs: its pips, and 50 more with the double blank.

    In the round that ``double`` = 0|0 starts, the double blank lies in the middle, so that there
    is nothing to add (decision 14). Source: sheet, "Ende einer Runde und Punktierung".
    """
    blank = hand.has_double_blank and double != DOUBLE_BLANK
    return hand.pips + DOUBLE_BLANK_POINTS * blank


@dataclass(frozen=True, slots=True)
class Remains:
    """What a ``player`` had at the end of a round.

    ``left`` is the hand, or the points that the player counted, the 50 for the double blank in
    them. ``penalties`` counts the penalties of 50 points each. RulesError ``below_zero``.
    """

    player: str
    left: Hand | int
    penalties: int = 0

    def __post_init__(self) -> None:
        if min(self.penalties, 0 if isinstance(self.left, Hand) else self.left) < 0:
            raise RulesError("below_zero")

    @property
    def is_out(self) -> bool:
        """Whether no tile was left; a tile that costs nothing is in no hand (decision 14)."""
        return self.left == 0 if isinstance(self.left, int) else not len(self.left)

    def points(self, double: Tile) -> int:
        """The points of the round that ``double`` started."""
        left = self.left
        hand = left if isinstance(left, int) else hand_points(left, double)
        return hand + PENALTY_POINTS * self.penalties


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: its starting ``double``, and what each player had left.

    RulesError ``no_double`` for another tile, ``same_name`` for a player twice.
    """

    double: Tile
    remains: tuple[Remains, ...]

    def __post_init__(self) -> None:
        if not self.double.is_double:
            raise RulesError("no_double", tile=str(self.double))
        for name in self.players:
            if self.players.count(name) > 1:
                raise RulesError("same_name", name=name)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(each.player for each in self.remains)

    @property
    def points(self) -> dict[str, int]:
        """Each player's points of the round, penalties included."""
        return {each.player: each.points(self.double) for each in self.remains}

    @property
    def out(self) -> tuple[str, ...]:
        """Who laid every tile: one player, or nobody where the round was blocked."""
        return tuple(each.player for each in self.remains if each.is_out)

    @property
    def is_blocked(self) -> bool:
        """Whether nobody was out; then everybody's hand counts."""
        return not self.out

    @property
    def hands(self) -> dict[str, Hand]:
        """The hands whose tiles are known."""
        return {each.player: each.left for each in self.remains if isinstance(each.left, Hand)}

    def problems(self, domino_set: DominoSet) -> tuple[HandProblem, ...]:
        """What is odd about the hands, and ``several_out`` where more than one player is out."""
        found = hand_problems(self.hands, domino_set, self.double)
        if len(self.out) > 1:
            return (*found, HandProblem("several_out", self.out))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The round as JSON: hands as notation or as the number counted, penalties if any."""
        hands = {each.player: left_record(each.left) for each in self.remains}
        penalties = {each.player: each.penalties for each in self.remains if each.penalties}
        record: dict[str, Any] = {"double": str(self.double), "hands": hands}
        return {**record, "penalties": penalties} if penalties else record

    @classmethod
    def from_dict(cls, record: Record) -> Round:
        """The round of a record; NotationError or RulesError for any other record."""
        penalties = optional_field(record, "penalties", dict) or {}
        remains = (
            Remains(player, left_of(left), whole_number(penalties.get(player, 0), "penalties"))
            for player, left in field_of(record, "hands", dict).items()
        )
        return cls(Tile.parse(field_of(record, "double", str)), tuple(remains))
