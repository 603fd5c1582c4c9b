"""The scoring of the board's modules against that of the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

from scorer.kingdomino import CASTLE, EMPTY, Kingdom, Square, Terrain, score
from tests.companion.web.node import run_node

SCORE = Path(__file__).parent / "modules" / "score.mjs"


PIECES = [Square.parse(text) for text in ("w*", "f+1", "g+2", "l:king", "f:axe-warrior:12")]


def random_kingdom(draw: random.Random) -> Kingdom:
    def any_square() -> Square:
        if draw.random() < 0.15:
            return draw.choice((EMPTY, CASTLE))
        if draw.random() < 0.2:
            return draw.choice(PIECES)
        crowns = draw.choice((0, 0, 0, 1, 1, 2, 3))
        return Square(draw.choice(tuple(Terrain)[:4]), crowns, draw.randint(0, crowns))

    height, width = draw.randint(1, 9), draw.randint(1, 9)
    return Kingdom(tuple(tuple(any_square() for _ in range(width)) for _ in range(height)))


def test_scoring_is_that_of_the_rules() -> None:
    draw = random.Random(11)
    kingdoms = [random_kingdom(draw) for _ in range(2000)]
    text = "\n".join(kingdom.format() for kingdom in kingdoms)
    answers = json.loads(run_node(str(SCORE), text=text))
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
