"""Things that lie on single squares or reach over them, painted on a canvas (192, 192)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.rectify import PATCH_PX

__all__ = [
    "CANVAS_PX",
    "Occluder",
    "any_colour",
    "clouds",
    "directions",
    "draw_occluder",
    "fill_polygon",
    "finish",
    "limb_mask",
    "paint_surface",
    "place_anywhere",
    "round_light",
]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Point = NDArray[np.float64]

# Three squares by three.
CANVAS_PX = 3 * PATCH_PX


def any_colour(rng: np.random.Generator) -> Floats:
    """Any colour, a third of the time near grey."""
    colour = rng.uniform(0, 255, 3)
    if rng.random() < 0.33:
        colour = np.clip(rng.uniform(10, 250) + rng.normal(0, 8, 3), 0, 255)
    return np.asarray(colour, np.float32)


def clouds(rng: np.random.Generator, cells: int, deviation: float) -> Floats:
    """Smooth random brightness (192, 192), around 0."""
    coarse = rng.standard_normal((cells, cells), np.float32) * np.float32(deviation)
    size = (CANVAS_PX, CANVAS_PX)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def paint_surface(rng: np.random.Generator, pictures: Sequence[Image]) -> Floats:
    """Paint (192, 192, 3): plain, striped, checked, written on, or with a part of a picture."""
    kind = int(rng.integers(6))
    paint = np.tile(any_colour(rng), (CANVAS_PX, CANVAS_PX, 1))
    y, x = np.mgrid[0:CANVAS_PX, 0:CANVAS_PX].astype(np.float32)
    if kind < 3:
        angle, step = rng.uniform(0, np.pi), rng.uniform(3, 50)
        along = x * np.cos(angle) + y * np.sin(angle)
        wave = np.mod(along, step) < step * rng.uniform(0.2, 0.6)
        if kind == 1:
            across = y * np.cos(angle) - x * np.sin(angle)
            wave = wave ^ (np.mod(across, step) < 0.5 * step)
        if kind:
            paint = np.where(wave[..., None], any_colour(rng), paint)
    elif kind == 3:
        ink = tuple(float(v) for v in any_colour(rng))
        line = int(rng.integers(5, 18))
        for at in range(0, CANVAS_PX, line):
            begin = 0
            while begin < CANVAS_PX and rng.random() < 0.96:
                end = begin + int(rng.integers(3, 30))
                cv2.line(paint, (begin, at), (end, at), ink, max(line // 3, 1))
                begin = end + int(rng.integers(2, 8))
    elif kind == 4 and len(pictures):
        picture = pictures[int(rng.integers(len(pictures)))]
        share = rng.uniform(0.15, 1.0)
        side = max(int(min(picture.shape[:2]) * share), 8)
        top = int(rng.integers(picture.shape[0] - side + 1))
        left = int(rng.integers(picture.shape[1] - side + 1))
        part = picture[top : top + side, left : left + side]
        paint = cv2.resize(part, (CANVAS_PX, CANVAS_PX)).astype(np.float32)
    else:
        for _ in range(int(rng.integers(2, 14))):
            middle = tuple(int(v) for v in rng.integers(0, CANVAS_PX, 2))
            axes = tuple(int(v) for v in rng.integers(3, 40, 2))
            ink = tuple(float(v) for v in any_colour(rng))
            cv2.ellipse(paint, middle, axes, float(rng.uniform(0, 180)), 0, 360, ink, -1)
    shade = clouds(rng, int(rng.integers(2, 9)), rng.uniform(0, 14))
    grain = rng.standard_normal((CANVAS_PX, CANVAS_PX), np.float32) * rng.uniform(0, 7)
    return np.asarray(paint + (shade + grain)[..., None], np.float32)


def finish(paint: Floats) -> Image:
    return np.clip(paint, 0, 255).astype(np.uint8)


def fill_polygon(polygon: Point) -> Image:
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    cv2.fillPoly(mask, [np.round(polygon * 16).astype(np.int32)], 255, cv2.LINE_AA, shift=4)
    return mask


def round_light(mask: Image, radius: float, rng: np.random.Generator) -> Floats:
    """Light on something round with this outline, about 0.4..1.2: darker at its edges."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    bulge = np.sqrt(np.clip(1 - (1 - np.clip(depth / radius, 0, 1)) ** 2, 0, 1))
    smooth = cv2.GaussianBlur(bulge, (0, 0), 1.2)
    angle = rng.uniform(0, 2 * np.pi)
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) * np.float32(np.cos(angle))
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1) * np.float32(np.sin(angle))
    low = rng.uniform(0.4, 0.8)
    light = low + (1.05 - low) * smooth + rng.uniform(0, 0.5) * (slope_x + slope_y)
    return np.asarray(np.clip(light, 0.2, 1.4), np.float32)


