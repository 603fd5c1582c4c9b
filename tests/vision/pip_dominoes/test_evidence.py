from __future__ import annotations

import numpy as np

from tests.vision.pip_dominoes.test_witnesses import evidence_of
from vision.pip_dominoes.recognise import Evidence


def test_some_evidence_takes_the_place_of_other() -> None:
    three = evidence_of(0.5, 0.5).joined(evidence_of(0.6, 0.4)).joined(evidence_of(0.7, 0.3))
    after = three.replaced(np.array([1]), evidence_of(0.1, 0.9))
    np.testing.assert_allclose(after.counted[:, 0, 0], (0.5, 0.1, 0.7))
    np.testing.assert_allclose(three.counted[:, 0, 0], (0.5, 0.6, 0.7))


def test_nothing_joined_to_something_is_that() -> None:
    some = evidence_of(0.5, 0.5)
    np.testing.assert_array_equal(Evidence.nothing().joined(some).counted, some.counted)


def test_the_chosen_are_left() -> None:
    three = evidence_of(0.5, 0.5).joined(evidence_of(0.6, 0.4)).joined(evidence_of(0.7, 0.3))
    np.testing.assert_allclose(three.chosen(np.array([2, 0])).counted[:, 0, 0], (0.7, 0.5))
