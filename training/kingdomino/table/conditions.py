"""The conditions of the table, each a way to compose one photograph: what lies there often, then
edges of the picture, cloths with checks, printed pictures of kingdoms, far seats, kingdoms larger
than allowed, lenses and apps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.light import defocused, shaken
from training.common.synthetic import jpeg_bytes
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table.scenes import (
    SQUARE_PX,
    Cloth,
    Place,
    Sheet,
    Table,
    Truth,
    beside,
    cut_domino,
    load_kingdoms,
)
from training.kingdomino.table.things import (
    chequered,
    darkened,
    gallery,
    gingham,
    mirrored_light,
    overdone_hdr,
    put_card,
    put_castle,
    put_figure,
    put_glass,
    put_hand,
    put_token,
    rules_sheet,
    soft_focus,
    window_light,
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


def alone(bench: PictureSource, sheet: Sheet, rng: Rng, tilt_deg: float | None = None) -> Table:
    """A table with one kingdom on it."""
    return Table(bench.surface(rng), [Place(sheet)], rng, tilt_deg=tilt_deg)


def _after(change: Callable[..., None], **how: object) -> Condition:
    """The condition in which a table with one kingdom is changed before it is photographed."""

    def composed(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
        change(table, rng, **how)
        return taken(table)

    return composed


def _clean(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    return taken(alone(bench, sheet, rng))


def _loose(
    bench: PictureSource, sheet: Sheet, rng: Rng, low: float, high: float, askew: bool = False
) -> Photograph:
    domino = cut_domino(bench.another(sheet, rng), rng)
    gap = float(rng.uniform(low, high))
    at = beside(sheet, domino, gap, rng)
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
            put_figure(table.rgb, spot, table.scale_at(spot), rng, up=table.up)
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
        mask = put_hand(table.rgb, spot, ahead, table.scale_at(spot), rng)
        table.hide(mask)
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
        at = spot + rng.normal(0, spread, 2) * px
        up = {"up": table.up} if put is put_figure else {}
        table.hide(put(table.rgb, at, px, rng, **up))


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
    whole = _clean(bench, sheet, rng)
    truth = whole.truths[0]
    corners = np.concatenate([truth.corners(cell) for cell in truth.labels])
    low, high = corners.min(0), corners.max(0)
    axis, end = divmod(int(rng.integers(4)), 2)
    lost = share * (high - low)[axis]
    ends = [[0, 0], [*whole.rgb.shape[1::-1]]]
    ends[end][axis] = int(high[axis] - lost if end else low[axis] + lost)
    return _cropped(whole, *ends)


def _tilted(bench: PictureSource, sheet: Sheet, rng: Rng, degrees: float) -> Photograph:
    return taken(alone(bench, sheet, rng, degrees + float(rng.normal(0, 1))))


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
        total += mirrored_light(table.rgb.shape, spot, radius, rng)
    _lit(table, total, (1.0, 0.97, 0.92))


def _mirrored(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    whole = _clean(bench, sheet, rng)
    flip = np.array([[-1, 0, whole.rgb.shape[1] - 1], [0, 1, 0], [0, 0, 1.0]])
    truths = tuple(Truth(t.labels, flip @ t.view) for t in whole.truths)
    return Photograph(np.ascontiguousarray(whole.rgb[:, ::-1]), truths)


def _grey(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    whole = _clean(bench, sheet, rng)
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
    side = float(abs(across[way]))
    left = float(rng.uniform(*share)) * side
    ends = [truth.corners(cell)[:, way] for cell in outer]
    forward = across[way] > 0
    near = np.mean([each.min() if forward else each.max() for each in ends])
    far = np.max(ends) if forward else np.min(ends)
    at = far if beyond else near
    at = round(at + left if forward else at - left)
    corners = [[0, 0], [*whole.rgb.shape[1::-1]]]
    corners[int(forward)][way] = int(np.clip(at, 0, corners[1][way]))
    return _cropped(whole, *corners)


STRIP, BESIDE = (0.14, 0.33), (0.03, 0.7)


def _edge_at(
    bench: PictureSource, sheet: Sheet, rng: Rng, share: tuple[float, float], beyond: bool
) -> Photograph:
    tilt_deg = float(abs(rng.normal(0, 4)))
    table = Table(bench.surface(rng), [Place(sheet)], rng, tilt_deg=tilt_deg, turn_sd_deg=1.5)
    return cut_at_edge(taken(table), share, beyond, rng)


def _beside_pictures(
    bench: PictureSource, sheet: Sheet, rng: Rng, kind: Callable[..., Sheet], count: int
) -> Photograph:
    shown = [bench.another(sheet, rng) for _ in range(count)]
    printed = kind(shown, rng)
    w, h = sheet.size
    at = (w + float(rng.uniform(0.4, 1.2)), (h - printed.size[1]) / 2)
    places = [Place(sheet), Place(printed, at, float(rng.normal(0, 8)), is_kingdom=False)]
    return taken(Table(bench.surface(rng), places, rng))


def _on_cloth(
    bench: PictureSource, sheet: Sheet, rng: Rng, cloth: Callable[[Rng], Cloth]
) -> Photograph:
    return taken(Table(bench.surface(rng), [Place(sheet)], rng, cloth=cloth(rng)))


def _across(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    other = bench.another(sheet, rng)
    far = (float(rng.normal(0, 1)), -other.size[1] - float(rng.uniform(2.5, 4.5)))
    tilt_deg, turn_deg = float(rng.uniform(45, 57)), float(rng.normal(0, 5))
    places = [Place(sheet), Place(other, far, float(rng.normal(0, 4)))]
    surface = bench.surface(rng)
    return taken(Table(surface, places, rng, tilt_deg=tilt_deg, turn_deg=turn_deg, distance=10.0))


def _joined(one: Sheet, other: Sheet, rng: Rng) -> Sheet:
    """The rows of one kingdom below those of another, whose castle becomes a square beside it."""
    width = max(one.size[0], other.size[0])
    height = (one.size[1] + other.size[1]) * SQUARE_PX
    rgb = np.zeros((height, width * SQUARE_PX, 3), np.uint8)
    alpha = np.zeros(rgb.shape[:2], np.float32)
    labels = {}
    castles = 0
    for sheet, top in ((one, 0), (other, one.size[1])):
        low = top * SQUARE_PX
        area = slice(low, low + sheet.rgb.shape[0]), slice(0, sheet.rgb.shape[1])
        rgb[area], alpha[area] = sheet.rgb, sheet.alpha
        for (row, column), label in sheet.labels.items():
            if label == "c" and castles:
                cells = [cell for cell in sheet.labels if sheet.labels[cell] != "c"]
                r, c = cells[int(rng.integers(len(cells)))]
                source = (slice(r * SQUARE_PX, (r + 1) * SQUARE_PX),
                          slice(c * SQUARE_PX, (c + 1) * SQUARE_PX))  # fmt: skip
                rgb[low + row * SQUARE_PX : low + (row + 1) * SQUARE_PX,
                    column * SQUARE_PX : (column + 1) * SQUARE_PX] = sheet.rgb[source]  # fmt: skip
                label = sheet.labels[r, c]
            castles += label == "c"
            labels[row + top, column] = label
    return Sheet(one.name, one.source, one.session, rgb, alpha, labels)


def _too_large(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    joined = _joined(sheet, bench.another(sheet, rng), rng)
    return taken(Table(bench.surface(rng), [Place(joined)], rng))


def _tall_castle(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    table = alone(bench, sheet, rng, float(rng.uniform(15, 40)))
    truth = table.truths[0]
    castle = next(cell for cell, label in truth.labels.items() if label == "c")
    spot = truth.middle(castle)
    table.hide(put_castle(table.rgb, truth.corners(castle), table.up, table.scale_at(spot), rng))
    truth.hidden[castle] = 0.0
    return taken(table)


def _window(table: Table, rng: Rng) -> None:
    spot = _spot(table.truths[0], rng)
    light = window_light(table.rgb.shape, spot, table.scale_at(spot), rng)
    _lit(table, light, (0.93, 0.98, 1.0))


def _developed(table: Table, rng: Rng, how: Callable[[Floats, float, Rng], Floats]) -> None:
    """The whole picture changed by a function of it, of the side of a square, and of chance."""
    table.rgb = how(table.rgb, table.square_px, rng)


CONDITIONS: dict[str, Condition] = {
    "nothing in the way": _clean,
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
    "playing card": _after(_things, put=put_card, spread=0.5),
    "drinking glass": _after(_things, put=put_glass, spread=0.5),
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
    "low light": _after(_developed, how=lambda rgb, px, rng: darkened(rgb, "low", rng)),
    "very low light": _after(_developed, how=lambda rgb, px, rng: darkened(rgb, "very low", rng)),
    "night mode": _after(_developed, how=lambda rgb, px, rng: darkened(rgb, "night", rng)),
    "one king figure": _after(_things, put=put_figure, spread=0.25),
    "three king figures": _after(_things, put=put_figure, spread=0.25, least=3, most=3),
    "mirrored": _mirrored,
    "black and white": _grey,
    "strip of the next row, 0.14–0.33 wide": partial(_edge_at, share=STRIP, beyond=False),
    "edge of the picture beside the kingdom": partial(_edge_at, share=BESIDE, beyond=True),
    "rules sheet with pictures": partial(_beside_pictures, kind=rules_sheet, count=3),
    "phone with a gallery": partial(_beside_pictures, kind=gallery, count=8),
    "gingham": partial(_on_cloth, cloth=gingham),
    "chequered cloth": partial(_on_cloth, cloth=chequered),
    "across the table": _across,
    "larger than allowed": _too_large,
    "tokens": _after(_things, put=put_token, spread=0.2, least=4, most=8),
    "tall castle": _tall_castle,
    "window reflection": _after(_window),
    "overdone HDR": _after(_developed, how=lambda rgb, px, rng: overdone_hdr(rgb, px)),
    "soft focus": _after(_developed, how=soft_focus),
}
"""The conditions in the order in which they were added, which their random numbers depend on."""
