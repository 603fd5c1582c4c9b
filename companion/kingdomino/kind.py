"""Kingdomino for the store: the parts of a game, and its results.

The parts are ``rules`` (see ``KeptRules``) and ``board:GAME:PLAYER`` (see ``KeptBoard``), with the
number of the game (1, or 1 to 3 in a Dynasty) and the id of the player. A kingdom kept without a
game is ``board:1:0``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.games import GameKind, PlayerResult, Results, StoreError, players_of, register
from companion.games.merging import Json, Merged
from companion.kingdomino.kept_board import KeptBoard, board_leaf, merge_boards
from companion.kingdomino.kept_rules import KeptRules
from scorer.kingdomino import (
    Colour,
    NotationError,
    Ranking,
    Rules,
    RulesError,
    Score,
    Terrain,
    dynasty,
    rank,
    score,
)

__all__ = ["KINGDOMINO", "KingdominoKind", "board_key", "game_ranking", "game_scores", "rules_of"]

_BOARD = re.compile(r"board:([123]):([0-9]{1,2})")


class KingdominoKind(GameKind):
    """Kingdomino with all its variants, Age of Giants included."""

    key = "kingdomino"
    name = "Kingdomino"
    players = range(2, 6)
    bgg_id = 204583

    def check(self, part: str, value: Json, game: Mapping[str, Json]) -> Json:
        """See ``GameKind.check``; the reason of ``bad_value`` is the code of the error."""
        if part == "rules":
            try:
                rules = KeptRules.from_data(value)
                _for_players(rules.rules, len(players_of(game)))
            except RulesError as error:
                raise StoreError("bad_value", part=part, reason=error.code) from error
            return rules.to_data()
        if not _BOARD.fullmatch(part):
            raise StoreError("bad_part", part=part)
        try:
            return KeptBoard.from_data(value).to_data()
        except NotationError as error:
            raise StoreError("bad_value", part=part, reason=error.code) from error
        except ValueError as error:
            raise StoreError("bad_value", part=part, reason="bad_board") from error

    def check_players(self, players: Sequence[Json], game: Mapping[str, Json]) -> None:
        """StoreError if the rules don't allow this many players, or for an unknown colour."""
        if any(p["colour"] not in (None, *(each.value for each in Colour)) for p in players):
            raise StoreError("bad_players", reason="bad_colour")
        try:
            _for_players(rules_of(game).rules, len(players))
        except RulesError as error:
            raise StoreError("bad_players", reason=error.code) from error

    def merge(self, part: str, base: Json, current: Json, sent: Json) -> Merged:
        """Merge boards square by square and rules field by field."""
        if _BOARD.fullmatch(part):
            return merge_boards(base, current, sent)
        return super().merge(part, base, current, sent)

    def leaf(self, part: str, value: Json, leaf: str) -> Json:
        """See ``GameKind.leaf``."""
        if _BOARD.fullmatch(part):
            return board_leaf(value, leaf)
        return super().leaf(part, value, leaf)

    def results(self, game: Mapping[str, Json]) -> Results:
        """Points over all games played, and places once every kingdom is known."""
        scores = game_scores(game)
        ranking = _ranking(game, scores)
        places = {int(each.player): each.place for each in ranking.places} if ranking else {}
        found = []
        for player in players_of(game):
            number = player["id"]
            own = [by_player[number] for by_player in scores.values() if number in by_player]
            points = sum(each.points for each in own) if own else None
            place = places.get(number)
            found.append(PlayerResult(number, points, place, place == 1, _details(own)))
        return Results(tuple(found), ranking is not None)


KINGDOMINO = register(KingdominoKind())


def board_key(player: int, game: int = 1) -> str:
    """The part with the kingdom of a player, by id, in the game of that number."""
    return f"board:{game}:{player}"


def rules_of(game: Mapping[str, Json]) -> KeptRules:
    """The rules among the parts of a game, or the default rules."""
    return KeptRules.from_data(game.get("rules"))


def game_scores(game: Mapping[str, Json]) -> dict[int, dict[int, Score]]:
    """The score of every known kingdom, by number of the game and id of the player."""
    rules = rules_of(game)
    return {
        number: {
            player["id"]: score(KeptBoard.from_data(board).kingdom, rules.rules)
            for player in players_of(game)
            if (board := game.get(board_key(player["id"], number))) is not None
        }
        for number in rules.games
    }


def game_ranking(game: Mapping[str, Json]) -> Ranking | None:
    """The ranking, with ids of players as names; None while a kingdom is missing.

    In a Dynasty it is by the sum of the three games.
    """
    return _ranking(game, game_scores(game))


def _ranking(game: Mapping[str, Json], scores: Mapping[int, Mapping[int, Score]]) -> Ranking | None:
    rules, players = rules_of(game), players_of(game)
    if any(len(by_player) < len(players) for by_player in scores.values()):
        return None
    try:
        of_players = _for_players(rules.rules, len(players))
        games = [
            {str(player): each for player, each in by_player.items()}
            for by_player in scores.values()
        ]
        return dynasty(games, of_players) if rules.dynasty else rank(games[0], of_players)
    except RulesError:
        return None


def _for_players(rules: Rules, players: int) -> Rules:
    """The rules for a number of players; with fewer than two they are unchanged."""
    return replace(rules, players=players) if players >= 2 else rules


def _details(scores: Sequence[Score]) -> dict[str, int]:
    """Points by terrain and of bonuses, largest territory and crowns; empty without scores."""
    if not scores:
        return {}
    details = {terrain.name.lower(): 0 for terrain in Terrain}
    for each in scores:
        for territory in each.territories:
            details[territory.terrain.name.lower()] += territory.points
    details["bonuses"] = sum(each.bonus_points for each in scores)
    details["largest_territory"] = max(each.largest_territory for each in scores)
    details["crowns"] = sum(each.crowns for each in scores)
    return details
