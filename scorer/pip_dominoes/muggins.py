"""Muggins: its rules in play, the points of a round, and who reaches the target first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from scorer.pip_dominoes.errors import NotationError, RulesError
from scorer.pip_dominoes.games import (
    MUGGINS_DRAW,
    MUGGINS_SET,
    MUGGINS_TARGET,
    TEAM_PLAYERS,
    Game,
    Place,
    rank,
)
from scorer.pip_dominoes.records import (
    Record,
    choice_of,
    field_of,
    names_of,
    objects_of,
    optional_field,
)
from scorer.pip_dominoes.tiles import (
    DominoSet,
    Hand,
    HandProblem,
    hand_problems,
    left_of,
    left_record,
)

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
        """The player, or both partners with a plus between them."""
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
        """Whether the hands at its end are known."""
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


@dataclass(frozen=True)
class MugginsGame:
    """A game as far as it was played; ``players`` sit clockwise in this order.

    RulesError ``bad_players``, ``same_name``, ``other_players`` (somebody plays or has a hand who
    isn't in the game, or a hand is missing), ``unfinished_round`` (a round after one that has no
    hands) or ``game_over`` (points after somebody reached the target).

    Source: sheet, "Muggins"; decision 5: the game ends at once, also in the middle of a round.
    """

    players: tuple[str, ...]
    rounds: tuple[MugginsRound, ...] = ()
    rules: MugginsRules = field(default_factory=MugginsRules)

    def __post_init__(self) -> None:
        sides = self.sides
        for number, each in enumerate(self.rounds, start=1):
            named = {name for play in each.plays for name in (play.player, play.scorer)}
            hands = [name for name, _ in each.hands]
            if not named <= set(self.players) or (
                hands and (set(hands) != set(self.players) or len(hands) != len(self.players))
            ):
                raise RulesError("other_players", round=number)
            if not each.is_finished and number < len(self.rounds):
                raise RulesError("unfinished_round", round=number)
        totals = dict.fromkeys((side.name for side in sides), 0)
        for number, side, points in self._credits():
            if max(totals.values()) >= self.rules.target:
                raise RulesError("game_over", round=number)
            totals[side.name] += points

    @property
    def sides(self) -> tuple[Side, ...]:
        """The players, or the two teams of four."""
        return sides_of(self.players, self.rules)

    def side_of(self, player: str) -> Side:
        """The side that a player is on."""
        return next(side for side in self.sides if player in side.players)

    def _credits(self) -> Iterator[tuple[int, Side, int]]:
        """The round, from 1, the side and the points of every entry in the score."""
        for number, each in enumerate(self.rounds, start=1):
            for play in each.plays:
                yield number, self.side_of(play.scorer), play.points
            side, points = self.worth_of(each)
            if side is not None and points:
                yield number, side, points

    def worth_of(self, played: MugginsRound) -> tuple[Side | None, int]:
        """Who scores the end of a round, and how much; nobody while it goes on."""
        if not played.is_finished:
            return None, 0
        pips = {name: pips_of(left) for name, left in played.hands}
        return round_worth(pips, self.sides, out=played.out, rules=self.rules)

    @property
    def running_totals(self) -> tuple[dict[str, int], ...]:
        """The totals by name of the side after each round."""
        sums = dict.fromkeys((side.name for side in self.sides), 0)
        totals = [dict(sums) for _ in self.rounds]
        for number, side, points in self._credits():
            for later in totals[number - 1 :]:
                later[side.name] += points
        return tuple(totals)

    @property
    def totals(self) -> dict[str, int]:
        """The points so far, by name of the side."""
        totals = self.running_totals
        return totals[-1] if totals else dict.fromkeys((side.name for side in self.sides), 0)

    @property
    def is_over(self) -> bool:
        """Whether a side has reached the target."""
        return max(self.totals.values()) >= self.rules.target

    @property
    def winner(self) -> Side | None:
        """The side that reached the target; only one can, because the game ends there."""
        reached = (side for side in self.sides if self.totals[side.name] >= self.rules.target)
        return next(reached, None)

    @property
    def places(self) -> tuple[Place, ...]:
        """The ranking so far, by side."""
        return rank(self.totals, lowest_wins=False)

    def starter(self, first: str) -> str:
        """Who starts the round in play or next, one player further clockwise each round."""
        finished = sum(each.is_finished for each in self.rounds)
        return self.players[(self.players.index(first) + finished) % len(self.players)]

    def with_play(self, play: PlayPoints) -> MugginsGame:
        """The game with the points of one more play, in a new round where the last is finished."""
        if not self.rounds or self.rounds[-1].is_finished:
            return replace(self, rounds=(*self.rounds, MugginsRound((play,))))
        last = self.rounds[-1]
        return replace(self, rounds=(*self.rounds[:-1], replace(last, plays=(*last.plays, play))))

    def with_hands(self, hands: tuple[tuple[str, Hand | int], ...]) -> MugginsGame:
        """The game with the round in play finished; all players' hands are needed."""
        begun = bool(self.rounds) and not self.rounds[-1].is_finished
        last = self.rounds[-1] if begun else MugginsRound()
        kept = self.rounds[:-1] if begun else self.rounds
        return replace(self, rounds=(*kept, replace(last, hands=hands)))

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON; ``from_dict`` gives the same game back."""
        return {
            "game": Game.MUGGINS.key,
            "players": list(self.players),
            "rules": self.rules.to_dict(),
            "rounds": [each.to_dict() for each in self.rounds],
        }

    @classmethod
    def from_dict(cls, record: Record) -> MugginsGame:
        """The game of a record; NotationError or RulesError for any other record.

        Rules that are left out are those of the sheet.
        """
        if field_of(record, "game", str) != Game.MUGGINS.key:
            raise NotationError("bad_record", field="game")
        return cls(
            names_of(record, "players"),
            tuple(map(MugginsRound.from_dict, objects_of(record, "rounds"))),
            MugginsRules.from_dict(optional_field(record, "rules", dict) or {}),
        )
