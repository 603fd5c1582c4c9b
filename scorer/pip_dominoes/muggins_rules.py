"""The rules of Muggins in play, who plays with whom, and what a finished round is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.games import MUGGINS_DRAW, MUGGINS_TARGET, TEAM_PLAYERS
from scorer.pip_dominoes.hand import Hand
from scorer.pip_dominoes.records import Record, choice_of, optional_field

__all__ = ["MugginsRules", "RoundWorth", "Rounding", "Side", "round_worth", "sides_of"]

STEP = 5


class Rounding(Enum):
    """How round points become a multiple of five (decision 1)."""

    NEAREST = "nearest"
    UP = "up"


class RoundWorth(Enum):
    """What is rounded: the sum of the other hands, or each hand by itself (decision 2)."""

    SUM = "sum"
    EACH_HAND = "each-hand"


@dataclass(frozen=True, slots=True)
class MugginsRules:
    """The readings in play; RulesError ``bad_target`` for a target below one.

    ``singles`` lets four play without teams (decision 18). ``spinner_counts`` = False gives the
    spinner's own pips no value while it is an end (decision 3).
    """

    target: int = MUGGINS_TARGET
    rounding: Rounding = Rounding.NEAREST
    rounded: RoundWorth = RoundWorth.SUM
    spinner_counts: bool = True
    singles: bool = False

    def __post_init__(self) -> None:
        if self.target < 1:
            raise RulesError("bad_target", target=self.target)

    def in_fives(self, pips: int) -> int:
        """The multiple of five for these pips; a tie can't occur with whole pips."""
        if self.rounding is Rounding.UP:
            return -(-pips // STEP) * STEP
        return (pips + STEP // 2) // STEP * STEP

    def to_dict(self) -> dict[str, Any]:
        """The rules as JSON; ``from_dict`` gives the same rules back."""
        return {
            "target": self.target,
            "rounding": self.rounding.value,
            "rounded": self.rounded.value,
            "spinner_counts": self.spinner_counts,
            "singles": self.singles,
        }

    @classmethod
    def from_dict(cls, record: Record) -> MugginsRules:
        """The rules of a record, those of the sheet where a field is left out.

        NotationError or RulesError for any other record.
        """
        target = optional_field(record, "target", int)
        return cls(
            MUGGINS_TARGET if target is None else target,
            choice_of(record, "rounding", Rounding.NEAREST),
            choice_of(record, "rounded", RoundWorth.SUM),
            optional_field(record, "spinner_counts", bool) is not False,
            bool(optional_field(record, "singles", bool)),
        )


@dataclass(frozen=True, slots=True)
class Side:
    """Who scores together: one player, or the two partners of a team."""

    players: tuple[str, ...]

    @property
    def name(self) -> str:
        return " + ".join(self.players)


def sides_of(players: tuple[str, ...], rules: MugginsRules | None = None) -> tuple[Side, ...]:
    """The sides of the players, who are named in the order they sit, clockwise.

    Four players are two teams whose partners sit opposite. RulesError ``bad_players`` for other
    numbers than 2, 3 and 4, ``same_name``.
    """
    if len(players) not in MUGGINS_DRAW:
        raise RulesError("bad_players", players=len(players))
    for name in players:
        if players.count(name) > 1:
            raise RulesError("same_name", name=name)
    if len(players) == TEAM_PLAYERS and not (rules or MugginsRules()).singles:
        return (Side(players[0::2]), Side(players[1::2]))
    return tuple(Side((name,)) for name in players)


def round_worth(
    pips: Mapping[str, int],
    sides: tuple[Side, ...],
    *,
    out: str | None = None,
    rules: MugginsRules | None = None,
) -> tuple[Side | None, int]:
    """Who scores the end of a round, and how much.

    ``pips`` are those in the hands of all players; ``out`` has no tile left, None where the round
    was blocked. The side that is out, or else the one with the fewest pips, takes the pips of
    all others; its own aren't taken off. Nobody scores where the fewest are shared (decision 8).

    Source: sheet, "Muggins, Punktierung"; decisions 1, 2.
    """
    rules = rules or MugginsRules()
    winner = _fewest(pips, sides) if out is None else _side_with(out, sides)
    if winner is None:
        return None, 0
    others = [pips[name] for side in sides if side is not winner for name in side.players]
    if rules.rounded is RoundWorth.EACH_HAND:
        return winner, sum(map(rules.in_fives, others))
    return winner, rules.in_fives(sum(others))


def _side_with(player: str, sides: tuple[Side, ...]) -> Side:
    return next(side for side in sides if player in side.players)


def _fewest(pips: Mapping[str, int], sides: tuple[Side, ...]) -> Side | None:
    sums = [sum(pips[name] for name in side.players) for side in sides]
    least = min(sums)
    return sides[sums.index(least)] if sums.count(least) == 1 else None


def pips_of(left: Hand | int) -> int:
    """The pips of a hand whose tiles are known or that was counted by its player."""
    return left if isinstance(left, int) else left.pips
