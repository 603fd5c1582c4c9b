"""Drawn boards to train from: games of any wood and make in any light, as patches with truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.common.arrays import Floats, Image, Matrix, Rng
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


@dataclass(frozen=True, eq=False)
class Boards:
    """Boards as patches: ``patches`` (n, t, 32, 32, 3), ``truth`` (n, t, 4), ``places`` (n, t, 2).

    The t places of a board are its hollows in order, then places that are no hollows, in steps.
    """

    patches: Image
    truth: NDArray[np.int64]
    places: Floats

    def __len__(self) -> int:
        return len(self.patches)


@dataclass(frozen=True)
class Light:
    """How harsh the light is: ``casts`` and ``blurs_px`` are ranges, the others shares."""

    casts: tuple[float, float]
    glare_share: float
    shadow_share: float
    blurs_px: tuple[float, float]


TRAINED = Light((0.1, 1.1), 0.25, 0.4, (0.5, 1.9))
OTHERS = OTHER_MATERIALS
HARSH = Light((0.2, 1.6), 0.4, 0.5, (0.5, 2.1))
"""Harsher than what is trained with: for calibration and for choosing thresholds."""


def training_settings(rng: Rng, light: Light = TRAINED) -> SceneSettings:
    """A game and a light to train with; woods and outlines held out for measuring never occur."""
    woods = np.array([(222, 190, 150), (110, 75, 50), (190, 150, 105), (60, 45, 35)])
    held_out = np.array(OTHER_MATERIALS.woods)
    while True:
        # Any mixture of woods, sometimes stained in any colour.
        wood = rng.dirichlet(np.ones(len(woods))) @ woods * rng.uniform(0.8, 1.2)
        if rng.random() < 0.3:
            wood = wood + rng.normal(0, 35, 3)
        wood = np.clip(wood, 20, 250)
        if np.linalg.norm(held_out - wood, axis=1).min() > LEAST_WOOD_DISTANCE:
            break
    red, green, blue = (float(level) for level in wood)
    materials = Materials(
        woods=((red, green, blue),),
        corners=CORNERS,
        stone_diameter=(0.78, 0.95),
        symbol_diameter=(0.40, 0.60),
        rim_shares=(0.0, 0.1),
        grain=(1.0, 12.0),
        paint_spread=float(rng.uniform(6, 20)),
    )
    return SceneSettings(
        width_px=600,
        height_px=450,
        board_share=(0.5, 0.95),
        max_tilt_deg=40.0,
        light=float(rng.uniform(*light.casts)),
        glare_share=light.glare_share,
        shadow_share=light.shadow_share,
        max_blur_px=float(rng.uniform(*light.blurs_px)),
        materials=materials,
    )


def board_patches(
    seed: int, index: int, light: Light = TRAINED, materials: Materials | None = None
) -> tuple[Image, NDArray[np.int64], Floats]:
    """Patches (t, 32, 32, 3), truth (t, 4) and places (t, 2) of one drawn board.

    Of ``materials``, or of those to train with.
    """
    rng = np.random.default_rng([seed, index])
    settings = training_settings(rng, light)
    if materials is not None:
        settings = replace(settings, materials=materials)
    scene = draw_scene(rng, settings)
    places = places_of(scene.position.shape)
    homography = fit_homography(places, scene.middles)
    elsewhere = _places_elsewhere(places, rng)
    wanted = np.r_[places, elsewhere]
    truth = [truth_of(piece) for piece in scene.position.cells]
    truth += [(NOTHING, -1, -1, -1)] * len(elsewhere)
    off = rng.normal(0, OFF_STEPS, wanted.shape)
    patches = cut_patches(scene.rgb, homography, wanted + off)
    return patches, np.array(truth, np.int64), wanted.astype(np.float32)


def _places_elsewhere(places: Matrix, rng: Rng) -> Matrix:
    """Places at least 0.8 steps from every hollow, and some half way between two hollows."""
    low, high = places.min(0) - 3, places.max(0) + 3
    found = rng.uniform(low, high, (20 * ELSEWHERE, 2))
    away = np.linalg.norm(found[:, None] - places[None], axis=2).min(1)
    between = places[rng.integers(len(places), size=4)] + (0.5, 0.0)
    return np.concatenate([found[away > 0.8][:ELSEWHERE], between])


def draw_boards(count: int, seed: int) -> Boards:
    """``count`` boards, the same for the same seed."""
    found = [board_patches(seed, index) for index in range(count)]
    patches, truth, places = zip(*found, strict=True)
    return Boards(np.stack(patches), np.stack(truth), np.stack(places))


def stored_boards(path: Path, count: int, seed: int) -> Boards:
    """``count`` boards, from the file ``path`` or, where it has not as many yet, drawn into it."""
    if path.exists():
        with np.load(path) as kept:
            if len(kept["patches"]) == count and int(kept["seed"]) == seed:
                return Boards(kept["patches"], kept["truth"], kept["places"])
    boards = draw_boards(count, seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, patches=boards.patches, truth=boards.truth, places=boards.places, seed=seed)
    return boards
