"""The conditions of the table, each a way to compose one photograph: what lies and stands on it and
reaches over it, and what lamps, windows, small sensors and apps make of its picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike

from scorer.kingdomino import Position
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, disc
from training.common.light import defocused, filled, painted, shaken
from training.common.synthetic import jpeg_bytes, smooth_noise
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table.scenes import (
    SQUARE_PX,
    Place,
    Sheet,
    Table,
    Truth,
    area_of,
    beside,
    chequered,
    cut_domino,
    gallery,
    gingham,
    load_kingdoms,
    rules_sheet,
)

# A square counts as hidden where this share of it can't be seen.
HIDDEN = 0.4
QUALITY = 90
# Every so many of the pictures of tables is enough.
SURFACE_STEP = 9


@dataclass(frozen=True, eq=False)
class Photograph:
    """A composed picture (h, w, 3) and the kingdoms in it."""

    rgb: Image
    truths: tuple[Truth, ...]


@dataclass(frozen=True, eq=False)
class PictureSource:
    """What photographs are composed from."""

    kingdoms: Sequence[Sheet]
    surfaces: Sequence[Image]

    def surface(self, rng: Rng) -> Image:
        """One of the tables."""
        return self.surfaces[int(rng.integers(len(self.surfaces)))]

    def another(self, sheet: Sheet, rng: Rng) -> Sheet:
        """Another kingdom, of the same camera and light where there is one."""
        others = [k for k in self.kingdoms if k is not sheet and k.source == sheet.source]
        others = others or [k for k in self.kingdoms if k is not sheet]
        return others[int(rng.integers(len(others)))]


@cache
def load_pictures(data: Path) -> PictureSource:
    """All kingdoms and tables of a folder."""
    cv2.setNumThreads(1)
    surfaces = [read_rgb(path) for path in Corpus(data).backgrounds()[::SURFACE_STEP]]
    return PictureSource(load_kingdoms(data), surfaces)


Condition = Callable[[PictureSource, Sheet, Rng], Photograph]


def coded(photograph: Photograph) -> bytes:
    """The picture as a JPEG file, as it is read."""
    return jpeg_bytes(photograph.rgb, QUALITY)


def taken(table: Table) -> Photograph:
    """The finished picture, with a little grain."""
    rgb = table.rgb + table.rng.normal(0, 1.5, table.rgb.shape).astype(np.float32)
    return Photograph(np.clip(rgb, 0, 255).astype(np.uint8), tuple(table.truths))


def _laid(bench: PictureSource, sheet: Sheet, rng: Rng, **view: Any) -> Photograph:
    """A table with one kingdom on it."""
    return taken(Table(bench.surface(rng), [Place(sheet)], rng, **view))


SKINS = ((241, 201, 176), (229, 184, 148), (205, 149, 112), (160, 104, 72), (98, 63, 46))
PLAYERS = ((210, 60, 110), (235, 195, 30), (50, 140, 60), (35, 95, 185), (110, 70, 45))
# Of each finger: place across the palm, length and splay, in widths of the palm.
FINGERS = ((-0.37, 0.78, -0.16), (-0.13, 0.98, -0.05), (0.12, 0.95, 0.05), (0.36, 0.72, 0.18))
# The outline of the palm: sideways and ahead, in widths of it.
PALM = np.array([(-0.5, 0.3), (0.5, 0.3), (0.5, -0.2), (0.34, -0.8), (-0.34, -0.8), (-0.5, -0.2)])


def _grown(outline: Matrix, share: float) -> Matrix:
    """The outline (n, 2) so much larger or smaller about its middle."""
    return np.asarray(outline.mean(0) + (outline - outline.mean(0)) * share)


def _painted(table: Table, mask: Image, paint: ArrayLike, px: float, shadow: ArrayLike) -> Floats:
    """Put paint through a mask, with a shadow so many squares off; the soft mask."""
    return painted(table.rgb, mask, np.asarray(paint, np.float32), px, np.asarray(shadow) * px)


def _round_limb(start: Matrix, end: Matrix, thick: tuple[float, float]) -> Matrix:
    """The outline of a limb that narrows from its root to a round tip."""
    ahead = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    side = np.array([-ahead[1], ahead[0]])
    arc = np.linspace(np.pi / 2, -np.pi / 2, 9)
    tip = [end + thick[1] / 2 * (np.cos(a) * ahead + np.sin(a) * side) for a in arc]
    return np.array([start + thick[0] / 2 * side, *tip, start - thick[0] / 2 * side])


def _put_hand(rgb: Floats, tip: Matrix, ahead: Matrix, px: float, rng: Rng) -> Floats:
    """A hand whose middle finger ends at ``tip`` and points ``ahead``, with wrist and sleeve.

    ``px`` is the side of a square there.
    """
    palm = px * float(rng.uniform(1.7, 2.3))
    side = np.array([-ahead[1], ahead[0]]) * rng.choice([-1, 1])
    pointing = rng.random() < 0.35
    middle = tip - ahead * palm * (1.25 if not pointing else 1.15)
    limbs = [middle + PALM @ np.array([side, ahead]) * palm]
    for number, (across, length, splay) in enumerate(FINGERS):
        reach = length if not pointing or number == 1 else 0.3
        root = middle + across * side * palm + 0.2 * ahead * palm
        end = root + (ahead + splay * side) * reach * palm
        limbs.append(_round_limb(root, end, (0.27 * palm, 0.19 * palm)))
    root = middle - 0.42 * side * palm - 0.45 * ahead * palm
    end = root + (0.5 * ahead - 0.45 * side) * 0.95 * palm
    limbs.append(_round_limb(root, end, (0.34 * palm, 0.22 * palm)))
    far = middle - ahead * 3 * max(rgb.shape)
    limbs.append(_round_limb(far, middle - 0.5 * ahead * palm, (0.75 * palm, 0.62 * palm)))
    mask = np.max([filled(rgb.shape, limb) for limb in limbs], 0)
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


def _put_card(table: Table, at: Matrix, px: float, rng: Rng) -> Floats:
    """A playing card: a face with suit marks and pictures of many colours, or a patterned back."""
    wide, high = 260, 380
    card = np.full((high, wide, 3), rng.uniform(225, 250), np.uint8)
    ink = [(190, 30, 40), (25, 25, 30)][int(rng.integers(2))]
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(3, 10))):
            centre = (int(rng.integers(50, wide - 50)), int(rng.integers(50, high - 50)))
            cv2.ellipse(card, centre, (18, 24), 0, 0, 360, ink, -1, cv2.LINE_AA)
        for corner in ((22, 40), (wide - 40, high - 20)):
            letter = str(rng.choice(list("A2345678JQK")))
            cv2.putText(card, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, 1.2, ink, 3)
    else:
        colour = rng.integers(20, 200, 3)
        cv2.rectangle(card, (14, 14), (wide - 15, high - 15), colour.tolist(), -1)
        for k in range(0, wide + high, 16):
            cv2.line(card, (k, 14), (k - high, high - 15), (0.6 * colour + 80).tolist(), 2)
        card[:14] = card[-14:] = 240
        card[:, :14] = card[:, -14:] = 240
    angle, side = float(rng.uniform(0, 2 * np.pi)), px * float(rng.uniform(0.95, 1.25))
    lies = box(at, 1.3 * side, 1.9 * side, angle)
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    view = cv2.getPerspectiveTransform(source, lies.astype(np.float32))
    paint = cv2.warpPerspective(card, view, table.rgb.shape[1::-1], flags=cv2.INTER_AREA)
    return _painted(table, filled(table.rgb.shape, lies), paint, px, (0.03, 0.04))


def _put_glass(table: Table, at: Matrix, px: float, rng: Rng) -> Floats:
    """A drinking glass from above: what lies below is bent, tinted and hidden by the drink."""
    radius, rgb = px * float(rng.uniform(0.85, 1.15)), table.rgb
    y, x = np.mgrid[0 : rgb.shape[0], 0 : rgb.shape[1]].astype(np.float32)
    far = np.hypot(x - at[0], y - at[1]) / radius
    swell = 0.55 + 0.45 * np.clip(far, 0, 1) ** 1.5
    u, v = ((at[k] + (way - at[k]) * swell).astype(np.float32) for k, way in enumerate((x, y)))
    bent = cv2.remap(rgb, u, v, cv2.INTER_LINEAR)
    drinks = ((120, 60, 20), (230, 170, 60), (120, 20, 40), (225, 235, 240), (60, 30, 15))
    drink = np.array(drinks[int(rng.integers(len(drinks)))], np.float32)
    dense = float(rng.uniform(0.45, 0.95))
    paint = bent * (1 - dense) + drink * dense
    rim = np.exp(-(((far - 0.94) / 0.035) ** 2)) + 0.6 * np.exp(-(((far - 0.8) / 0.03) ** 2))
    shine_at = at + rng.uniform(-0.5, 0.5, 2) * radius
    shine = np.exp(-(((x - shine_at[0]) ** 2 + (y - shine_at[1]) ** 2) / (0.18 * radius) ** 2))
    paint = paint + (rim[..., None] * 90 + shine[..., None] * 140)
    return _painted(table, np.where(far < 1, np.uint8(255), np.uint8(0)), paint, px, (0.12, 0.16))


# The outline of a crown on a head: sideways and up, in widths of the figure.
CROWN = np.array([
    (-0.4, 0), (-0.45, 0.4), (-0.2, 0.2), (0, 0.5), (0.2, 0.2), (0.45, 0.4), (0.4, 0),
])  # fmt: skip


def _put_figure(table: Table, at: Matrix, px: float, rng: Rng) -> Floats:
    """A wooden king standing at ``at``."""
    colour = np.array(PLAYERS[int(rng.integers(len(PLAYERS)))], np.float32)
    wide, up, shape = 0.42 * px, table.up, table.rgb.shape
    head = at + up * 0.75
    side = np.array([-up[1], up[0]])
    length = max(float(np.linalg.norm(side)), 1e-6)
    side = side / length if length > 1e-3 else np.array([1.0, 0.0])
    base = wide * disc(np.zeros(2), 1, 24) * (0.5, 0.4) + at
    body = np.r_[base, [head + side * wide * 0.32, head - side * wide * 0.32]]
    hull = cv2.convexHull(body.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    crown = head + CROWN @ np.array([side, up / length]) * wide
    mask = np.maximum(filled(shape, hull), filled(shape, crown))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    paint = colour * (0.5 + 0.5 * np.sqrt(np.clip(depth / (0.25 * wide), 0, 1)))[..., None]
    return painted(table.rgb, mask, np.asarray(paint, np.float32), px, side * 0.15 * px)


def _put_token(table: Table, at: Matrix, px: float, rng: Rng) -> Floats:
    """A round token of one colour, as wide as a third of a square."""
    radius = px * float(rng.uniform(0.13, 0.2))
    mask = filled(table.rgb.shape, disc(at, radius, 32))
    colours = (*PLAYERS, (225, 225, 220), (45, 45, 48), (205, 165, 70))
    colour = np.array(colours[int(rng.integers(len(colours)))], np.float32)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
    paint = colour * np.where(depth < 0.2 * radius, np.float32(0.75), np.float32(1))
    return _painted(table, mask, paint, px, (0.04, 0.05))


def _castle(table: Table, rng: Rng) -> None:
    """A cardboard castle on the square of the castle, which counts as seen."""
    truth, rgb = table.truths[0], table.rgb
    castle = next(cell for cell, label in truth.labels.items() if label == "c")
    px, up = table.scale_at(truth.middle(castle)), table.up
    foot = _grown(truth.corners(castle), float(rng.uniform(0.66, 0.82)))
    top = foot + up * float(rng.uniform(0.9, 1.3))
    colour = np.array(PLAYERS[int(rng.integers(len(PLAYERS)))], np.float32)
    stone = np.array([188, 180, 168], np.float32) * rng.uniform(0.8, 1.1)
    dark = np.array([60, 48, 40], np.float32)
    sides = []
    order = np.argsort([-float((foot[k] + foot[(k + 1) % 4]) @ up) for k in range(4)])
    for rank, k in enumerate(order[::-1]):
        wall = np.array([foot[k], foot[(k + 1) % 4], top[(k + 1) % 4], top[k]])
        sides += [(wall, stone * (0.65 + 0.1 * rank)), (_grown(wall, 0.3), dark)]
    sides.append((_grown(top, 0.92), colour))
    masks = [painted(rgb, filled(rgb.shape, s), paint, px, np.zeros(2)) for s, paint in sides]
    table.hide(np.max(masks, 0))
    truth.hidden[castle] = 0.0


def _aslant(shape: tuple[int, ...], at: Matrix, angle: float) -> tuple[Matrix, Matrix]:
    """How far pixels (h, w) lie from a place, along a direction and across it."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    dx, dy = x - at[0], y - at[1]
    return dx * np.cos(angle) + dy * np.sin(angle), -dx * np.sin(angle) + dy * np.cos(angle)