def place_anywhere(rng: np.random.Generator) -> Point:
    return np.asarray(rng.uniform(0.15, 0.85, 2) * CANVAS_PX)


def directions(rng: np.random.Generator) -> tuple[Point, Point]:
    """A random direction and the one across it."""
    angle = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(angle), np.sin(angle)])
    return ahead, np.array([-ahead[1], ahead[0]])


def limb_mask(root: Point, bend: Point, tip: Point, thick: float, narrowing: float) -> Image:
    """The mask of a bent limb that narrows towards its round tip."""
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    t = np.linspace(0, 1, 28)[:, None]
    way = (1 - t) ** 2 * root + 2 * t * (1 - t) * bend + t**2 * tip
    widths = thick * (1 + (narrowing - 1) * np.clip(2 * t[:, 0] - 1, 0, 1))
    points = np.clip(np.round(way * 16), -20000, 20000).astype(int)
    for (a, b), width in zip(pairwise(points), widths[:-1], strict=True):
        ends = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        cv2.line(mask, *ends, 255, max(int(width), 1), cv2.LINE_AA, shift=4)
    return mask


# Skin from the fairest to the darkest; tones between them are mixed.
SKINS = ((250, 214, 196), (232, 186, 152), (206, 150, 110), (156, 102, 70), (72, 46, 34))


@dataclass(frozen=True)
class Occluder:
    """What lies on the canvas: paint (192, 192, 3) in RGB, its mask and its shadow (192, 192).

    Mask and shadow are 0..255.
    """

    paint: Image
    mask: Image
    shadow: Image


def draw_occluder(rng: np.random.Generator, pictures: Sequence[Image]) -> Occluder:
    """A random thing; ``pictures`` (h, w, 3) may be printed on it."""
    kind = float(rng.choice(6, p=(0.36, 0.24, 0.1, 0.14, 0.06, 0.1)))
    if kind == 0:
        paint, mask = _limbs(rng, pictures)
    elif kind == 1:
        paint, mask = _sheet(rng, pictures)
    elif kind == 2:
        paint, mask = _disc(rng, pictures)
    elif kind == 3:
        paint, mask = _die(rng) if rng.random() < 0.3 else _piece(rng)
    elif kind == 4:
        paint, mask = _stick(rng)
    else:
        paint, mask = _lump(rng, pictures)
    away = rng.normal(0, 0.1, 2) * PATCH_PX
    moved = np.array([[1, 0, away[0]], [0, 1, away[1]]])
    fallen = cv2.warpAffine(mask, moved, mask.shape, borderMode=cv2.BORDER_REPLICATE)
    shadow = cv2.GaussianBlur(fallen, (0, 0), float(rng.uniform(0.01, 0.16)) * PATCH_PX)
    return Occluder(paint, mask, np.asarray(shadow, np.uint8))


def _limbs(rng: np.random.Generator, pictures: Sequence[Image]) -> tuple[Image, Image]:
    """One to four fingers, or an arm, from beyond the canvas; in skin or cloth."""
    ahead, side = directions(rng)
    is_arm = rng.random() < 0.35
    count = 1 if is_arm else int(rng.integers(1, 5))
    wide = rng.uniform(0.9, 2.2) if is_arm else rng.uniform(0.26, 0.6)
    first = place_anywhere(rng)
    if rng.random() < 0.3:
        base = paint_surface(rng, pictures)
    else:
        at = rng.uniform(0, len(SKINS) - 1.001)
        fair, dark = np.array(SKINS[int(at)]), np.array(SKINS[int(at) + 1])
        skin = fair + (dark - fair) * (at % 1) + rng.normal(0, 8, 3)
        blotches = clouds(rng, 10, rng.uniform(0, 8)) + clouds(rng, 3, rng.uniform(0, 14))
        base = np.asarray(skin, np.float32) + blotches[..., None]
    paint = np.zeros((CANVAS_PX, CANVAS_PX, 3), np.float32)
    whole = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    for number in range(count):
        thick = wide * rng.uniform(0.85, 1.15) * PATCH_PX
        tip = first + side * number * thick * rng.uniform(0.95, 1.5)
        tip = tip + ahead * rng.normal(0, 0.3) * PATCH_PX
        splay = side * (number - (count - 1) / 2) * rng.uniform(-0.25, 0.1)
        root = tip - (ahead + splay) * 5 * PATCH_PX
        bend = side * rng.normal(0, 0.35) * PATCH_PX
        mask = limb_mask(root, root * 0.4 + tip * 0.6 + bend, tip, thick, rng.uniform(0.65, 1.0))
        lit = base * round_light(mask, 0.5 * thick, rng)[..., None]
        if not is_arm and rng.random() < 0.5:
            nail = np.zeros_like(mask)
            root = tip - ahead * 0.1 * thick
            middle, axes = np.round(root).astype(int), (int(0.3 * thick), int(0.22 * thick))
            angle = float(np.degrees(np.arctan2(ahead[1], ahead[0])))
            cv2.ellipse(nail, tuple(int(v) for v in middle), axes, angle, 0, 360, 255, -1)
            polish = any_colour(rng) if rng.random() < 0.3 else base.mean((0, 1)) * 0.9 + 30
            lit = np.where(nail[..., None] > 0, polish, lit)
        paint = np.where(mask[..., None] > 0, lit, paint)
        whole = np.maximum(whole, mask)
    return finish(paint), whole


