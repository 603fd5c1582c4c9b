"""What lies on a table, stands on it or reaches over it, and what lamps, windows, small sensors and
apps make of its picture.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, disc
from training.common.light import filled, painted
from training.common.synthetic import smooth_noise
from training.kingdomino.table.scenes import SQUARE_PX, Cloth, Sheet


def mirrored_light(shape: tuple[int, ...], at: Matrix, radius_px: float, rng: Rng) -> Floats:
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


def darkened(rgb: Floats, level: str, rng: Rng) -> Floats:
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


# The outline of the palm: sideways and ahead, in widths of it.
PALM = np.array([(-0.5, 0.3), (0.5, 0.3), (0.5, -0.2), (0.34, -0.8), (-0.34, -0.8), (-0.5, -0.2)])


def _round_limb(start: Matrix, end: Matrix, thick: tuple[float, float]) -> Matrix:
    """The outline of a limb that narrows from its root to a round tip."""
    ahead = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    side = np.array([-ahead[1], ahead[0]])
    arc = np.linspace(np.pi / 2, -np.pi / 2, 9)
    tip = [end + thick[1] / 2 * (np.cos(a) * ahead + np.sin(a) * side) for a in arc]
    return np.array([start + thick[0] / 2 * side, *tip, start - thick[0] / 2 * side])


def put_hand(rgb: Floats, tip: Matrix, ahead: Matrix, px: float, rng: Rng) -> Floats:
    """A hand whose middle finger ends at ``tip`` and points ``ahead``, with wrist and sleeve.

    ``px`` is the side of a square there.
    """
    palm = px * float(rng.uniform(1.7, 2.3))
    side = np.array([-ahead[1], ahead[0]]) * rng.choice([-1, 1])
    pointing = rng.random() < 0.35
    middle = tip - ahead * palm * (1.25 if not pointing else 1.15)
    mask = filled(rgb.shape, middle + PALM @ np.array([side, ahead]) * palm)
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
    mottled = smooth_noise(rgb.shape[:2], (12, 16), rng)
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


def put_card(rgb: Floats, at: Matrix, px: float, rng: Rng) -> Floats:
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
    side = px * float(rng.uniform(0.95, 1.25))
    lies = box(at, 1.3 * side, 1.9 * side, angle)
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    view = cv2.getPerspectiveTransform(source, lies.astype(np.float32))
    paint = cv2.warpPerspective(card, view, rgb.shape[1::-1], flags=cv2.INTER_AREA)
    mask = filled(rgb.shape, lies)
    return painted(rgb, mask, np.asarray(paint, np.float32), px, np.array([0.03, 0.04]) * px)


def put_glass(rgb: Floats, at: Matrix, px: float, rng: Rng) -> Floats:
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


# The outline of a crown on a head: sideways and up, in widths of the figure.
CROWN = np.array([
    (-0.4, 0), (-0.45, 0.4), (-0.2, 0.2), (0, 0.5), (0.2, 0.2), (0.45, 0.4), (0.4, 0),
])  # fmt: skip


def put_figure(rgb: Floats, at: Matrix, px: float, rng: Rng, *, up: Matrix) -> Floats:
    """A wooden king standing at ``at`` whose head is seen ``up`` of it, in pixels a square."""
    colour = np.array(PLAYERS[int(rng.integers(len(PLAYERS)))], np.float32)
    wide = 0.42 * px
    head = at + up * 0.75
    side = np.array([-up[1], up[0]])
    length = max(float(np.linalg.norm(side)), 1e-6)
    side = side / length if length > 1e-3 else np.array([1.0, 0.0])
    base = wide * disc(np.zeros(2), 1, 24) * (0.5, 0.4) + at
    body = np.r_[base, [head + side * wide * 0.32, head - side * wide * 0.32]]
    hull = cv2.convexHull(body.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    mask = filled(rgb.shape, hull)
    crown = head + CROWN @ np.array([side, up / length]) * wide
    mask = np.maximum(mask, filled(rgb.shape, crown))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    paint = colour * (0.5 + 0.5 * np.sqrt(np.clip(depth / (0.25 * wide), 0, 1)))[..., None]
    return painted(rgb, mask, np.asarray(paint, np.float32), px, side * 0.15 * px)


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


def _woven(ink_share: Matrix, period_px: float, rng: Rng) -> Cloth:
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


def put_token(rgb: Floats, at: Matrix, px: float, rng: Rng) -> Floats:
    """A round token of one colour, as wide as a third of a square."""
    radius = px * float(rng.uniform(0.13, 0.2))
    mask = filled(rgb.shape, disc(at, radius, 32))
    colours = (*PLAYERS, (225, 225, 220), (45, 45, 48), (205, 165, 70))
    colour = np.array(colours[int(rng.integers(len(colours)))], np.float32)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
    paint = colour * np.where(depth < 0.2 * radius, np.float32(0.75), np.float32(1))
    return painted(rgb, mask, paint, px, np.array([0.04, 0.05]) * px)


def put_castle(rgb: Floats, base: Matrix, up: Matrix, px: float, rng: Rng) -> Floats:
    """A cardboard castle on the square with the corners ``base`` (4, 2) that reaches ``up``."""
    middle = base.mean(0)
    foot = middle + (base - middle) * float(rng.uniform(0.66, 0.82))
    top = foot + up * float(rng.uniform(0.9, 1.3))
    colour = np.array(PLAYERS[int(rng.integers(len(PLAYERS)))], np.float32)
    stone = np.array([188, 180, 168], np.float32) * rng.uniform(0.8, 1.1)
    dark = np.array([60, 48, 40], np.float32)
    total = np.zeros(rgb.shape[:2], np.float32)
    order = np.argsort([-float((foot[k] + foot[(k + 1) % 4]) @ up) for k in range(4)])
    for rank, k in enumerate(order[::-1]):
        wall = np.array([foot[k], foot[(k + 1) % 4], top[(k + 1) % 4], top[k]])
        paint = stone * (0.65 + 0.1 * rank)
        total = np.maximum(total, painted(rgb, filled(rgb.shape, wall), paint, px, np.zeros(2)))
        gate = wall.mean(0) + (wall - wall.mean(0)) * 0.3
        painted(rgb, filled(rgb.shape, gate), dark, px, np.zeros(2))
    roof = top.mean(0) + (top - top.mean(0)) * 0.92
    total = np.maximum(total, painted(rgb, filled(rgb.shape, roof), colour, px, np.zeros(2)))
    return np.asarray(total, np.float32)


def window_light(shape: tuple[int, ...], at: Matrix, px: float, rng: Rng) -> Floats:
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
