"""How a game of pip dominoes stands as its pages show it, and who won, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.pip_dominoes.kept import KeptRound, MugginsTableRules, RoundRules
from companion.games.pip_dominoes.kind import (
    CASTLE_ROCK,
    MUGGINS,
    MugginsStanding,
    castle_result,
    knows_tiles,
    muggins_rounds_of,
    muggins_standing,
    rounds_of,
)
from companion.games.pip_dominoes.texts import count_of_dominoes, count_of_pips
from companion.languages import Language, listed, say
from companion.store import Game, Player
from scorer.pip_dominoes import CastleRockResult, GameProblem, Side, Tile, starting_double

Bounds = tuple[float, float]
"""The fewest and the most points."""


@dataclass(frozen=True)
class RoundStanding:
    """The players in seat order, the rules, and the rounds that count, by number from 1."""

    players: tuple[Player, ...]
    rules: RoundRules
    rounds: Mapping[int, KeptRound]

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the players."""
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
        """Whether every hand is known and nothing is left to check."""
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

    def deciding(self, ranges: Mapping[int, Mapping[int, Bounds]]) -> tuple[int, ...]:
        """The players whose hands have to be checked before it is certain who has won.

        ``ranges`` are the fewest and the most points that the doubts of a hand allow, by round and
        player. Nobody where the same players win whatever is found.
        """
        totals = self.totals
        low, high = dict[int, float](totals), dict[int, float](totals)
        for number, hands in ranges.items():
            points = self.rounds[number].points(self.ids)
            for player, (fewest, most) in hands.items():
                low[player] += fewest - points[player]
                high[player] += most - points[player]
        lowest = min(totals.values())
        leaders = [player for player in self.ids if totals[player] == lowest]
        most = max(high[player] for player in leaders)
        others = [player for player in self.ids if player not in leaders]
        together = len(leaders) == 1 or all(low[each] == high[each] for each in leaders)
        if together and all(low[player] > most for player in others):
            return ()
        least = min(high.values())
        return tuple(each for each in self.ids if low[each] < high[each] and low[each] <= least)

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


def winner_sentence(game: Game, language: Language) -> str:
    """The winners with their points; ValueError where the game is not complete.

    Of a patience it says who played it, and what was left.
    """
    if game.kind == CASTLE_ROCK.key:
        result = castle_result(game.values)
        if result is None:
            raise ValueError("game: expected a complete one")
        name = game.players[0].name
        if result.is_won:
            return say("domino_page.castle_won_by", language, name=name)
        return f"{name}: {castle_sentence(result, language)}"
    if game.kind == MUGGINS.key:
        standing = muggins_of(game)
        side = standing.game.winner if standing else None
        if standing is None or side is None:
            raise ValueError("game: expected a complete one")
        points, names = standing.game.totals[side.name], side_names(game, side)
        code = "wins" if len(side.players) == 1 else "team_wins"
    else:
        rounds = round_standing(game)
        if not rounds.is_played:
            raise ValueError("game: expected a complete one")
        names = [player.name for player in rounds.leaders]
        points = rounds.totals[rounds.leaders[0].id]
        code = "wins" if len(names) == 1 else "shared"
    together = listed(names, language)
    described = _with_points(points, language)
    return say(f"domino_page.{code}", language, name=together, names=together, points=described)


def castle_sentence(result: CastleRockResult, language: Language) -> str:
    """What is left at the end of a patience."""
    if result.is_won:
        return say("domino_page.castle_won", language)
    pips = count_of_pips(result.score, language)
    if not knows_tiles(result):
        return say("domino_page.castle_counted", language, pips=pips)
    tiles = count_of_dominoes(result.tiles_left, language)
    return say("domino_page.castle_left", language, tiles=tiles, pips=pips)


def muggins_of(game: Game) -> MugginsStanding | None:
    """How a game of Muggins stands; None for players that it is not for."""
    rules = MugginsTableRules.from_data(game.values.get("rules")).rules
    ids = [player.id for player in game.players]
    return muggins_standing(ids, muggins_rounds_of(game.values), rules)


def side_names(game: Game, side: Side) -> list[str]:
    """The names of a player, or of the two of a team."""
    names = {str(player.id): player.name for player in game.players}
    return [names[each] for each in side.players]


def _with_points(points: int, language: Language) -> str:
    """How many points somebody wins with, in the case that German asks for."""
    code = "domino_page.with_point" if points == 1 else "domino_page.with_points"
    return say(code, language, count=points)
