"""The pieces of a page: their modules, and what they say held against Python."""

from __future__ import annotations

import json
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.games.pip_dominoes.card import PIPS
from companion.languages import Language, codes
from companion.web.board.bundle import joined_modules
from companion.web.pip_dominoes.component import STATIC, _believable, piece_words
from scorer.pip_dominoes import ends_points
from tests.companion.web.board.node import run_node as run_node_on


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {},
        {"client": "abc"},
        {"client": "abc", "seq": 0},
        {"client": "abc", "seq": True},
        {"client": "abc", "seq": 2**40},
        {"client": "a b", "seq": 1},
        {"client": 5, "seq": 1},
        {"client": "x" * 41, "seq": 1},
    ],
    ids=str,
)
def test_a_message_without_a_sender_or_a_number_is_not_believed(sent: Any) -> None:
    assert _believable(sent) is None


def test_a_message_of_a_piece_is_believed() -> None:
    sent = {"client": "a1b2", "seq": 3, "hand": {}}
    assert _believable(sent) == sent


MODULES = Path(__file__).parent / "modules"


run_node = partial(run_node_on, modules=STATIC, name="DOMINO_MODULES")


@pytest.mark.parametrize("path", sorted(MODULES.glob("*.test.mjs")), ids=lambda path: path.name)
def test_modules(path: Path) -> None:
    run_node("--test", str(path))


def test_the_joined_module_loads_and_exports(tmp_path: Path) -> None:
    path = tmp_path / "joined.mjs"
    path.write_text(joined_modules("pieces", STATIC), encoding="utf-8")
    script = f"import({path.as_uri()!r}).then((m) => console.log(Object.keys(m).join()))"
    assert run_node("-e", script).strip() == "dress,show"


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


def test_every_module_is_checked_and_short() -> None:
    for path in STATIC.glob("*.mjs"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "// @ts-check", path.name
        assert len(lines) <= 320, path.name


def test_style_has_no_emoji_and_no_address() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", text), path.name
        assert "http" not in text, path.name


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
