"""Scores, rankings and problems as JSON, a stable format; see `companion/cli/schemas`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer.kingdomino import (
    Bonus,
    CharacterScore,
    GameProblem,
    Kingdom,
    Position,
    Problem,
    Ranking,
    Rules,
    Score,
    Territory,
    rules_problems,
)


def score_record(
    kingdom: Kingdom, result: Score, problems: Sequence[Problem], rules: Rules
) -> dict[str, Any]:
    """The record of a kingdom with its points, their parts, and its problems."""
    taken = sum(not square.is_empty for _, square in kingdom.items())
    return {
        "kingdom": str(kingdom),
        "points": result.points,
        "territory_points": result.territory_points,
        "bonus_points": result.bonus_points,
        "character_points": result.character_points,
        "territories": [_territory_record(territory) for territory in result.territories],
        "bonuses": [_bonus_record(bonus) for bonus in result.bonuses],
        "characters": [_character_record(each) for each in result.characters],
        "largest_territory": result.largest_territory,
        "largest_terrains": [terrain.letter for terrain in result.largest_terrains],
        "crowns": result.crowns,
        "covered_crowns": result.covered_crowns,
        "castle_centred": result.castle_centred,
        "problems": problem_records(problems),
        "rules": rules_record(rules) | {"grid": rules.grid(taken)},
    }


def _territory_record(territory: Territory) -> dict[str, Any]:
    return {
        "terrain": territory.terrain.letter,
        "squares": territory.size,
        "crowns": territory.crowns,
        "covered_crowns": territory.covered_crowns,
        "points": territory.points,
        "positions": _lists(territory.squares),
    }


def _bonus_record(bonus: Bonus) -> dict[str, Any]:
    return {
        "name": bonus.name,
        "points": bonus.points,
        "squares": _lists(bonus.squares),
        "groups": [_lists(group) for group in bonus.groups],
        "reading": bonus.reading.value if bonus.reading else None,
    }


def _character_record(score: CharacterScore) -> dict[str, Any]:
    return {
        "name": score.character.key,
        "points": score.points,
        "square": list(score.square),
        "around": _lists(score.around),
        "count": score.count,
        "by_hand": score.by_hand is not None,
    }


def rules_record(rules: Rules) -> dict[str, Any]:
    """The record of the rules in force, with their problems."""
    return {
        "players": rules.players,
        "harmony": rules.harmony,
        "middle_kingdom": rules.middle_kingdom,
        "mighty_duel": rules.mighty_duel,
        "age_of_giants": rules.age_of_giants,
        "quests": [str(quest) for quest in rules.quests],
        "tie_break": rules.tie_break.value,
        "bleak_king": rules.bleak_king.value,
        "court": rules.court,
        "problems": game_problem_records(rules_problems(rules)),
    }


def ranking_record(ranking: Ranking) -> dict[str, Any]:
    """The records of the places, and of every pair with equal points and the values compared."""
    return {
        "ranking": [
            {
                "player": place.player,
                "place": place.place,
                "points": place.points,
                "decided_by": place.decided_by.value,
            }
            for place in ranking.places
        ],
        "ties": [
            {
                "ahead": tie.ahead,
                "behind": tie.behind,
                "criterion": tie.criterion.value,
                "ahead_value": tie.ahead_value,
                "behind_value": tie.behind_value,
                "ahead_terrains": [terrain.letter for terrain in tie.ahead_terrains],
                "behind_terrains": [terrain.letter for terrain in tie.behind_terrains],
            }
            for tie in ranking.ties
        ],
    }


def problem_records(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """The records of the problems of a kingdom."""
    return [
        {
            "code": problem.code,
            "squares": _lists(problem.squares),
            **_measure(problem),
        }
        for problem in problems
    ]


def game_problem_records(problems: Sequence[GameProblem]) -> list[dict[str, Any]]:
    """The records of the problems of a game; each square is [player, row, column]."""
    return [
        {
            "code": problem.code,
            "squares": [[name, *position] for name, position in problem.squares],
            "players": list(problem.players),
            **_measure(problem),
        }
        for problem in problems
    ]


def _measure(problem: Problem | GameProblem) -> dict[str, object]:
    return {"found": problem.found, "allowed": problem.allowed, "kind": problem.kind}


def _lists(squares: Sequence[Position]) -> list[list[int]]:
    return [list(square) for square in squares]
