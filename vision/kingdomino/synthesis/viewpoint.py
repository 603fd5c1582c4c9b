"""From where a composed scene is seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.synthesis.render.camera import rotation_about_z
from vision.kingdomino.synthesis.tileset import SceneSettings

__all__ = ["random_view"]

# Squares seen at a slant are at least as wide, in pixels.
STEEP_PX = 22.0


def random_view(
    rng: np.random.Generator, settings: SceneSettings, square_px: float
) -> NDArray[np.float64]:
    """A random homography from the table in squares to pixels; the origin is the middle of both."""
    tilt = np.deg2rad(abs(rng.normal(0, 0.42)) * settings.max_tilt_deg)
    tilt = min(tilt, np.deg2rad(settings.max_tilt_deg))
    direction, turn = rng.uniform(0, 2 * np.pi, 2)
    if settings.steep_share and rng.random() < settings.steep_share:
        tilt = np.deg2rad(rng.uniform(*settings.steep_tilt_deg))
        square_px = max(square_px, STEEP_PX)
        if rng.random() < 0.7:
            # What is farther away is higher up in the picture, as people hold a phone.
            direction = np.pi + rng.normal(0, 0.35)
    if rng.random() < 0.5:
        turn = rng.normal(0, 0.12) + rng.integers(4) * np.pi / 2

    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    rotation = rotation_about_z(direction) @ lean @ rotation_about_z(turn - direction)
    distance = rng.uniform(7, 22)
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    focal = square_px * distance
    return np.asarray(np.diag([focal, focal, 1.0]) @ plane)
