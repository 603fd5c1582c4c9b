"""Single squares to train the classifier on: cut from scenes, or augmented photographs of one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.homography import project
from vision.common.rectify import PATCH_PX, cut_square
from vision.common.synthesis.light import develop, glare, jpeg, soften
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.synthesis.scenes import Scene, SeenSquare

__all__ = ["augment_square", "cut_patches"]

Image = NDArray[np.uint8]

# In shares of a square: up to this distance between their middles a square belongs to a cell.
# Below the overlap a cell is empty; between the two it has no label.
MAX_SHIFT = 0.24
MIN_OVERLAP = 0.3


def cut_patches(scene: Scene, rng: np.random.Generator) -> list[tuple[Image, str]]:
    """Patches (64, 64, 3) with labels: the cells of all kingdoms and empty cells around them."""
    found: list[tuple[Image, str]] = []
    height, width = scene.rgb.shape[:2]
    square_corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    for kingdom, (lattice, layout) in enumerate(
        zip(scene.homographies, scene.layouts, strict=True)
    ):
        mine = {s.cell: s for s in scene.seen if s.kingdom == kingdom}
        inverse = np.asarray(np.linalg.inv(lattice), np.float64)
        everyone = [(s, project(s.corners.astype(np.float64), inverse)) for s in scene.seen]
        slip = rng.normal(0, 0.04, 2)
        for row in range(-1, layout.height + 1):
            for column in range(-1, layout.width + 1):
                beyond = (row, column) not in mine
                if beyond and rng.random() < 0.3:
                    continue
                shift = slip + rng.normal(0, 0.025, (4, 2))
                stray = rng.random() < 0.03
                if stray:
                    shift = shift + rng.choice([-1, 1], 2) * rng.uniform(0.4, 0.6, 2)
                flat = square_corners + (column, row) + shift
                corners = project(flat, lattice)
                middle = corners.mean(0)
                if (
                    (corners < -0.12 * width).any()
                    or (corners > 1.12 * width).any()
                    or (middle < 0).any()
                    or (middle > (width, height)).any()
                    or cv2.contourArea(corners.astype(np.float32)) < 120
                ):
                    continue
                label = _label(flat.mean(0), everyone) if not stray else EMPTY
                if label is not None:
                    found.append((cut_square(scene.rgb, corners), label))
    return found


def _label(
    middle: NDArray[np.float64], everyone: list[tuple[SeenSquare, NDArray[np.float64]]]
) -> str | None:
    """The label of a lattice cell, "." if it is empty; None if it is ambiguous."""
    covered = 0.0
    for seen, corners in everyone:
        apart = np.abs(corners.mean(0) - middle)
        if apart.max() > 1.3:
            continue
        if apart.max() < MAX_SHIFT:
            return seen.label
        covered += float(np.prod(np.clip(1 - apart, 0, 1)))
    return EMPTY if covered < MIN_OVERLAP else None


def augment_square(picture: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Augment a square (h, w, 3) to a patch (64, 64, 3): rotation, shift, scale, tilt and light.

    ``strength`` scales rotation, shift and scale.
    """
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
    middle = corners.mean(0)
    angle = np.deg2rad(np.clip(rng.normal(0, 3.5), -9, 9) * strength)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    scale = 1 - rng.uniform(-0.07, 0.16) * strength
    shift = np.clip(rng.normal(0, 0.05, 2), -0.13, 0.13) * strength
    corners = (corners - middle) @ spin.T * scale + middle + shift * (width, height)
    corners += rng.normal(0, 0.025, (4, 2)) * (width, height)
    patch = np.rot90(cut_square(picture, corners), int(rng.integers(4)))
    light = patch.astype(np.float32)
    if rng.random() < 0.25:
        light = glare(light, rng, PATCH_PX * float(rng.uniform(0.2, 0.8)))
    out = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        out = soften(out, rng, 2.0)
    out = develop(out.astype(np.float32), rng, 0.75)
    if rng.random() < 0.3:
        out = jpeg(out, int(rng.integers(30, 95)))
    return np.ascontiguousarray(out)
