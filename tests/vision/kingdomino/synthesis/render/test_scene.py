"""Rendered photographs and their ground truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Terrain
from training.kingdomino.render import SURFACES, Lamp, SceneView, render_scene
from training.kingdomino.render.terrain import GROUND

KINGDOM = Kingdom.parse("l l w/g c w/g m .")
SMALL = SceneView(width=320, height=240, square_px=50)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("turn_deg", [0, 30, -20])
def test_the_homography_leads_to_every_square(surface: str, turn_deg: float) -> None:
    view = replace(SMALL, surface=surface, turn_deg=turn_deg, tilt_deg=25, azimuth_deg=30)
    scene = render_scene(KINGDOM, view, rng())
    assert scene.homography is not None
    grounds = {terrain: np.array(colour) for terrain, (colour, *_) in GROUND.items()}
    for row in range(3):
        for column in range(3):
            terrain = KINGDOM[row, column].terrain
            if terrain in (None, Terrain.MINE):
                continue
            x, y, w = scene.homography @ (column + 0.5, row + 0.5, 1)
            x, y = round(x / w), round(y / w)
            seen = np.median(scene.rgb[y - 8 : y + 9, x - 8 : x + 9].reshape(-1, 3), axis=0)
            # Compared without brightness, which is the lamp's.
            near = {t: np.abs(seen / seen.sum() - c / c.sum()).sum() for t, c in grounds.items()}
            assert min(near, key=lambda t: near[t]) is terrain


def test_corners_are_those_of_the_grid() -> None:
    scene = render_scene(KINGDOM, replace(SMALL, turn_deg=20, tilt_deg=30), rng())
    assert scene.homography is not None
    assert scene.corners is not None
    lattice = np.array([(0, 0, 1), (3, 0, 1), (3, 3, 1), (0, 3, 1)]) @ scene.homography.T
    np.testing.assert_allclose(scene.corners, lattice[:, :2] / lattice[:, 2:])


def test_deterministic() -> None:
    view = replace(SMALL, castle_stands=True, things=3)
    first = render_scene(KINGDOM, view, rng(5)).rgb
    np.testing.assert_array_equal(first, render_scene(KINGDOM, view, rng(5)).rgb)
    assert (first != render_scene(KINGDOM, view, rng(6)).rgb).mean() > 0.5


def test_a_standing_castle_changes_its_square_and_leaves_the_far_corner() -> None:
    view = replace(SMALL, tilt_deg=30, blur_px=0, lamp=Lamp(noise=0))
    lying, standing = (
        render_scene(KINGDOM, replace(view, castle_stands=stands), rng()).rgb.astype(int)
        for stands in (False, True)
    )
    # The light is drawn after the castle, so only what it hides and shades is compared: locally.
    changed = np.abs(lying - standing).sum(axis=2)
    middle = changed[90:130, 140:180].mean()
    assert middle > 2 * changed[200:, 280:].mean()
    assert middle > 40


def test_no_kingdom() -> None:
    scene = render_scene(None, SMALL, rng())
    assert scene.rgb.shape == (240, 320, 3)
    assert (scene.kingdom, scene.homography, scene.corners) == (None, None, None)


def test_lamps() -> None:
    def mean(lamp: Lamp) -> NDArray[np.float64]:
        rgb = render_scene(KINGDOM, replace(SMALL, lamp=lamp), rng()).rgb
        return np.asarray(rgb.mean(axis=(0, 1)), np.float64)

    plain = mean(Lamp())
    warm, cold, dark = mean(Lamp(warmth=0.5)), mean(Lamp(warmth=-0.4)), mean(Lamp(exposure=0.4))
    assert warm[0] / warm[2] > 1.3 * plain[0] / plain[2]
    assert cold[0] / cold[2] < plain[0] / plain[2] / 1.3
    assert dark.mean() < 0.5 * plain.mean()
    assert mean(Lamp(glare=0.8)).mean() > plain.mean() + 3
    assert mean(Lamp(shadow=0.6)).mean() < plain.mean() - 3
