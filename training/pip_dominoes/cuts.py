"""What the networks are shown: dominoes and halves cut from stored scenes as the reader will cut
them, relit and jittered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, rotation
from training.common.light import Light, take_picture
from training.pip_dominoes.corpus import StoredScene
from training.pip_dominoes.scenes.table import Drawn
from vision.pip_dominoes.weights import (
    CORNER_UNIT_PX,
    FACE_MARGIN_PX,
    FACE_PX,
    HALF_MARGIN_PX,
    HALF_PX,
    KINDS,
    NO_HALF,
    PIP_MAP_PX,
    PIP_MAPS,
    PIP_STRIDE,
    cut,
    face_points,
    half_corners,
    patch_corners,
)

_LIGHT = Light(
    glare=0.2, glare_size=(0.3, 2.5), shadow=0.15, patchy=0.2, strength=0.9, quality=(35, 95)
)


def relit(rgb: Image, tile_px: float, blur_px: float, rng: Rng) -> Image:
    """The picture in other light, with glare, shadow, blur and the loss of a JPEG.

    ``tile_px`` is about the short side of a domino, ``blur_px`` the strongest blur.
    """
    return take_picture(recoloured(rgb, rng), tile_px, replace(_LIGHT, blur_px=blur_px), rng)


def recoloured(rgb: Image, rng: Rng) -> Image:
    """Now and then with channels exchanged, in grey or in negative, which the truth survives."""
    chance = rng.random()
    if chance < 0.12:
        rgb = rgb[..., rng.permutation(3)]
    elif chance < 0.22:
        grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        rgb = np.repeat(grey[..., None], 3, axis=2)
    if rng.random() < 0.06:
        rgb = 255 - rgb
    return np.ascontiguousarray(rgb)


# How far the locator's frames may be off.
LOOSE = {"shift": 0.07, "scale": 0.10, "turn_deg": 3.5, "corner": 0.025}
# How far the refined ones may be off.
TIGHT = {"shift": 0.025, "scale": 0.03, "turn_deg": 1.2, "corner": 0.015}


def jittered(
    corners: Matrix, rng: Rng, *, shift: float, scale: float, turn_deg: float, corner: float
) -> Matrix:
    """Corners as found by somebody who errs; lengths in short sides."""
    u, v = corners[1] - corners[0], corners[3] - corners[0]
    short = float(np.linalg.norm(v))
    middle = corners.mean(0)
    grow_u, grow_v = np.exp(rng.normal(0, scale, 2))
    a = np.linalg.solve(np.column_stack([u, v]), (corners - middle).T).T * (grow_u, grow_v)
    moved = a @ np.stack([u, v])
    moved = moved @ rotation(np.deg2rad(rng.normal(0, turn_deg))).T
    wrong = rng.normal(0, shift, 2) + rng.normal(0, corner, (4, 2))
    return np.asarray(middle + moved + wrong * short)


# Dominoes of each scene that are used before the next one is opened.
PER_SCENE = 12
# Of what is no face, backs and frames across two dominoes, as far as there are any.
BACK_SHARE, ACROSS_SHARE = 0.35, 0.4
# How far such a frame is off, in sides of a domino.
ACROSS_REACH = (0.32, 0.65)
# Numbers up to 12 are common enough to leave some out.
COMMON_KEPT = 0.6
# Spread of a pip on the maps.
PIP_SIGMA = 0.85


def _elsewhere(scene: StoredScene, size: int, rng: Rng) -> Matrix | None:
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
    middle = rng.uniform(0.1, 0.9, 2) * size
    corners = box(middle, 2 * short, short, angle)
    for drawn in scene.drawn:
        gap = np.linalg.norm(drawn.corners.mean(0) - middle)
        if gap < 1.2 * max(short, float(np.linalg.norm(drawn.corners[1] - drawn.corners[0])) / 2):
            return None
    return corners


def face_sample(
    rgb: Image, drawn: Drawn | None, corners: Matrix, rng: Rng
) -> tuple[Image, Floats, Floats, int]:
    """A patch, its map of pips (1, 48, 80), how far the corners are off (8) and its kind.

    ``drawn`` is None where there is no face at ``corners``.
    """
    heat, off = np.zeros((PIP_MAPS, *PIP_MAP_PX), np.float32), np.zeros(8, np.float32)
    found = jittered(corners, rng, **LOOSE)
    if rng.random() < 0.5:
        found = found[[2, 3, 0, 1]]
    patch = relit(cut(rgb, found, FACE_PX, FACE_MARGIN_PX), 64, 2.2, rng)
    if drawn is None:
        return patch, heat, off, KINDS.index("none")
    turned = np.linalg.norm(found[0] - corners[0]) > np.linalg.norm(found[0] - corners[2])
    seen = face_points(found, corners[[2, 3, 0, 1]] if turned else corners, to_patch=True)
    off[:] = ((seen - patch_corners(FACE_PX, FACE_MARGIN_PX)) / CORNER_UNIT_PX).ravel()
    spots = (face_points(found, drawn.pips[:, :2], to_patch=True) + 0.5) / PIP_STRIDE - 0.5
    for x, y in spots.tolist():
        mark(heat[0], x, y, PIP_SIGMA)
    return patch, heat, off, KINDS.index("figures" if drawn.numerals else "pips")


def mark(heat: Floats, x: float, y: float, sigma: float) -> None:
    """Raise a map (h, w) to a bell about a place in it; the nearest cell becomes 1."""
    # Farther away it is 0 in 32 bits.
    reach = 15 * sigma
    area = rows, columns = (
        slice(max(int(y - reach), 0), max(int(y + reach) + 2, 0)),
        slice(max(int(x - reach), 0), max(int(x + reach) + 2, 0)),
    )
    away_y = np.arange(heat.shape[0])[rows, None] - y
    away_x = np.arange(heat.shape[1])[columns] - x
    bell = np.exp(-(away_x**2 + away_y**2) / (2 * sigma**2)).astype(np.float32)
    heat[area] = np.maximum(heat[area], bell)
    row, column = round(y), round(x)
    if 0 <= row < heat.shape[0] and 0 <= column < heat.shape[1]:
        heat[row, column] = 1.0


def half_sample(rgb: Image, drawn: Drawn | None, corners: Matrix, rng: Rng) -> tuple[Image, int]:
    """The patch of a half, the bar at its right, and its class."""
    found = jittered(corners, rng, **TIGHT)
    half = int(rng.integers(2))
    label = NO_HALF if drawn is None else drawn.halves[half]
    patch = cut(rgb, half_corners(found)[half], (HALF_PX, HALF_PX), HALF_MARGIN_PX)
    return relit(patch, 48, 1.6, rng), label


def draw_samples(
    scenes: Sequence[StoredScene], none_share: float, rng: Rng
) -> Iterator[tuple[Image, Drawn | None, Matrix]]:
    """Endless (picture, domino or None, corners)."""
    while True:
        scene = scenes[int(rng.integers(len(scenes)))]
        rgb = scene.rgb()
        readable = [drawn for drawn in scene.drawn if drawn.readable]
        for _ in range(PER_SCENE):
            if rng.random() < none_share or not readable:
                corners = _elsewhere(scene, rgb.shape[0], rng)
                if corners is not None:
                    yield rgb, None, corners
                continue
            drawn = readable[int(rng.integers(len(readable)))]
            if max(drawn.halves) > 12 or rng.random() < COMMON_KEPT:
                yield rgb, drawn, drawn.corners
