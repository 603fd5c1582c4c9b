"""The board's modules: their own tests, and their scoring against the rules core."""

from __future__ import annotations

import json
import random
import re

import pytest

from companion.web.board.bundle import STATIC
from scorer.kingdomino import CASTLE, EMPTY, Kingdom, Square, Terrain, score
from tests.companion.web.board.node import MODULES, run_node

TESTS = sorted(MODULES.glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_modules(path: object) -> None:
    run_node("--test", str(path))


def test_every_module_is_checked_and_short() -> None:
    for path in STATIC.glob("*.mjs"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "// @ts-check", path.name
        assert len(lines) < 300, path.name


def random_kingdom(draw: random.Random) -> Kingdom:
    def any_square() -> Square:
        if draw.random() < 0.15:
            return draw.choice((EMPTY, CASTLE))
        crowns = draw.choice((0, 0, 0, 1, 1, 2, 3))
        return Square(draw.choice(tuple(Terrain)[:4]), crowns, draw.randint(0, crowns))

    height, width = draw.randint(1, 9), draw.randint(1, 9)
    return Kingdom(tuple(tuple(any_square() for _ in range(width)) for _ in range(height)))


def test_scoring_is_that_of_the_rules() -> None:
    draw = random.Random(11)
    kingdoms = [random_kingdom(draw) for _ in range(2000)]
    text = "\n".join(kingdom.format() for kingdom in kingdoms)
    answers = json.loads(run_node(str(MODULES / "score.mjs"), text=text))
    for kingdom, found in zip(kingdoms, answers, strict=True):
        expected = [
            {
                "terrain": each.terrain.letter,
                "squares": [list(place) for place in each.squares],
                "crowns": each.crowns,
                "covered": each.covered_crowns,
                "points": each.points,
            }
            for each in score(kingdom).territories
        ]
        assert found == expected, kingdom.format()


def test_style_has_no_emoji_and_no_address() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", text), path.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path.name
