"""The pieces of a page: their modules, and what they say held against Python."""

from __future__ import annotations

import json
import random
import re

import pytest

from companion.games.pip_dominoes.card import PIPS
from companion.languages import Language, codes
from companion.web.pip_dominoes.component import piece_words
from companion.web.shell.assets import WEB
from scorer.pip_dominoes import ends_points
from tests.companion.web.node import run_node

STATIC = WEB / "pip_dominoes" / "static"


def imported(name: str, what: str) -> str:
    """A script that prints a value made from the exports ``m`` of a module."""
    address = (STATIC / f"{name}.mjs").as_uri()
    return f"import({address!r}).then((m) => console.log(JSON.stringify({what})))"


def test_pips_are_drawn_alike_on_every_page() -> None:
    drawn = json.loads(run_node("-e", imported("tiles", "m.PIPS")))
    assert tuple(map(tuple, drawn)) == PIPS


def test_open_ends_score_as_in_the_rules() -> None:
    draw = random.Random(5)
    ends = [[draw.randint(0, 12) for _ in range(draw.randint(0, 4))] for _ in range(500)]
    found = json.loads(run_node("-e", imported("open_ends", f"{ends}.map(m.endsPoints)")))
    assert found == [ends_points(each) for each in ends]


@pytest.mark.parametrize("name", ["hand", "keypad", "clock"])
@pytest.mark.parametrize("language", list(Language))
def test_a_piece_has_all_its_words(name: str, language: Language) -> None:
    words = piece_words(name, language)
    files = {"hand": ("hand_view", "piece"), "keypad": ("keypad_piece", "piece")}
    for file in files.get(name, (f"{name}_piece", "piece")):
        text = (STATIC / f"{file}.mjs").read_text(encoding="utf-8")
        said = re.findall(r'say\(\s*"([a-z_.]+)"', text)
        assert said
        assert set(said) <= words.keys(), file


def test_fields_of_words_are_left_to_the_piece() -> None:
    assert piece_words("hand", Language.GERMAN)["hand.check"] == "{count} prüfen"
    assert {code for code in codes() if code.startswith("hand.")}
