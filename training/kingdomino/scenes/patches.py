"""Single squares to train the classifier on: cut from scenes, augmented, and disturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from training.common import synthetic
from training.common.arrays import Floats, Image, Rng
from training.common.camera import Camera, rotation
from training.kingdomino.scenes.compose import Scene
from training.kingdomino.scenes.things import draw_hand, put_thing
from vision.common.geometry import PATCH_PX, Extent, cut_square, project
from vision.kingdomino.result import EMPTY

# A square keeps its label up to the first share hidden, and is empty from the second on.
KNOWN_UP_TO = 0.45
HIDDEN_FROM = 0.75
HAND_SHARE = 0.36
SQUARE_LIGHT = synthetic.Light(
    glare=0.25, glare_size=(0.2, 0.8), soft=0.5, blur_px=2.0, coded=0.3, quality=(30, 95)
)
# Of squares with something over them, how many can still be named.
NAMED_SHARE = 0.78
# What lies over squares is kept and used again, turned, mirrored and in other light.
POOL = 160
RENEWED_SHARE = 0.1
# As much as a picture in sepia has.
TINT = 0.15


@dataclass(frozen=True, eq=False)
class Cover:
    """What lies over a patch: the light that it adds (64, 64, 3), the share, 0..1, of light that it
    leaves, for each pixel and channel, shadows included; and the share ``hidden`` of the patch.
    """

    added: Floats
    left: Floats
    hidden: float


def draw_cover(rng: Rng, pictures: Sequence[Image]) -> Cover:
    """A hand or another thing; ``pictures`` (h, w, 3) may be printed on it."""
    is_hand, seed, opaque = rng.random() < HAND_SHARE, int(rng.integers(2**32)), True
    # On black there is only what it adds, on white what it leaves as well.
    added, white = (np.full((PATCH_PX, PATCH_PX, 3), below, np.float32) for below in (0, 255))
    for patch in (added, white):
        again = np.random.default_rng(seed)
        spot = again.uniform(-0.5, 1.5, 2)
        if is_hand:
            mask = draw_hand(patch, PATCH_PX, again, spot * PATCH_PX)
        else:
            tilt_deg, azimuth_deg = min(abs(again.normal(0, 22)), 50), again.uniform(0, 360)
            camera = Camera.above(
                (0, 0), (0, 0), PATCH_PX, tilt_deg=tilt_deg, turn_deg=0, azimuth_deg=azimuth_deg
            )
            mask, opaque = put_thing(patch, camera, spot, pictures, again)
    if not mask.any():
        return draw_cover(rng, pictures)
    left = np.asarray(np.clip((white - added) / 255, 0, 1), np.float32)
    return Cover(added, left, float((mask > 0.5).mean()) * opaque)


@dataclass(frozen=True)
class Disturbance:
    """The shares of patches, 0..1, that are disturbed in each way, independently."""

    occluded: float = 0.2
    squeezed: float = 0.06
    blurred: float = 0.04
    dimmed: float = 0.05
    grey: float = 0.04
    reflecting: float = 0.0


def label_of_hidden(label: str, hidden: float) -> str | None:
    """The label of a square of which the share ``hidden`` can't be seen; None: left open."""
    if label == EMPTY or hidden <= KNOWN_UP_TO:
        return label
    return EMPTY if hidden >= HIDDEN_FROM else None


class Disturber:
    """Disturbs patches at random. Things that lie over them are drawn anew now and then.

    ``pictures`` (h, w, 3) may be printed on things.
    """

    def __init__(self, pictures: Sequence[Image], rng: Rng, shares: Disturbance) -> None:
        self.pictures, self.rng, self.shares = pictures, rng, shares
        self.pool: list[Cover] = []

    def _cover(self, is_named: bool) -> Cover:
        """One of the pool under which a square can be named or not; now and then a new one."""
        rng, found = self.rng, list[Cover]()
        least, most = (0, KNOWN_UP_TO) if is_named else (HIDDEN_FROM, 1)
        while not found:
            if len(self.pool) < POOL:
                self.pool.append(draw_cover(rng, self.pictures))
            elif rng.random() < RENEWED_SHARE:
                self.pool[int(rng.integers(POOL))] = draw_cover(rng, self.pictures)
            found = [each for each in self.pool if least <= each.hidden <= most]
        return synthetic.any_of(found, rng)

    def __call__(self, patch: Image, label: str) -> tuple[Image, str | None]:
        """The patch, disturbed or not, and its label; None if it has none any more."""
        rng, shares = self.rng, self.shares
        known: str | None = label
        if shares.reflecting and rng.random() < shares.reflecting:
            patch = reflect_sky(patch, rng)
        if rng.random() < shares.occluded:
            cover = self._cover(rng.random() < NAMED_SHARE)
            patch, known = lay_over(patch, cover, rng), label_of_hidden(label, cover.hidden)
        if rng.random() < shares.squeezed:
            patch = squeeze(patch, rng)
        if rng.random() < shares.blurred:
            patch = blur_badly(patch, rng)
        if rng.random() < shares.dimmed:
            patch = synthetic.dim_and_brighten(patch, rng)
        if rng.random() < shares.grey:
            patch = drain_colours(patch, rng, TINT)
            known = "c" if known and known[0] == "c" else known
        return patch, known


def lay_over(patch: Image, cover: Cover, rng: Rng) -> Image:
    """The patch under ``cover``, which is turned, mirrored and lit at random."""
    turns, way = int(rng.integers(4)), int(rng.choice([-1, 1]))
    added, left = (np.rot90(layer, turns)[:, ::way] for layer in (cover.added, cover.left))
    gain = np.exp(rng.normal(0, 0.3) + rng.normal(0, 0.06, 3)).astype(np.float32)
    return np.clip(patch * left + added * gain, 0, 255).astype(np.uint8)


