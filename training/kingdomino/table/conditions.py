"""The conditions of the table, each a way to compose one photograph: what lies and stands on it and
reaches over it, and what lamps, windows, small sensors and apps make of its picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike

from scorer.kingdomino import Position
from training.common import synthetic
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, disc, moved
from training.common.synthetic import (
    any_of,
    between,
    defocused,
    filled,
    painted,
    shaken,
    smooth_noise,
)
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table import scenes
from training.kingdomino.table.scenes import SQUARE_PX, Place, Sheet, Table, Truth, area_of
from vision.common.geometry import project

QUALITY = 90
# Every so many of the pictures of tables is enough.
SURFACE_STEP = 9


@dataclass(frozen=True, eq=False)
class Photograph:
    """A composed picture (h, w, 3) and the kingdoms in it."""

    rgb: Image
    truths: tuple[Truth, ...]

    def seen_as(self, rgb: Image, move: Matrix) -> Photograph:
        """The kingdoms in another picture, to which ``move`` (3, 3) maps the pixels of this one."""
        truths = tuple(replace(truth, view=move @ truth.view) for truth in self.truths)
        return Photograph(np.ascontiguousarray(rgb), truths)


@dataclass(frozen=True, eq=False)
class PictureSource:
    """What photographs are composed from."""

    kingdoms: Sequence[Sheet]
    surfaces: Sequence[Image]

    def another(self, sheet: Sheet, rng: Rng) -> Sheet:
        """Another kingdom, of the same camera and light where there is one."""
        others = [k for k in self.kingdoms if k is not sheet]
        return any_of([k for k in others if k.source == sheet.source] or others, rng)

    def table(self, rng: Rng, *places: Place, **view: Any) -> Table:
        """One of the tables, with something on it."""
        return Table(any_of(self.surfaces, rng), places, rng, **view)


@cache
def load_pictures(data: Path) -> PictureSource:
    """All kingdoms and tables of a folder."""
    cv2.setNumThreads(1)
    surfaces = [read_rgb(path) for path in Corpus(data).backgrounds()[::SURFACE_STEP]]
    return PictureSource(scenes.load_kingdoms(data), surfaces)


Condition = Callable[[PictureSource, Sheet, Rng], Photograph]


def coded(photograph: Photograph) -> bytes:
    """The picture as a JPEG file, as it is read."""
    return synthetic.jpeg_bytes(photograph.rgb, QUALITY)


def _taken(table: Table) -> Photograph:
    """The finished picture, with a little grain."""
    rgb = table.rgb + table.rng.normal(0, 1.5, table.rgb.shape).astype(np.float32)
    return Photograph(np.clip(rgb, 0, 255).astype(np.uint8), tuple(table.truths))


def _laid(
    bench: PictureSource,
    sheet: Sheet,
    rng: Rng,
    change: Callable[[Table], None] = lambda table: None,
    develop: Callable[[Photograph, Rng], Photograph] = lambda whole, rng: whole,
    tilt: Callable[[Rng], float] | None = None,
    **view: Any,
) -> Photograph:
    """A table with one kingdom on it: how the camera leans, what happens before it is photographed,
    and what becomes of the photograph.
    """
    if tilt:
        view["tilt_deg"] = tilt(rng)
    table = bench.table(rng, Place(sheet), **view)
    change(table)
    return develop(_taken(table), rng)


def _after(change: Callable[..., None], **how: Any) -> Condition:
    return partial(_laid, change=partial(change, **how))


SKINS = ((241, 201, 176), (229, 184, 148), (205, 149, 112), (160, 104, 72), (98, 63, 46))
PLAYERS = ((210, 60, 110), (235, 195, 30), (50, 140, 60), (35, 95, 185), (110, 70, 45))
# Of each finger and the thumb, in widths of the palm: its root, aside and ahead; where it points,
# aside and ahead; its length where it points, and where others do; its width at the root and tip.
FINGERS = (
    (-0.37, 0.2, -0.16, 1, 0.78, 0.3, 0.27, 0.19), (-0.13, 0.2, -0.05, 1, 0.98, 0.98, 0.27, 0.19),
    (0.12, 0.2, 0.05, 1, 0.95, 0.3, 0.27, 0.19), (0.36, 0.2, 0.18, 1, 0.72, 0.3, 0.27, 0.19),
    (-0.42, -0.45, -0.45, 0.5, 0.95, 0.95, 0.34, 0.22),
)  # fmt: skip
# The outline of the palm: sideways and ahead, in widths of it.
PALM = np.array([(-0.5, 0.3), (0.5, 0.3), (0.5, -0.2), (0.34, -0.8), (-0.34, -0.8), (-0.5, -0.2)])


def _ink(colours: Sequence[tuple[int, int, int]], rng: Rng) -> Floats:
    return np.array(any_of(colours, rng), np.float32)


def _round(mask: Image, reach: float) -> Floats:
    """How light what bulges is, 0..1: (h, w), full so many pixels within the edges of a mask."""
    return np.sqrt(np.clip(cv2.distanceTransform(mask, cv2.DIST_L2, 3) / reach, 0, 1))


def _grown(outline: Matrix, share: float) -> Matrix:
    """The outline (n, 2) so much larger or smaller about its middle."""
    return np.asarray(outline.mean(0) + (outline - outline.mean(0)) * share)


def _paint(
    table: Table, mask: Image, paint: ArrayLike, px: float, shadow: ArrayLike = (0, 0)
) -> Floats:
    """Put paint through a mask, with a shadow so many squares off; the soft mask."""
    return painted(table.rgb, mask, np.asarray(paint, np.float32), px, np.asarray(shadow) * px)


def _limb(start: Matrix, end: Matrix, thick: tuple[float, float]) -> Matrix:
    """The outline of a limb that narrows from its root to a round tip."""
    ahead = (end - start) / np.linalg.norm(end - start)
    side = np.array([-ahead[1], ahead[0]])
    arc = np.linspace(np.pi / 2, -np.pi / 2, 9)
    tip = [end + thick[1] / 2 * (np.cos(a) * ahead + np.sin(a) * side) for a in arc]
    return np.array([start + thick[0] / 2 * side, *tip, start - thick[0] / 2 * side])


def _put_hand(table: Table, tip: Matrix, ahead: Matrix) -> Floats:
    """A hand whose middle finger ends at ``tip`` and points ``ahead``, with wrist and sleeve."""
    px, rng, shape = table.scale_at(tip), table.rng, table.rgb.shape
    palm = px * rng.uniform(1.7, 2.3)
    side = np.array([-ahead[1], ahead[0]]) * rng.choice([-1, 1])
    pointing = rng.random() < 0.35
    middle = tip - ahead * palm * (1.25 if not pointing else 1.15)
    limbs = [middle + PALM @ np.array([side, ahead]) * palm]
    for aside, up, lean, on, long, bent, *thick in FINGERS:
        root = middle + aside * side * palm + up * ahead * palm
        end = root + (on * ahead + lean * side) * (bent if pointing else long) * palm
        limbs.append(_limb(root, end, (thick[0] * palm, thick[1] * palm)))
    far = middle - ahead * 3 * max(shape)
    limbs.append(_limb(far, middle - 0.5 * ahead * palm, (0.75 * palm, 0.62 * palm)))
    mask = np.max([filled(shape, limb) for limb in limbs], 0)
    light = _round(mask, 0.13 * palm)
    skin = _ink(SKINS, rng) * rng.uniform(0.75, 1.05)
    mottled = synthetic.smooth_noise(shape[:2], (12, 16), rng)
    paint = skin * (0.55 + 0.45 * light + 0.03 * mottled)[..., None]
    if rng.random() < 0.6:
        cuff = middle - ahead * palm * rng.uniform(0.8, 1.6)
        cloth = filled(shape, _limb(far, cuff, (1.2 * palm, 0.95 * palm)))
        mask = np.maximum(mask, cloth)
        folds = cv2.resize(rng.standard_normal((10, 14)).astype(np.float32), shape[1::-1])
        colour = np.array(rng.integers(15, 230, 3), np.float32)
        paint = np.where(cloth[..., None] > 0, colour * (0.85 + 0.12 * folds)[..., None], paint)
    return _paint(table, mask, paint, px, side * 0.15)


def _put_card(table: Table, at: Matrix, px: float) -> Floats:
    """A playing card: a face with suit marks and pictures of many colours, or a patterned back."""
    wide, high, rng = 260, 380, table.rng
    card = np.full((high, wide, 3), rng.uniform(225, 250), np.uint8)
    ink = any_of([(190, 30, 40), (25, 25, 30)], rng)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(3, 10))):
            centre = (int(rng.integers(50, wide - 50)), int(rng.integers(50, high - 50)))
            cv2.ellipse(card, centre, (18, 24), 0, 0, 360, ink, -1, cv2.LINE_AA)
        for corner in ((22, 40), (wide - 40, high - 20)):
            letter = any_of("A2345678JQK", rng)
            cv2.putText(card, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, 1.2, ink, 3)
    else:
        colour = rng.integers(20, 200, 3)
        cv2.rectangle(card, (14, 14), (wide - 15, high - 15), colour.tolist(), -1)
        for k in range(0, wide + high, 16):
            cv2.line(card, (k, 14), (k - high, high - 15), (0.6 * colour + 80).tolist(), 2)
        card[:14] = card[-14:] = card[:, :14] = card[:, -14:] = 240
    angle, side = rng.uniform(0, 2 * np.pi), px * rng.uniform(0.95, 1.25)
    lies = box(at, 1.3 * side, 1.9 * side, angle)
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    view = cv2.getPerspectiveTransform(source, lies.astype(np.float32))
    paint = cv2.warpPerspective(card, view, table.rgb.shape[1::-1], flags=cv2.INTER_AREA)
    return _paint(table, filled(table.rgb.shape, lies), paint, px, (0.03, 0.04))


DRINKS = ((120, 60, 20), (230, 170, 60), (120, 20, 40), (225, 235, 240), (60, 30, 15))


def _put_glass(table: Table, at: Matrix, px: float) -> Floats:
    """A drinking glass from above: what lies below is bent, tinted and hidden by the drink."""
    rng, rgb = table.rng, table.rgb
    radius = px * rng.uniform(0.85, 1.15)
    y, x = np.mgrid[0 : rgb.shape[0], 0 : rgb.shape[1]].astype(np.float32)
    far = np.hypot(x - at[0], y - at[1]) / radius
    swell = 0.55 + 0.45 * np.clip(far, 0, 1) ** 1.5
    u, v = ((at[k] + (way - at[k]) * swell).astype(np.float32) for k, way in enumerate((x, y)))
    bent = cv2.remap(rgb, u, v, cv2.INTER_LINEAR)
    drink, dense = _ink(DRINKS, rng), rng.uniform(0.45, 0.95)
    paint = bent * (1 - dense) + drink * dense
    rim = np.exp(-(((far - 0.94) / 0.035) ** 2)) + 0.6 * np.exp(-(((far - 0.8) / 0.03) ** 2))
    a, b = at + rng.uniform(-0.5, 0.5, 2) * radius
    shine = np.exp(-(((x - a) ** 2 + (y - b) ** 2) / (0.18 * radius) ** 2))
    paint = paint + (rim[..., None] * 90 + shine[..., None] * 140)
    return _paint(table, (far < 1) * np.uint8(255), paint, px, (0.12, 0.16))


# The outline of a crown on a head: sideways and up, in widths of the figure.
CROWN = np.array([
    (-0.4, 0), (-0.45, 0.4), (-0.2, 0.2), (0, 0.5), (0.2, 0.2), (0.45, 0.4), (0.4, 0),
])  # fmt: skip


def _put_figure(table: Table, at: Matrix, px: float) -> Floats:
    """A wooden king standing at ``at``."""
    colour = _ink(PLAYERS, table.rng)
    wide, up, shape = 0.42 * px, table.up, table.rgb.shape
    head, upwards = at + up * 0.75, up / np.linalg.norm(up)
    side = np.array([-upwards[1], upwards[0]])
    base = wide * disc(np.zeros(2), 1, 24) * (0.5, 0.4) + at
    body = np.r_[base, [head + side * wide * 0.32, head - side * wide * 0.32]]
    hull = cv2.convexHull(body.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    crown = head + CROWN @ np.array([side, upwards]) * wide
    mask = np.maximum(filled(shape, hull), filled(shape, crown))
    paint = colour * (0.5 + 0.5 * _round(mask, 0.25 * wide))[..., None]
    return _paint(table, mask, paint, px, side * 0.15)


def _put_token(table: Table, at: Matrix, px: float) -> Floats:
    """A round token of one colour, as wide as a third of a square."""
    radius = px * table.rng.uniform(0.13, 0.2)
    mask = filled(table.rgb.shape, disc(at, radius, 32))
    colour = _ink((*PLAYERS, (225, 225, 220), (45, 45, 48), (205, 165, 70)), table.rng)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
    paint = colour * np.where(depth < 0.2 * radius, np.float32(0.75), np.float32(1))
    return _paint(table, mask, paint, px, (0.04, 0.05))


def _castle(table: Table) -> None:
    """A cardboard castle on the square of the castle, which counts as seen."""
    truth, rng = table.truths[0], table.rng
    castle = next(cell for cell, label in truth.labels.items() if label == "c")
    foot = _grown(truth.corners(castle), rng.uniform(0.66, 0.82))
    top = foot + table.up * rng.uniform(0.9, 1.3)
    colour = _ink(PLAYERS, rng)
    stone = np.array([188, 180, 168], np.float32) * rng.uniform(0.8, 1.1)
    walls = np.stack([foot, np.roll(foot, -1, 0), np.roll(top, -1, 0), top], 1)
    order = np.argsort((walls[:, 0] + walls[:, 1]) @ table.up)
    sides = [
        each
        for rank, wall in enumerate(walls[order])
        for each in ((wall, stone * (0.65 + 0.1 * rank)), (_grown(wall, 0.3), (60, 48, 40)))
    ]
    px, shape = table.scale_at(truth.middle(castle)), table.rgb.shape
    sides.append((_grown(top, 0.92), colour))
    table.hide(np.max([_paint(table, filled(shape, s), paint, px) for s, paint in sides], 0))
    truth.hidden[castle] = 0.0


def _aslant(table: Table, at: Matrix, angle: float) -> tuple[Matrix, Matrix]:
    """How far the pixels (h, w) lie from a place, along a direction and across it."""
    height, width = table.rgb.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    dx, dy = x - at[0], y - at[1]
    return dx * np.cos(angle) + dy * np.sin(angle), -dx * np.sin(angle) + dy * np.cos(angle)


def _within(far: Matrix, most: float, soft: float) -> Matrix:
    """1 where so ``far`` at most, 0 beyond, with a soft edge."""
    return np.asarray(1 / (1 + np.exp(np.clip((far - most) / soft, -30, 30))))


def _mirrored_light(table: Table, at: Matrix, radius_px: float) -> Floats:
    """Light (h, w) that lacquer throws back: bright in the middle, fading outwards."""
    rng = table.rng
    angle, squeeze = rng.uniform(0, np.pi), rng.uniform(0.55, 1.0)
    u, v = _aslant(table, at, angle)
    far = np.hypot(u / radius_px, v / (radius_px * squeeze))
    light = _within(far, 1, rng.uniform(0.06, 0.2))
    return np.asarray(light * rng.uniform(150, 260), np.float32)


def _darkened(table: Table, gain: float, grain: float, lifted: bool = False) -> None:
    """A dim room, ``lifted`` as a phone's night mode shows it."""
    rgb, rng = table.rgb, table.rng
    gain *= rng.uniform(0.8, 1.2)
    warm = np.array([1.0, rng.uniform(0.82, 0.98), rng.uniform(0.6, 0.95)], np.float32)
    coarse = rng.standard_normal((rgb.shape[0] // 2, rgb.shape[1] // 2, 3)).astype(np.float32)
    fine = rng.standard_normal(rgb.shape).astype(np.float32)
    noise = 0.6 * fine + 0.8 * cv2.resize(coarse, rgb.shape[1::-1])
    table.rgb = np.clip(rgb * warm * np.float32(gain) + noise * np.float32(grain), 0, 255)
    if lifted:
        smooth = cv2.bilateralFilter(table.rgb.astype(np.uint8), 9, 30, 5).astype(np.float32)
        light = np.clip(smooth / (0.9 * gain), 0, 255).astype(np.uint8)
        table.rgb = cv2.bilateralFilter(light, 9, 40, 5).astype(np.float32)


def _window(table: Table) -> None:
    """Light of a window with two or four panes that lacquer throws back."""
    rng = table.rng
    at, px = _spot(table)
    angle, slant = rng.uniform(0, np.pi), rng.uniform(-0.4, 0.4)
    u, v = (along / px for along in _aslant(table, at, angle))
    far = np.abs(u), np.abs(v + slant * u)
    wide, high, soft = rng.uniform(0.8, 1.7), rng.uniform(1.0, 2.2), rng.uniform(0.04, 0.12)
    across, along, bar, sill = (
        _within(far[axis], most, soft).astype(np.float32)
        for axis, most in ((0, wide), (1, high), (0, 0.06), (1, 0.06))
    )
    bars = (1 - bar) * (1 - sill * float(rng.integers(2)))
    light = across * along * bars * rng.uniform(45, 120)
    _light(table, light + 0.15 * _mirrored_light(table, at, 2 * px), (0.93, 0.98, 1.0))


def _sky(table: Table) -> None:
    """Blue sky with clouds that lacquer throws back, from some line across the kingdom onwards."""
    rng = table.rng
    at, px = _spot(table)
    along, _ = _aslant(table, at, rng.uniform(0, 2 * np.pi))
    seen = _within(along / px, rng.uniform(0, 1.5), between(0.1, 0.8, rng))
    clouds = smooth_noise((along.shape[0], along.shape[1]), (5, 7), rng) - rng.uniform(-0.3, 1.2)
    white = np.clip(clouds, 0, 1)[..., None] * rng.uniform(0.3, 1.0)
    tint = white + (1 - white) * np.array([0.3, 0.58, 1.0])
    table.rgb += (seen[..., None] * tint * rng.uniform(50, 130)).astype(np.float32)


def _blind(table: Table) -> None:
    """Sun through the slats of a blind, which throw stripes across the table."""
    rng, (height, width) = table.rng, table.rgb.shape[:2]
    pixels = np.indices((height, width), float)[::-1].transpose(1, 2, 0)
    angle = rng.uniform(0, np.pi)
    back = np.asarray(np.linalg.inv(table.view), np.float64)
    along = project(pixels, back) @ (np.cos(angle), np.sin(angle))
    # A slat and the gap below it are 0.6 to 2.4 squares wide.
    slats = (along / between(0.6, 2.4, rng) + rng.random()) % 1
    dark = _within(np.abs(slats - 0.5), rng.uniform(0.18, 0.32), rng.uniform(0.01, 0.03))
    shade = rng.uniform(0.35, 0.65) * np.array([0.95, 1.0, 1.08])
    table.rgb *= (1 - dark[..., None] * (1 - shade)).astype(np.float32)


def _overdone_hdr(table: Table) -> None:
    """Local contrast and colour pushed as far as camera apps do, with halos."""
    bright = np.clip(table.rgb, 0, 255).astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(bright, cv2.COLOR_RGB2LAB), np.float32)
    level = lab[..., 0]
    wide, near = (cv2.GaussianBlur(level, (0, 0), r * table.square_px) for r in (0.6, 0.04))
    lifted = 58 + 0.35 * (wide - 58) + 1.7 * (level - wide) + 0.8 * (level - near)
    lab[..., 0] = np.clip(lifted, 0, 100)
    lab[..., 1:] *= 1.7
    table.rgb = np.clip(np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.float32), 0, 1) * 255


