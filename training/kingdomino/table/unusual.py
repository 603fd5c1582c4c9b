"""Conditions beyond what lies on a table as a rule: edges of the picture, cloths with checks,
printed pictures of kingdoms, far seats, kingdoms larger than allowed, lenses and apps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.kingdomino.table.conditions import (
    USUAL,
    Condition,
    Photograph,
    PictureSource,
    alone,
    taken,
)
from training.kingdomino.table.scenes import (
    SQUARE_PX,
    Camera,
    Cloth,
    Place,
    Sheet,
    Table,
    Truth,
)
from training.kingdomino.table.surroundings import (
    chequered,
    gallery,
    gingham,
    overdone_hdr,
    put_castle,
    put_token,
    rules_sheet,
    soft_focus,
    window_light,
)

Floats = NDArray[np.float32]
Rng = np.random.Generator


def _cropped(whole: Photograph, low: tuple[int, int], high: tuple[int, int]) -> Photograph:
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
    low, high = [0, 0], [whole.rgb.shape[1], whole.rgb.shape[0]]
    if forward:
        high[way] = min(at, high[way])
    else:
        low[way] = max(at, 0)
    return _cropped(whole, (low[0], low[1]), (high[0], high[1]))


STRIP, BESIDE = (0.14, 0.33), (0.03, 0.7)


def _edge_at(share: tuple[float, float], beyond: bool) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        camera = Camera(tilt_deg=float(abs(rng.normal(0, 4))), turn_sd_deg=1.5)
        table = Table(bench.surface(rng), [Place(sheet)], rng, camera=camera)
        return cut_at_edge(taken(table), share, beyond, rng)

    return compose


def _beside_pictures(kind: Callable[..., Sheet], count: int) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        shown = [bench.another(sheet, rng) for _ in range(count)]
        printed = kind(shown, rng)
        w, h = sheet.size
        at = (w + float(rng.uniform(0.4, 1.2)), (h - printed.size[1]) / 2)
        places = [Place(sheet), Place(printed, at, float(rng.normal(0, 8)), is_kingdom=False)]
        return taken(Table(bench.surface(rng), places, rng))

    return compose


def _on_cloth(cloth: Callable[[Rng], Cloth]) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        return taken(Table(bench.surface(rng), [Place(sheet)], rng, cloth=cloth(rng)))

    return compose


def _across(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    other = bench.another(sheet, rng)
    far = (float(rng.normal(0, 1)), -other.size[1] - float(rng.uniform(2.5, 4.5)))
    camera = Camera(
        tilt_deg=float(rng.uniform(45, 57)), turn_deg=float(rng.normal(0, 5)), distance=10.0
    )
    places = [Place(sheet), Place(other, far, float(rng.normal(0, 4)))]
    return taken(Table(bench.surface(rng), places, rng, camera=camera))


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


def _tokens(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    table = alone(bench, sheet, rng)
    truth = table.truths[0]
    cells = list(truth.labels)
    for k in rng.permutation(len(cells))[: int(rng.integers(4, 9))]:
        spot = truth.middle(cells[int(k)])
        px = table.scale_at(spot)
        table.hide(put_token(table.rgb, spot + rng.normal(0, 0.2, 2) * px, px, rng))
    return taken(table)


def _tall_castle(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    table = alone(bench, sheet, rng, float(rng.uniform(15, 40)))
    truth = table.truths[0]
    castle = next(cell for cell, label in truth.labels.items() if label == "c")
    spot = truth.middle(castle)
    table.hide(put_castle(table.rgb, truth.corners(castle), table.up, table.scale_at(spot), rng))
    truth.hidden[castle] = 0.0
    return taken(table)


def _window(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
    table = alone(bench, sheet, rng)
    truth = table.truths[0]
    cells = list(truth.labels)
    spot = truth.middle(cells[int(rng.integers(len(cells)))])
    light = window_light(table.rgb.shape, spot, table.scale_at(spot), rng)
    table.hide(np.clip((light - 60) / 100, 0, 1).astype(np.float32))
    table.rgb += light[..., None] * np.array([0.93, 0.98, 1.0], np.float32)
    return taken(table)


def _developed(how: Callable[[Floats, float, Rng], Floats]) -> Condition:
    def compose(bench: PictureSource, sheet: Sheet, rng: Rng) -> Photograph:
        table = alone(bench, sheet, rng)
        table.rgb = how(table.rgb, table.square_px, rng)
        return taken(table)

    return compose


CONDITIONS: dict[str, Condition] = {
    **USUAL,
    "strip of the next row, 0.14–0.33 wide": _edge_at(STRIP, beyond=False),
    "edge of the picture beside the kingdom": _edge_at(BESIDE, beyond=True),
    "rules sheet with pictures": _beside_pictures(rules_sheet, 3),
    "phone with a gallery": _beside_pictures(gallery, 8),
    "gingham": _on_cloth(gingham),
    "chequered cloth": _on_cloth(chequered),
    "across the table": _across,
    "larger than allowed": _too_large,
    "tokens": _tokens,
    "tall castle": _tall_castle,
    "window reflection": _window,
    "overdone HDR": _developed(lambda rgb, px, rng: overdone_hdr(rgb, px)),
    "soft focus": _developed(soft_focus),
}
"""The conditions in the order in which they were added, which their random numbers depend on."""
