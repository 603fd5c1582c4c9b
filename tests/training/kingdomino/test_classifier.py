"""The temperature that makes the classifier of squares as sure as it is right."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.kingdomino.classifier import fit_temperature


@pytest.mark.parametrize("heat", [0.5, 1.0, 2.5])
def test_the_temperature_is_found_again(heat: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 2, (20_000, 5))
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    labels = (chances.cumsum(1) > rng.random((len(chances), 1))).argmax(1)
    assert fit_temperature(heat * logits, labels) == pytest.approx(heat, rel=0.05)
