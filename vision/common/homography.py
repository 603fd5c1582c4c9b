"""Homographies of the plane: points mapped by one, one fitted to points."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["fitted", "project"]

Floats = NDArray[np.float64]


def project(points: NDArray[np.floating], homography: Floats) -> Floats:
    """Points (n, 2) mapped by a homography (3, 3); those on its horizon are not finite."""
    seen = np.c_[points, np.ones(len(points))] @ homography.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def fitted(source: Floats, target: Floats) -> Floats:
    """The homography (3, 3) that maps ``source`` (n, 2) to ``target`` (n, 2) by least squares.

    At least four points; ValueError where they determine none.
    """
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("the points determine no homography")
    return np.asarray(found, np.float64)
