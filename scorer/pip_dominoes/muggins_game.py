"""The score of a game of Muggins: points by play, rounds, and who reaches the target first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from scorer.pip_dominoes.domino_set import DominoSet
from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.games import MUGGINS_SET
from scorer.pip_dominoes.hand import Hand, HandProblem, hand_problems
from scorer.pip_dominoes.muggins_rules import (
    STEP,
    MugginsRules,
    Side,
    pips_of,
    round_worth,
    sides_of,
)
from scorer.pip_dominoes.ranking import Place, rank

__all__ = ["MugginsGame", "MugginsRound", "PlayPoints"]


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
        totals = self.running_totals
        return totals[-1] if totals else dict.fromkeys((side.name for side in self.sides), 0)

    @property
    def is_over(self) -> bool:
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
