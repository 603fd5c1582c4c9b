"""Where a place lies on its board, in the numbers from which light and shade can be told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["POSITION_FEATURES", "position_features"]

POSITION_FEATURES = 13
HALF_BOARD_STEPS = 6.0
WAVES = (1.0, 2.0)
"""Radians per half board of the waves by which near places know each other."""


def position_features(places: NDArray[np.floating]) -> NDArray[np.float32]:
    """Features (n, 13) of places (n, 2) in steps: linear, quadratic and waves of two lengths.

    The middle of the places is the origin, so a board may lie anywhere.
    """
    x, y = ((places - places.mean(0)) / HALF_BOARD_STEPS).T
    found = [x, y, x * x, y * y, x * y]
    for wave in WAVES:
        found += [turned(np.pi * wave * each) for each in (x, y) for turned in (np.sin, np.cos)]
    return np.stack(found, 1).astype(np.float32)
