"""Single squares to train the classifier on: cut from scenes or photographs, augmented, and
disturbed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.common.camera import Camera
from training.common.light import Light, defocused, shaken, take_picture
from training.common.synthetic import dim_and_brighten, jpeg
from training.kingdomino.scenes.compose import Scene
from training.kingdomino.scenes.things import ThingSettings, draw_hand, put_thing
from vision.common.rectify import PATCH_PX, cut_square, project
from vision.kingdomino.labels import EMPTY

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# A square keeps its label up to the first share hidden, and is empty from the second on.
KNOWN_UP_TO = 0.45
HIDDEN_FROM = 0.75
# What lies over a square is painted on a canvas of three squares by three.
CANVAS_PX = 3 * PATCH_PX
HAND_SHARE = 0.36
# Windows of the canvas are tried at every so many pixels.
STEP_PX = 4
SQUARE_LIGHT = Light(
    glare=0.25, glare_size=(0.2, 0.8), soft=0.5, blur_px=2.0, coded=0.3, quality=(30, 95)
)
GLASS = ThingSettings(shares=(("disc", 1.0),), disc=(0.5, 1.5), glass=1.0)
# Things are kept and used again, in another place and light.
POOL = 160
RENEWED_SHARE = 0.04


@dataclass(frozen=True)
class Occluder:
    """What lies on the canvas: paint (192, 192, 3) in RGB, its mask and its shadow (192, 192).

    Mask and shadow are 0..255.
    """

    paint: Image
    mask: Image
    shadow: Image


def _camera(origin_px: tuple[float, float], rng: np.random.Generator) -> Camera:
    """A random camera that sees the origin of the table at ``origin_px`` of a canvas or patch."""
    tilt, turn = min(abs(rng.normal(0, 22.0)), 50.0), rng.uniform(0, 360)
    return Camera.above(
        (0, 0), origin_px, PATCH_PX, tilt_deg=tilt, turn_deg=0, azimuth_deg=float(turn)
    )


def draw_occluder(rng: np.random.Generator, pictures: Sequence[Image]) -> Occluder:
    """A hand or another thing; ``pictures`` (h, w, 3) may be printed on it."""
    paint = np.tile(rng.uniform(0, 255, 3).astype(np.float32), (CANVAS_PX, CANVAS_PX, 1))
    spot, opaque = rng.uniform(0.4, 2.6, 2), True
    if rng.random() < HAND_SHARE:
        cover = draw_hand(paint, PATCH_PX, rng, spot * PATCH_PX)
    else:
        cover, opaque = put_thing(paint, _camera((0, 0), rng), spot, pictures, rng)
    if not opaque or not cover.any():
        return draw_occluder(rng, pictures)
    mask = (255 * cover).astype(np.uint8)
    away = rng.normal(0, 0.1, 2) * PATCH_PX
    moved = np.array([[1, 0, away[0]], [0, 1, away[1]]])
    fallen = cv2.warpAffine(mask, moved, mask.shape, borderMode=cv2.BORDER_REPLICATE)
    shadow = cv2.GaussianBlur(fallen, (0, 0), float(rng.uniform(0.01, 0.16)) * PATCH_PX)
    return Occluder(np.clip(paint, 0, 255).astype(np.uint8), mask, np.asarray(shadow, np.uint8))


@dataclass(frozen=True)
class Disturbance:
    """The shares of patches, 0..1, that are disturbed in each way, independently."""

    occluded: float = 0.2
    glass: float = 0.02
    squeezed: float = 0.06
    blurred: float = 0.04
    dimmed: float = 0.05
    grey: float = 0.04


def label_of_hidden(label: str, hidden: float) -> str | None:
    """The label of a square of which the share ``hidden`` can't be seen; None: left open."""
    if label == EMPTY or hidden <= KNOWN_UP_TO:
        return label
    return EMPTY if hidden >= HIDDEN_FROM else None


