from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.pip_dominoes.texts import (
    count_of_dominoes,
    count_of_pips,
    list_of,
    problem_line,
    rules_message,
)
from companion.languages import Language
from companion.languages import codes as known_codes
from scorer.pip_dominoes import GameProblem, HandProblem, RulesError, Tile

RULES = Path(__file__).parents[3] / "scorer" / "pip_dominoes"


def raised(pattern: str) -> set[str]:
    return {
        code
        for file in RULES.glob("*.py")
        for code in re.findall(pattern, file.read_text(encoding="utf-8"))
    }


def test_every_refusal_of_the_rules_has_its_words() -> None:
    codes = raised(r'(?:NotationError|RulesError)\(\s*"(\w+)"')
    assert {"bad_tile", "tile_twice", "not_in_table", "game_over"} <= codes
    assert {f"domino_error.{code}" for code in codes} <= known_codes()
    said = {code for code in known_codes() if code.startswith("domino_error.")}
    assert said == {f"domino_error.{code}" for code in codes}


def test_every_problem_has_its_words() -> None:
    codes = raised(r'(?:GameProblem|HandProblem)\(\s*"(\w+)"')
    assert {"not_in_table", "in_two_hands", "several_out"} <= codes
    assert {f"domino_problem.{code}" for code in codes} <= known_codes()


def test_lists_and_counts() -> None:
    assert list_of(["Anna"], Language.ENGLISH) == "Anna"
    assert list_of(["Anna", "Ben", 3], Language.ENGLISH) == "Anna, Ben and 3"
    assert list_of(["Anna", "Ben"], Language.GERMAN) == "Anna und Ben"
    assert count_of_pips(1, Language.GERMAN) == "1 Auge"
    assert count_of_pips(2, Language.ENGLISH) == "2 pips"
    assert count_of_dominoes(1, Language.ENGLISH) == "1 domino"
    assert count_of_dominoes(5, Language.GERMAN) == "5 Dominosteine"


def test_a_refusal_with_a_list() -> None:
    error = RulesError("not_in_table", game="Chickenfoot", set=9, players=7, allowed=(2, 3, 4))
    assert rules_message(error, Language.ENGLISH) == (
        "Chickenfoot with double-9 is not for 7 players, but for 2, 3 and 4"
    )


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (GameProblem("unexpected_double", 2, (), Tile(5, 5), Tile(8, 8)), "round 2: starts with"),
        (HandProblem("in_two_hands", ("A", "B"), Tile(1, 2)), "1|2 is in the hands of A and B"),
        (GameProblem("not_in_table"), "the sheet has no draw"),
    ],
)
def test_problems(problem: GameProblem | HandProblem, line: str) -> None:
    assert problem_line(problem, Language.ENGLISH).startswith(line)
