from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from training.domino_duell.calibrate import columns_of, fitted_temperature
from vision.domino_duell.weights import OUTPUTS, STONE


def test_the_temperature_makes_probabilities_as_often_right_as_they_say() -> None:
    rng = np.random.default_rng(5)
    sure = np.log(np.array([0.7, 0.1, 0.1, 0.1]))
    truth = np.full((4000, 4), -1)
    truth[:, 0] = rng.choice([0, 1, 3], size=4000, p=[7 / 9, 1 / 9, 1 / 9])
    logits = np.zeros((4000, OUTPUTS))
    logits[:, :4] = sure
    logits[:, STONE] = -40
    temperature = fitted_temperature(3.0 * logits, columns_of(truth))
    assert temperature == pytest.approx(3.0, rel=0.1)
    assert columns_of(np.array([[STONE, 1, 2, 3], [3, -1, -1, -1]])).tolist() == [27, 66]