def _sheet(rng: np.random.Generator, pictures: Sequence[Image]) -> tuple[Image, Image]:
    """A card, a leaf, a box or a phone: straight edges, often a margin, corners round or not."""
    ahead, side = directions(rng)
    half = np.array([rng.uniform(0.35, 2.2), rng.uniform(0.35, 2.2)]) * PATCH_PX
    middle = place_anywhere(rng) + ahead * half[0] * rng.uniform(0, 0.9)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    corners = corners + rng.normal(0, 0.04, (4, 2)) * half
    outline = middle + corners[:, :1] * ahead + corners[:, 1:] * side
    mask = fill_polygon(outline)
    if rng.random() < 0.6:
        radius = float(rng.uniform(0.02, 0.15)) * PATCH_PX
        soft = cv2.GaussianBlur(mask, (0, 0), radius)
        mask = np.clip((soft.astype(np.int16) - 128) * 6 + 128, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        # A dark screen with the lamp in it.
        paint = np.full((CANVAS_PX, CANVAS_PX, 3), rng.uniform(5, 50), np.float32)
        paint += np.abs(clouds(rng, 3, rng.uniform(0, 60)))[..., None]
    else:
        paint = paint_surface(rng, pictures)
    if rng.random() < 0.5:
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
        margin = rng.uniform(0.01, 0.16) * PATCH_PX
        paint = np.where((depth < margin)[..., None], any_colour(rng), paint)
    return finish(paint), mask


def _disc(rng: np.random.Generator, pictures: Sequence[Image]) -> tuple[Image, Image]:
    """A cup, a plate, a coin or a bowl: an ellipse with rings, sometimes with a handle."""
    middle, radius = (
        place_anywhere(rng),
        float(np.exp(rng.uniform(np.log(0.2), np.log(1.8)))) * PATCH_PX,
    )
    flat, angle = rng.uniform(0.5, 1.0), rng.uniform(0, np.pi)
    y, x = np.mgrid[0:CANVAS_PX, 0:CANVAS_PX].astype(np.float32)
    dx, dy = x - middle[0], y - middle[1]
    along = dx * np.cos(angle) + dy * np.sin(angle)
    across = (dy * np.cos(angle) - dx * np.sin(angle)) / flat
    far = np.hypot(along, across) / radius
    mask = np.clip((1 - far) * radius + 0.5, 0, 1)
    paint = paint_surface(rng, pictures)
    for _ in range(int(rng.integers(0, 4))):
        at, wide = rng.uniform(0.2, 1.0), rng.uniform(0.02, 0.15)
        ring = np.exp(-(((far - at) / wide) ** 2))[..., None]
        paint = paint * (1 - ring) + any_colour(rng) * ring
    if rng.random() < 0.3:
        paint = np.where((far < rng.uniform(0.6, 0.95))[..., None], any_colour(rng), paint)
    whole = (255 * mask).astype(np.uint8)
    if rng.random() < 0.25:
        ends = (middle, middle + np.array([np.cos(angle), np.sin(angle)]) * 1.5 * radius)
        a, b = (tuple(int(v) for v in end) for end in ends)
        cv2.line(whole, (a[0], a[1]), (b[0], b[1]), 255, max(int(0.3 * radius), 2), cv2.LINE_AA)
    paint = paint + clouds(rng, 3, rng.uniform(0, 20))[..., None]
    return finish(np.asarray(paint, np.float32)), whole


def _die(rng: np.random.Generator) -> tuple[Image, Image]:
    """A die: its upper face with pips and, of a high one, a darker side."""
    ahead, side = directions(rng)
    half = rng.uniform(0.14, 0.4) * PATCH_PX
    middle, rise = place_anywhere(rng), rng.normal(0, 0.7, 2) * half
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    top = middle + square[:, :1] * ahead + square[:, 1:] * side
    hull = cv2.convexHull(np.r_[top, top + rise].astype(np.float32))[:, 0]
    mask = fill_polygon(hull.astype(np.float64))
    colour, ink = any_colour(rng), any_colour(rng)
    paint = np.tile(colour * rng.uniform(0.4, 0.9), (CANVAS_PX, CANVAS_PX, 1)).astype(np.float32)
    cv2.fillPoly(paint, [np.round(top).astype(np.int32)], [float(v) for v in colour], cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 7))):
        at = rng.uniform(-0.65, 0.65, 2) * half
        pip = middle + at[0] * ahead + at[1] * side
        spot = (int(pip[0]), int(pip[1]))
        cv2.circle(paint, spot, max(int(0.17 * half), 1), [float(v) for v in ink], -1, cv2.LINE_AA)
    return finish(paint), mask


