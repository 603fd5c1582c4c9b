"""The words of the board: all that its modules say, with the fields left for them to fill."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from companion.languages import Language
from companion.web.board.messages import board_words

STATIC = Path(__file__).parents[4] / "companion" / "web" / "board" / "static"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
def test_every_code_that_the_board_says_has_words(language: Language) -> None:
    said = set()
    for file in STATIC.glob("*.mjs"):
        code = file.read_text(encoding="utf-8")
        said |= set(re.findall(r'\bsay\([\w.]+,\s*"([a-z_.]+)"', code))
        for counted in re.findall(r'\bsayCount\([\w.]+,\s*"([a-z_.]+)"', code):
            said |= {f"{counted}.one", f"{counted}.several"}
    assert len(said) > 30
    assert said <= board_words(language).keys()


def test_fields_are_left_for_the_board_to_fill() -> None:
    english, german = board_words(Language.ENGLISH), board_words(Language.GERMAN)
    assert english["square.place"] == "Row {row}, column {column}"
    assert english.keys() == german.keys()
    for code, text in english.items():
        assert fields(text) == fields(german[code]), code


def test_a_terrain_stands_at_the_beginning_of_a_name() -> None:
    assert board_words(Language.ENGLISH)["terrain.w"] == "Wheat field"
    assert board_words(Language.GERMAN)["terrain.w"][0].isupper()
