"""A game of Muggins, or its layout, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.languages import Language, say
from companion.pip_dominoes.wording import count_of_points, list_of, problem_line
from scorer.pip_dominoes import (
    Layout,
    MugginsGame,
    MugginsRound,
    MugginsRules,
)

__all__ = ["layout_lines", "layout_record", "muggins_lines", "muggins_record"]


def muggins_lines(game: MugginsGame, language: Language) -> Iterator[str]:
    """Every round with its points by play and at its end, the totals, and who won."""
    for number, each in enumerate(game.rounds, start=1):
        yield say("domino_score.muggins_round", language, number=number)
        yield from (f"  {line}" for line in _round_lines(game, each, language))
    yield say("domino_score.totals", language)
    for place in game.places:
        points = count_of_points(place.total, language)
        line = say("ranking.place", language, place=place.place, player=place.name, points=points)
        yield f"  {line}"
    if game.winner is not None:
        points = count_of_points(game.totals[game.winner.name], language)
        names = list_of(game.winner.players, language)
        code = "domino_score.winner" if len(game.winner.players) == 1 else "domino_score.team_wins"
        yield say(code, language, name=names, points=points)


def _round_lines(game: MugginsGame, played: MugginsRound, language: Language) -> Iterator[str]:
    for play in played.plays:
        points = count_of_points(play.points, language)
        code = "domino_score.called" if play.caller else "domino_score.by_play"
        yield say(code, language, name=play.scorer, points=points, player=play.player)
    if not played.is_finished:
        return
    if played.out is None:
        yield say("domino_score.blocked", language)
    side, worth = game.worth_of(played)
    if side is None:
        yield say("domino_score.nobody", language)
    else:
        points = count_of_points(worth, language)
        yield say("domino_score.round_end", language, name=side.name, points=points)
    for problem in played.problems:
        yield say("score.problem", language, problem=problem_line(problem, language))


def muggins_record(game: MugginsGame) -> dict[str, Any]:
    """The game, what each round's end was worth, totals, places and what is odd."""
    return {
        **game.to_dict(),
        "sides": [{"name": side.name, "players": list(side.players)} for side in game.sides],
        "round_ends": [_round_end(game, each) for each in game.rounds],
        "totals": game.totals,
        "places": [
            {"side": place.name, "place": place.place, "total": place.total}
            for place in game.places
        ],
        "over": game.is_over,
        "winner": game.winner.name if game.winner else None,
        "problems": [
            {
                "code": problem.code,
                "round": number,
                "players": list(problem.players),
                "tile": str(problem.tile) if problem.tile else None,
            }
            for number, each in enumerate(game.rounds, start=1)
            for problem in each.problems
        ],
    }


def _round_end(game: MugginsGame, played: MugginsRound) -> dict[str, Any] | None:
    if not played.is_finished:
        return None
    side, worth = game.worth_of(played)
    return {"out": played.out, "side": side.name if side else None, "points": worth}


def layout_lines(layout: Layout, rules: MugginsRules, language: Language) -> Iterator[str]:
    """The open ends, what the play scores, and what fits next."""
    ends = layout.open_ends(spinner_counts=rules.spinner_counts)
    total = sum(end.value for end in ends)
    values = " + ".join(str(end.value) for end in ends) or "0"
    yield say("domino_score.open_ends", language, ends=values, total=total)
    points = layout.points(spinner_counts=rules.spinner_counts)
    yield say("domino_score.play", language, points=count_of_points(points, language))
    numbers = ", ".join(map(str, sorted(set(layout.playable.values()))))
    yield say("domino_score.fits", language, numbers=numbers)


def layout_record(layout: Layout, rules: MugginsRules) -> dict[str, Any]:
    """The layout, its open ends and spots."""
    ends = layout.open_ends(spinner_counts=rules.spinner_counts)
    return {
        "layout": str(layout),
        "open_ends": [{"tile": str(end.tile), "value": end.value} for end in ends],
        "total": sum(end.value for end in ends),
        "points": layout.points(spinner_counts=rules.spinner_counts),
        "spots": {str(spot): number for spot, number in layout.playable.items()},
    }
