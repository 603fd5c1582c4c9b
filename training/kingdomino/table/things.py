"""What lies or stands on a kingdom, and what lamps, unsteady hands and small sensors do to its
picture.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Point = NDArray[np.float64]


def mirrored_light(
    shape: tuple[int, ...], at: Point, radius_px: float, rng: np.random.Generator
) -> Floats:
    """Light (h, w) that lacquer throws back: bright in the middle, fading outwards."""
    height, width = shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, squeeze = rng.uniform(0, np.pi), rng.uniform(0.55, 1.0)
    dx, dy = x - at[0], y - at[1]
    u = (dx * np.cos(angle) + dy * np.sin(angle)) / radius_px
    v = (-dx * np.sin(angle) + dy * np.cos(angle)) / (radius_px * squeeze)
    edge = np.clip((np.hypot(u, v) - 1) / rng.uniform(0.06, 0.2), -30, 30)
    light = 1 / (1 + np.exp(edge))
    return np.asarray(light * rng.uniform(150, 260), np.float32)


def shaken(rgb: Floats, length_px: float, rng: np.random.Generator) -> Floats:
    """Motion blur along a slightly curved path."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size, size), np.float32)
    angle, bend = rng.uniform(0, np.pi), rng.uniform(-0.15, 0.15)
    for t in np.linspace(-0.5, 0.5, 4 * size):
        x = t * np.cos(angle) - bend * (t * t - 0.1) * np.sin(angle)
        y = t * np.sin(angle) + bend * (t * t - 0.1) * np.cos(angle)
        column = int(np.clip(round(x * (size - 1) + (size - 1) / 2), 0, size - 1))
        row = int(np.clip(round(y * (size - 1) + (size - 1) / 2), 0, size - 1))
        kernel[row, column] += 1
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def defocused(rgb: Floats, radius_px: float) -> Floats:
    """Blur by a disc."""
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    kernel = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def darkened(rgb: Floats, level: str, rng: np.random.Generator) -> Floats:
    """``level`` low or very low: a dim room; night: the same as a phone's night mode shows it."""
    gain = {"low": 0.3, "very low": 0.13, "night": 0.12}[level] * rng.uniform(0.8, 1.2)
    grain = {"low": 6.0, "very low": 8.0, "night": 6.0}[level]
    warm = np.array([1.0, rng.uniform(0.82, 0.98), rng.uniform(0.6, 0.95)], np.float32)
    coarse = rng.standard_normal((rgb.shape[0] // 2, rgb.shape[1] // 2, 3)).astype(np.float32)
    noise = 0.6 * rng.standard_normal(rgb.shape).astype(np.float32) + 0.8 * cv2.resize(
        coarse, rgb.shape[1::-1]
    )
    dim = np.clip(rgb * warm * np.float32(gain) + noise * np.float32(grain), 0, 255)
    if level != "night":
        return np.asarray(dim, np.float32)
    smooth = cv2.bilateralFilter(dim.astype(np.uint8), 9, 30, 5).astype(np.float32)
    lifted = np.clip(smooth / (0.9 * gain), 0, 255)
    return np.asarray(cv2.bilateralFilter(lifted.astype(np.uint8), 9, 40, 5), np.float32)


SKINS = ((241, 201, 176), (229, 184, 148), (205, 149, 112), (160, 104, 72), (98, 63, 46))
PLAYERS = ((210, 60, 110), (235, 195, 30), (50, 140, 60), (35, 95, 185), (110, 70, 45))
# Of each finger: place across the palm, length and splay, in widths of the palm.
FINGERS = ((-0.37, 0.78, -0.16), (-0.13, 0.98, -0.05), (0.12, 0.95, 0.05), (0.36, 0.72, 0.18))


def filled(shape: tuple[int, ...], polygon: Point) -> NDArray[np.uint8]:
    """The mask (h, w), 0..255, of a polygon (n, 2) in pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(polygon * 8).astype(np.int32)], 255, cv2.LINE_AA, shift=3)
    return mask


def painted(
    rgb: Floats, mask: NDArray[np.uint8], paint: Floats, px: float, shadow: Point
) -> Floats:
    """Paint through a mask, with its soft shadow on what lies below."""
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.012 * px, 0.6)).astype(np.float32) / 255
    moved = np.array([[1, 0, shadow[0]], [0, 1, shadow[1]]], np.float64)
    dark = cv2.warpAffine(mask, moved, mask.shape[::-1])
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.1 * px, 1.0)).astype(np.float32) / 255
    rgb *= 1 - 0.45 * (dark * (1 - soft))[..., None]
    rgb[:] = rgb * (1 - soft[..., None]) + paint * soft[..., None]
    return np.asarray(soft, np.float32)


def _round_limb(start: Point, end: Point, thick: tuple[float, float]) -> Point:
    """The outline of a limb that narrows from its root to a round tip."""
    ahead = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    side = np.array([-ahead[1], ahead[0]])
    arc = np.linspace(np.pi / 2, -np.pi / 2, 9)
    tip = [end + thick[1] / 2 * (np.cos(a) * ahead + np.sin(a) * side) for a in arc]
    return np.array([start + thick[0] / 2 * side, *tip, start - thick[0] / 2 * side])


def put_hand(rgb: Floats, tip: Point, ahead: Point, px: float, rng: np.random.Generator) -> Floats:
    """A hand whose middle finger ends at ``tip`` and points ``ahead``, with wrist and sleeve.

    ``px`` is the side of a square there.
    """
    palm = px * float(rng.uniform(1.7, 2.3))
    side = np.array([-ahead[1], ahead[0]]) * rng.choice([-1, 1])
    pointing = rng.random() < 0.35
    middle = tip - ahead * palm * (1.25 if not pointing else 1.15)
    mask = np.zeros(rgb.shape[:2], np.uint8)
    body = [
        middle + a * side * palm + b * ahead * palm
        for a, b in (
            (-0.5, 0.3),
            (0.5, 0.3),
            (0.5, -0.2),
            (0.34, -0.8),
            (-0.34, -0.8),
            (-0.5, -0.2),
        )
    ]
    mask = np.maximum(mask, filled(rgb.shape, np.array(body)))
    for number, (across, length, splay) in enumerate(FINGERS):
        reach = length if not pointing or number == 1 else 0.3
        root = middle + across * side * palm + 0.2 * ahead * palm
        end = root + (ahead + splay * side) * reach * palm
        limb = _round_limb(root, end, (0.27 * palm, 0.19 * palm))
        mask = np.maximum(mask, filled(rgb.shape, limb))
    root = middle - 0.42 * side * palm - 0.45 * ahead * palm
    thumb = _round_limb(
        root, root + (0.5 * ahead - 0.45 * side) * 0.95 * palm, (0.34 * palm, 0.22 * palm)
    )
    mask = np.maximum(mask, filled(rgb.shape, thumb))
    far = middle - ahead * 3 * max(rgb.shape)
    arm = _round_limb(far, middle - 0.5 * ahead * palm, (0.75 * palm, 0.62 * palm))
    mask = np.maximum(mask, filled(rgb.shape, arm))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    round_ = np.sqrt(np.clip(depth / (0.13 * palm), 0, 1))
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32) * rng.uniform(0.75, 1.05)
    blotches = rng.standard_normal((12, 16)).astype(np.float32)
    mottled = cv2.resize(blotches, rgb.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    paint = skin * (0.55 + 0.45 * round_ + 0.03 * mottled)[..., None]
    if rng.random() < 0.6:
        cuff = middle - ahead * palm * rng.uniform(0.8, 1.6)
        cloth = filled(rgb.shape, _round_limb(far, cuff, (1.2 * palm, 0.95 * palm)))
        mask = np.maximum(mask, cloth)
        folds = cv2.resize(rng.standard_normal((10, 14)).astype(np.float32), rgb.shape[1::-1])
        colour = np.array(rng.integers(15, 230, 3), np.float32)
        sleeve = colour * (0.85 + 0.12 * folds)[..., None]
        paint = np.where(cloth[..., None] > 0, sleeve, paint)
    return painted(rgb, mask, np.asarray(paint, np.float32), px, side * 0.15 * px)


def put_card(rgb: Floats, at: Point, px: float, rng: np.random.Generator) -> Floats:
    """A playing card: a face with suit marks and pictures of many colours, or a patterned back."""
    wide, high = 260, 380
    card = np.full((high, wide, 3), rng.uniform(225, 250), np.uint8)
    ink = [(190, 30, 40), (25, 25, 30)][int(rng.integers(2))]
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(3, 10))):
            centre = (int(rng.integers(50, wide - 50)), int(rng.integers(50, high - 50)))
            cv2.ellipse(card, centre, (18, 24), 0, 0, 360, ink, -1, cv2.LINE_AA)
        for corner in ((22, 40), (wide - 40, high - 20)):
            cv2.putText(card, str(rng.choice(list("A2345678JQK"))), corner,
                        cv2.FONT_HERSHEY_SIMPLEX, 1.2, ink, 3)  # fmt: skip
    else:
        colour = [float(v) for v in rng.integers(20, 200, 3)]
        cv2.rectangle(card, (14, 14), (wide - 15, high - 15), colour, -1)
        for k in range(0, wide + high, 16):
            cv2.line(card, (k, 14), (k - high, high - 15), [0.6 * v + 80 for v in colour], 2)
        card[:14] = card[-14:] = 240
        card[:, :14] = card[:, -14:] = 240
    angle = float(rng.uniform(0, 2 * np.pi))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.array([0.65, 0.95]) * px * float(rng.uniform(0.95, 1.25))
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T + at
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    view = cv2.getPerspectiveTransform(source, box.astype(np.float32))
    paint = cv2.warpPerspective(card, view, rgb.shape[1::-1], flags=cv2.INTER_AREA)
    mask = filled(rgb.shape, box)
    return painted(rgb, mask, np.asarray(paint, np.float32), px, np.array([0.03, 0.04]) * px)


def put_glass(rgb: Floats, at: Point, px: float, rng: np.random.Generator) -> Floats:
    """A drinking glass from above: what lies below is bent, tinted and hidden by the drink."""
    radius = px * float(rng.uniform(0.85, 1.15))
    height, width = rgb.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    far = np.hypot(x - at[0], y - at[1]) / radius
    inside = (far < 1).astype(np.float32)
    swell = np.clip(far, 0, 1) ** 1.5
    bent = cv2.remap(
        rgb,
        (at[0] + (x - at[0]) * (0.55 + 0.45 * swell)).astype(np.float32),
        (at[1] + (y - at[1]) * (0.55 + 0.45 * swell)).astype(np.float32),
        cv2.INTER_LINEAR,
    )
    drinks = ((120, 60, 20), (230, 170, 60), (120, 20, 40), (225, 235, 240), (60, 30, 15))
    drink = np.array(drinks[int(rng.integers(len(drinks)))], np.float32)
    dense = float(rng.uniform(0.45, 0.95))
    paint = bent * (1 - dense) + drink * dense
    rim = np.exp(-(((far - 0.94) / 0.035) ** 2)) + 0.6 * np.exp(-(((far - 0.8) / 0.03) ** 2))
    shine_at = at + rng.uniform(-0.5, 0.5, 2) * radius
    shine = np.exp(-(((x - shine_at[0]) ** 2 + (y - shine_at[1]) ** 2) / (0.18 * radius) ** 2))
    paint = paint + (rim[..., None] * 90 + shine[..., None] * 140)
    mask = (255 * inside).astype(np.uint8)
    return painted(rgb, mask, np.asarray(paint, np.float32), px, np.array([0.12, 0.16]) * px)


def put_figure(rgb: Floats, at: Point, up: Point, px: float, rng: np.random.Generator) -> Floats:
    """A wooden king standing at ``at`` whose head is seen ``up`` of it, in pixels a square."""
    colour = np.array(PLAYERS[int(rng.integers(len(PLAYERS)))], np.float32)
    wide = 0.42 * px
    head = at + up * 0.75
    side = np.array([-up[1], up[0]])
    length = max(float(np.linalg.norm(side)), 1e-6)
    side = side / length if length > 1e-3 else np.array([1.0, 0.0])
    arc = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    base = wide * np.column_stack([0.5 * np.cos(arc), 0.4 * np.sin(arc)]) + at
    body = np.r_[base, [head + side * wide * 0.32, head - side * wide * 0.32]]
    hull = cv2.convexHull(body.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    mask = filled(rgb.shape, hull)
    crown = [
        head + side * wide * a + up / length * wide * b
        for a, b in (
            (-0.4, 0),
            (-0.45, 0.4),
            (-0.2, 0.2),
            (0, 0.5),
            (0.2, 0.2),
            (0.45, 0.4),
            (0.4, 0),
        )
    ]
    mask = np.maximum(mask, filled(rgb.shape, np.array(crown)))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    paint = colour * (0.5 + 0.5 * np.sqrt(np.clip(depth / (0.25 * wide), 0, 1)))[..., None]
    return painted(rgb, mask, np.asarray(paint, np.float32), px, side * 0.15 * px)
