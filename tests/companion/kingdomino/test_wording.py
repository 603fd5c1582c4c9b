from __future__ import annotations

import pytest

from companion.games.kingdomino.texts import (
    label_name,
    problem_line,
    quest_name,
    square_name,
    terrain_name,
)
from companion.languages import Language
from scorer.kingdomino import QUESTS, GameProblem, Problem, Square, Terrain


@pytest.mark.parametrize(
    ("notation", "english", "german"),
    [
        (".", "no square", "kein Feld"),
        ("c", "castle", "Schloss"),
        ("w", "Wheat field without crown", "Getreidefeld ohne Krone"),
        ("l1", "Lake with 1 crown", "See mit 1 Krone"),
        (
            "m3!!",
            "Mine with 3 crowns, 2 covered by giants",
            "Mine mit 3 Kronen, 2 von Giganten verdeckt",
        ),
    ],
)
def test_squares_in_words(notation: str, english: str, german: str) -> None:
    square = Square.parse(notation)
    assert square_name(square, Language.ENGLISH) == english
    assert square_name(square, Language.GERMAN) == german


def test_terrains_and_quests_have_a_name_in_each_language() -> None:
    for language in Language:
        assert len({terrain_name(terrain, language) for terrain in Terrain}) == len(Terrain)
        assert len({quest_name(quest, language) for quest in QUESTS}) == len(QUESTS)


def test_a_problem_says_where_counted_from_one() -> None:
    problem = Problem("too_many_crowns", ((0, 1), (2, 0)), 3, 1, "w")
    assert problem_line(problem, Language.ENGLISH) == (
        "3 crowns: Wheat field never has more than 1 (row 1, column 2; row 3, column 1)"
    )
    assert problem_line(Problem("no_castle"), Language.GERMAN) == "das Schloss fehlt"


def test_a_problem_of_a_game_names_the_players() -> None:
    colour = GameProblem("same_colour", (), ("Anna", "Ben"), 2, 1, "pink")
    assert problem_line(colour, Language.GERMAN) == "Anna, Ben haben dieselbe Farbe, rosa"
    mines = GameProblem("more_than_box", (("Anna", (0, 1)), ("Ben", (2, 0))), (), 2, 1, "m3")
    assert problem_line(mines, Language.ENGLISH) == (
        "2 times Mine with 3 crowns: the box holds only 1 "
        "(Anna: row 1, column 2; Ben: row 3, column 1)"
    )


def test_a_label_outside_the_notation_is_something_else() -> None:
    assert label_name("w1", Language.ENGLISH) == "Wheat field with 1 crown"
    assert label_name("x", Language.ENGLISH) == "something else"
