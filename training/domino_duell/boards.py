"""Drawn boards to train from: games of any wood and make in any light, as patches with truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.common.arrays import Floats, Image, Rng
from training.domino_duell.scenes import OTHER_MATERIALS, Materials, SceneSettings, draw_scene
from vision.common.geometry import fit_homography
from vision.domino_duell.classify import cut_patches
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import NOTHING, truth_of

OFF_STEPS = 0.05
"""Standard deviation by which patches are off, in steps."""
ELSEWHERE = 16
"""Places of a scene that are no hollows; four more lie half way between two hollows."""
CORNERS = (0, 0, 0, 5, 6, 7, 10)
LEAST_WOOD_DISTANCE = 40.0
"""How far a wood keeps from those that the training must not see, in levels of 255."""


class Boards(NamedTuple):
    """Boards as patches: ``patches`` (n, t, 32, 32, 3), ``truth`` (n, t, 4), ``places`` (n, t, 2).

    The t places of a board are its hollows in order, then places that are no hollows, in steps.
    One board alone has no n.
    """

    patches: Image
    truth: NDArray[np.int64]
    places: Floats


class Light(NamedTuple):
    """How harsh the light is: ``casts`` and ``blurs_px`` are ranges, the others shares."""

    casts: tuple[float, float]
    glare_share: float
    shadow_share: float
    blurs_px: tuple[float, float]


TRAINED = Light((0.1, 1.1), 0.25, 0.4, (0.5, 1.9))
HARSH = Light((0.2, 1.6), 0.4, 0.5, (0.5, 2.1))
"""Harsher than what is trained with: for calibration and for choosing thresholds."""


def training_settings(rng: Rng, light: Light = TRAINED) -> SceneSettings:
    """A game and a light to train with; woods and outlines held out for measuring never occur."""
    woods = np.array([(222, 190, 150), (110, 75, 50), (190, 150, 105), (60, 45, 35)])
    nearest = 0.0
    while nearest <= LEAST_WOOD_DISTANCE:
        # Any mixture of woods, sometimes stained in any colour.
        wood = rng.dirichlet(np.ones(len(woods))) @ woods * rng.uniform(0.8, 1.2)
        if rng.random() < 0.3:
            wood = wood + rng.normal(0, 35, 3)
        wood = np.clip(wood, 20, 250)
        nearest = np.linalg.norm(np.array(OTHER_MATERIALS.woods) - wood, axis=1).min()
    materials = Materials(
        woods=(tuple(wood.tolist()),), corners=CORNERS, stone_diameter=(0.78, 0.95),
        symbol_diameter=(0.40, 0.60), grain=(1.0, 12.0), paint_spread=float(rng.uniform(6, 20)),
    )  # fmt: skip
    return SceneSettings(
        width_px=600, height_px=450, board_share=(0.5, 0.95), max_tilt_deg=40.0,
        light=float(rng.uniform(*light.casts)), glare_share=light.glare_share,
        shadow_share=light.shadow_share, max_blur_px=float(rng.uniform(*light.blurs_px)),
        materials=materials,
    )  # fmt: skip


def board_patches(
    seed: int, index: int, light: Light = TRAINED, materials: Materials | None = None
) -> Boards:
    """One drawn board, of ``materials`` or of those to train with."""
    rng = np.random.default_rng([seed, index])
    settings = training_settings(rng, light)
    scene = draw_scene(rng, replace(settings, materials=materials or settings.materials))
    places = places_of(scene.position.shape)
    # Elsewhere is at least 0.8 steps from every hollow, or half way between two hollows.
    found = rng.uniform(places.min(0) - 3, places.max(0) + 3, (20 * ELSEWHERE, 2))
    away = np.linalg.norm(found[:, None] - places[None], axis=2).min(1)
    between = places[rng.integers(len(places), size=4)] + (0.5, 0.0)
    wanted = np.concatenate([places, found[away > 0.8][:ELSEWHERE], between])
    truth = np.full((len(wanted), 4), (NOTHING, -1, -1, -1))
    truth[: len(places)] = [truth_of(piece) for piece in scene.position.cells]
    off = rng.normal(0, OFF_STEPS, wanted.shape)
    patches = cut_patches(scene.rgb, fit_homography(places, scene.middles), wanted + off)
    return Boards(patches, truth, wanted.astype(np.float32))


def draw_boards(count: int, seed: int) -> Boards:
    """``count`` boards, the same for the same seed."""
    found = [board_patches(seed, index) for index in range(count)]
    return Boards(*map(np.stack, zip(*found, strict=True)))


def stored_boards(folder: Path, count: int, seed: int) -> Boards:
    """``count`` boards, drawn into a file of a folder where they are not there yet."""
    path = folder / f"domino_duell-{seed}-{count}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(path, **draw_boards(count, seed)._asdict())
    with np.load(path) as kept:
        return Boards(**kept)
