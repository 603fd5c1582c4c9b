"""Pictures in other light."""

from __future__ import annotations

import numpy as np

from training.pip_dominoes.cuts import patchy, recoloured, relit


def test_relit_pictures_keep_their_size_and_differ() -> None:
    rgb = np.full((60, 90, 3), 120, np.uint8)
    seen = [relit(rgb, 30.0, 1.0, np.random.default_rng(seed)) for seed in range(6)]
    assert all(each.shape == rgb.shape and each.dtype == np.uint8 for each in seen)
    assert len({each.tobytes() for each in seen}) == 6


def test_patches_of_light_are_broad() -> None:
    picture = np.full((80, 80, 3), 100, np.float32)
    for seed in range(8):
        seen = patchy(picture, np.random.default_rng(seed))
        assert np.ptp(seen) > 5
        # Neighbouring pixels differ little, and colours are kept.
        assert np.abs(np.diff(seen, axis=0)).max() < 15
        assert np.ptp(seen, axis=2).max() < 1e-3


def test_recoloured_pictures_keep_what_is_dark_apart_from_what_is_bright() -> None:
    rgb = np.zeros((10, 10, 3), np.uint8)
    rgb[5:] = 200
    for seed in range(20):
        seen = recoloured(rgb, np.random.default_rng(seed)).astype(int)
        assert np.abs(seen[0] - seen[9]).min() > 150
