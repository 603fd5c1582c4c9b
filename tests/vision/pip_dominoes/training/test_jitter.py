"""Frames that err as those of the reader do."""

from __future__ import annotations

import numpy as np

from training.pip_dominoes.cuts import jittered


def test_frames_err_about_the_truth() -> None:
    box = np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (0.0, 20.0)])
    rng = np.random.default_rng(8)
    wrong = np.array(
        [jittered(box, rng, shift=0.05, scale=0.05, turn_deg=2, corner=0.02) for _ in range(400)]
    )
    np.testing.assert_allclose(wrong.mean(0), box, atol=0.4)
    np.testing.assert_array_equal(jittered(box, rng, shift=0, scale=0, turn_deg=0, corner=0), box)
