"""Hollows of a photograph as flat patches of one size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.homography import project

__all__ = ["PATCH_PX", "PATCH_STEPS", "burnt_shares", "cut_patches", "local_step"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

PATCH_PX = 32
PATCH_STEPS = 1.15
"""Side of a patch in steps from one hollow to the next."""
ROWS_AT_ONCE = 500 * PATCH_PX


def local_step(places: Floats, homography: Floats) -> float:
    """Pixels of a step in the middle of these places (n, 2) under a homography (3, 3)."""
    middle = places.mean(0)
    near = np.array([middle + (0.5, 0), middle - (0.5, 0), middle + (0, 0.5), middle - (0, 0.5)])
    right, left, down, up = project(near, homography)
    return float(np.sqrt(abs(np.linalg.det(np.array([right - left, down - up])))))


def cut_patches(rgb: Image, homography: Floats, places: Floats) -> Image:
    """Patches (n, 32, 32, 3) around places (n, 2) of the lattice, mapped to ``rgb`` (h, w, 3).

    What lies beyond the picture repeats its edge.
    """
    step = max(local_step(places, homography), 1e-6)
    # Larger pictures are shrunk first, so that no detail flickers.
    shrink = min(1.0, 1.2 * PATCH_PX / PATCH_STEPS / step)
    if shrink < 1:
        small = cv2.resize(rgb, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        sizes = np.array(small.shape[1::-1]) / np.array(rgb.shape[1::-1])
    else:
        small, sizes = rgb, np.ones(2)
    ticks = ((np.arange(PATCH_PX) + 0.5) / PATCH_PX - 0.5) * PATCH_STEPS
    grid = np.stack(np.meshgrid(ticks, ticks), -1).reshape(1, -1, 2)
    points = project((places[:, None] + grid).reshape(-1, 2), homography)
    points = ((points + 0.5) * sizes - 0.5).astype(np.float32)
    across, down = points.T.reshape(2, len(places) * PATCH_PX, PATCH_PX)
    # OpenCV maps at most 32767 rows at once.
    parts = [
        cv2.remap(
            small,
            across[at : at + ROWS_AT_ONCE],
            down[at : at + ROWS_AT_ONCE],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for at in range(0, len(across), ROWS_AT_ONCE)
    ]
    patches = np.concatenate(parts).reshape(len(places), PATCH_PX, PATCH_PX, 3)
    return np.asarray(patches, np.uint8)


def burnt_shares(patches: Image, level: int) -> Floats:
    """How much (n,) of the middle of each patch is burnt out: all channels at ``level`` or more.

    Where light has burnt a symbol out, nobody can tell white from light blue.
    """
    edge = PATCH_PX // 4
    middle = patches[:, edge:-edge, edge:-edge]
    return np.asarray((middle >= level).all(3).mean((1, 2)), np.float64)
