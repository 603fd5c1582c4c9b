from __future__ import annotations

import numpy as np

from scorer.domino_duell import STONES
from vision.domino_duell.classify import combine
from vision.domino_duell.weights import OUTPUTS, truth_of


def test_the_heads_together_are_a_distribution() -> None:
    logits = np.random.default_rng(3).normal(0, 2, (20, OUTPUTS))
    found = combine(logits)
    assert found.shape == (20, 67)
    np.testing.assert_allclose(found.sum(1), 1.0)


def test_columns_are_the_numbers_of_the_stones() -> None:
    for stone in STONES[::7]:
        logits = np.full((1, OUTPUTS), -9.0)
        for head, value in enumerate(truth_of(stone)):
            logits[0, 4 * head + value] = 9.0
        assert combine(logits)[0].argmax() == stone.number
