"""Names and sentences for squares, quests, bonuses and problems."""

from __future__ import annotations

from companion.languages import Language, say
from scorer.kingdomino import (
    BleakKing,
    Bonus,
    GameProblem,
    NotationError,
    Position,
    Problem,
    Quest,
    Square,
    Terrain,
)

__all__ = [
    "bonus_name",
    "castle_colour_name",
    "count_of_crowns",
    "count_of_points",
    "count_of_squares",
    "label_name",
    "place_name",
    "problem_line",
    "quest_name",
    "square_name",
    "terrain_name",
]


def terrain_name(terrain: Terrain, language: Language) -> str:
    """The name of a terrain as in a list: "Wheat field", "Getreidefeld"."""
    name = say(f"terrain.{terrain.letter}", language)
    return name[:1].upper() + name[1:]


def square_name(square: Square, language: Language) -> str:
    """A square in words: "Mine with 2 crowns, 1 covered by giants"."""
    if square.is_castle:
        return say("square.castle", language)
    if square.terrain is None:
        return say("square.empty", language)
    code = "square.crowns" if square.crowns else "square.plain"
    name = say(code, language, terrain=terrain_name(square.terrain, language), count=square.crowns)
    if not square.giants:
        return name
    return say("square.covered", language, square=name, giants=square.giants)


def label_name(label: str, language: Language) -> str:
    """The name of a label; one outside the notation is a foreign object."""
    try:
        return square_name(Square.parse(label), language)
    except NotationError:
        return say("square.foreign", language)


def count_of_squares(count: int, language: Language) -> str:
    return say("squares", language, count=count)


def count_of_crowns(count: int, language: Language) -> str:
    return say("crowns", language, count=count)


def count_of_points(count: int, language: Language) -> str:
    return say("points", language, count=count)


def quest_name(quest: Quest, language: Language) -> str:
    """The name of a quest or variant, with its terrain if it has one."""
    name = say(f"quest.{quest.goal.key}", language)
    if quest.terrain is None:
        return name
    terrain = terrain_name(quest.terrain, language)
    return say("quest.terrain", language, quest=name, terrain=terrain)


def bonus_name(bonus: Bonus, language: Language) -> str:
    """The name of a bonus, with the reading in use if its quest has two."""
    name = quest_name(bonus.quest, language)
    if bonus.reading is None:
        return name
    by_territory = bonus.reading is BleakKing.TERRITORY
    return say("score.by_territory" if by_territory else "score.by_squares", language, quest=name)


def castle_colour_name(colour: str, language: Language) -> str:
    return say(f"colour.{colour}", language)


def place_name(position: Position, language: Language) -> str:
    """The position of a square counted from 1: "row 2, column 3"."""
    return say("square.place", language, row=position[0] + 1, column=position[1] + 1)


def problem_line(problem: Problem | GameProblem, language: Language) -> str:
    """A sentence for a problem, with its squares."""
    values: dict[str, object] = {"found": problem.found, "allowed": problem.allowed}
    if isinstance(problem, GameProblem):
        values["players"] = ", ".join(problem.players)
        places = [
            say("square.player_place", language, player=name, place=place_name(place, language))
            for name, place in problem.squares
        ]
    else:
        places = [place_name(place, language) for place in problem.squares]
    if problem.code in ("same_colour", "brown_without_expansion"):
        values["colour"] = castle_colour_name(problem.kind or "", language)
    elif problem.kind is not None:
        square = Square.parse(problem.kind)
        values["square"] = square_name(square, language)
        values["terrain"] = terrain_name(square.terrain, language) if square.terrain else ""
    line = say(f"problem.{problem.code}", language, **values)
    if not places:
        return line
    return say("problem.at", language, problem=line, squares="; ".join(places))
