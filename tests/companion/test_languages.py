from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from companion.languages import TABLE, Language, Words, language_of_locale, preferred_language, say

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
    for file in (ROOT / "companion").rglob("*.py"):
        said |= set(re.findall(r'say\(\s*"([a-z_.]+)"', file.read_text(encoding="utf-8")))
    assert len(said) > 50
    assert said <= TABLE.keys()


def test_every_refusal_of_a_photo_has_its_words() -> None:
    raised = set()
    for file in (ROOT / "vision").rglob("*.py"):
        raised |= set(re.findall(r'PhotoError\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert {"missing_file", "is_folder", "not_a_picture", "truncated"} <= raised
    assert {f"photo.{code}" for code in raised} <= TABLE.keys()


def test_every_problem_has_its_words() -> None:
    source = (ROOT / "scorer/kingdomino/problems.py").read_text(encoding="utf-8")
    found = set(re.findall(r'Problem\(\s*"(\w+)"', source)) | {"too_wide", "too_high"}
    assert {"no_castle", "same_colour", "not_connected"} <= found
    assert {f"problem.{code}" for code in found} <= TABLE.keys()


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