def _within(far: Matrix, most: float, soft: float) -> Matrix:
    """1 where so ``far`` at most, 0 beyond, with a soft edge."""
    return np.asarray(1 / (1 + np.exp(np.clip((far - most) / soft, -30, 30))))


def _mirrored_light(shape: tuple[int, ...], at: Matrix, radius_px: float, rng: Rng) -> Floats:
    """Light (h, w) that lacquer throws back: bright in the middle, fading outwards."""
    angle, squeeze = rng.uniform(0, np.pi), rng.uniform(0.55, 1.0)
    u, v = _aslant(shape, at, angle)
    far = np.hypot(u / radius_px, v / (radius_px * squeeze))
    light = _within(far, 1, rng.uniform(0.06, 0.2))
    return np.asarray(light * rng.uniform(150, 260), np.float32)


def _darkened(rgb: Floats, level: str, rng: Rng) -> Floats:
    """``level`` low or very low: a dim room; night: the same as a phone's night mode shows it."""
    gain = {"low": 0.3, "very low": 0.13, "night": 0.12}[level] * rng.uniform(0.8, 1.2)
    grain = {"low": 6.0, "very low": 8.0, "night": 6.0}[level]
    warm = np.array([1.0, rng.uniform(0.82, 0.98), rng.uniform(0.6, 0.95)], np.float32)
    coarse = rng.standard_normal((rgb.shape[0] // 2, rgb.shape[1] // 2, 3)).astype(np.float32)
    fine = rng.standard_normal(rgb.shape).astype(np.float32)
    noise = 0.6 * fine + 0.8 * cv2.resize(coarse, rgb.shape[1::-1])
    dim = np.clip(rgb * warm * np.float32(gain) + noise * np.float32(grain), 0, 255)
    if level != "night":
        return np.asarray(dim, np.float32)
    smooth = cv2.bilateralFilter(dim.astype(np.uint8), 9, 30, 5).astype(np.float32)
    lifted = np.clip(smooth / (0.9 * gain), 0, 255)
    return np.asarray(cv2.bilateralFilter(lifted.astype(np.uint8), 9, 40, 5), np.float32)


def _window(table: Table, rng: Rng) -> None:
    """Light of a window with two or four panes that lacquer throws back."""
    shape, at = table.rgb.shape, _spot(table.truths[0], rng)
    px = table.scale_at(at)
    angle, slant = rng.uniform(0, np.pi), rng.uniform(-0.4, 0.4)
    u, v = (along / px for along in _aslant(shape, at, angle))
    far = np.abs(u), np.abs(v + slant * u)
    wide, high, soft = rng.uniform(0.8, 1.7), rng.uniform(1.0, 2.2), rng.uniform(0.04, 0.12)
    across, along, bar, sill = (
        _within(far[axis], most, soft).astype(np.float32)
        for axis, most in ((0, wide), (1, high), (0, 0.06), (1, 0.06))
    )
    bars = (1 - bar) * (1 - sill * float(rng.integers(2)))
    light = across * along * bars * rng.uniform(45, 120)
    light += 0.15 * _mirrored_light(shape, at, 2 * px, rng)
    _lit(table, light, (0.93, 0.98, 1.0))


def _overdone_hdr(rgb: Floats, px: float) -> Floats:
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


def _soft_focus(rgb: Floats, px: float, rng: Rng) -> Floats:
    """A sharp picture under a bright blurred one, as through a greasy lens."""
    glow = cv2.GaussianBlur(rgb, (0, 0), float(rng.uniform(0.1, 0.16)) * px)
    share = float(rng.uniform(0.6, 0.8))
    return np.asarray(np.clip(rgb * (1 - share) + glow * share * 1.06 + 4, 0, 255), np.float32)


def _after(
    change: Callable[..., None], *, lean_deg: tuple[float, float] | None = None, **how: object
) -> Condition:
    """The condition in which a table with one kingdom is changed before it is photographed."""

    def composed(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        tilt_deg = float(rng.uniform(*lean_deg)) if lean_deg else None
        table = Table(bench.surface(rng), [Place(sheet)], rng, tilt_deg=tilt_deg)
        change(table, rng, **how)
        return taken(table)

    return composed


def _loose(
    bench: PictureSource, sheet: Sheet, rng: Rng, low: float, high: float, askew: bool = False
) -> Photograph:
    domino = cut_domino(bench.another(sheet, rng), rng)
    at = beside(sheet, domino, float(rng.uniform(low, high)), rng)
    turn = float(rng.choice([-1, 1]) * rng.uniform(12, 25)) if askew else 0.0
    places = [Place(sheet), Place(domino, at, turn, is_kingdom=False)]
    return taken(Table(bench.surface(rng), places, rng))


def _draft(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    w, h = sheet.size
    turn = float(rng.normal(0, 4))
    gap, between = float(rng.uniform(0.8, 2.2)), float(rng.uniform(0.05, 0.3))
    places = [Place(sheet)]
    for k in range(4):
        at = (w + gap, (h - 4) / 2 + k * (1 + between))
        domino = cut_domino(bench.another(sheet, rng), rng)
        places.append(Place(domino, at, turn + float(rng.normal(0, 1.5)), is_kingdom=False))
    table = Table(bench.surface(rng), places, rng)
    for place in places[1:]:
        if rng.random() < 0.6:
            middle = table.view @ np.array([*place.outline().mean(0), 1.0])
            spot = middle[:2] / middle[2] + rng.normal(0, 0.2, 2) * table.square_px
            _put_figure(table, spot, table.scale_at(spot), rng)
    return taken(table)


def _two(
    bench: PictureSource, sheet: Sheet, rng: Rng, low: float, high: float, half: bool = False
) -> Photograph:
    other = bench.another(sheet, rng)
    shift = 0.5 + float(rng.integers(-1, 2)) if half else float(rng.integers(-1, 2))
    at = beside(sheet, other, float(rng.uniform(low, high)), rng, shift)
    return taken(Table(bench.surface(rng), [Place(sheet), Place(other, at)], rng))


def _several(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    small = [k for k in bench.kingdoms if max(k.size) <= 5]
    count = int(rng.integers(3, 6))
    spots = rng.permutation([(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)])[:count]
    places = []
    for k, (x, y) in enumerate(spots):
        mine = sheet if k == 0 and max(sheet.size) <= 5 else small[int(rng.integers(len(small)))]
        at = (7.2 * x + rng.normal(0, 0.35), 7.2 * y + rng.normal(0, 0.35))
        places.append(Place(mine, (float(at[0]), float(at[1])), float(rng.normal(0, 3))))
    return taken(Table(bench.surface(rng), places, rng))


def _hand(table: Table, rng: Rng, count: int) -> None:
    truth, clean = table.truths[0], table.rgb.copy()
    for _ in range(60):
        table.rgb[:], truth.hidden = clean, {}
        cells = list(truth.labels)
        middles = np.array([truth.middle(cell) for cell in cells])
        angle = rng.uniform(0, 2 * np.pi)
        ahead = np.array([np.cos(angle), np.sin(angle)])
        # From the side that it reaches over, so that few squares lie below.
        near = middles @ ahead
        outer = np.argsort(near)[: max(len(cells) // 3, 1)]
        spot = middles[int(rng.choice(outer))] + rng.normal(0, 0.35, 2) * table.square_px
        table.hide(_put_hand(table.rgb, spot, ahead, table.scale_at(spot), rng))
        if sum(share >= HIDDEN for share in truth.hidden.values()) == count:
            break


def _things(
    table: Table, rng: Rng, put: Callable[..., Floats], spread: float, least: int = 1, most: int = 1
) -> None:
    """Some things of a kind, each near the middle of another square."""
    truth = table.truths[0]
    cells = list(truth.labels)
    order = rng.permutation(len(cells))
    for k in order[: int(rng.integers(least, most + 1)) if least < most else least]:
        spot = truth.middle(cells[int(k)])
        px = table.scale_at(spot)
        table.hide(put(table, spot + rng.normal(0, spread, 2) * px, px, rng))


def _cropped(whole: Photograph, low: Sequence[int], high: Sequence[int]) -> Photograph:
    """A part of a photograph from ``low`` to ``high`` (x, y); what lies beyond it is hidden."""
    (left, top), (right, bottom) = low, high
    truths = []
    beyond = np.ones(whole.rgb.shape[:2], np.float32)
    beyond[top:bottom, left:right] = 0
    move = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    for truth in whole.truths:
        truth.hide(beyond)
        truths.append(Truth(truth.labels, move @ truth.view, truth.hidden))
    return Photograph(np.ascontiguousarray(whole.rgb[top:bottom, left:right]), tuple(truths))


def _cut(bench: PictureSource, sheet: Sheet, rng: Rng, share: float) -> Photograph:
    whole = _laid(bench, sheet, rng)
    truth = whole.truths[0]
    corners = np.concatenate([truth.corners(cell) for cell in truth.labels])
    low, high = corners.min(0), corners.max(0)
    axis, end = divmod(int(rng.integers(4)), 2)
    lost = share * (high - low)[axis]
    ends = [[0, 0], [*whole.rgb.shape[1::-1]]]
    ends[end][axis] = int(high[axis] - lost if end else low[axis] + lost)
    return _cropped(whole, *ends)


def _tilted(bench: PictureSource, sheet: Sheet, rng: Rng, degrees: float) -> Photograph:
    return _laid(bench, sheet, rng, tilt_deg=degrees + float(rng.normal(0, 1)))


def _spot(truth: Truth, rng: Rng) -> Matrix:
    """The middle (2,) of one of the squares."""
    cells = list(truth.labels)
    return truth.middle(cells[int(rng.integers(len(cells)))])


def _lit(table: Table, light: Floats, tint: tuple[float, float, float]) -> None:
    """Add light (h, w) that hides what is below."""
    table.hide(np.clip((light - 60) / 100, 0, 1).astype(np.float32))
    table.rgb += light[..., None] * np.array(tint, np.float32)


def _glare(table: Table, rng: Rng, count: int, low: float, high: float) -> None:
    total = np.zeros(table.rgb.shape[:2], np.float32)
    for _ in range(count):
        spot = _spot(table.truths[0], rng)
        radius = table.scale_at(spot) * float(rng.uniform(low, high))
        total += _mirrored_light(table.rgb.shape, spot, radius, rng)
    _lit(table, total, (1.0, 0.97, 0.92))


def _mirrored(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    whole = _laid(bench, sheet, rng)
    flip = np.array([[-1, 0, whole.rgb.shape[1] - 1], [0, 1, 0], [0, 0, 1.0]])
    truths = tuple(Truth(t.labels, flip @ t.view) for t in whole.truths)
    return Photograph(np.ascontiguousarray(whole.rgb[:, ::-1]), truths)


def _grey(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    whole = _laid(bench, sheet, rng)
    grey = cv2.cvtColor(cv2.cvtColor(whole.rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return Photograph(np.asarray(grey, np.uint8), whole.truths)


def cut_at_edge(
    whole: Photograph, share: tuple[float, float], beyond: bool, rng: Rng
) -> Photograph:
    """A photograph of one kingdom that ends within an outer row of it, or ``beyond`` it.

    ``share`` are the least and most of a square that is left of the row, or of the table.
    """
    (truth,) = whole.truths
    for axis, end in rng.permutation([(axis, k) for axis in (0, 1) for k in (0, -1)]):
        order = sorted({cell[axis] for cell in truth.labels})
        outer = [cell for cell in truth.labels if cell[axis] == order[end]]
        if len(outer) > 1 and "c" not in [truth.labels[cell] for cell in outer]:
            break
    inner = [cell for cell in truth.labels if cell[axis] == order[-2 if end else 1]]
    middles = (np.mean([truth.middle(cell) for cell in cells], 0) for cells in (outer, inner))
    across = next(middles) - next(middles)
    way = int(np.argmax(np.abs(across)))
    forward, left = across[way] > 0, float(rng.uniform(*share)) * float(abs(across[way]))
    sign = 1 if forward else -1
    ends = sign * np.array([truth.corners(cell)[:, way] for cell in outer])
    at = round(sign * (left + (ends.max() if beyond else ends.min(1).mean())))
    corners = [[0, 0], [*whole.rgb.shape[1::-1]]]
    corners[int(forward)][way] = int(np.clip(at, 0, corners[1][way]))
    return _cropped(whole, *corners)


STRIP, BESIDE = (0.14, 0.33), (0.03, 0.7)


def _edge_at(
    bench: PictureSource, sheet: Sheet, rng: Rng, share: tuple[float, float], beyond: bool
) -> Photograph:
    tilt_deg = float(abs(rng.normal(0, 4)))
    return cut_at_edge(
        _laid(bench, sheet, rng, tilt_deg=tilt_deg, turn_sd_deg=1.5), share, beyond, rng
    )


def _beside_pictures(
    bench: PictureSource, sheet: Sheet, rng: Rng, kind: Callable[..., Sheet], count: int
) -> Photograph:
    shown = [bench.another(sheet, rng) for _ in range(count)]
    printed = kind(shown, rng)
    w, h = sheet.size
    at = (w + float(rng.uniform(0.4, 1.2)), (h - printed.size[1]) / 2)
    places = [Place(sheet), Place(printed, at, float(rng.normal(0, 8)), is_kingdom=False)]
    return taken(Table(bench.surface(rng), places, rng))


def _across(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    other = bench.another(sheet, rng)
    far = (float(rng.normal(0, 1)), -other.size[1] - float(rng.uniform(2.5, 4.5)))
    tilt_deg, turn_deg = float(rng.uniform(45, 57)), float(rng.normal(0, 5))
    places = [Place(sheet), Place(other, far, float(rng.normal(0, 4)))]
    surface = bench.surface(rng)
    return taken(Table(surface, places, rng, tilt_deg=tilt_deg, turn_deg=turn_deg, distance=10.0))


def _too_large(bench: PictureSource, one: Sheet, rng: Rng) -> Photograph:
    """The rows of one kingdom below those of another, whose castle becomes a square beside it."""
    other = bench.another(one, rng)
    width = max(one.size[0], other.size[0])
    height = one.size[1] + other.size[1]
    rgb = np.zeros((height * SQUARE_PX, width * SQUARE_PX, 3), np.uint8)
    alpha = np.zeros(rgb.shape[:2], np.float32)
    labels: dict[Position, str] = {}
    for sheet, top in ((one, 0), (other, one.size[1])):
        area = area_of((top, 0), (top + sheet.size[1] - 1, sheet.size[0] - 1))
        rgb[area], alpha[area] = sheet.rgb, sheet.alpha
        for (row, column), label in sheet.labels.items():
            if label == "c" and "c" in labels.values():
                cells = [cell for cell in sheet.labels if sheet.labels[cell] != "c"]
                source = cells[int(rng.integers(len(cells)))]
                rgb[area_of((top + row, column))] = sheet.rgb[area_of(source)]
                label = sheet.labels[source]
            labels[row + top, column] = label
    return _laid(bench, Sheet(one.name, one.source, one.session, rgb, alpha, labels), rng)


def _developed(table: Table, rng: Rng, how: Callable[[Floats, float, Rng], Floats]) -> None:
    """The whole picture changed by a function of it, of the side of a square, and of chance."""
    table.rgb = how(table.rgb, table.square_px, rng)


CONDITIONS: dict[str, Condition] = {
    "nothing in the way": _laid,
    "loose domino aligned, gap 0.05–0.2": partial(_loose, low=0.05, high=0.2),
    "loose domino aligned, gap 0.25–0.4": partial(_loose, low=0.25, high=0.4),
    "loose domino at 12–25°": partial(_loose, low=0.1, high=0.4, askew=True),
    "draft row with kings": _draft,
    "two kingdoms, gap 0.05–0.2": partial(_two, low=0.05, high=0.2),
    "two kingdoms, gap 0.25–0.45": partial(_two, low=0.25, high=0.45),
    "two kingdoms, gap 0.5–0.8": partial(_two, low=0.5, high=0.8),
    "two kingdoms, gap 1.0": partial(_two, low=1.0, high=1.0),
    "two kingdoms, half a row off": partial(_two, low=0.02, high=0.3, half=True),
    "three to five kingdoms": _several,
    "hand over 1 square": _after(_hand, count=1),
    "hand over 2 squares": _after(_hand, count=2),
    "hand over 3 squares": _after(_hand, count=3),
    "playing card": _after(_things, put=_put_card, spread=0.5),
    "drinking glass": _after(_things, put=_put_glass, spread=0.5),
    "cut off by 10 %": partial(_cut, share=0.1),
    "cut off by 20 %": partial(_cut, share=0.2),
    "cut off by 35 %": partial(_cut, share=0.35),
    "tilt 45°": partial(_tilted, degrees=45),
    "tilt 60°": partial(_tilted, degrees=60),
    "tilt 70°": partial(_tilted, degrees=70),
    "glare, three small": _after(_glare, count=3, low=0.2, high=0.4),
    "glare, two large": _after(_glare, count=2, low=0.7, high=1.1),
    "glare, one huge": _after(_glare, count=1, low=1.8, high=2.4),
    "motion blur 25 %": _after(_developed, how=lambda rgb, px, rng: shaken(rgb, 0.25 * px, rng)),
    "motion blur 40 %": _after(_developed, how=lambda rgb, px, rng: shaken(rgb, 0.4 * px, rng)),
    "defocus 12 %": _after(_developed, how=lambda rgb, px, rng: defocused(rgb, 0.12 * px)),
    "defocus 20 %": _after(_developed, how=lambda rgb, px, rng: defocused(rgb, 0.2 * px)),
    "low light": _after(_developed, how=lambda rgb, px, rng: _darkened(rgb, "low", rng)),
    "very low light": _after(_developed, how=lambda rgb, px, rng: _darkened(rgb, "very low", rng)),
    "night mode": _after(_developed, how=lambda rgb, px, rng: _darkened(rgb, "night", rng)),
    "one king figure": _after(_things, put=_put_figure, spread=0.25),
    "three king figures": _after(_things, put=_put_figure, spread=0.25, least=3, most=3),
    "mirrored": _mirrored,
    "black and white": _grey,
    "strip of the next row, 0.14–0.33 wide": partial(_edge_at, share=STRIP, beyond=False),
    "edge of the picture beside the kingdom": partial(_edge_at, share=BESIDE, beyond=True),
    "rules sheet with pictures": partial(_beside_pictures, kind=rules_sheet, count=3),
    "phone with a gallery": partial(_beside_pictures, kind=gallery, count=8),
    "gingham": partial(_laid, cloth=gingham),
    "chequered cloth": partial(_laid, cloth=chequered),
    "across the table": _across,
    "larger than allowed": _too_large,
    "tokens": _after(_things, put=_put_token, spread=0.2, least=4, most=8),
    "tall castle": _after(_castle, lean_deg=(15, 40)),
    "window reflection": _after(_window),
    "overdone HDR": _after(_developed, how=lambda rgb, px, rng: _overdone_hdr(rgb, px)),
    "soft focus": _after(_developed, how=_soft_focus),
}
"""In the order in which they were added, which their random numbers depend on."""
