"""A score and a ranking as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.kingdomino.wording import (
    bonus_name,
    count_of_crowns,
    count_of_points,
    count_of_squares,
    place_name,
    problem_line,
    terrain_name,
)
from companion.languages import Language, say
from scorer.kingdomino import (
    Bonus,
    Criterion,
    GameProblem,
    Problem,
    Ranking,
    Score,
    Terrain,
    Territory,
    Tie,
)

__all__ = ["ranking_lines", "score_lines", "tie_line"]


def score_lines(
    name: str, result: Score, problems: Sequence[Problem], language: Language
) -> Iterator[str]:
    """The total, each territory, each bonus, what decides ties, and the problems."""
    yield say("score.total", language, name=name, points=count_of_points(result.points, language))
    for territory in result.territories:
        yield f"  {_territory_line(territory, language)}"
    for bonus in result.bonuses:
        yield f"  {_bonus_line(bonus, language)}"
    largest = count_of_squares(result.largest_territory, language)
    crowns = count_of_crowns(result.crowns, language)
    summary = say("score.summary", language, largest=largest, crowns=crowns)
    if result.castle_centred:
        summary = f"{summary}; {say('score.centred', language)}"
    yield f"  {summary}"
    for problem in problems:
        yield f"  {say('score.problem', language, problem=problem_line(problem, language))}"


def _territory_line(territory: Territory, language: Language) -> str:
    line = say(
        "score.territory",
        language,
        terrain=terrain_name(territory.terrain, language),
        squares=count_of_squares(territory.size, language),
        crowns=count_of_crowns(territory.crowns, language),
        points=territory.points,
    )
    if not territory.covered_crowns:
        return line
    covered = count_of_crowns(territory.covered_crowns, language)
    return say("score.covered", language, line=line, covered=covered)


def _bonus_line(bonus: Bonus, language: Language) -> str:
    name = bonus_name(bonus, language)
    if not bonus.squares:
        return say("score.bonus", language, quest=name, points=bonus.points)
    places = "; ".join(place_name(square, language) for square in bonus.squares)
    if len(bonus.groups) == 1 and len(bonus.squares) > 5:
        places = count_of_squares(len(bonus.squares), language)
    return say("score.bonus_at", language, quest=name, points=bonus.points, places=places)


def ranking_lines(
    ranking: Ranking, problems: Sequence[GameProblem], language: Language
) -> Iterator[str]:
    """The places, a sentence for every tie, and the problems of the game."""
    yield say("ranking.title", language)
    for place in ranking.places:
        points = count_of_points(place.points, language)
        line = say("ranking.place", language, place=place.place, player=place.player, points=points)
        yield f"  {line}"
    for tie in ranking.ties:
        yield f"  {tie_line(tie, language)}"
    for problem in problems:
        yield f"  {say('score.problem', language, problem=problem_line(problem, language))}"


def tie_line(tie: Tie, language: Language) -> str:
    """Why a tie went as it did, with the values that decided it."""
    players = {"ahead": tie.ahead, "behind": tie.behind}
    if tie.criterion is Criterion.SHARED:
        return say("ranking.shared", language, **players)
    if tie.criterion is Criterion.CROWNS:
        return say(
            "ranking.crowns",
            language,
            **players,
            ahead_crowns=count_of_crowns(tie.ahead_value, language),
            behind_crowns=count_of_crowns(tie.behind_value, language),
        )
    return say(
        "ranking.largest_territory" if tie.behind_value else "ranking.no_territory",
        language,
        **players,
        ahead_squares=count_of_squares(tie.ahead_value, language),
        ahead_terrains=_either(tie.ahead_terrains, language),
        behind_squares=count_of_squares(tie.behind_value, language),
        behind_terrains=_either(tie.behind_terrains, language),
    )


def _either(terrains: Sequence[Terrain], language: Language) -> str:
    """The terrains in a sentence: "forest or lake"."""
    names = [say(f"terrain.{terrain.letter}", language) for terrain in terrains]
    text = names[0] if names else ""
    for name in names[1:]:
        text = say("ranking.or", language, first=text, second=name)
    return text
