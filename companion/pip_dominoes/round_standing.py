"""How a game of Mexican Train or Chickenfoot stands: what its pages show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games import Game, Player
from companion.pip_dominoes.kept_round import KeptRound
from companion.pip_dominoes.kept_rules import RoundRules
from companion.pip_dominoes.kinds import rounds_of
from scorer.pip_dominoes import GameProblem, Tile, starting_double

__all__ = ["RoundStanding", "round_standing"]


@dataclass(frozen=True)
class RoundStanding:
    """The players in seat order, the rules, and the rounds that count, by number from 1."""

    players: tuple[Player, ...]
    rules: RoundRules
    rounds: Mapping[int, KeptRound]

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(player.id for player in self.players)

    @property
    def current(self) -> int:
        """The first round in which a hand is missing; the last one where none is."""
        due = range(1, self.rules.rounds_due + 1)
        return next((number for number in due if not self.is_full(number)), due[-1])

    def is_full(self, number: int) -> bool:
        """Whether everybody's hand of a round is known."""
        return number in self.rounds and self.rounds[number].is_full(self.ids)

    @property
    def is_played(self) -> bool:
        """Whether every hand of every round is known; some may still be to check."""
        return self.is_full(self.current)

    @property
    def is_over(self) -> bool:
        return self.is_played and not self.to_check

    @property
    def played(self) -> int:
        """How many rounds are full, from the first."""
        return self.current if self.is_played else self.current - 1

    @property
    def to_check(self) -> tuple[tuple[int, int], ...]:
        """Round and player of every hand with something left to check."""
        return tuple(
            (number, player)
            for number, played in self.rounds.items()
            for player in self.ids
            if player in played.hands and not played.hands[player].is_settled
        )

    @property
    def totals(self) -> dict[int, int]:
        """The points of everybody so far, by id."""
        sums = dict.fromkeys(self.ids, 0)
        for played in self.rounds.values():
            for player, points in played.points(self.ids).items():
                sums[player] += points
        return sums

    @property
    def running(self) -> dict[int, dict[int, int]]:
        """The totals after each round, by its number."""
        found: dict[int, dict[int, int]] = {}
        sums = dict.fromkeys(self.ids, 0)
        for number, played in self.rounds.items():
            points = played.points(self.ids)
            sums = {player: sums[player] + points.get(player, 0) for player in self.ids}
            found[number] = sums
        return found

    @property
    def leaders(self) -> tuple[Player, ...]:
        """Who has the lowest total so far; nobody before the first hand."""
        totals = self.totals
        if not any(played.hands for played in self.rounds.values()):
            return ()
        lowest = min(totals.values())
        return tuple(player for player in self.players if totals[player.id] == lowest)

    @property
    def starter(self) -> Player | None:
        """Who starts the current round, one player further each time; None where nobody said."""
        if self.rules.first not in self.ids:
            return None
        seat = self.ids.index(self.rules.first) + self.current - 1
        return self.players[seat % len(self.players)]

    def double(self, number: int) -> Tile:
        """The double that starts a round."""
        kept = self.rounds.get(number)
        return kept.double if kept else starting_double(self.rules.domino_set, number)

    def problems(self, number: int) -> tuple[GameProblem, ...]:
        """What is odd about the hands of a round, the players by their names."""
        kept = self.rounds.get(number)
        if kept is None:
            return ()
        names = {str(player.id): player.name for player in self.players}
        return tuple(
            GameProblem(each.code, number, tuple(names[name] for name in each.players), each.tile)
            for each in kept.played(self.ids).problems(self.rules.domino_set)
        )


def round_standing(game: Game) -> RoundStanding:
    """The standing of a game of either kind; rounds beyond those agreed are left out."""
    rules = RoundRules.from_data(game.values.get("rules"))
    rounds = rounds_of(game.values)
    counted = {number: rounds[number] for number in rounds if number <= rules.rounds_due}
    return RoundStanding(game.players, rules, counted)
