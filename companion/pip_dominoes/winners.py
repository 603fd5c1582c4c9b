"""Who won a game of pip dominoes, in a sentence."""

from __future__ import annotations

from companion.games import Game
from companion.languages import Language, say
from companion.pip_dominoes.counted_castle import knows_tiles
from companion.pip_dominoes.kept_rules import MugginsTableRules
from companion.pip_dominoes.kinds import (
    CASTLE_ROCK,
    MUGGINS,
    castle_result,
    muggins_rounds_of,
)
from companion.pip_dominoes.muggins_standing import MugginsStanding, muggins_standing
from companion.pip_dominoes.round_standing import round_standing
from companion.pip_dominoes.wording import count_of_dominoes, count_of_pips, list_of
from scorer.pip_dominoes import CastleRockResult, Side

__all__ = ["castle_sentence", "muggins_of", "side_names", "winner_sentence"]


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
    listed = list_of(names, language)
    told = _with_points(points, language)
    return say(f"domino_page.{code}", language, name=listed, names=listed, points=told)


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
