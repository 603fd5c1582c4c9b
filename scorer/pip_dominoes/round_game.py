"""A whole game of Chickenfoot or Mexican Train: rounds, totals and ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer.pip_dominoes.domino_set import DominoSet
from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.games import Game, players_allowed
from scorer.pip_dominoes.ranking import Place, rank
from scorer.pip_dominoes.records import Record, field_of, names_of, objects_of
from scorer.pip_dominoes.rounds import Round, starting_double
from scorer.pip_dominoes.tile import Tile

__all__ = ["GameProblem", "RoundGame"]


@dataclass(frozen=True, slots=True)
class GameProblem:
    """What is odd about a game or one of its rounds.

    ``code`` is ``not_in_table`` (decision 15), ``unexpected_double`` (``expected`` was due) or one
    of ``HandProblem``; ``round`` counts from 1 and is None for the game as a whole.
    """

    code: str
    round: int | None = None
    players: tuple[str, ...] = ()
    tile: Tile | None = None
    expected: Tile | None = None


@dataclass(frozen=True)
class RoundGame:
    """A game of Chickenfoot or Mexican Train, as far as it was played; the lowest total wins.

    RulesError ``set_not_played``, ``same_name``, ``few_players`` (a game has two or more),
    ``other_players`` (a round with other players than the game) or ``too_many_rounds``.

    Source: sheet, "Weitere Runden" and "Endabrechnung und Siegbedingungen"; decisions 8, 13.
    """

    game: Game
    domino_set: DominoSet
    players: tuple[str, ...]
    rounds: tuple[Round, ...] = ()

    def __post_init__(self) -> None:
        sets = self.game.sets
        if not self.game.has_rounds or self.domino_set.highest not in sets:
            highest = self.domino_set.highest
            raise RulesError("set_not_played", game=self.game.title, set=highest, sets=sets)
        if len(self.players) < 2:
            raise RulesError("few_players", players=len(self.players))
        for name in self.players:
            if self.players.count(name) > 1:
                raise RulesError("same_name", name=name)
        for number, each in enumerate(self.rounds, start=1):
            if set(each.players) != set(self.players):
                raise RulesError("other_players", round=number)
        if len(self.rounds) > self.rounds_due:
            raise RulesError("too_many_rounds", rounds=len(self.rounds), due=self.rounds_due)

    @property
    def rounds_due(self) -> int:
        """How many rounds the game has."""
        return self.domino_set.highest + 1

    @property
    def is_over(self) -> bool:
        return len(self.rounds) == self.rounds_due

    @property
    def next_double(self) -> Tile | None:
        """The double that starts the next round; None after the last."""
        return None if self.is_over else starting_double(self.domino_set, len(self.rounds) + 1)

    def starter(self, first: str) -> str:
        """Who starts the next round, one player further each time (decision 16)."""
        seat = self.players.index(first) + len(self.rounds)
        return self.players[seat % len(self.players)]

    def with_round(self, played: Round) -> RoundGame:
        return replace(self, rounds=(*self.rounds, played))

    def with_round_replaced(self, number: int, played: Round) -> RoundGame:
        """The game with round ``number``, from 1, corrected; RulesError ``no_such_round``."""
        if not 1 <= number <= len(self.rounds):
            raise RulesError("no_such_round", round=number, rounds=len(self.rounds))
        return replace(self, rounds=(*self.rounds[: number - 1], played, *self.rounds[number:]))

    @property
    def running_totals(self) -> tuple[dict[str, int], ...]:
        """The totals after each round."""
        totals: list[dict[str, int]] = []
        sums = dict.fromkeys(self.players, 0)
        for each in self.rounds:
            sums = {player: sums[player] + each.points[player] for player in self.players}
            totals.append(sums)
        return tuple(totals)

    @property
    def totals(self) -> dict[str, int]:
        return self.running_totals[-1] if self.rounds else dict.fromkeys(self.players, 0)

    @property
    def places(self) -> tuple[Place, ...]:
        """The ranking so far."""
        return rank(self.totals, lowest_wins=True)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won, several where the lowest total is shared; nobody before the last round."""
        if not self.is_over:
            return ()
        return tuple(place.name for place in self.places if place.place == 1)

    @property
    def problems(self) -> tuple[GameProblem, ...]:
        """Everything odd about the game, round by round."""
        found = []
        if len(self.players) not in players_allowed(self.game, self.domino_set):
            found.append(GameProblem("not_in_table"))
        for number, each in enumerate(self.rounds, start=1):
            due = starting_double(self.domino_set, number)
            if each.double != due:
                found.append(
                    GameProblem("unexpected_double", number, tile=each.double, expected=due)
                )
            found += [
                GameProblem(problem.code, number, problem.players, problem.tile)
                for problem in each.problems(self.domino_set)
            ]
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON; ``from_dict`` gives the same game back."""
        return {
            "game": self.game.key,
            "set": self.domino_set.highest,
            "players": list(self.players),
            "rounds": [each.to_dict() for each in self.rounds],
        }

    @classmethod
    def from_dict(cls, record: Record) -> RoundGame:
        """The game of a record; NotationError or RulesError for any other record."""
        return cls(
            Game.of(field_of(record, "game", str)),
            DominoSet(field_of(record, "set", int)),
            names_of(record, "players"),
            tuple(map(Round.from_dict, objects_of(record, "rounds"))),
        )
