"""A game of Chickenfoot or Mexican Train as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.languages import Language, say
from companion.pip_dominoes.wording import count_of_points, list_of, problem_line
from scorer.pip_dominoes import GameProblem, Round, RoundGame

__all__ = ["round_game_lines", "round_game_record"]


def round_game_lines(game: RoundGame, language: Language) -> Iterator[str]:
    """Every round, the totals, what is odd, and who won or what the next round starts with."""
    for each in game.rounds:
        yield from _round_lines(each, language)
    if len(game.rounds) > 1:
        yield say("domino_score.totals", language)
        for place in game.places:
            points = count_of_points(place.total, language)
            line = say(
                "ranking.place", language, place=place.place, player=place.name, points=points
            )
            yield f"  {line}"
    for problem in _told_problems(game):
        yield say("score.problem", language, problem=problem_line(problem, language))
    if game.is_over:
        yield _winner_line(game, language)
    elif len(game.rounds) > 1:
        yield say("domino_score.next", language, double=game.next_double)


def _round_lines(played: Round, language: Language) -> Iterator[str]:
    yield say("domino_score.round", language, double=played.double)
    for name, points in played.points.items():
        counted = count_of_points(points, language)
        line = say("domino_score.player", language, name=name, points=counted)
        if name in played.out:
            line = say("domino_score.out", language, line=line)
        yield f"  {line}"
    if played.is_blocked:
        yield f"  {say('domino_score.blocked', language)}"


def _told_problems(game: RoundGame) -> tuple[GameProblem, ...]:
    """What is odd; a single round may be any of the game."""
    single = len(game.rounds) == 1
    return tuple(
        problem for problem in game.problems if not (single and problem.code == "unexpected_double")
    )


def _winner_line(game: RoundGame, language: Language) -> str:
    points = count_of_points(game.totals[game.winners[0]], language)
    names = list_of(game.winners, language)
    if len(game.winners) == 1:
        return say("domino_score.winner", language, name=names, points=points)
    return say("domino_score.winners", language, names=names, points=points)


def round_game_record(game: RoundGame) -> dict[str, Any]:
    """The game, its points by round, totals, places and what is odd."""
    return {
        **game.to_dict(),
        "points": [each.points for each in game.rounds],
        "out": [list(each.out) for each in game.rounds],
        "totals": game.totals,
        "places": [
            {"player": place.name, "place": place.place, "total": place.total}
            for place in game.places
        ],
        "over": game.is_over,
        "winners": list(game.winners),
        "problems": [
            {
                "code": problem.code,
                "round": problem.round,
                "players": list(problem.players),
                "tile": str(problem.tile) if problem.tile else None,
                "expected": str(problem.expected) if problem.expected else None,
            }
            for problem in _told_problems(game)
        ],
    }
