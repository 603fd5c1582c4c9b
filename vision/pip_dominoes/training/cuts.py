"""Single dominoes and halves cut from stored scenes as the reader will cut them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.channels import KINDS, NO_HALF, PIP_MAP_PX, PIP_MAPS, PIP_STRIDE
from vision.pip_dominoes.patches import (
    CORNER_UNIT_PX,
    FACE_MARGIN_PX,
    FACE_PX,
    HALF_MARGIN_PX,
    HALF_PX,
    cut,
    face_points,
    half_corners,
    patch_corners,
)
from vision.pip_dominoes.synthesis.scene import Drawn
from vision.pip_dominoes.synthesis.views import relit
from vision.pip_dominoes.training.jitter import LOOSE, TIGHT, jittered
from vision.pip_dominoes.training.scenes import StoredScene

__all__ = ["draw_samples", "drawn_by_lot", "face_sample", "half_sample"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Corners = NDArray[np.float64]

# Dominoes of each scene that are used before the next one is opened.
PER_SCENE = 12
# Of what is no face, backs and frames across two dominoes, as far as there are any.
BACK_SHARE, ACROSS_SHARE = 0.35, 0.4
# How far such a frame is off, in sides of a domino.
ACROSS_REACH = (0.32, 0.65)
# Numbers up to 12 are common enough to leave some out.
COMMON_KEPT = 0.6
# How often photographs are shown, where there are any.
PHOTOGRAPH_SHARE = 0.35
# Spread of a pip on the maps.
PIP_SIGMA = 0.85


def _elsewhere(scene: StoredScene, size: int, rng: np.random.Generator) -> Corners | None:
    """The corners of no domino's face: a back, bare ground, or across two dominoes."""
    chance = rng.random()
    if chance < BACK_SHARE and len(scene.backs):
        return np.asarray(scene.backs[int(rng.integers(len(scene.backs)))])
    if chance < BACK_SHARE + ACROSS_SHARE and scene.drawn:
        corners = scene.drawn[int(rng.integers(len(scene.drawn)))].corners
        u, v = corners[1] - corners[0], corners[3] - corners[0]
        along = rng.choice([-1, 1]) * rng.uniform(*ACROSS_REACH)
        across = rng.choice([-1, 1]) * rng.uniform(*ACROSS_REACH)
        kind = int(rng.integers(3))
        return np.asarray(corners + (u * along if kind < 2 else 0) + (v * across if kind else 0))
    short = float(np.exp(rng.uniform(np.log(17), np.log(90))))
    angle = rng.uniform(0, 2 * np.pi)
    u = np.array([np.cos(angle), np.sin(angle)]) * short
    v = np.array([-u[1], u[0]])
    middle = rng.uniform(0.1, 0.9, 2) * size
    corners = np.array(
        [middle + a * u + b * v / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    for drawn in scene.drawn:
        gap = np.linalg.norm(drawn.corners.mean(0) - middle)
        if gap < 1.2 * max(short, float(np.linalg.norm(drawn.corners[1] - drawn.corners[0])) / 2):
            return None
    return corners


def face_sample(
    rgb: Image, drawn: Drawn | None, corners: Corners, rng: np.random.Generator
) -> tuple[Image, Floats, Floats, int]:
    """A patch, its map of pips (1, 48, 80), how far the corners are off (8) and its kind.

    ``drawn`` is None where there is no face at ``corners``.
    """
    heat = np.zeros((PIP_MAPS, *PIP_MAP_PX), np.float32)
    off = np.zeros(8, np.float32)
    found = jittered(corners, rng, **LOOSE)
    if rng.random() < 0.5:
        found = found[[2, 3, 0, 1]]
    turned = bool(np.linalg.norm(found[0] - corners[0]) > np.linalg.norm(found[0] - corners[2]))
    patch = relit(cut(rgb, found, FACE_PX, FACE_MARGIN_PX), 64, 2.2, rng)
    if drawn is None:
        return patch, heat, off, KINDS.index("none")
    truth = corners[[2, 3, 0, 1]] if turned else corners
    rectangle = patch_corners(FACE_PX, FACE_MARGIN_PX)
    off[:] = ((face_points(found, truth, to_patch=True) - rectangle) / CORNER_UNIT_PX).ravel()
    rows, columns = np.mgrid[0 : PIP_MAP_PX[0], 0 : PIP_MAP_PX[1]].astype(np.float32)
    if len(drawn.pips):
        spots = (face_points(found, drawn.pips[:, :2], to_patch=True) + 0.5) / PIP_STRIDE - 0.5
        for x, y in spots:
            bump = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * PIP_SIGMA**2))
            heat[:] = np.maximum(heat, bump.astype(np.float32))
            row, column = round(float(y)), round(float(x))
            if 0 <= row < PIP_MAP_PX[0] and 0 <= column < PIP_MAP_PX[1]:
                heat[:, row, column] = 1.0
    return patch, heat, off, KINDS.index("figures" if drawn.numerals else "pips")


def half_sample(
    rgb: Image, drawn: Drawn | None, corners: Corners, rng: np.random.Generator
) -> tuple[Image, int]:
    """The patch of a half, the bar at its right, and its class."""
    found = jittered(corners, rng, **TIGHT)
    half = int(rng.integers(2))
    label = NO_HALF if drawn is None else drawn.halves[half]
    patch = cut(rgb, half_corners(found)[half], (HALF_PX, HALF_PX), HALF_MARGIN_PX)
    return relit(patch, 48, 1.6, rng), label


def drawn_by_lot(
    scenes: Sequence[StoredScene], photographs: Sequence[StoredScene], rng: np.random.Generator
) -> StoredScene:
    """A drawn scene, or a photograph, where there are any, with their share."""
    if photographs and rng.random() < PHOTOGRAPH_SHARE:
        return photographs[int(rng.integers(len(photographs)))]
    return scenes[int(rng.integers(len(scenes)))]


def draw_samples(
    scenes: Sequence[StoredScene],
    none_share: float,
    rng: np.random.Generator,
    photographs: Sequence[StoredScene] = (),
    *,
    with_pips: bool = False,
) -> Iterator[tuple[Image, Drawn | None, Corners]]:
    """Endless (picture, domino or None, corners).

    ``photographs`` take their share of the scenes; ``with_pips`` leaves out dominoes of them
    whose pips are not known.
    """
    while True:
        scene = drawn_by_lot(scenes, photographs, rng)
        rgb = scene.rgb()
        readable = [drawn for drawn in scene.drawn if drawn.readable]
        for _ in range(PER_SCENE):
            if rng.random() < none_share or not readable:
                if not scene.whole:
                    continue
                corners = _elsewhere(scene, rgb.shape[0], rng)
                if corners is not None:
                    yield rgb, None, corners
                continue
            drawn = readable[int(rng.integers(len(readable)))]
            if with_pips and not (drawn.numerals or len(drawn.pips) == sum(drawn.halves)):
                continue
            if max(drawn.halves) > 12 or rng.random() < COMMON_KEPT:
                yield rgb, drawn, drawn.corners


def seeded(seed: int, worker: int) -> np.random.Generator:
    """The random numbers of a worker, which draws with one thread."""
    cv2.setNumThreads(0)
    return np.random.default_rng([seed, worker])