def _piece(rng: np.random.Generator) -> tuple[Image, Image]:
    """A wooden piece that stands or lies: a foot, a waist and a head, round or with points."""
    ahead, side = directions(rng)
    tall, wide = rng.uniform(0.3, 1.3) * PATCH_PX, rng.uniform(0.12, 0.36) * PATCH_PX
    foot = place_anywhere(rng)
    heights = np.linspace(0, 1, int(rng.integers(4, 9)))
    halves = wide * rng.uniform(0.45, 1.1, len(heights))
    halves[0] = wide
    left = foot + heights[:, None] * tall * ahead + halves[:, None] * side
    right = foot + heights[:, None] * tall * ahead - halves[:, None] * side
    points = int(rng.integers(0, 5))
    crown = []
    for k in range(2 * points):
        across = 1 - (k + 0.5) / points if points else 0.0
        up = 1 + (rng.uniform(0.12, 0.3) if k % 2 == 0 else 0.02)
        crown.append(foot + ahead * tall * up + side * halves[-1] * across)
    body = np.array([*left, *crown, *right[::-1]])
    mask = fill_polygon(body)
    if not points:
        head = foot + ahead * tall
        at = (int(head[0]), int(head[1]))
        cv2.circle(mask, at, max(int(rng.uniform(0.6, 1.1) * wide), 1), 255, -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        at = (int(foot[0]), int(foot[1]))
        cv2.circle(mask, at, max(int(1.1 * wide), 1), 255, -1, cv2.LINE_AA)
    lit = round_light(mask, wide * rng.uniform(0.3, 1.0), rng)
    paint = (any_colour(rng) + clouds(rng, 12, rng.uniform(0, 8))[..., None]) * lit[..., None]
    return finish(np.asarray(paint, np.float32)), mask


def _stick(rng: np.random.Generator) -> tuple[Image, Image]:
    """A pencil, a spoon's handle, a cable or a ribbon across the canvas or ending in it."""
    ahead, side = directions(rng)
    tip = place_anywhere(rng) + ahead * rng.uniform(0, 1.5) * PATCH_PX
    thick = rng.uniform(0.05, 0.3) * PATCH_PX
    bend = side * rng.normal(0, 0.5) * PATCH_PX
    root = tip - ahead * 5 * PATCH_PX
    mask = limb_mask(root, (root + tip) / 2 + bend, tip, thick, rng.uniform(0.3, 1.0))
    lit = round_light(mask, 0.5 * thick, rng)
    return finish(np.asarray(paint_surface(rng, ()) * lit[..., None], np.float32)), mask


def _lump(rng: np.random.Generator, pictures: Sequence[Image]) -> tuple[Image, Image]:
    """Something with a wavy outline: a cloth, a bag, food, an animal."""
    middle, radius = place_anywhere(rng), rng.uniform(0.3, 1.6) * PATCH_PX
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    reach = np.ones(48)
    for wave in range(1, 6):
        reach += rng.normal(0, 0.22 / wave) * np.cos(wave * angles + rng.uniform(0, 2 * np.pi))
    reach = np.clip(reach, 0.15, None) * radius
    outline = middle + reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    mask = fill_polygon(outline)
    lit = round_light(mask, radius * rng.uniform(0.1, 0.9), rng)
    return finish(np.asarray(paint_surface(rng, pictures) * lit[..., None], np.float32)), mask
