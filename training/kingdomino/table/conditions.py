"""The conditions of the table, each a way to compose one photograph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.common.synthetic import jpeg_bytes
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table.scenes import (
    Camera,
    Place,
    Sheet,
    Table,
    Truth,
    beside,
    cut_domino,
    load_kingdoms,
)
from training.kingdomino.table.things import (
    darkened,
    defocused,
    mirrored_light,
    put_card,
    put_figure,
    put_glass,
    put_hand,
    shaken,
)

Image = NDArray[np.uint8]
Rng = np.random.Generator

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


def alone(bench: PictureSource, sheet: Sheet, rng: Rng, tilt_deg: float | None = None) -> Table:
    """A table with one kingdom on it."""
    return Table(bench.surface(rng), [Place(sheet)], rng, camera=Camera(tilt_deg))


def _clean(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    return taken(alone(bench, sheet, rng))


def _loose(low: float, high: float, askew: bool = False) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        domino = cut_domino(bench.another(sheet, rng), rng)
        gap = float(rng.uniform(low, high))
        at = beside(sheet, domino, gap, rng)
        turn = float(rng.choice([-1, 1]) * rng.uniform(12, 25)) if askew else 0.0
        places = [Place(sheet), Place(domino, at, turn, is_kingdom=False)]
        return taken(Table(bench.surface(rng), places, rng))

    return compose


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
            put_figure(table.rgb, spot, table.up, table.scale_at(spot), rng)
    return taken(table)


def _two(low: float, high: float, half: bool = False) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        other = bench.another(sheet, rng)
        shift = 0.5 + float(rng.integers(-1, 2)) if half else float(rng.integers(-1, 2))
        at = beside(sheet, other, float(rng.uniform(low, high)), rng, shift)
        return taken(Table(bench.surface(rng), [Place(sheet), Place(other, at)], rng))

    return compose


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


def _hand(count: int) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
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
            mask = put_hand(table.rgb, spot, ahead, table.scale_at(spot), rng)
            table.hide(mask)
            if sum(share >= HIDDEN for share in truth.hidden.values()) == count:
                break
        return taken(table)

    return compose


def _thing(kind: str, count: int = 1) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
        truth = table.truths[0]
        cells = list(truth.labels)
        for k in rng.permutation(len(cells))[:count]:
            spot = truth.middle(cells[int(k)])
            px = table.scale_at(spot)
            spot = spot + rng.normal(0, 0.25 if kind == "figure" else 0.5, 2) * px
            if kind == "card":
                table.hide(put_card(table.rgb, spot, px, rng))
            elif kind == "glass":
                table.hide(put_glass(table.rgb, spot, px, rng))
            else:
                table.hide(put_figure(table.rgb, spot, table.up, px, rng))
        return taken(table)

    return compose


def _cut(share: float) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        whole = _clean(bench, sheet, rng)
        truth = whole.truths[0]
        corners = np.concatenate([truth.corners(cell) for cell in truth.labels])
        low, high = corners.min(0), corners.max(0)
        height, width = whole.rgb.shape[:2]
        side = int(rng.integers(4))
        left, top = 0, 0
        if side == 0:
            left = int(low[0] + share * (high[0] - low[0]))
        elif side == 1:
            width = int(high[0] - share * (high[0] - low[0]))
        elif side == 2:
            top = int(low[1] + share * (high[1] - low[1]))
        else:
            height = int(high[1] - share * (high[1] - low[1]))
        rgb = np.ascontiguousarray(whole.rgb[top:height, left:width])
        move = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        cut = Truth(truth.labels, move @ truth.view)
        grown = np.ones((whole.rgb.shape[0], whole.rgb.shape[1]), np.float32)
        grown[top:height, left:width] = 0
        truth.hide(grown)
        cut.hidden = truth.hidden
        return Photograph(rgb, (cut,))

    return compose


def _tilted(degrees: float) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        return taken(alone(bench, sheet, rng, degrees + float(rng.normal(0, 1))))

    return compose


def _glare(count: int, low: float, high: float) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
        truth = table.truths[0]
        cells = list(truth.labels)
        total = np.zeros(table.rgb.shape[:2], np.float32)
        for _ in range(count):
            spot = truth.middle(cells[int(rng.integers(len(cells)))])
            radius = table.scale_at(spot) * float(rng.uniform(low, high))
            total += mirrored_light(table.rgb.shape, spot, radius, rng)
        table.hide(np.clip((total - 60) / 100, 0, 1).astype(np.float32))
        table.rgb += total[..., None] * np.array([1.0, 0.97, 0.92], np.float32)
        return taken(table)

    return compose


def _blurred(kind: str, share: float) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
        length = share * table.square_px
        blur = shaken(table.rgb, length, rng) if kind == "shaken" else defocused(table.rgb, length)
        table.rgb = blur
        return taken(table)

    return compose


def _dark(level: str) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
        table.rgb = darkened(table.rgb, level, rng)
        return taken(table)

    return compose


def _mirrored(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    whole = _clean(bench, sheet, rng)
    flip = np.array([[-1, 0, whole.rgb.shape[1] - 1], [0, 1, 0], [0, 0, 1.0]])
    truths = tuple(Truth(t.labels, flip @ t.view) for t in whole.truths)
    return Photograph(np.ascontiguousarray(whole.rgb[:, ::-1]), truths)


def _grey(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    whole = _clean(bench, sheet, rng)
    grey = cv2.cvtColor(cv2.cvtColor(whole.rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return Photograph(np.asarray(grey, np.uint8), whole.truths)


USUAL: dict[str, Condition] = {
    "nothing in the way": _clean,
    "loose domino aligned, gap 0.05–0.2": _loose(0.05, 0.2),
    "loose domino aligned, gap 0.25–0.4": _loose(0.25, 0.4),
    "loose domino at 12–25°": _loose(0.1, 0.4, askew=True),
    "draft row with kings": _draft,
    "two kingdoms, gap 0.05–0.2": _two(0.05, 0.2),
    "two kingdoms, gap 0.25–0.45": _two(0.25, 0.45),
    "two kingdoms, gap 0.5–0.8": _two(0.5, 0.8),
    "two kingdoms, gap 1.0": _two(1.0, 1.0),
    "two kingdoms, half a row off": _two(0.02, 0.3, half=True),
    "three to five kingdoms": _several,
    "hand over 1 square": _hand(1),
    "hand over 2 squares": _hand(2),
    "hand over 3 squares": _hand(3),
    "playing card": _thing("card"),
    "drinking glass": _thing("glass"),
    "cut off by 10 %": _cut(0.1),
    "cut off by 20 %": _cut(0.2),
    "cut off by 35 %": _cut(0.35),
    "tilt 45°": _tilted(45),
    "tilt 60°": _tilted(60),
    "tilt 70°": _tilted(70),
    "glare, three small": _glare(3, 0.2, 0.4),
    "glare, two large": _glare(2, 0.7, 1.1),
    "glare, one huge": _glare(1, 1.8, 2.4),
    "motion blur 25 %": _blurred("shaken", 0.25),
    "motion blur 40 %": _blurred("shaken", 0.4),
    "defocus 12 %": _blurred("defocused", 0.12),
    "defocus 20 %": _blurred("defocused", 0.2),
    "low light": _dark("low"),
    "very low light": _dark("very low"),
    "night mode": _dark("night"),
    "one king figure": _thing("figure"),
    "three king figures": _thing("figure", 3),
    "mirrored": _mirrored,
    "black and white": _grey,
}
