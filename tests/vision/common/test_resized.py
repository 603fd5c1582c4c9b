from __future__ import annotations

import numpy as np
import pytest

from vision.common.rectify import resize_by_halves, resized_patches


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


@pytest.mark.parametrize("size", [(64, 48), (100, 75), (66, 50), (40, 30), (200, 150)])
def test_resizing_by_halves_keeps_what_lies_where(size: tuple[int, int]) -> None:
    x, y = np.meshgrid(np.arange(200), np.arange(150))
    picture = np.stack([x, y, np.full_like(x, 90)], 2).astype(np.uint8)
    width, height = size
    found = resize_by_halves(picture, width, height)
    assert found.shape == (height, width, 3)
    across = (np.arange(width) + 0.5) * 200 / width - 0.5
    down = (np.arange(height) + 0.5) * 150 / height - 0.5
    np.testing.assert_allclose(found[height // 2, :, 0], across, atol=1.5)
    np.testing.assert_allclose(found[:, width // 2, 1], down, atol=1.5)


def test_grain_is_averaged_away_in_a_smaller_picture() -> None:
    grain = np.random.default_rng(1).normal(128, 40, (600, 800, 3))
    picture = np.clip(grain, 0, 255).astype(np.uint8)
    assert resize_by_halves(picture, 103, 77).std() < 40 / 5
