"""A round of Muggins: the points by play, and the hands at its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.pip_dominoes.domino_set import DominoSet
from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.games import MUGGINS_SET
from scorer.pip_dominoes.hand import Hand, HandProblem, hand_problems, left_of, left_record
from scorer.pip_dominoes.muggins_rules import STEP
from scorer.pip_dominoes.records import Record, field_of, objects_of, optional_field

__all__ = ["MugginsRound", "PlayPoints"]


@dataclass(frozen=True, slots=True)
class PlayPoints:
    """Points of a play: ``player`` laid it, ``caller`` called "Muggins!" where that was missed.

    Whoever calls first before the next tile lies takes the points (decision 17). RulesError
    ``not_in_fives`` for points that are no positive multiple of five.
    """

    player: str
    points: int
    caller: str | None = None

    def __post_init__(self) -> None:
        if self.points <= 0 or self.points % STEP:
            raise RulesError("not_in_fives", points=self.points)

    @property
    def scorer(self) -> str:
        """The player who takes the points."""
        return self.caller or self.player

    def to_dict(self) -> dict[str, Any]:
        """The points as JSON; the caller only where there is one."""
        record: dict[str, Any] = {"player": self.player, "points": self.points}
        return record | ({"caller": self.caller} if self.caller else {})

    @classmethod
    def from_dict(cls, record: Record) -> PlayPoints:
        """The points of a record; NotationError or RulesError for any other record."""
        return cls(
            field_of(record, "player", str),
            field_of(record, "points", int),
            optional_field(record, "caller", str),
        )


@dataclass(frozen=True, slots=True)
class MugginsRound:
    """A round: the points by play in their order, and the hands at its end.

    ``hands`` are pairs of a player and the hand, or its pips where they were counted, of all
    players; it is empty while the round goes on. Who has no tile, or counted 0, is out; a player
    who is left with the double blank alone has a hand of this tile. RulesError ``below_zero``.
    """

    plays: tuple[PlayPoints, ...] = ()
    hands: tuple[tuple[str, Hand | int], ...] = ()

    def __post_init__(self) -> None:
        if any(isinstance(left, int) and left < 0 for _, left in self.hands):
            raise RulesError("below_zero")

    @property
    def is_finished(self) -> bool:
        return bool(self.hands)

    @property
    def out(self) -> str | None:
        """Who laid the last tile; None where the round was blocked or goes on."""
        return self._empty[0] if self._empty else None

    @property
    def _empty(self) -> tuple[str, ...]:
        return tuple(
            name
            for name, left in self.hands
            if left == 0 or (isinstance(left, Hand) and not len(left))
        )

    @property
    def problems(self) -> tuple[HandProblem, ...]:
        """What is odd about the hands, and ``several_out``."""
        known = {name: left for name, left in self.hands if isinstance(left, Hand)}
        found = hand_problems(known, DominoSet(MUGGINS_SET))
        if len(self._empty) > 1:
            return (*found, HandProblem("several_out", self._empty))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The round as JSON, hands as notation or as the number counted; no hands in play."""
        record: dict[str, Any] = {"plays": [play.to_dict() for play in self.plays]}
        if self.hands:
            record["hands"] = {name: left_record(left) for name, left in self.hands}
        return record

    @classmethod
    def from_dict(cls, record: Record) -> MugginsRound:
        """The round of a record; NotationError or RulesError for any other record."""
        plays = map(PlayPoints.from_dict, objects_of(record, "plays"))
        hands = optional_field(record, "hands", dict) or {}
        return cls(tuple(plays), tuple((name, left_of(left)) for name, left in hands.items()))
