"""The start tile: cobblestones with a crown in stones of the player's colour."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.synthesis.render.canvas import Canvas, Colour, smooth_noise
from vision.kingdomino.synthesis.render.crowns import crown_outline

__all__ = ["CASTLE_RGB", "draw_start_tile"]

# Brown is the fifth player. Source: Age of Giants, set-up for five players.
CASTLE_RGB: dict[str, Colour] = {
    "pink": (216, 66, 104),
    "yellow": (236, 214, 30),
    "green": (24, 158, 40),
    "blue": (46, 148, 208),
    "brown": (122, 78, 44),
}


def draw_start_tile(px: int, colour: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a start tile in one of ``CASTLE_RGB``, shape (px, px, 3)."""
    stones = int(rng.integers(15, 20))
    seeds = _seeds(stones, px, rng)
    board = np.full((px, px), 255, np.uint8)
    board[seeds[:, 1], seeds[:, 0]] = 0
    away, nearest = cv2.distanceTransformWithLabels(
        board, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    labels = np.asarray(nearest, np.int32)
    grout = _grout(labels, px, rng.uniform(0.008, 0.016))
    crown = _crown_mask(px)
    frame = _frame_mask(px, rng)
    order = labels[seeds[:, 1], seeds[:, 0]]
    in_crown = crown[seeds[:, 1], seeds[:, 0]] > 0
    paint = np.zeros((int(labels.max()) + 1, 3), np.float32)
    player = np.array(CASTLE_RGB[colour], np.float32)
    stone = np.array((150, 138, 104), np.float32) * np.exp(rng.normal(0, 0.1))
    light = np.exp(rng.normal(0, 0.16, (len(seeds), 1))).astype(np.float32)
    paint[order] = np.where(in_crown[:, None], player, stone) * light
    rgb = paint[labels]
    rgb[crown > 0] = rgb[crown > 0] * 0.6 + player * 0.4
    rgb += (away / px * -180)[..., None]
    joint = np.array((196, 186, 150), np.float32)
    inner_joint = player * 0.25 + np.array((240, 240, 232), np.float32) * 0.75
    rgb = np.where(grout[..., None], np.where(crown[..., None] > 0, inner_joint, joint), rgb)
    rim = cv2.morphologyEx(crown, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    rgb[rim > 0] = inner_joint
    rgb = np.where(frame[..., None] > 0, player * (0.7 + 0.3 * frame[..., None]), rgb)
    rgb += 4 * smooth_noise((px, px), (px // 3, px // 3), rng)[..., None]
    return np.clip(rgb, 0, 255).astype(np.uint8)


def _seeds(across: int, px: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The middles of the stones, (n, 2) whole pixels: a grid with jitter of up to half a stone."""
    grid = np.stack(np.meshgrid(np.arange(across), np.arange(across)), axis=-1).reshape(-1, 2)
    places = (grid + 0.5 + rng.uniform(-0.42, 0.42, grid.shape)) * px / across
    return np.unique(np.clip(places.astype(np.int64), 0, px - 1), axis=0)


def _grout(labels: NDArray[np.int32], px: int, width: float) -> NDArray[np.bool_]:
    """The mask (px, px) of the joints between stones, ``width`` a share of the tile."""
    edge = np.zeros((px, px), np.uint8)
    edge[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    edge[1:] |= labels[1:] != labels[:-1]
    reach = max(1, round(width * px))
    return np.asarray(cv2.dilate(edge, np.ones((reach, reach), np.uint8)) > 0)


def _crown_mask(px: int) -> NDArray[np.uint8]:
    canvas = Canvas(1, 1, px)
    canvas.polygon(crown_outline((0.5, 0.5), 0.68), (255, 255, 255))
    return np.asarray(canvas.rgb[..., 0] > 127, np.uint8)


def _frame_mask(px: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Brightness of the coloured stones along the edges, but for the middles; 0 elsewhere."""
    mask = np.zeros((px, px), np.float32)
    wide = max(2, round(0.045 * px))
    step = max(3, round(0.085 * px))
    opening = (0.42 * px, 0.58 * px)
    for start in range(0, px, step):
        end = min(start + step - max(1, px // 90), px)
        if opening[0] < (start + end) / 2 < opening[1]:
            continue
        for side in range(4):
            turned = np.rot90(mask, side)
            turned[:wide, start:end] = rng.uniform(0.4, 1.3)
    return mask
