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
from training.common.synthetic import any_of
from training.pip_dominoes.corpus import StoredScene
from training.pip_dominoes.scenes.table import Drawn
from vision.pip_dominoes import weights

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
        rgb = np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    return np.ascontiguousarray(255 - rgb if rng.random() < 0.06 else rgb)


# How far the locator's frames, and the refined ones, may be off.
LOOSE = {"shift": 0.07, "scale": 0.10, "turn_deg": 3.5, "corner": 0.025}
TIGHT = {"shift": 0.025, "scale": 0.03, "turn_deg": 1.2, "corner": 0.015}


def jittered(
    corners: Matrix, rng: Rng, *, shift: float, scale: float, turn_deg: float, corner: float
) -> Matrix:
    """Corners as found by somebody who errs; lengths in short sides."""
    edges, middle = corners[[1, 3]] - corners[0], corners.mean(0)
    grown = np.linalg.solve(edges.T, (corners - middle).T).T * np.exp(rng.normal(0, scale, 2))
    moved = grown @ edges @ rotation(np.deg2rad(rng.normal(0, turn_deg))).T
    wrong = rng.normal(0, shift, 2) + rng.normal(0, corner, (4, 2))
    return np.asarray(middle + moved + wrong * float(np.linalg.norm(edges[1])))


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


# Spread of a pip on the maps.
PIP_SIGMA = 0.85


def face_sample(
    rgb: Image, drawn: Drawn | None, corners: Matrix, rng: Rng
) -> tuple[Image, Floats, Floats, int]:
    """A patch, its map of pips (1, 48, 80), how far the corners are off (8) and its kind.

    ``drawn`` is None where there is no face at ``corners``.
    """
    heat = np.zeros((weights.PIP_MAPS, *weights.PIP_MAP_PX), np.float32)
    off, kind = np.zeros(8, np.float32), "none"
    found = jittered(corners, rng, **LOOSE)
    if rng.random() < 0.5:
        found = found[[2, 3, 0, 1]]
    face = weights.FACE_PX, weights.FACE_MARGIN_PX
    patch = relit(weights.cut(rgb, found, *face), 64, 2.2, rng)
    if drawn is not None:
        turned = np.linalg.norm(found[0] - corners[0]) > np.linalg.norm(found[0] - corners[2])
        true = corners[[2, 3, 0, 1]] if turned else corners
        seen = weights.face_points(found, true, to_patch=True)
        off[:] = ((seen - weights.patch_corners(*face)) / weights.CORNER_UNIT_PX).ravel()
        spots = weights.face_points(found, drawn.pips[:, :2], to_patch=True)
        for x, y in ((spots + 0.5) / weights.PIP_STRIDE - 0.5).tolist():
            mark(heat[0], x, y, PIP_SIGMA)
        kind = "figures" if drawn.numerals else "pips"
    return patch, heat, off, weights.KINDS.index(kind)


def half_sample(rgb: Image, drawn: Drawn | None, corners: Matrix, rng: Rng) -> tuple[Image, int]:
    """The patch of a half, the bar at its right, and its class."""
    found = jittered(corners, rng, **TIGHT)
    half, side = int(rng.integers(2)), weights.HALF_PX
    patch = weights.cut(
        rgb, weights.half_corners(found)[half], (side, side), weights.HALF_MARGIN_PX
    )
    label = weights.NO_HALF if drawn is None else drawn.halves[half]
    return relit(patch, 48, 1.6, rng), label


# Dominoes of each scene that are used before the next one is opened.
PER_SCENE = 12
# Numbers up to 12 are common enough to leave some out.
COMMON_KEPT = 0.6
# Of what is no face, backs and frames across two dominoes, as far as there are any.
BACK_SHARE, ACROSS_SHARE = 0.35, 0.4
# How far such a frame is off, in sides of a domino.
ACROSS_REACH = (0.32, 0.65)


def draw_samples(
    scenes: Sequence[StoredScene], none_share: float, rng: Rng
) -> Iterator[tuple[Image, Drawn | None, Matrix]]:
    """Endless (picture, domino or None, corners)."""
    while True:
        scene = any_of(scenes, rng)
        rgb = scene.rgb()
        readable = [drawn for drawn in scene.drawn if drawn.readable]
        for _ in range(PER_SCENE):
            if rng.random() < none_share or not readable:
                corners = _elsewhere(scene, rgb.shape[0], rng)
                if corners is not None:
                    yield rgb, None, corners
                continue
            drawn = any_of(readable, rng)
            if max(drawn.halves) > 12 or rng.random() < COMMON_KEPT:
                yield rgb, drawn, drawn.corners


def _elsewhere(scene: StoredScene, size: int, rng: Rng) -> Matrix | None:
    """The corners of no domino's face: a back, bare ground, or across two dominoes."""
    chance = rng.random()
    if chance < BACK_SHARE and len(scene.backs):
        return np.asarray(scene.backs[int(rng.integers(len(scene.backs)))])
    if chance < BACK_SHARE + ACROSS_SHARE and scene.drawn:
        corners = any_of(scene.drawn, rng).corners
        reach = [rng.choice([-1, 1]) * rng.uniform(*ACROSS_REACH) for _ in range(2)]
        u, v = (corners[[1, 3]] - corners[0]) * np.array(reach)[:, None]
        kind = int(rng.integers(3))
        return np.asarray(corners + (u if kind < 2 else 0) + (v if kind else 0))
    short = float(np.exp(rng.uniform(np.log(17), np.log(90))))
    angle, middle = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.9, 2) * size
    for drawn in scene.drawn:
        half = float(np.linalg.norm(drawn.corners[1] - drawn.corners[0])) / 2
        if np.linalg.norm(drawn.corners.mean(0) - middle) < 1.2 * max(short, half):
            return None
    return box(middle, 2 * short, short, angle)