class Disturber:
    """Disturbs patches at random. Things that lie over them are drawn anew now and then.

    ``pictures`` (h, w, 3) may be printed on things.
    """

    def __init__(
        self, pictures: Sequence[Image], rng: np.random.Generator, shares: Disturbance
    ) -> None:
        self.pictures, self.rng, self.shares = pictures, rng, shares
        self.pool: list[Occluder] = []

    def _occluder(self) -> Occluder:
        """One of the pool, now and then a new one."""
        if len(self.pool) < POOL:
            self.pool.append(draw_occluder(self.rng, self.pictures))
            return self.pool[-1]
        at = int(self.rng.integers(POOL))
        if self.rng.random() < RENEWED_SHARE:
            self.pool[at] = draw_occluder(self.rng, self.pictures)
        return self.pool[at]

    def __call__(self, patch: Image, label: str) -> tuple[Image, str | None]:
        """The patch, disturbed or not, and its label; None if it has none any more."""
        rng, shares = self.rng, self.shares
        known: str | None = label
        draw = rng.random()
        if draw < shares.occluded:
            patch, hidden = lay_over(patch, self._occluder(), _target(label, rng), rng)
            known = label_of_hidden(label, hidden)
        elif draw < shares.occluded + shares.glass:
            patch, hidden = see_through_glass(patch, rng)
            known = label_of_hidden(label, hidden)
        if rng.random() < shares.squeezed:
            patch = squeeze(patch, rng)
        if rng.random() < shares.blurred:
            patch = blur_badly(patch, rng)
        if rng.random() < shares.dimmed:
            patch = dim_and_brighten(patch, rng)
        if rng.random() < shares.grey:
            patch = drain_colours(patch, rng)
            known = "c" if known and known[0] == "c" else known
        return patch, known


def _target(label: str, rng: np.random.Generator) -> float:
    """How much is to be hidden: of a square either little enough to know it, or nearly all."""
    if label != EMPTY and rng.random() < 0.78:
        return float(rng.uniform(0.02, KNOWN_UP_TO))
    return float(rng.uniform(0.05 if label == EMPTY else HIDDEN_FROM, 1.0))


def lay_over(
    patch: Image, thing: Occluder, target: float, rng: np.random.Generator
) -> tuple[Image, float]:
    """The patch where ``thing`` hides about ``target`` of it, and the share that it hides."""
    turns, mirrored = int(rng.integers(4)), bool(rng.random() < 0.5)
    layers = [np.rot90(layer, turns) for layer in (thing.paint, thing.mask, thing.shadow)]
    if mirrored:
        layers = [layer[:, ::-1] for layer in layers]
    paint, mask, shadow = layers
    small = CANVAS_PX // STEP_PX
    coarse = cv2.resize(mask, (small, small), interpolation=cv2.INTER_AREA).astype(np.float64)
    sums = cv2.integral(coarse / 255)
    window = PATCH_PX // STEP_PX
    shares = sums[window:, window:] - sums[:-window, window:] - sums[window:, :-window]
    shares = (shares + sums[:-window, :-window]) / window**2
    off = np.abs(shares - target)
    rows, columns = np.nonzero(off <= max(float(off.min()), 0.03))
    pick = int(rng.integers(len(rows)))
    top, left = int(rows[pick]) * STEP_PX, int(columns[pick]) * STEP_PX
    here = np.s_[top : top + PATCH_PX, left : left + PATCH_PX]
    cover = mask[here].astype(np.float32) / 255
    colours = paint[here].astype(np.float32)
    blur = float(rng.uniform(0.3, 1.8))
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), blur), np.float32)
    if rng.random() < 0.7:
        colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), blur), np.float32)
    gain = np.exp(rng.normal(0, 0.3) + rng.normal(0, 0.06, 3)).astype(np.float32)
    colours = colours * gain + rng.standard_normal(colours.shape, np.float32) * np.float32(
        abs(rng.normal(0, 4))
    )
    dark = shadow[here].astype(np.float32) / 255 * (1 - cover) * np.float32(rng.uniform(0, 0.65))
    out = patch * (1 - dark)[..., None]
    out = out * (1 - cover)[..., None] + colours * cover[..., None]
    ready = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        ready = jpeg(ready, int(rng.integers(35, 95)))
    return ready, float((cover > 0.5).mean())


