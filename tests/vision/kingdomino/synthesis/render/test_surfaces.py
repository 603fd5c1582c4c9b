"""Drawn tables."""

from __future__ import annotations

import numpy as np
import pytest

from training.kingdomino.render import SURFACES, draw_surface


@pytest.mark.parametrize("kind", SURFACES)
def test_each_surface_has_a_texture_and_its_seed_decides_it(kind: str) -> None:
    first, again, other = (
        draw_surface(kind, (240, 320), 60, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.shape == (240, 320, 3)
    assert first.dtype == np.uint8
    np.testing.assert_array_equal(first, again)
    assert (first != other).mean() > 0.5
    assert first.std(axis=(0, 1)).min() > 2


@pytest.mark.parametrize("kind", SURFACES)
def test_any_size(kind: str) -> None:
    assert draw_surface(kind, (37, 500), 20, np.random.default_rng(1)).shape == (37, 500, 3)
