from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.domino_duell.labels import OUTPUTS
from vision.domino_duell.weights import Weights, shipped


def test_the_shipped_weights_are_calibrated() -> None:
    assert shipped() is shipped()
    assert 0.2 < shipped().temperature < 3.0
    assert shipped().temperature != 1.0


def test_the_temperature_divides_the_logits() -> None:
    patches = np.random.default_rng(0).integers(0, 256, (130, 32, 32, 3)).astype(np.uint8)
    plain = Weights(shipped().classifier).logits(patches)
    assert plain.shape == (130, OUTPUTS)
    np.testing.assert_allclose(shipped().logits(patches), plain / shipped().temperature)


def test_a_folder_without_weights(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path)
