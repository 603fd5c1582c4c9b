"""Homographies of the plane: points mapped by one, one fitted to points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["fitted", "project"]

Floats = NDArray[np.float64]


def project(points: NDArray[np.floating], homography: Floats) -> Floats:
    """Points (n, 2) mapped by a homography (3, 3)."""
    seen = np.c_[points, np.ones(len(points))] @ homography.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def fitted(source: Floats, target: Floats, weights: Floats) -> Floats:
    """The homography (3, 3) that maps points ``source`` (n, 2) to ``target`` (n, 2), n >= 4.

    Normalised direct linear transform (Hartley, 1997) with ``weights`` (n,), refined by
    Gauss-Newton.
    """

    def normaliser(points: Floats) -> Floats:
        mean = points.mean(0)
        scale = np.sqrt(2) / max(float(np.linalg.norm(points - mean, axis=1).mean()), 1e-9)
        return np.array([[scale, 0, -scale * mean[0]], [0, scale, -scale * mean[1]], [0, 0, 1]])

    before, after = normaliser(source), normaliser(target)
    s, t = project(source, before), project(target, after)
    one, zero = np.ones(len(s)), np.zeros((len(s), 3))
    p = np.c_[s, one]
    rows = np.r_[
        np.c_[p, zero, -t[:, :1] * p] * weights[:, None],
        np.c_[zero, p, -t[:, 1:] * p] * weights[:, None],
    ]
    h = np.linalg.eigh(rows.T @ rows)[1][:, 0]
    h = h / h[8] if abs(h[8]) > 1e-9 else h
    for _ in range(3):
        w = p @ h[6:9]
        x, y = (p @ h[0:3]) / w, (p @ h[3:6]) / w
        jacobian = np.r_[
            np.c_[p / w[:, None], zero, -p[:, :2] * (x / w)[:, None]],
            np.c_[zero, p / w[:, None], -p[:, :2] * (y / w)[:, None]],
        ]
        residual = np.r_[t[:, 0] - x, t[:, 1] - y]
        both = np.r_[weights, weights]
        step, *_ = np.linalg.lstsq(jacobian * both[:, None], residual * both)
        h[:8] += step
    result = np.linalg.inv(after) @ h.reshape(3, 3) @ before
    return np.asarray(result / result[2, 2])
