"""Drawn boards with their truth: no refit may forget them, or read others of them worse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, Piece
from vision.common.homography import fit_homography
from vision.domino_duell.lattice import places_of
from vision.domino_duell.patches import cut_patches
from vision.domino_duell.synthesis.scene import SceneSettings, draw_scene

__all__ = ["KnownBoard", "drawn_board", "known_boards"]

LIGHTS = (0.4, 0.8, 1.2)
SEED = 51


@dataclass(frozen=True, eq=False)
class KnownBoard:
    """The patches (102, 32, 32, 3) of a board of the usual shape, and what lies in each hollow."""

    patches: NDArray[np.uint8]
    pieces: tuple[Piece | None, ...]


def known_boards(count: int = 12) -> tuple[tuple[KnownBoard, ...], tuple[KnownBoard, ...]]:
    """Boards to fit to, and as many others to judge by; always the same ones."""
    held, judged = (
        tuple(drawn_board([SEED, part, index]) for index in range(count)) for part in (0, 1)
    )
    return held, judged


def drawn_board(seed: list[int]) -> KnownBoard:
    """A board drawn in one of three lights, from calm to strong, by the last number of the seed."""
    settings = SceneSettings(width_px=720, height_px=540, light=LIGHTS[seed[-1] % len(LIGHTS)])
    scene = draw_scene(np.random.default_rng(seed), settings)
    places = places_of(DEFAULT_SHAPE)
    patches = cut_patches(scene.rgb, fit_homography(places, scene.middles), places)
    return KnownBoard(patches, scene.position.cells)
