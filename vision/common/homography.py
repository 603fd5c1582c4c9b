"""Homographies of the plane: map points by one, fit one to points."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_homography", "project"]

Floats = NDArray[np.float64]


def project(points: NDArray[np.floating], homography: Floats) -> Floats:
    """The points (n, 2) mapped by a homography (3, 3); points on its horizon are not finite."""
    seen = np.c_[points, np.ones(len(points))] @ homography.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def fit_homography(source: Floats, target: Floats) -> Floats:
    """The homography (3, 3) that maps ``source`` (n, 2) to ``target`` (n, 2) by least squares.

    Needs at least four points; ValueError if they determine no homography.
    """
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("the points determine no homography")
    return np.asarray(found, np.float64)
