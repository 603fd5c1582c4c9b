"""What is told of the reader's rules: each can be left out, and what that changes shows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.rules import AS_IT_IS, RULES, table_of, without
from vision.kingdomino.reader import read_kingdoms

SAMPLES = Path(__file__).parents[2] / "sample_images"


@pytest.mark.parametrize("rule", RULES)
def test_a_plain_photograph_is_read_the_same_without_any_rule(rule: str) -> None:
    module, name, instead = RULES[rule]
    before = getattr(module, name)
    with without(rule):
        assert getattr(module, name) is instead
        bare = read_kingdoms(SAMPLES / "complete-5x5.jpg")
    assert getattr(module, name) is before
    whole = read_kingdoms(SAMPLES / "complete-5x5.jpg")
    assert bare.kingdoms[0].kingdom == whole.kingdoms[0].kingdom


def test_what_a_rule_is_worth_stands_in_its_line() -> None:
    def told(exact: int, flags: int) -> Counter[str]:
        return Counter(kingdoms=1, exact=exact, flags=flags, unflagged=1 - exact, phantoms=exact)

    found = {
        AS_IT_IS: {"tilt": [told(1, 2), told(1, 0)], "glare": [told(0, 5)]},
        "a": {"tilt": [told(1, 2), told(0, 0)], "glare": [told(1, 5)]},
        "b": {"tilt": [told(1, 2), told(1, 0)], "glare": [told(0, 5)]},
    }
    *_, whole, first, second = table_of(found).splitlines()
    assert whole == f"| {AS_IT_IS} | 2 | 1 | 0 | 0 | 7 | 0 | 2 | 0 | – |"
    assert first == "| a | 2 | 1 | 0 | 0 | 7 | 0 | 2 | 2 | tilt 1 |"
    assert second == "| b | 2 | 1 | 0 | 0 | 7 | 0 | 2 | 0 | – |"
