"""The shipped weights tell squares that something hides in part, and squares without colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.kingdomino.scenes.compose import draw_squares
from vision.kingdomino.labels import LABELS
from vision.kingdomino.weights import Weights

KINDS = ("w", "f", "l", "g", "s", "m", "g2", "m1", "s1")
COLOURS = ((222, 170, 135), (245, 245, 240), (40, 60, 150))
Image = NDArray[np.uint8]


def covered(patch: Image, colour: tuple[int, int, int], shape: str) -> Image:
    """The patch with about a third of it under something of one colour."""
    out = patch.copy()
    if shape == "sheet":
        corner = np.array([(0, 64), (0, 12), (46, 64)], np.int32)
        cv2.fillPoly(out, [corner], colour, cv2.LINE_AA)
    else:
        cv2.line(out, (-4, 10), (40, 54), colour, 20, cv2.LINE_AA)
    return out


def read(patches: list[Image], weights: Weights) -> list[str]:
    """The labels of patches."""
    found, _ = weights.classifier.probabilities(np.stack(patches))
    return [LABELS[k] for k in found.argmax(1)]


@pytest.fixture(scope="module")
def weights() -> Weights:
    return Weights.load()


@pytest.fixture(scope="module")
def drawn(weights: Weights) -> list[tuple[str, Image]]:
    """Drawings of squares that are read rightly as they are."""
    squares = draw_squares(KINDS, 64, 14, np.random.default_rng(12))
    every = [(label, patch) for label, patches in squares.items() for patch in patches]
    labels = read([patch for _, patch in every], weights)
    return [each for each, label in zip(every, labels, strict=True) if label == each[0]]


@pytest.mark.parametrize(("shape", "least"), [("sheet", 0.78), ("finger", 0.33)])
def test_squares_hidden_by_a_third_are_told(
    weights: Weights, drawn: list[tuple[str, Image]], shape: str, least: float
) -> None:
    right = []
    for colour in COLOURS:
        labels = read([covered(patch, colour, shape) for _, patch in drawn], weights)
        right += [label == truth for label, (truth, _) in zip(labels, drawn, strict=True)]
    assert np.mean(right) > least


def test_squares_in_grey_are_told(weights: Weights, drawn: list[tuple[str, Image]]) -> None:
    grey = [cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY) for _, patch in drawn]
    labels = read([np.repeat(each[..., None], 3, axis=2) for each in grey], weights)
    right = np.mean([label == truth for label, (truth, _) in zip(labels, drawn, strict=True)])
    assert right > 0.65
