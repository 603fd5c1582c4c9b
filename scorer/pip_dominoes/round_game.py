"""Chickenfoot and Mexican Train: what a hand costs, a round, and a whole game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.games import Game, Place, players_allowed, rank
from scorer.pip_dominoes.records import (
    Record,
    field_of,
    names_of,
    objects_of,
    optional_field,
    whole_number,
)
from scorer.pip_dominoes.tiles import (
    DOUBLE_BLANK,
    DominoSet,
    Hand,
    HandProblem,
    Tile,
    hand_problems,
    left_of,
    left_record,
)

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
        """The players whose hands are known, in the order of the sheet."""
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


@dataclass(frozen=True, slots=True)
class GameProblem:
    """What is odd about a game or one of its rounds.

    ``code`` is ``not_in_table`` (decision 15), ``double_outside_set``, ``unexpected_double``
    (``expected`` was due), ``several_out`` or one of ``HandProblem``; ``round`` counts from 1 and
    is None for the game as a whole.
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
        """Whether all rounds are played."""
        return len(self.rounds) == self.rounds_due

    @property
    def next_double(self) -> Tile | None:
        """The double that starts the next round; None after the last.

        It is the next below the last one that was not played yet, also after a gap.
        """
        if self.is_over:
            return None
        if not self.rounds:
            return starting_double(self.domino_set, 1)
        played = {each.double.high for each in self.rounds}
        left = [pips for pips in range(self.domino_set.highest, -1, -1) if pips not in played]
        below = [pips for pips in left if pips < self.rounds[-1].double.high]
        return next((Tile(pips, pips) for pips in (*below, *left)), None)

    def starter(self, first: str) -> str:
        """Who starts the next round, one player further each time (decision 16)."""
        seat = self.players.index(first) + len(self.rounds)
        return self.players[seat % len(self.players)]

    def with_round(self, played: Round) -> RoundGame:
        """The game with one more round."""
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
        """The points so far, by player."""
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
        return tuple(place.player for place in self.places if place.place == 1)

    @property
    def problems(self) -> tuple[GameProblem, ...]:
        """Everything odd about the game, round by round."""
        found = []
        if len(self.players) not in players_allowed(self.game, self.domino_set):
            found.append(GameProblem("not_in_table"))
        for number, each in enumerate(self.rounds, start=1):
            due = starting_double(self.domino_set, number)
            if each.double.high > self.domino_set.highest:
                found.append(GameProblem("double_outside_set", number, tile=each.double))
            elif each.double != due:
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
