"""The last layer fitted to corrected squares."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.vision.kingdomino.squares import few_squares, strange_squares
from vision.common.network import Network, shipped_weights
from vision.common.refit import LabelledSquares, RefitSettings
from vision.kingdomino.refit import read_folder, refit
from vision.kingdomino.result import LABELS, OUTPUTS
from vision.kingdomino.weights import Head, SquareClassifier


def test_they_are_of_nearly_all_samples_and_labels() -> None:
    few = few_squares()
    assert len(set(few.sessions)) >= 8
    assert len(few) >= 75
    assert {"c", "w", "f", "l", "g", "s", "m"} <= {label[0] for label in few.labels}


def test_labels_and_patches_are_those_of_the_reader(tmp_path: Path) -> None:
    Image.new("RGB", (80, 80), (200, 30, 30)).save(tmp_path / "red.png")
    table = "file,label,source_photo,session\nred.png,w1,p,a\nred.png,rcw,p,a\n"
    (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
    found = read_folder(tmp_path)
    assert found.labels == ("w1",)
    assert found.left_out == 1
    assert found.patches.shape == (1, 64, 64, 3)


MODEL = (shipped_weights() / "squares.onnx").read_bytes()
TEMPERATURE = json.loads((shipped_weights() / "squares.json").read_text("utf-8"))["temperature"]
QUICK = RefitSettings(folds=3, penalties=(10.0, 100.0, 1000.0))


@pytest.mark.slow
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


@pytest.mark.slow
def test_where_nothing_is_to_be_gained_nothing_is_used() -> None:
    few = few_squares()
    found, _ = SquareClassifier(Network(MODEL), TEMPERATURE).probabilities(few.patches)
    right = [k for k, label in enumerate(few.labels) if LABELS[found[k].argmax()] == label]
    assert len(right) > 0.9 * len(few)
    known = LabelledSquares(
        few.patches[right],
        tuple(few.labels[k] for k in right),
        tuple(few.sessions[k] for k in right),
    )
    assert refit(MODEL, TEMPERATURE, known, None, QUICK).refused == "not_better"


class Knows:
    """A network that knows certain squares, asked of in the four turns one after another."""

    def __init__(self, squares: LabelledSquares) -> None:
        numbers = [OUTPUTS.index("c:blue" if label == "c" else label) for label in squares.labels]
        self.said, self.at = 60 * np.eye(len(OUTPUTS), dtype=np.float32)[numbers * 4], 0

    def __call__(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        at, self.at = self.at, (self.at + len(planes)) % len(self.said)
        return self.said[at : at + len(planes)]


@pytest.mark.slow
def test_what_the_second_network_knows_already_is_no_gain() -> None:
    strange = strange_squares()
    alone = refit(MODEL, TEMPERATURE, strange, None, QUICK)
    both = refit(MODEL, TEMPERATURE, strange, None, QUICK, cast(Network, Knows(strange)))
    assert alone.refused == ""
    assert alone.before is not None
    assert both.before is not None
    assert alone.before.wrong > both.before.wrong == 0
    assert both.refused == "not_better"
    np.testing.assert_array_equal(both.head.weight, alone.head.weight)


@pytest.mark.slow
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
