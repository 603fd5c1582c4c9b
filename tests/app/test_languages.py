from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from app.languages import TABLE, Language, Words, language_of_locale, preferred_language, say
from app.wording import photo_message, problem_line, quest_name, square_name, terrain_name
from scorer.kingdomino import QUESTS, Problem, Square, Terrain
from vision.errors import PhotoError

ROOT = Path(__file__).parents[2]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", TABLE)
def test_every_row_says_the_same_in_both_languages(code: str) -> None:
    words = TABLE[code]
    assert words.english.strip()
    assert words.german.strip()
    assert fields(words.english) == fields(words.german)


def test_no_german_row_was_forgotten() -> None:
    """Only texts without a word of either language may be equal."""
    equal = [words.english for words in TABLE.values() if words.english == words.german]
    wordy = [text for text in equal if re.search(r"[a-z]{4}", re.sub(r"{.*?}", "", text))]
    assert sorted(wordy) == ["Notation", "Notation: {kingdom}"]


def test_every_code_that_the_app_says_is_in_the_table() -> None:
    said = set()
    for file in (ROOT / "app").rglob("*.py"):
        said |= set(re.findall(r'say\(\s*"([a-z_.]+)"', file.read_text(encoding="utf-8")))
    assert len(said) > 50
    assert said <= TABLE.keys()


def test_every_refusal_of_a_photo_has_its_words() -> None:
    raised = set()
    for file in (ROOT / "vision").glob("*.py"):
        raised |= set(re.findall(r'PhotoError\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert {"missing_file", "is_folder", "not_a_picture", "truncated"} <= raised
    assert {f"photo.{code}" for code in raised} <= TABLE.keys()


def test_every_problem_has_its_words() -> None:
    source = (ROOT / "scorer/kingdomino/problems.py").read_text(encoding="utf-8")
    found = set(re.findall(r'Problem\(\s*"(\w+)"', source)) | {"too_wide", "too_high"}
    assert {"no_castle", "same_colour", "not_connected"} <= found
    assert {f"problem.{code}" for code in found} <= TABLE.keys()


@pytest.mark.parametrize("language", Language)
def test_a_refusal_fills_in_its_details(language: Language) -> None:
    message = photo_message(PhotoError("unexpected", fault="ZeroDivisionError"), language)
    assert "ZeroDivisionError" in message


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", Language.GERMAN),
        ("de-CH", Language.GERMAN),
        ("de_AT.UTF-8", Language.GERMAN),
        ("DE", Language.GERMAN),
        ("den", Language.ENGLISH),
        ("en-US", Language.ENGLISH),
        ("fr", Language.ENGLISH),
        ("C.UTF-8", Language.ENGLISH),
        ("", Language.ENGLISH),
        (None, Language.ENGLISH),
    ],
)
def test_language_of_a_locale(locale: str | None, language: Language) -> None:
    assert language_of_locale(locale) is language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, Language.ENGLISH),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, Language.GERMAN),
        ({}, Language.ENGLISH),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], language: Language) -> None:
    assert preferred_language(environment) is language


def test_an_unknown_code_is_no_silent_text() -> None:
    with pytest.raises(KeyError):
        say("no.such_code", Language.ENGLISH)


def test_words_choose_by_language() -> None:
    words = Words("castle", "Schloss")
    assert [words.text(language) for language in Language] == ["castle", "Schloss"]


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
