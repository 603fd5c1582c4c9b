"""Hollows as flat patches of one size, and what lies in each, as probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import STONES, Shape
from vision.common.geometry import project
from vision.common.network import softmax
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import HEADS, NOTHING, STONE, Weights

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


Contents = Floats
"""Probabilities (n, 67): the 64 stones by number, then empty, joker and no hollow."""


def nothing_at(rgb: Image, homography: Floats, places: Floats, weights: Weights) -> Floats:
    """The probability (n,) that no hollow is at places (n, 2) of the lattice.

    ``homography`` maps them to ``rgb`` (h, w, 3). Each place is judged by its patch alone.
    """
    logits = weights.patch_logits(cut_patches(rgb, homography, places))
    return softmax(logits[:, HEADS[0]])[:, NOTHING]


def combine(logits: Floats) -> Contents:
    """The probabilities of all contents from the heads, taken as independent."""
    content, colour, symbol, ink = (softmax(logits[:, head]) for head in HEADS)
    stones: Floats = np.einsum("n,ni,nj,nk->nijk", content[:, STONE], colour, symbol, ink)
    rest = content[:, [0, 1, NOTHING]]
    return np.concatenate([stones.reshape(len(logits), len(STONES)), rest], axis=1)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was seen in the n hollows of a board.

    ``contents`` (n, 67) is what all views say together, ``views`` (m, n, 67) what each of them
    says of the board turned and mirrored, ``burnt`` (n,) how much of the middle is burnt out.
    """

    contents: Contents
    views: Floats
    burnt: Floats

    @classmethod
    def of(cls, logits: Floats, burnt: Floats | None = None) -> Evidence:
        """The evidence of the outputs (m, n, 16) for each view; nothing is burnt by default."""
        burnt = np.zeros(logits.shape[1]) if burnt is None else burnt
        return cls(combine(logits.mean(0)), np.stack([combine(view) for view in logits]), burnt)


def look_into(
    rgb: Image, homography: Floats, shape: Shape, weights: Weights, burnt_level: int
) -> Evidence:
    """What is seen in the hollows of a board that ``homography`` maps to ``rgb`` (h, w, 3)."""
    places = places_of(shape)
    patches = cut_patches(rgb, homography, places)
    return Evidence.of(weights.board_views(patches, places), burnt_shares(patches, burnt_level))
