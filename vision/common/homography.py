"""Homographies of the plane: map points by one, fit one to points."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_homography", "measure_stretch", "project"]

Floats = NDArray[np.float64]


def project(points: NDArray[np.floating], homography: Floats) -> Floats:
    """The points (n, 2) mapped by a homography (3, 3); those on its horizon become (0, 0)."""
    columns = np.asarray(points, np.float64).reshape(-1, 1, 2)
    # OpenCV has no answer for no points.
    seen = cv2.perspectiveTransform(columns, homography) if len(columns) else columns
    return np.asarray(seen, np.float64).reshape(-1, 2)


def fit_homography(source: Floats, target: Floats) -> Floats:
    """The homography (3, 3) that maps ``source`` (n, 2) to ``target`` (n, 2) by least squares.

    Needs at least four points; ValueError if they determine no homography.
    """
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("the points determine no homography")
    return np.asarray(found, np.float64)


def measure_stretch(homography: Floats, place: tuple[float, float]) -> float:
    """How many times longer than wide a circle about a ``place`` (x, y) looks, 1 at least.

    ``homography`` (3, 3) maps it to the picture. Seen by a camera that leans by an angle, it is the
    inverse of its cosine.
    """
    x, y = place
    spots = np.array([(x + 0.5, y), (x, y + 0.5), (x - 0.5, y), (x, y - 0.5)])
    seen = project(spots, homography)
    long, short = np.linalg.svd((seen[:2] - seen[2:]).T, compute_uv=False)
    return float(long / max(short, 1e-12))
