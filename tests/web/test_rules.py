"""What the scripts count at once is what the rules count, on thousands of random cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.companion.web.node import run_node
from tests.web.rules import PATH, cases, sample

ANSWERS = Path(__file__).parent / "answers.mjs"


@pytest.mark.parametrize("share", [0.2, pytest.param(1, marks=pytest.mark.slow)])
def test_points_doubts_and_moves_are_those_of_the_rules(share: float) -> None:
    numbers = {"kingdoms": 1500, "hands": 2000, "moves": 600, "ends": 500}
    drawn = cases(23, **{name: round(share * number) for name, number in numbers.items()})
    answers = json.loads(run_node(str(ANSWERS), text=json.dumps(drawn)))
    for name, expected in drawn.items():
        for found, wanted in zip(answers[name], expected, strict=True):
            assert found == wanted
    assert {each["move"]["reason"] for each in drawn["moves"]} >= {None, "no_group", "occupied"}
    kinds = {kind for each in drawn["moves"] for kind, _ in each["move"].get("groups", [])}
    assert kinds == {"triple", "quadruple"}


def test_the_sample_is_what_the_rules_say() -> None:
    assert PATH.read_text(encoding="utf-8") == sample(), "python -m tests.web.rules"
