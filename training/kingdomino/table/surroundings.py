"""What kingdoms lie on and beside, and what windows, lenses and apps add to their picture: cloths
with checks, printed pictures of kingdoms, tokens, castles that stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from training.kingdomino.table.scenes import SQUARE_PX, Cloth, Sheet
from training.kingdomino.table.things import PLAYERS, filled, mirrored_light, painted

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Point = NDArray[np.float64]
Rng = np.random.Generator

# Pixels of a pattern a check, and checks of a pattern.
CHECK_PX, CHECKS = 40, 8
INKS = ((178, 34, 44), (40, 70, 150), (46, 110, 60), (60, 60, 66), (210, 150, 40))


def gingham(rng: Rng) -> Cloth:
    """A cloth with stripes of one colour both ways, checks as wide as a square or half of it."""
    half = CHECK_PX // 2
    stripe = np.tile(np.r_[np.zeros(half), np.ones(half)], 2 * CHECKS)
    return _woven((stripe[:, None] + stripe[None]) / 2, CHECK_PX, rng)


def chequered(rng: Rng) -> Cloth:
    """A cloth of squares in two colours, as wide as a square of the game or half of it."""
    cells = np.indices((2 * CHECKS, 2 * CHECKS)).sum(0) % 2
    return _woven(np.kron(cells, np.ones((CHECK_PX // 2,) * 2)), CHECK_PX / 2, rng)


def _woven(ink_share: Point, period_px: float, rng: Rng) -> Cloth:
    ink = np.array(INKS[int(rng.integers(len(INKS)))], np.float32)
    white = np.array([238, 235, 228], np.float32) * rng.uniform(0.85, 1.0)
    rgb = white + (ink - white) * ink_share[..., None]
    rgb = rgb + rng.normal(0, 4, rgb.shape[:2])[..., None]
    # Half checks at the edges, since the pattern goes on mirrored.
    rgb = np.roll(rgb, CHECK_PX // 4, (0, 1))
    pitch = float(rng.choice([0.5, 1.0])) * float(rng.uniform(0.93, 1.07))
    angle = float(np.deg2rad(rng.normal(0, 4)))
    return Cloth(np.clip(rgb, 0, 255).astype(np.uint8), period_px / pitch, angle)


def rules_sheet(kingdoms: Sequence[Sheet], rng: Rng) -> Sheet:
    """A printed page with lines of text and some small pictures of kingdoms."""
    wide, high = int(5.0 * SQUARE_PX), int(6.6 * SQUARE_PX)
    page = np.full((high, wide, 3), rng.uniform(228, 250), np.uint8)
    for y in range(30, high - 20, 13):
        x = 24.0
        while x < wide - 40:
            word = float(rng.uniform(8, 42))
            if rng.random() < 0.9:
                cv2.rectangle(page, (int(x), y), (int(x + word), y + 4), (70, 68, 66), -1)
            x += word + 7
    at = 40
    for kingdom in kingdoms:
        shown = _shrunk(kingdom, float(rng.uniform(0.25, 0.42)))
        left = int(rng.integers(20, max(wide - shown.shape[1] - 20, 21)))
        if at + shown.shape[0] > high - 20:
            break
        page[at : at + shown.shape[0], left : left + shown.shape[1]] = shown
        at += shown.shape[0] + int(rng.integers(20, 60))
    return _flat("rules sheet", page)


def gallery(kingdoms: Sequence[Sheet], rng: Rng) -> Sheet:
    """A phone that shows some photographs of kingdoms side by side."""
    wide, high = int(2.4 * SQUARE_PX), int(4.8 * SQUARE_PX)
    screen = np.full((high, wide, 3), rng.uniform(8, 30), np.uint8)
    for number, kingdom in enumerate(kingdoms):
        row, column = divmod(number, 2)
        tile = np.full((106, 106, 3), rng.integers(60, 190, 3), np.uint8)
        longest = max(kingdom.size)
        shown = _shrunk(kingdom, float(rng.uniform(78, 100)) / (longest * SQUARE_PX))
        top, left = (int((106 - side) / 2) for side in shown.shape[:2])
        tile[top : top + shown.shape[0], left : left + shown.shape[1]] = shown
        y, x = 18 + row * 112, 12 + column * 110
        if y + 106 > high - 10:
            break
        screen[y : y + 106, x : x + 106] = tile
    return _flat("phone", screen)


def _shrunk(sheet: Sheet, scale: float) -> Image:
    white = np.where(sheet.alpha[..., None] > 0, sheet.rgb, np.uint8(215))
    size = round(white.shape[1] * scale), round(white.shape[0] * scale)
    return np.asarray(cv2.resize(white, size, interpolation=cv2.INTER_AREA), np.uint8)


def _flat(name: str, rgb: Image) -> Sheet:
    return Sheet(name, name, name, rgb, np.ones(rgb.shape[:2], np.float32), {})


def put_token(rgb: Floats, at: Point, px: float, rng: Rng) -> Floats:
    """A round token of one colour, as wide as a third of a square."""
    radius = px * float(rng.uniform(0.13, 0.2))
    arc = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    mask = filled(rgb.shape, at + radius * np.column_stack([np.cos(arc), np.sin(arc)]))
    colours = (*PLAYERS, (225, 225, 220), (45, 45, 48), (205, 165, 70))
    paint = np.empty_like(rgb)
    paint[:] = np.array(colours[int(rng.integers(len(colours)))], np.float32)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
    paint *= np.where(depth < 0.2 * radius, 0.75, 1.0)
    return painted(rgb, mask, paint, px, np.array([0.04, 0.05]) * px)


def put_castle(rgb: Floats, base: Point, up: Point, px: float, rng: Rng) -> Floats:
    """A cardboard castle on the square with the corners ``base`` (4, 2) that reaches ``up``."""
    middle = base.mean(0)
    foot = middle + (base - middle) * float(rng.uniform(0.66, 0.82))
    top = foot + up * float(rng.uniform(0.9, 1.3))
    colour = np.array(PLAYERS[int(rng.integers(len(PLAYERS)))], np.float32)
    stone = np.array([188, 180, 168], np.float32) * rng.uniform(0.8, 1.1)
    total = np.zeros(rgb.shape[:2], np.float32)
    order = np.argsort([-float((foot[k] + foot[(k + 1) % 4]) @ up) for k in range(4)])
    for rank, k in enumerate(order[::-1]):
        wall = np.array([foot[k], foot[(k + 1) % 4], top[(k + 1) % 4], top[k]])
        paint = np.empty_like(rgb)
        paint[:] = stone * (0.65 + 0.1 * rank)
        total = np.maximum(total, painted(rgb, filled(rgb.shape, wall), paint, px, np.zeros(2)))
        gate = wall.mean(0) + (wall - wall.mean(0)) * 0.3
        paint[:] = (60, 48, 40)
        painted(rgb, filled(rgb.shape, gate), paint, px, np.zeros(2))
    roof = top.mean(0) + (top - top.mean(0)) * 0.92
    paint = np.empty_like(rgb)
    paint[:] = colour
    total = np.maximum(total, painted(rgb, filled(rgb.shape, roof), paint, px, np.zeros(2)))
    return np.asarray(total, np.float32)


def window_light(shape: tuple[int, ...], at: Point, px: float, rng: Rng) -> Floats:
    """Light (h, w) of a window with two or four panes that lacquer throws back."""
    height, width = shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, slant = rng.uniform(0, np.pi), rng.uniform(-0.4, 0.4)
    u = ((x - at[0]) * np.cos(angle) + (y - at[1]) * np.sin(angle)) / px
    v = (-(x - at[0]) * np.sin(angle) + (y - at[1]) * np.cos(angle)) / px + slant * u
    wide, high, soft = rng.uniform(0.8, 1.7), rng.uniform(1.0, 2.2), rng.uniform(0.04, 0.12)

    def within(value: Floats, most: float) -> Floats:
        edge = np.clip((np.abs(value) - most) / soft, -30, 30)
        return np.asarray(1 / (1 + np.exp(edge)), np.float32)

    bars = (1 - within(u, 0.06)) * (1 - within(v, 0.06) * float(rng.integers(2)))
    light = within(u, wide) * within(v, high) * bars * rng.uniform(45, 120)
    return np.asarray(light + 0.15 * mirrored_light(shape, at, 2 * px, rng), np.float32)


def overdone_hdr(rgb: Floats, px: float) -> Floats:
    """Local contrast and colour pushed as far as camera apps do, with halos."""
    bright = np.clip(rgb, 0, 255).astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(bright, cv2.COLOR_RGB2LAB), np.float32)
    wide = cv2.GaussianBlur(lab[..., 0], (0, 0), 0.6 * px)
    near = cv2.GaussianBlur(lab[..., 0], (0, 0), 0.04 * px)
    lab[..., 0] = np.clip(
        58 + 0.35 * (wide - 58) + 1.7 * (lab[..., 0] - wide) + 0.8 * (lab[..., 0] - near), 0, 100
    )
    lab[..., 1:] *= 1.7
    return np.asarray(np.clip(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), 0, 1) * 255, np.float32)


def soft_focus(rgb: Floats, px: float, rng: Rng) -> Floats:
    """A sharp picture under a bright blurred one, as through a greasy lens."""
    glow = cv2.GaussianBlur(rgb, (0, 0), float(rng.uniform(0.1, 0.16)) * px)
    share = float(rng.uniform(0.6, 0.8))
    return np.asarray(np.clip(rgb * (1 - share) + glow * share * 1.06 + 4, 0, 255), np.float32)
