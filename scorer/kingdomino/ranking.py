"""The ranking of the players of a game, with the reason for every tie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Protocol

from scorer.kingdomino.errors import RulesError
from scorer.kingdomino.kingdom import Terrain
from scorer.kingdomino.rules import PLAYERS, Rules, TieBreak

GAMES_OF_A_DYNASTY = 3


class Rankable(Protocol):
    """What a ranking needs; ``Score`` and ``Result`` have it."""

    @property
    def points(self) -> int:
        """The prestige points."""

    @property
    def largest_territory(self) -> int:
        """The squares of the largest territory, for ties."""

    @property
    def crowns(self) -> int:
        """The crowns that count, for ties by ``TieBreak.CROWNS``."""

    @property
    def largest_terrains(self) -> tuple[Terrain, ...]:
        """The terrains of the largest territories."""


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of a player without the kingdom."""

    points: int
    largest_territory: int = 0
    crowns: int = 0
    largest_terrains: tuple[Terrain, ...] = ()


class Criterion(Enum):
    """What decided a place; SHARED if nothing did."""

    POINTS = "points"
    LARGEST_TERRITORY = "largest_territory"
    CROWNS = "crowns"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a player, from 1, and what separates it from players with equal points.

    ``decided_by`` is SHARED for a shared place, POINTS if no other player has as many points, else
    the last criterion that was needed.
    """

    player: str
    place: int
    points: int
    decided_by: Criterion


@dataclass(frozen=True, slots=True)
class Tie:
    """Two players with equal points: ``ahead`` comes first, or shares the place with ``behind``.

    ``criterion`` is what decided, with the values of both; if it is SHARED, the values are those of
    the last criterion compared. ``ahead_terrains`` and ``behind_terrains`` are the terrains of
    their largest territories, for explanations.
    """

    ahead: str
    behind: str
    criterion: Criterion
    ahead_value: int
    behind_value: int
    ahead_terrains: tuple[Terrain, ...] = ()
    behind_terrains: tuple[Terrain, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The places from first to last, and the reason for every pair with equal points.

    Players who share a place are in the order in which they were given.
    """

    places: tuple[Place, ...]
    ties: tuple[Tie, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        """The players on the first place; more than one share the victory."""
        return tuple(place.player for place in self.places if place.place == 1)


def rank(results: Mapping[str, Rankable], rules: Rules | None = None) -> Ranking:
    """The ranking of 2 to 5 players by points, largest territory and, as an option, crowns.

    Players who are still tied share the place, and the next one is skipped (1, 1, 3).
    RulesError ``bad_players`` for fewer or more players, or another number than in the rules.

    Source: Kingdomino, "Spielende", last two paragraphs; comparing crowns is the first English
    and French edition.
    """
    rules = rules or Rules()
    criteria = [Criterion.POINTS, Criterion.LARGEST_TERRITORY]
    if rules.tie_break is TieBreak.CROWNS:
        criteria.append(Criterion.CROWNS)
    return _rank_by(results, criteria, rules)


def dynasty(games: Sequence[Mapping[str, Rankable]], rules: Rules | None = None) -> Ranking:
    """The ranking over three games by the sum of points; an equal sum is shared.

    RulesError ``dynasty_needs_three_games``, ``other_players`` (not the same players in every
    game) or ``bad_players``.

    Source: Kingdomino, variant "Dynastie".
    """
    if len(games) != GAMES_OF_A_DYNASTY:
        raise RulesError("dynasty_needs_three_games", games=len(games))
    if any(game.keys() != games[0].keys() for game in games):
        raise RulesError("other_players")
    sums = {player: Result(sum(game[player].points for game in games)) for player in games[0]}
    return _rank_by(sums, [Criterion.POINTS], rules or Rules())


def _rank_by(
    results: Mapping[str, Rankable], criteria: Sequence[Criterion], rules: Rules
) -> Ranking:
    if len(results) not in PLAYERS or rules.players not in (None, len(results)):
        raise RulesError("bad_players", players=len(results))
    keys = {
        player: tuple(_value(result, criterion) for criterion in criteria)
        for player, result in results.items()
    }
    order = sorted(results, key=lambda player: keys[player], reverse=True)
    ties = tuple(
        _tie(ahead, behind, results, criteria)
        for ahead, behind in combinations(order, 2)
        if results[ahead].points == results[behind].points
    )
    places = tuple(
        Place(
            player,
            1 + sum(key > keys[player] for key in keys.values()),
            results[player].points,
            _decided_by(player, ties),
        )
        for player in order
    )
    return Ranking(places, ties)


def _value(result: Rankable, criterion: Criterion) -> int:
    value: int = getattr(result, criterion.value)
    return value


def _tie(
    ahead: str, behind: str, results: Mapping[str, Rankable], criteria: Sequence[Criterion]
) -> Tie:
    first, second = results[ahead], results[behind]
    decisive = [each for each in criteria if _value(first, each) != _value(second, each)]
    compared = decisive[0] if decisive else criteria[-1]
    return Tie(
        ahead,
        behind,
        compared if decisive else Criterion.SHARED,
        _value(first, compared),
        _value(second, compared),
        first.largest_terrains,
        second.largest_terrains,
    )


def _decided_by(player: str, ties: Sequence[Tie]) -> Criterion:
    """The last criterion needed in any tie of the player, in the order of Criterion."""
    needed = {tie.criterion for tie in ties if player in (tie.ahead, tie.behind)}
    return [each for each in Criterion if each in needed or each is Criterion.POINTS][-1]