def _soft_focus(table: Table) -> None:
    """A sharp picture under a bright blurred one, as through a greasy lens."""
    glow = cv2.GaussianBlur(table.rgb, (0, 0), table.rng.uniform(0.1, 0.16) * table.square_px)
    share = table.rng.uniform(0.6, 0.8)
    table.rgb = np.clip(table.rgb * (1 - share) + glow * share * 1.06 + 4, 0, 255)


def _blurred(table: Table, share: float, shaky: bool = False) -> None:
    px = share * table.square_px
    table.rgb = shaken(table.rgb, px, table.rng) if shaky else defocused(table.rgb, px)


def _loose(
    bench: PictureSource, sheet: Sheet, rng: Rng, low: float, high: float, askew: bool = False
) -> Photograph:
    domino = scenes.cut_domino(bench.another(sheet, rng), rng)
    at = scenes.beside(sheet, domino, rng.uniform(low, high), rng)
    turn_deg = rng.choice([-1, 1]) * rng.uniform(12, 25) if askew else 0.0
    return _taken(bench.table(rng, Place(sheet), Place(domino, at, turn_deg)))


def _draft(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    (w, h), turn_deg = sheet.size, rng.normal(0, 4)
    gap, between, row = rng.uniform(0.8, 2.2), rng.uniform(0.05, 0.3), []
    for k in range(4):
        at = (w + gap, (h - 4) / 2 + k * (1 + between))
        domino = scenes.cut_domino(bench.another(sheet, rng), rng)
        row.append(Place(domino, at, turn_deg + rng.normal(0, 1.5)))
    table = bench.table(rng, Place(sheet), *row)
    for place in row:
        if rng.random() < 0.6:
            middle = table.view @ np.array([*place.outline().mean(0), 1.0])
            spot = middle[:2] / middle[2] + rng.normal(0, 0.2, 2) * table.square_px
            _put_figure(table, spot, table.scale_at(spot))
    return _taken(table)


def _two(
    bench: PictureSource, sheet: Sheet, rng: Rng, low: float, high: float, shift: float = 0.0
) -> Photograph:
    other = bench.another(sheet, rng)
    along = shift + float(rng.integers(-1, 2))
    at = scenes.beside(sheet, other, rng.uniform(low, high), rng, along)
    return _taken(bench.table(rng, Place(sheet), Place(other, at)))


def _several(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    small = [k for k in bench.kingdoms if max(k.size) <= 5]
    count, places = int(rng.integers(3, 6)), list[Place]()
    for x, y in rng.permutation([(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)])[:count]:
        mine = sheet if not places and sheet in small else any_of(small, rng)
        at = (7.2 * x + rng.normal(0, 0.35), 7.2 * y + rng.normal(0, 0.35))
        places.append(Place(mine, at, rng.normal(0, 3)))
    return _taken(bench.table(rng, *places))


def _on_cylinder(points: Matrix, middle: Matrix, radius: float) -> Matrix:
    """Where pixels (..., 2) of a picture come to lie on a cylinder about the camera, unrolled."""
    off = points - middle
    turn = np.arctan(off[..., 0] / radius)
    return np.stack([radius * turn, off[..., 1] * np.cos(turn)], -1) + middle


def _panorama(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    """Several kingdoms as a phone sees them that is turned while it takes the picture."""
    flat = _several(bench, sheet, rng)
    height, width = flat.rgb.shape[:2]
    middle, radius = np.array([width, height]) / 2, width * rng.uniform(0.45, 0.8)
    y, x = np.mgrid[:height, :width] - middle[::-1, None, None]
    of_flat = radius * np.tan(x / radius) + middle[0], y / np.cos(x / radius) + middle[1]
    u, v = (each.astype(np.float32) for each in of_flat)
    rgb = cv2.remap(flat.rgb, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    bent = partial(_on_cylinder, middle=middle, radius=radius)
    truths = tuple(replace(truth, bent=bent) for truth in flat.truths)
    return Photograph(np.asarray(rgb, np.uint8), truths)


def _hand(table: Table, count: int) -> None:
    truth, rng, clean = table.truths[0], table.rng, table.rgb.copy()
    middles = np.array([truth.middle(cell) for cell in truth.labels])
    for _ in range(60):
        table.rgb[:], truth.hidden = clean, {}
        angle = rng.uniform(0, 2 * np.pi)
        ahead = np.array([np.cos(angle), np.sin(angle)])
        # From the side that it reaches over, so that few squares lie below.
        outer = np.argsort(middles @ ahead)[: len(middles) // 3]
        spot = middles[int(rng.choice(outer))] + rng.normal(0, 0.35, 2) * table.square_px
        table.hide(_put_hand(table, spot, ahead))
        if len(truth.unseen) == count:
            break


def _things(
    table: Table, put: Callable[..., Floats], spread: float, least: int = 1, most: int = 1
) -> None:
    """Some things of a kind, each near the middle of another square."""
    truth, rng = table.truths[0], table.rng
    cells = rng.permutation(list(truth.labels))
    for row, column in cells[: rng.integers(least, most + 1)]:
        spot = truth.middle((row, column))
        px = table.scale_at(spot)
        table.hide(put(table, spot + rng.normal(0, spread, 2) * px, px))


def _cropped(whole: Photograph, axis: int, end: int, at: int) -> Photograph:
    """A photograph that begins (0) or ends (1) at a pixel of an axis; what is beyond is hidden."""
    ends = np.array([[0, 0], whole.rgb.shape[1::-1]])
    ends[end, axis] = at
    (left, top), (right, bottom) = ends
    inside = np.s_[top:bottom, left:right]
    beyond = np.ones(whole.rgb.shape[:2], np.float32)
    beyond[inside] = 0
    for truth in whole.truths:
        truth.hide(beyond)
    return whole.seen_as(whole.rgb[inside], moved(0, -ends[0]))


def _cut(whole: Photograph, rng: Rng, share: float) -> Photograph:
    (truth,) = whole.truths
    corners = np.concatenate([truth.corners(cell) for cell in truth.labels])
    axis, end = divmod(int(rng.integers(4)), 2)
    lost = share * np.ptp(corners[:, axis])
    at = corners[:, axis].max() - lost if end else corners[:, axis].min() + lost
    return _cropped(whole, axis, end, int(at))


def _spot(table: Table) -> tuple[Matrix, float]:
    """The middle (2,) of one of the squares, and its side there in pixels."""
    truth = table.truths[0]
    middle = truth.middle(any_of(list(truth.labels), table.rng))
    return middle, table.scale_at(middle)


def _light(table: Table, light: Floats, tint: tuple[float, float, float]) -> None:
    """Add light (h, w) that hides what is below."""
    table.hide(np.clip((light - 60) / 100, 0, 1).astype(np.float32))
    table.rgb += light[..., None] * np.array(tint, np.float32)


def _glare(table: Table, count: int, low: float, high: float) -> None:
    total = np.zeros(table.rgb.shape[:2], np.float32)
    for _ in range(count):
        at, px = _spot(table)
        total += _mirrored_light(table, at, px * table.rng.uniform(low, high))
    _light(table, total, (1.0, 0.97, 0.92))


def _mirrored(whole: Photograph, rng: Rng) -> Photograph:
    flip = np.array([[-1, 0, whole.rgb.shape[1] - 1], [0, 1, 0], [0, 0, 1.0]])
    return whole.seen_as(whole.rgb[:, ::-1], flip)


def _grey(whole: Photograph, rng: Rng) -> Photograph:
    grey = cv2.cvtColor(cv2.cvtColor(whole.rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return replace(whole, rgb=np.asarray(grey, np.uint8))


def cut_at_edge(
    whole: Photograph, rng: Rng, share: tuple[float, float], beyond: bool
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
    here, there = (np.mean([truth.middle(cell) for cell in cells], 0) for cells in (outer, inner))
    across = here - there
    way = int(np.argmax(np.abs(across)))
    sign, left = np.sign(across[way]), rng.uniform(*share) * abs(across[way])
    ends = sign * np.array([truth.corners(cell)[:, way] for cell in outer])
    at = round(sign * (left + (ends.max() if beyond else ends.min(1).mean())))
    return _cropped(whole, way, int(sign > 0), int(np.clip(at, 0, whole.rgb.shape[1 - way])))


STRIP, BESIDE = (0.14, 0.33), (0.03, 0.7)


def _edge_at(share: tuple[float, float], beyond: bool) -> Condition:
    cut = partial(cut_at_edge, share=share, beyond=beyond)
    return partial(_laid, develop=cut, tilt=lambda rng: abs(rng.normal(0, 4)), turn_sd_deg=1.5)


def _beside_pictures(
    bench: PictureSource, sheet: Sheet, rng: Rng, kind: Callable[..., Sheet], count: int
) -> Photograph:
    printed = kind([bench.another(sheet, rng) for _ in range(count)], rng)
    at = (sheet.size[0] + rng.uniform(0.4, 1.2), (sheet.size[1] - printed.size[1]) / 2)
    return _taken(bench.table(rng, Place(sheet), Place(printed, at, rng.normal(0, 8))))


def _across(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    other = bench.another(sheet, rng)
    far = (rng.normal(0, 1), -other.size[1] - rng.uniform(2.5, 4.5))
    view = {"tilt_deg": rng.uniform(45, 57), "turn_deg": rng.normal(0, 5), "distance": 10.0}
    return _taken(bench.table(rng, Place(sheet), Place(other, far, rng.normal(0, 4)), **view))


def _too_large(bench: PictureSource, one: Sheet, rng: Rng) -> Photograph:
    """The rows of one kingdom below those of another, whose castle becomes a square beside it."""
    other = bench.another(one, rng)
    width, height = max(one.size[0], other.size[0]), one.size[1] + other.size[1]
    rgb = np.zeros((height * SQUARE_PX, width * SQUARE_PX, 3), np.uint8)
    alpha = np.zeros(rgb.shape[:2], np.float32)
    labels: dict[Position, str] = {}
    for sheet, top in ((one, 0), (other, one.size[1])):
        area = area_of((top, 0), (top + sheet.size[1] - 1, sheet.size[0] - 1))
        rgb[area], alpha[area] = sheet.rgb, sheet.alpha
        for (row, column), label in sheet.labels.items():
            if label == "c" and "c" in labels.values():
                source = any_of([cell for cell in sheet.labels if sheet.labels[cell] != "c"], rng)
                rgb[area_of((top + row, column))] = sheet.rgb[area_of(source)]
                label = sheet.labels[source]
            labels[row + top, column] = label
    return _laid(bench, replace(one, rgb=rgb, alpha=alpha, labels=labels), rng)


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
    "two kingdoms, half a row off": partial(_two, low=0.02, high=0.3, shift=0.5),
    "three to five kingdoms": _several,
    "hand over 1 square": _after(_hand, count=1),
    "hand over 2 squares": _after(_hand, count=2),
    "hand over 3 squares": _after(_hand, count=3),
    "playing card": _after(_things, put=_put_card, spread=0.5),
    "drinking glass": _after(_things, put=_put_glass, spread=0.5),
    "cut off by 10 %": partial(_laid, develop=partial(_cut, share=0.1)),
    "cut off by 20 %": partial(_laid, develop=partial(_cut, share=0.2)),
    "cut off by 35 %": partial(_laid, develop=partial(_cut, share=0.35)),
    "tilt 45°": partial(_laid, tilt=lambda rng: 45 + rng.normal(0, 1)),
    "tilt 60°": partial(_laid, tilt=lambda rng: 60 + rng.normal(0, 1)),
    "tilt 70°": partial(_laid, tilt=lambda rng: 70 + rng.normal(0, 1)),
    "glare, three small": _after(_glare, count=3, low=0.2, high=0.4),
    "glare, two large": _after(_glare, count=2, low=0.7, high=1.1),
    "glare, one huge": _after(_glare, count=1, low=1.8, high=2.4),
    "motion blur 25 %": _after(_blurred, share=0.25, shaky=True),
    "motion blur 40 %": _after(_blurred, share=0.4, shaky=True),
    "defocus 12 %": _after(_blurred, share=0.12),
    "defocus 20 %": _after(_blurred, share=0.2),
    "low light": _after(_darkened, gain=0.3, grain=6.0),
    "very low light": _after(_darkened, gain=0.13, grain=8.0),
    "night mode": _after(_darkened, gain=0.12, grain=6.0, lifted=True),
    "one king figure": _after(_things, put=_put_figure, spread=0.25),
    "three king figures": _after(_things, put=_put_figure, spread=0.25, least=3, most=3),
    "mirrored": partial(_laid, develop=_mirrored),
    "black and white": partial(_laid, develop=_grey),
    "strip of the next row, 0.14–0.33 wide": _edge_at(STRIP, beyond=False),
    "edge of the picture beside the kingdom": _edge_at(BESIDE, beyond=True),
    "rules sheet with pictures": partial(_beside_pictures, kind=scenes.rules_sheet, count=3),
    "phone with a gallery": partial(_beside_pictures, kind=scenes.gallery, count=8),
    "gingham": partial(_laid, cloth=scenes.gingham),
    "chequered cloth": partial(_laid, cloth=scenes.chequered),
    "across the table": _across,
    "larger than allowed": _too_large,
    "tokens": _after(_things, put=_put_token, spread=0.2, least=4, most=8),
    "tall castle": partial(_laid, change=_castle, tilt=lambda rng: rng.uniform(15, 40)),
    "window reflection": _after(_window),
    "overdone HDR": _after(_overdone_hdr),
    "soft focus": _after(_soft_focus),
    "panorama": _panorama,
    "sky in the lacquer": _after(_sky),
    "sun through a blind": _after(_blind),
}
"""In the order in which they were added, which their random numbers depend on."""
