"""Frames that err as those of the reader do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["LOOSE", "TIGHT", "jittered"]

Corners = NDArray[np.float64]

# How far the locator's frames may be off.
LOOSE = {"shift": 0.07, "scale": 0.10, "turn_deg": 3.5, "corner": 0.025}
# How far the refined ones may be off.
TIGHT = {"shift": 0.025, "scale": 0.03, "turn_deg": 1.2, "corner": 0.015}


def jittered(
    corners: Corners,
    rng: np.random.Generator,
    *,
    shift: float,
    scale: float,
    turn_deg: float,
    corner: float,
) -> Corners:
    """Corners as found by somebody who errs; lengths in short sides."""
    u, v = corners[1] - corners[0], corners[3] - corners[0]
    short = float(np.linalg.norm(v))
    middle = corners.mean(0)
    grow_u, grow_v = np.exp(rng.normal(0, scale, 2))
    a = np.linalg.solve(np.column_stack([u, v]), (corners - middle).T).T * (grow_u, grow_v)
    moved = a @ np.stack([u, v])
    turn = np.deg2rad(rng.normal(0, turn_deg))
    c, s = np.cos(turn), np.sin(turn)
    moved = moved @ np.array([[c, s], [-s, c]])
    wrong = rng.normal(0, shift, 2) + rng.normal(0, corner, (4, 2))
    return np.asarray(middle + moved + wrong * short)
