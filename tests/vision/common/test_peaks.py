from __future__ import annotations

import numpy as np

from vision.common.detection import find_peaks

STRIDE = 4


def bump(x: float, y: float, height: float) -> np.ndarray:
    """Logits of a Gaussian bump in cells, whose logarithm is a parabola."""
    rows, columns = np.mgrid[:12, :16]
    share = height * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 2)
    share = np.clip(share, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(share / (1 - share)), np.float32)


def test_a_peak_between_cells_is_found_there_the_highest_first() -> None:
    maps = np.stack(
        [np.full((12, 16), 7, np.float32), np.maximum(bump(3.3, 4.8, 0.9), bump(11, 6, 0.95))]
    )
    peaks = find_peaks(maps, 1, STRIDE, min_score=0.3, most=10)
    expected = (np.array([[11, 6], [3.3, 4.8]]) + 0.5) * STRIDE - 0.5
    np.testing.assert_allclose(peaks.centres, expected, atol=0.02)
    assert (peaks.scores[0] > peaks.scores[1] > 0.3).all()
    np.testing.assert_allclose(peaks.mean[0], 7)
    assert peaks.mean.shape == (2, 2)


def test_no_more_than_asked_for_and_none_below_the_score() -> None:
    maps = np.maximum(bump(3, 4, 0.9), bump(11, 6, 0.5))[None]
    assert len(find_peaks(maps, 0, STRIDE, min_score=0.3, most=1).scores) == 1
    assert len(find_peaks(maps, 0, STRIDE, min_score=0.7, most=10).scores) == 1
    assert len(find_peaks(maps, 0, STRIDE, min_score=0.95, most=10).scores) == 0
