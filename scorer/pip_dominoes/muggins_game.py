"""The score of a game of Muggins: points by play, rounds, and who reaches the target first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.pip_dominoes.errors import NotationError, RulesError
from scorer.pip_dominoes.games import Game
from scorer.pip_dominoes.hand import Hand
from scorer.pip_dominoes.muggins_round import MugginsRound, PlayPoints
from scorer.pip_dominoes.muggins_rules import (
    MugginsRules,
    Side,
    pips_of,
    round_worth,
    sides_of,
)
from scorer.pip_dominoes.ranking import Place, rank
from scorer.pip_dominoes.records import (
    Record,
    field_of,
    names_of,
    objects_of,
    optional_field,
)

__all__ = ["MugginsGame"]


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
