from __future__ import annotations

import numpy as np
import pytest

from vision.common.resized import resized_patches


def test_any_size_becomes_one() -> None:
    red = np.full((7, 50, 3), (200, 30, 30), np.uint8)
    found = resized_patches([red, np.repeat(red, 9, 0)], 32)
    assert found.shape == (2, 32, 32, 3)
    assert (found == (200, 30, 30)).all()
    assert resized_patches([], 32).shape == (0, 32, 32, 3)


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4), (0, 4, 3)])
def test_other_arrays_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="image 0"):
        resized_patches([np.zeros(shape, np.uint8)], 32)
    with pytest.raises(ValueError, match="float64"):
        resized_patches([np.zeros((4, 4, 3))], 32)  # type: ignore[list-item]