def see_through_glass(patch: Image, rng: np.random.Generator) -> tuple[Image, float]:
    """The patch behind a part of a glass, and the share that can't be seen through it.

    Glass bends, tints and shines; what it holds is anything from clear to opaque.
    """
    out = patch.astype(np.float32)
    spot = rng.uniform(-0.8, 0.8, 2)
    cover, opaque = put_thing(out, _camera((PATCH_PX / 2,) * 2, rng), spot, (), rng, GLASS)
    return np.clip(out, 0, 255).astype(np.uint8), float((cover > 0.5).mean()) * opaque


def squeeze(patch: Image, rng: np.random.Generator) -> Image:
    """The patch with 2 to 3.5 times less resolution along one direction, as seen aslant."""
    factor, angle = float(rng.uniform(2.0, 3.5)), float(rng.uniform(0, 180))
    wide = int(1.45 * PATCH_PX)
    turn = np.asarray(cv2.getRotationMatrix2D((PATCH_PX / 2,) * 2, angle, 1.0), np.float64)
    turn[:, 2] += (wide - PATCH_PX) / 2
    turned = cv2.warpAffine(patch, turn, (wide, wide), borderMode=cv2.BORDER_REFLECT)
    low = cv2.resize(turned, (wide, round(wide / factor)), interpolation=cv2.INTER_AREA)
    way = cv2.INTER_CUBIC if rng.random() < 0.4 else cv2.INTER_LINEAR
    back = cv2.resize(low, (wide, wide), interpolation=way)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(back, turn, (PATCH_PX, PATCH_PX), flags=flags), np.uint8)


def blur_badly(patch: Image, rng: np.random.Generator) -> Image:
    """The patch out of focus, to a deviation of 0.09 of it, or shaken by up to 0.3 of it."""
    seen = patch.astype(np.float32)
    if rng.random() < 0.55:
        # A disc of this radius has half of it as deviation.
        out = defocused(seen, 2 * float(np.exp(rng.uniform(*np.log((0.025, 0.09))))) * PATCH_PX)
    else:
        out = shaken(seen, float(rng.uniform(0.06, 0.3)) * PATCH_PX, rng)
    return np.clip(out, 0, 255).astype(np.uint8)


def drain_colours(patch: Image, rng: np.random.Generator) -> Image:
    """The patch in grey, or nearly, with a random curve of tones."""
    shares = np.array([0.3, 0.59, 0.11]) * np.exp(rng.normal(0, 0.25, 3))
    grey = patch @ (shares / shares.sum()) / 255
    contrast, gamma = np.exp(rng.normal(0.05, 0.2)), np.exp(rng.normal(0, 0.25))
    toned = (np.clip((grey - 0.45) * contrast + 0.45, 0, 1) ** gamma)[..., None] * 255
    tint = rng.normal(0, 0.05, 3) if rng.random() < 0.25 else np.zeros(3)
    return np.asarray(np.clip(toned * (1 + tint), 0, 255), np.uint8)


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
        labels = [s.label for s in scene.seen]
        everyone = np.array([s.corners for s in scene.seen]).reshape(-1, 2)
        middles = project(everyone, inverse).reshape(-1, 4, 2).mean(1)
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
                label = _label(flat.mean(0), middles, labels) if not stray else EMPTY
                if label is not None:
                    found.append((cut_square(scene.rgb, corners), label))
    return found


def _label(
    middle: NDArray[np.float64], middles: NDArray[np.float64], labels: Sequence[str]
) -> str | None:
    """The label of a lattice cell, "." if it is empty; None if it is ambiguous.

    ``middles`` (n, 2) are those of all squares on the lattice, with their ``labels``.
    """
    apart = np.abs(middles - middle)
    if (near := apart.max(1)).size and near.min() < MAX_SHIFT:
        return labels[int(near.argmin())]
    return EMPTY if np.clip(1 - apart, 0, 1).prod(1).sum() < MIN_OVERLAP else None


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
    return np.ascontiguousarray(take_picture(patch, PATCH_PX, SQUARE_LIGHT, rng))
