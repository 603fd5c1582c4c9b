"""Pip dominoes in words and as JSON: dominoes, problems, and games of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.languages import Language, listed, say
from scorer.errors import CodedError
from scorer.pip_dominoes import (
    CastleRockResult,
    GameProblem,
    HandProblem,
    Layout,
    MugginsGame,
    MugginsRound,
    MugginsRules,
    Round,
    RoundGame,
    Row,
    best_clearing,
)


def count_of_points(count: int, language: Language) -> str:
    """ "1 point", "27 points"."""
    return say("points", language, count=count)


def count_of_pips(count: int, language: Language) -> str:
    """ "1 pip", "27 pips"."""
    return say("pips.one" if count == 1 else "pips.several", language, count=count)


def count_of_dominoes(count: int, language: Language) -> str:
    """ "1 domino", "27 dominoes"."""
    return say("dominoes.one" if count == 1 else "dominoes.several", language, count=count)


def rules_message(error: CodedError, language: Language) -> str:
    """Why a text, a set-up or a game is refused."""
    details = {
        name: listed(value, language) if isinstance(value, tuple) else value
        for name, value in error.details.items()
    }
    return say(f"domino_error.{error.code}", language, **details)


def problem_line(problem: GameProblem | HandProblem, language: Language) -> str:
    """What is odd about a game or a round, with the number of the round where it has one."""
    expected = problem.expected if isinstance(problem, GameProblem) else None
    line = say(
        f"domino_problem.{problem.code}",
        language,
        players=listed(problem.players, language) if problem.players else "",
        tile=problem.tile,
        expected=expected,
    )
    number = problem.round if isinstance(problem, GameProblem) else None
    if number is None:
        return line
    return say("domino_problem.in_round", language, round=number, problem=line)


def result_lines(result: CastleRockResult, language: Language) -> Iterator[str]:
    """What is left, whether the game is won, and how long it took where that was taken."""
    if result.is_won:
        yield say("domino_score.won", language)
    else:
        count = count_of_dominoes(result.tiles_left, language)
        pips = count_of_pips(result.score, language)
        yield say("domino_score.left", language, count=count, pips=pips)
    if result.seconds is not None:
        yield say("domino_score.seconds", language, seconds=result.seconds)


def result_record(result: CastleRockResult) -> dict[str, Any]:
    """The result of a Castle Rock as plain data for JSON."""
    return {
        **result.to_dict(),
        "tiles_left": result.tiles_left,
        "score": result.score,
        "won": result.is_won,
    }


def row_lines(row: Row, language: Language) -> Iterator[str]:
    """What must go before a tile is drawn, and how far the row can be cleared without drawing."""
    removals = row.removals
    if not removals:
        yield say("domino_score.no_removal", language)
        return
    choices = [
        " ".join(str(row.tiles[position]) for position in removal.positions) for removal in removals
    ]
    if len(choices) == 1:
        yield say("domino_score.must_remove", language, tiles=choices[0])
    else:
        yield say("domino_score.must_remove_one", language)
        yield from (f"  {tiles}" for tiles in choices)
    left = best_clearing(row).left
    count = count_of_dominoes(len(left), language)
    pips = count_of_pips(left.pips, language)
    yield say("domino_score.clearing", language, count=count, pips=pips)


def row_record(row: Row) -> dict[str, Any]:
    """The row, its removals with positions from 0, and the best way to clear it."""
    clearing = best_clearing(row)
    return {
        "row": str(row),
        "removals": [
            {"positions": list(each.positions), "option": each.option} for each in row.removals
        ],
        "clearing": [list(each.positions) for each in clearing.removals],
        "left": str(clearing.left),
        "is_best": clearing.is_best,
    }


def muggins_lines(game: MugginsGame, language: Language) -> Iterator[str]:
    """Every round with its points by play and at its end, the totals, and who won."""
    for number, each in enumerate(game.rounds, start=1):
        yield say("domino_score.muggins_round", language, number=number)
        yield from (f"  {line}" for line in _muggins_round_lines(game, each, language))
    yield say("domino_score.totals", language)
    for place in game.places:
        points = count_of_points(place.points, language)
        line = say("ranking.place", language, place=place.place, player=place.player, points=points)
        yield f"  {line}"
    if game.winner is not None:
        points = count_of_points(game.totals[game.winner.name], language)
        names = listed(game.winner.players, language)
        code = "domino_score.winner" if len(game.winner.players) == 1 else "domino_score.team_wins"
        yield say(code, language, name=names, points=points)


def _muggins_round_lines(
    game: MugginsGame, played: MugginsRound, language: Language
) -> Iterator[str]:
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
            {"side": place.player, "place": place.place, "total": place.points}
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


def round_game_lines(game: RoundGame, language: Language) -> Iterator[str]:
    """Every round, the totals, what is odd, and who won or what the next round starts with."""
    for each in game.rounds:
        yield from _round_lines(each, language)
    if len(game.rounds) > 1:
        yield say("domino_score.totals", language)
        for place in game.places:
            points = count_of_points(place.points, language)
            line = say(
                "ranking.place", language, place=place.place, player=place.player, points=points
            )
            yield f"  {line}"
    for problem in _shown_problems(game):
        yield say("score.problem", language, problem=problem_line(problem, language))
    if game.is_over:
        yield _winner_line(game, language)
    elif len(game.rounds) > 1 and game.next_double is not None:
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


def _shown_problems(game: RoundGame) -> tuple[GameProblem, ...]:
    """What is odd; a single round may be any of the game."""
    single = len(game.rounds) == 1
    return tuple(
        problem for problem in game.problems if not (single and problem.code == "unexpected_double")
    )


def _winner_line(game: RoundGame, language: Language) -> str:
    points = count_of_points(game.totals[game.winners[0]], language)
    names = listed(game.winners, language)
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
            {"player": place.player, "place": place.place, "total": place.points}
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
            for problem in _shown_problems(game)
        ],
    }