def reflect_sky(patch: Image, rng: Rng) -> Image:
    """The patch with its lacquer reflecting the sky, blue to white, or a bright wall, on a part of
    it or all over. The picture below shows through, paler.
    """
    clouds = synthetic.smooth_noise(patch.shape[:2], (3, 3), rng) + np.float32(rng.normal(0.5, 1))
    share = 1 / (1 + np.exp(-clouds / np.float32(synthetic.between(0.1, 1.0, rng))))
    if rng.random() < synthetic.EMBOSSED_SHARE:
        # Ink and cardboard that are rough, or printed thick, break it up.
        grain = synthetic.smooth_noise(patch.shape[:2], (20, 20), rng)
        share = np.clip(share * (1 + np.float32(rng.uniform(0.05, 0.2)) * grain), 0, 1.5)
    blue = rng.uniform(0, 1)
    tint = np.array([1 - 0.7 * blue, 1 - 0.4 * blue, 1.0], np.float32)
    shine = share[..., None] * tint * np.float32(rng.uniform(30, 150))
    below = patch * np.float32(rng.uniform(0.7, 1.0))
    return np.clip(below + shine, 0, 255).astype(np.uint8)


def squeeze(patch: Image, rng: Rng) -> Image:
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


def blur_badly(patch: Image, rng: Rng) -> Image:
    """The patch out of focus, to a deviation of 0.09 of it, or shaken by up to 0.3 of it."""
    seen = patch.astype(np.float32)
    if rng.random() < 0.55:
        # A disc of this radius has half of it as deviation.
        out = synthetic.defocused(seen, 2 * synthetic.between(0.025, 0.09, rng) * PATCH_PX)
    else:
        out = synthetic.shaken(seen, float(rng.uniform(0.06, 0.3)) * PATCH_PX, rng)
    return np.clip(out, 0, 255).astype(np.uint8)


def drain_colours(patch: Image, rng: Rng, tint: float) -> Image:
    """The patch in grey with a random curve of tones. A quarter of them have a colour, whose
    channels differ from grey by a share with the deviation ``tint``.
    """
    shares = np.array([0.3, 0.59, 0.11]) * np.exp(rng.normal(0, 0.25, 3))
    grey = patch @ (shares / shares.sum()) / 255
    contrast, gamma = np.exp(rng.normal(0.05, 0.2)), np.exp(rng.normal(0, 0.25))
    toned = (np.clip((grey - 0.45) * contrast + 0.45, 0, 1) ** gamma)[..., None] * 255
    colour = rng.normal(0, tint, 3) if rng.random() < 0.25 else np.zeros(3)
    return np.asarray(np.clip(toned * (1 + colour), 0, 255), np.uint8)


# In shares of a square: up to this distance between their middles a square belongs to a cell.
# Below the overlap a cell is empty; between the two it has no label.
MAX_SHIFT = 0.24
MIN_OVERLAP = 0.3


def cut_patches(scene: Scene, rng: Rng) -> list[tuple[Image, str]]:
    """Patches (64, 64, 3) with labels: the cells of all kingdoms and empty cells around them."""
    found: list[tuple[Image, str]] = []
    height, width = scene.rgb.shape[:2]
    everyone = np.array([s.corners for s in scene.seen]).reshape(-1, 4, 2)
    for kingdom, (lattice, extent) in enumerate(scene.kingdoms):
        mine = {s.cell for s in scene.seen if s.kingdom == kingdom}
        middles = project(everyone, np.asarray(np.linalg.inv(lattice), np.float64)).mean(1)
        slip = rng.normal(0, 0.04, 2)
        for cell in extent.widened(1).cells():
            if cell not in mine and rng.random() < 0.3:
                continue
            shift = slip + rng.normal(0, 0.025, (4, 2))
            if stray := rng.random() < 0.03:
                shift = shift + rng.choice([-1, 1], 2) * rng.uniform(0.4, 0.6, 2)
            flat = np.array(Extent(*cell, 1, 1).corners()) + shift
            corners = project(flat, lattice)
            middle = corners.mean(0)
            far = (corners < -0.12 * width).any() or (corners > 1.12 * width).any()
            outside = far or (middle < 0).any() or (middle > (width, height)).any()
            if outside or cv2.contourArea(corners.astype(np.float32)) < 120:
                continue
            apart = np.abs(middles - flat.mean(0))
            near, overlap = apart.max(1), np.clip(1 - apart, 0, 1).prod(1).sum()
            is_empty = near.min(initial=1) >= MAX_SHIFT and overlap < MIN_OVERLAP
            if stray or is_empty:
                found.append((cut_square(scene.rgb, corners), EMPTY))
            elif near.min(initial=1) < MAX_SHIFT:
                label = scene.seen[int(near.argmin())].label
                found.append((cut_square(scene.rgb, corners), label))
    return found


def augment_square(picture: Image, rng: Rng) -> Image:
    """Augment a square (h, w, 3) to a patch (64, 64, 3): rotation, shift, scale, tilt and light."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
    middle = corners.mean(0)
    angle = np.deg2rad(np.clip(rng.normal(0, 3.5), -9, 9))
    scale = 1 - rng.uniform(-0.07, 0.16)
    shift = np.clip(rng.normal(0, 0.05, 2), -0.13, 0.13)
    corners = (corners - middle) @ rotation(angle).T * scale + middle + shift * (width, height)
    corners += rng.normal(0, 0.025, (4, 2)) * (width, height)
    patch = np.rot90(cut_square(picture, corners), int(rng.integers(4)))
    return np.ascontiguousarray(synthetic.take_picture(patch, PATCH_PX, SQUARE_LIGHT, rng))
