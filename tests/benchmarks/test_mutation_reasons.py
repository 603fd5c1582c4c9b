"""The reasons why changes may live belong to code that is still there."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.mutation.targets import given_reasons, reason_of

ROOT = Path(__file__).parents[2]


def test_every_change_with_a_reason_starts_from_a_line_that_is_there() -> None:
    for (module, change), reason in given_reasons().items():
        before, arrow, after = change.partition(" → ")
        assert arrow == " → ", change
        assert before != after, change
        assert reason, change
        code = " ".join((ROOT / module).read_text(encoding="utf-8").split())
        assert before in code, f"{module} has no longer: {before}"


def test_a_reason_of_its_own_goes_before_that_of_its_kind() -> None:
    (module, change), reason = next(iter(given_reasons().items()))
    assert reason_of(module, change) == reason
    assert reason_of("scorer/none.py", change) == ""
    lengths = "zip(a, b, strict=True) → zip(a, b, strict=None)"
    assert re.search("lengths are equal", reason_of(module, lengths))
