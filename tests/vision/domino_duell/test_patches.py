from __future__ import annotations

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE
from vision.domino_duell.classify import PATCH_PX, PATCH_STEPS, cut_patches, local_step
from vision.domino_duell.detect import places_of


@pytest.mark.parametrize("step_px", [20.0, 28.0, 80.0])
def test_a_patch_shows_what_lies_round_its_place(step_px: float) -> None:
    across, down = np.meshgrid(np.arange(400), np.arange(300))
    picture = np.stack([across % 256, down % 256, 0 * down], -1).astype(np.uint8)
    view = np.array([[step_px, 0, 100.0], [0, step_px, 90.0], [0, 0, 1]])
    places = np.array([[0.0, 0.0], [0.5, 0.7]])
    assert local_step(places, view) == pytest.approx(step_px)
    patches = cut_patches(picture, view, places)
    assert patches.shape == (2, PATCH_PX, PATCH_PX, 3)
    for patch, (x, y) in zip(patches, places * step_px + (100.0, 90.0), strict=True):
        assert patch[..., 0].mean() == pytest.approx(x, abs=1.0)
        assert patch[..., 1].mean() == pytest.approx(y, abs=1.0)
        wide = float(patch[0, -1, 0]) - float(patch[0, 0, 0])
        assert wide == pytest.approx(PATCH_STEPS * step_px * (1 - 1 / PATCH_PX), abs=2.5)


def test_more_patches_than_opencv_maps_at_once() -> None:
    places = np.tile(places_of(DEFAULT_SHAPE), (12, 1))
    view = np.array([[10.0, 0, 60.0], [0, 10.0, 20.0], [0, 0, 1]])
    picture = np.random.default_rng(0).integers(0, 256, (200, 300, 3)).astype(np.uint8)
    patches = cut_patches(picture, view, places)
    np.testing.assert_array_equal(patches[:102], patches[-102:])
