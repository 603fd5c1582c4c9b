"""The pieces of a page: their modules, and what they say held against Python."""

from __future__ import annotations

import json
import re

import pytest

from companion.games.pip_dominoes.card import PIPS
from companion.languages import Language, codes
from companion.web.pip_dominoes.parts import piece_words
from companion.web.shell.assets import WEB
from tests.companion.web.node import run_node

STATIC = WEB / "pip_dominoes" / "static"


def imported(name: str, what: str) -> str:
    """A script that prints a value made from the exports ``m`` of a module."""
    address = (STATIC / f"{name}.mjs").as_uri()
    return f"import({address!r}).then((m) => console.log(JSON.stringify({what})))"


def test_pips_are_drawn_alike_on_every_page() -> None:
    drawn = json.loads(run_node("-e", imported("model", "m.PIPS")))
    assert tuple(map(tuple, drawn)) == PIPS


@pytest.mark.parametrize("name", ["hand", "keypad", "clock"])
@pytest.mark.parametrize("language", list(Language))
def test_a_piece_has_all_its_words(name: str, language: Language) -> None:
    words = piece_words(name, language)
    parts = {
        "hand": text_of("hand"),
        **dict(re.findall(r"class (Clock|Keypad)Piece(.*?)\n}\n", text_of("pieces"), re.DOTALL)),
    }
    for text in (parts[name if name == "hand" else name.capitalize()], text_of("piece")):
        said = re.findall(r'say\(\s*"([a-z_.]+)"', text)
        assert said
        assert set(said) <= words.keys()


def text_of(module: str) -> str:
    return (STATIC / f"{module}.mjs").read_text(encoding="utf-8")


def test_fields_of_words_are_left_to_the_piece() -> None:
    assert piece_words("hand", Language.GERMAN)["hand.check"] == "{count} prüfen"
    assert {code for code in codes() if code.startswith("hand.")}
