from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.companion.kingdomino.squares import few_squares, strange_squares
from vision.common.network import shipped_weights
from vision.common.refit import RefitSettings
from vision.kingdomino.refit import LabelledSquares, refit
from vision.kingdomino.weights import Head

MODEL = (shipped_weights() / "squares.onnx").read_bytes()
TEMPERATURE = json.loads((shipped_weights() / "squares.json").read_text("utf-8"))["temperature"]
QUICK = RefitSettings(folds=3, penalties=(10.0, 100.0, 1000.0))


def test_squares_of_sessions_never_seen_are_read_better() -> None:
    found = refit(MODEL, TEMPERATURE, strange_squares(), few_squares(), QUICK)
    assert found.before is not None
    assert found.after is not None
    assert found.after.wrong < 0.8 * found.before.wrong
    assert found.after.surely_wrong < 0.5 * found.before.surely_wrong
    assert found.refused == ""
    assert found.known_after is not None
    assert found.known_after.wrong == 0
    again = refit(MODEL, TEMPERATURE, strange_squares(), few_squares(), QUICK)
    np.testing.assert_array_equal(again.head.weight, found.head.weight)


def test_where_nothing_is_to_be_gained_nothing_is_used() -> None:
    assert refit(MODEL, TEMPERATURE, few_squares(), None, QUICK).refused == "not_better"


def test_wrong_labels_teach_nothing() -> None:
    few = few_squares()
    labels = tuple(np.random.default_rng(1).permutation(few.labels))
    wrong = LabelledSquares(few.patches, labels, few.sessions)
    assert refit(MODEL, TEMPERATURE, wrong, few, QUICK).refused


@pytest.mark.parametrize("change", [{"min_squares": 1000}, {"min_sessions": 100}])
def test_too_few_change_nothing(change: dict[str, int]) -> None:
    found = refit(MODEL, TEMPERATURE, few_squares(), None, replace(QUICK, **change))  # type: ignore[arg-type]
    assert found.refused == "too_few"
    np.testing.assert_array_equal(found.head.weight, Head.of(MODEL).weight)
