"""The faces and backs of dominoes, drawn flat: where the pips lie, prints, reflections, wear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from training.common.arrays import Floats, Image, Matrix, Rng
from training.pip_dominoes.scenes.style import Colour, Style, luminance

HIGHEST = 18

# Where in a row pips are: left, in the middle, right, or several of these.
_MARKS = {" ": (), "l": (-1.0,), "m": (0.0,), "r": (1.0,), "2": (-1.0, 1.0), "3": (-1.0, 0.0, 1.0)}
# Rows from the top.
_ROWS = {
    0: "", 1: " m ", 2: "r l", 3: "rml", 4: "2 2", 5: "2m2", 6: "222", 7: "232", 8: "323",
    9: "333", 10: "3223", 12: "3333", 13: "32323", 14: "33233", 15: "33333", 16: "323323",
    18: "333333",
}  # fmt: skip
# The pips of an outer column, and how high those of the middle one lie, between the others' rows.
_COLUMNS = {11: (4, (-1.0, 0.0, 1.0)), 17: (6, (-1.0, -0.6, 0.0, 0.6, 1.0))}
# Other printings: outer columns of so many pips, and the middle one of so many evenly spread.
_OTHER = {
    10: ((3, 4), (4, 2)), 11: ((4, 3),), 13: ((4, 5), (5, 3)), 14: ((5, 4),),
    16: ((5, 6), (6, 4)), 17: ((6, 5),),
}  # fmt: skip


def _of_columns(outer: int, middle: Iterable[float]) -> Matrix:
    sides = [(x, y) for x in (-1.0, 1.0) for y in np.linspace(-1, 1, outer)]
    return np.array([*sides, *((0.0, y) for y in middle)])


def common_layout(number: int) -> Matrix:
    """The places (number, 2) of the pips as most sets print them, 0 to 18."""
    if number in _COLUMNS:
        return _of_columns(*_COLUMNS[number])
    rows = zip(_ROWS[number], np.linspace(-1, 1, len(_ROWS[number])), strict=True)
    return np.array([(x, y) for row, y in rows for x in _MARKS[row]]).reshape(-1, 2)


def varied_layout(number: int, turned: bool, mirrored: bool, other: int) -> Matrix:
    """A layout as some maker prints it.

    ``turned`` by a quarter, ``mirrored``, or of the ``other``-th kind of columns (0 is common).
    """
    places, kinds = common_layout(number), _OTHER.get(number)
    if other and kinds:
        outer, middle = kinds[(other - 1) % len(kinds)]
        reach = 1 if middle > 2 else 0.35
        places = _of_columns(outer, np.linspace(-reach, reach, middle))
    if mirrored:
        places = places * (-1, 1)
    if turned:
        places = places[:, ::-1] * (1, -1)
    return places


_PRINT_LETTERS = "ABCDEFGHKLMNOPQRSTUVWXYZ"
# How common each trait is among sets.
_PRINT, _SIDE, _THICK, _FILM, _GLOSS, _WORN = 0.4, 0.3, 0.15, 0.1, 0.3, 0.08
_BARLESS, _HOLES = 0.2, 0.2


def with_rare_traits(style: Style, rng: Rng) -> Style:
    """The set with traits that fewer sets have, each by lot.

    Large prints on the backs, sides of two colours, thick tiles, sharp and soft reflections, worn
    pips; and dark sets more often without a bar and with holes where there is no pip.
    """
    if rng.random() < _PRINT:
        style = replace(style, back="print")
    if rng.random() < _SIDE:
        style = replace(style, side=style.back_colour)
    if rng.random() < _THICK:
        style = replace(style, thickness=rng.uniform(0.5, 0.95))
    if rng.random() < _FILM:
        style = replace(style, film=rng.uniform(0.03, 0.25))
    if rng.random() < _GLOSS:
        style = replace(style, gloss=rng.uniform(0.15, 1.0))
    if rng.random() < _WORN:
        style = replace(style, worn=rng.uniform(0.2, 0.8))
    if luminance(style.body) < 110:
        if rng.random() < _BARLESS:
            style = replace(style, bar_width=0.0)
        if style.highest <= 9 and rng.random() < _HOLES:
            style = replace(style, empty_holes=True)
    return style


def reflected(face: Floats, style: Style, rng: Rng) -> Floats:
    """A face (h, w, 3) that mirrors a window, or a lamp in creases; pips still show through."""
    height, width = face.shape[:2]
    if rng.random() < style.gloss:
        # A band of light across the tile, soft or sharp at its edges.
        angle = rng.uniform(0, np.pi)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / height
        across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
        wide, soft = rng.uniform(0.1, 0.6), rng.uniform(0.02, 0.3)
        away = np.abs(across - np.float32(rng.uniform(-0.3, 2.0))) - np.float32(wide)
        band = np.clip(0.5 - away / np.float32(soft), 0, 1)
        face = _lit(face, np.float32(style.gloss * rng.uniform(0.15, 0.65)) * band, rng)
    if style.film and rng.random() < 0.7:
        cells = int(rng.integers(5, 16))
        small = rng.standard_normal((cells, 2 * cells)).astype(np.float32)
        coarse = rng.standard_normal((3, 4)).astype(np.float32)
        small += 1.5 * cv2.resize(coarse, (2 * cells, cells))
        creases = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
        above = creases - np.float32(np.quantile(creases[::4, ::4], 1 - style.film))
        sharp = np.clip(above * np.float32(rng.uniform(2, 12)), 0, 1)
        face = _lit(face, np.float32(rng.uniform(0.25, 0.75)) * sharp, rng)
    return face


def _lit(face: Floats, share: Floats, rng: Rng) -> Floats:
    """The face with a share (h, w) of every pixel from a lamp's mirror image."""
    lamp = np.array([1.0, rng.uniform(0.93, 1.0), rng.uniform(0.85, 1.05)], np.float32) * 262
    return np.asarray(face + (lamp - face) * share[..., None], np.float32)


def draw_print(face: Floats, tone: Colour, rng: Rng) -> None:
    """A maker's print in the middle of a back (h, w, 3): letters, a ring, a bar with dots."""
    height, width = face.shape[:2]
    # Letters stand along the tile or across it.
    along = rng.random() < 0.5
    wide, high = (width, height) if along else (height, width)
    ink = np.zeros((high, wide), np.uint8)
    text = "".join(rng.choice(list(_PRINT_LETTERS), int(rng.integers(1, 5))))
    font, thick = int(rng.choice([0, 2, 3, 4])), max(round(height * rng.uniform(0.02, 0.12)), 1)
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = rng.uniform(0.4, 0.9) * min(wide / w, 0.6 * high / h)
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    foot = ((wide - w) // 2, (high + h) // 2 - round(rng.uniform(0, 0.15) * high))
    cv2.putText(ink, text, foot, font, scale, 255, thick, cv2.LINE_AA)
    left, right = (wide - w) // 2, (wide + w) // 2
    under = foot[1] + round(rng.uniform(0.05, 0.2) * height)
    extra = rng.random(3)
    if extra[0] < 0.5:
        strong = max(round(height * rng.uniform(0.02, 0.1)), 1)
        cv2.line(ink, (left, under), (right, under), 255, strong, cv2.LINE_AA)
        if extra[1] < 0.5:
            for x in np.linspace(left, right, int(rng.integers(3, 8))):
                cv2.circle(ink, (round(float(x)), under), max(strong // 3, 1), 0, -1, cv2.LINE_AA)
    if extra[2] < 0.3:
        middle = (wide // 2, high // 2)
        radius = round(rng.uniform(0.25, 0.45) * height)
        cv2.circle(ink, middle, radius, 255, max(round(0.04 * height), 1), cv2.LINE_AA)
    if not along:
        ink = np.rot90(ink, 1 if rng.random() < 0.5 else 3)
    put_ink(face, ink, tone)


def put_ink(picture: Floats, ink: Image, tone: ArrayLike) -> None:
    """Colour a picture (h, w, 3) where there is ``ink`` (h, w), 0..255."""
    picture += (np.asarray(tone, np.float32) - picture) * (ink[..., None] / np.float32(255))


_SHIFT = 4
_LETTERS = "ABCDEFGHKLMNORST"


def rounded_outline(length: float, rounding: float) -> Matrix:
    """The outline (24, 2) of a tile about its middle, x along it; in short sides."""
    angle = np.add.outer(np.arange(4), np.linspace(0, 1, 6)).ravel() * np.pi / 2
    signs = np.repeat([(1, 1), (-1, 1), (-1, -1), (1, -1)], 6, axis=0)
    arc = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.asarray(arc * rounding + signs * (length / 2 - rounding, 0.5 - rounding))


def pip_places(style: Style, halves: tuple[int, int]) -> list[Matrix]:
    """Per half, the places (n, 2) of its pips about the tile's middle, x along; in short sides."""
    reach_across, reach_along = 0.5 - style.margin, style.length / 4 - style.margin * 0.95
    places = []
    for sign, number in zip((-1, 1), halves, strict=True):
        layout = varied_layout(number, style.turned, style.mirrored, style.other)
        along = sign * style.length / 4 + layout[:, 1] * reach_along
        places.append(np.column_stack([along, layout[:, 0] * reach_across * sign]))
    return places


def _canvas(style: Style, tile_px: int, colour: Colour, rng: Rng) -> Floats:
    width = round(style.length * tile_px)
    face = np.full((tile_px, width, 3), colour, np.float32)
    if style.grain:
        fine = rng.standard_normal((max(tile_px // 3, 4), 5)).astype(np.float32)
        if rng.random() < 0.5:
            fine = fine.T
        face += style.grain * cv2.resize(fine, (width, tile_px))[..., None]
    if style.speckle:
        fine = rng.standard_normal((tile_px // 2, width // 2)).astype(np.float32)
        soft = cv2.GaussianBlur(fine, (0, 0), 1.2)
        face += style.speckle * cv2.resize(soft, (width, tile_px))[..., None]
    rim = max(round(0.05 * tile_px), 1)
    light = 1 + style.edge_light
    cv2.rectangle(face, (0, 0), (width - 1, tile_px - 1), tuple(v * light for v in colour), rim)
    return face


def _disc(face: Floats, at: Matrix, radius: float, colour: Colour) -> None:
    centre = tuple(int(v) for v in np.round(at * (1 << _SHIFT)))
    cv2.circle(face, centre, max(round(radius * (1 << _SHIFT)), 8), colour, -1, cv2.LINE_AA, _SHIFT)


# The discs of each kind of pip, from below: how far towards the light and how large, in radii;
# whether of the pip's colour or of the body's, times what and how much brighter.
_DISCS: dict[str, tuple[tuple[float, float, bool, float, float], ...]] = {
    "flat": ((0, 1, True, 1, 0),),
    "hollow": ((-0.15, 1.08, False, 0.72, 0), (0, 1, True, 1, 0), (0.4, 0.45, True, 0.75, 45)),
    "ball": ((0, 1, True, 0.8, 0), (-0.15, 0.75, True, 1, 0), (-0.4, 0.25, True, 0.4, 150)),
    "ring": ((0, 1.1, True, 1, 0), (0, 0.35, False, 1, 0)),
}


def _numeral(face: Floats, half: int, number: int, style: Style, tile_px: int) -> None:
    """The number in figures, its feet towards the bar."""
    side, font, text = tile_px, style.numeral_font, str(number)
    patch = np.full((side, side, 3), np.array(style.body).clip(0, 255), np.uint8)
    scale, thick = side / 46, max(round(side / 16), 1)
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    scale *= min(1.0, 0.74 * side / w, 0.62 * side / h)
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    foot = ((side - w) // 2, (side + h) // 2)
    colour = style.pips[max(number - 1, 0)]
    cv2.putText(patch, text, foot, font, scale, colour, thick, cv2.LINE_AA)
    if number in (6, 9):
        under = foot[1] + max(side // 12, 2)
        cv2.line(patch, (foot[0], under), (foot[0] + w, under), colour, thick)
    turned = np.rot90(patch, 1 if half == 0 else 3)
    inner = slice(round(0.12 * side), round(0.88 * side))
    square = face[:, :side] if half == 0 else face[:, face.shape[1] - side :]
    square[inner, inner] = turned[inner, inner]


def draw_face(style: Style, halves: tuple[int, int], tile_px: int, rng: Rng) -> Floats:
    """The face (tile_px, length, 3) with x along the tile, the first half at the left."""
    face, body = _canvas(style, tile_px, style.body, rng), style.body
    width = face.shape[1]
    middle = np.array([width / 2 - 0.5, tile_px / 2 - 0.5])
    angle = rng.uniform(0, 2 * np.pi)
    light = np.array([np.cos(angle), np.sin(angle)])
    if style.border:
        inset = round((style.border + 0.06) * tile_px)
        low, high = (inset, inset), (width - inset, tile_px - inset)
        thick = max(round(style.border * tile_px / 2), 1)
        cv2.rectangle(face, low, high, style.pips[0], thick, cv2.LINE_AA)
    if style.bar_width:
        half_width = max(style.bar_width * tile_px / 2, 0.6)
        reach = 0.5 * style.bar_length * tile_px
        corners = middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (half_width, reach)
        bars = [(corners, style.bar)]
        if style.bar_groove:
            brighter = tuple(min(v * 1.1 + 14, 255) for v in body)
            bars.insert(0, (corners + (half_width * 0.6, 0), brighter))
        for bar, tone in bars:
            cv2.fillConvexPoly(face, np.round(bar * 16).astype(np.int32), tone, cv2.LINE_AA, 4)
    if style.pin:
        _disc(face, middle, style.pin * tile_px, tuple(v * 0.6 for v in style.pin_colour))
        _disc(face, middle - 0.01 * tile_px, style.pin * 0.8 * tile_px, style.pin_colour)
        _disc(face, middle - 0.02 * tile_px, style.pin * 0.3 * tile_px, (250, 245, 230))
    if style.empty_holes:
        hole = tuple(v * 0.6 if luminance(body) > 30 else v + 14 for v in body)
        for spot in np.concatenate(pip_places(style, (9, 9))):
            _disc(face, middle + spot * tile_px, style.pip_radius * 0.7 * tile_px, hole)
    radius = style.pip_radius * tile_px
    for half, (number, spots) in enumerate(zip(halves, pip_places(style, halves), strict=True)):
        if style.numerals:
            if number or rng.random() < 0.5:
                _numeral(face, half, number, style, tile_px)
            continue
        colour = style.pips[max(number - 1, 0)]
        for spot in spots:
            pip = tuple(v * rng.uniform(0.94, 1.06) for v in colour)
            at = middle + (spot + rng.normal(0, 0.006, 2)) * tile_px
            for ahead, size, own, share, more in _DISCS[style.pip_kind]:
                tone = tuple(v * share + more for v in (pip if own else body))
                _disc(face, at + light * radius * ahead, radius * size, tone)
            if style.worn and rng.random() <= style.worn:
                # A part of the pip's paint is rubbed off; most of it stays.
                angle = rng.uniform(0, 2 * np.pi)
                beside = np.array([np.cos(angle), np.sin(angle)]) * radius * rng.uniform(0.6, 1.2)
                tone = tuple(v * rng.uniform(0.75, 1.0) for v in body)
                _disc(face, at + beside, radius * rng.uniform(0.3, 0.6), tone)
    return reflected(face, style, rng) if style.gloss or style.film else face


def draw_back(style: Style, tile_px: int, rng: Rng) -> Floats:
    """The back of a tile: plain, with a maker's mark, a pattern, or a disc."""
    face = _canvas(style, tile_px, style.back_colour, rng)
    width = face.shape[1]
    tone = style.pips[rng.integers(18)]
    if style.back == "logo":
        text, thick = "".join(rng.choice(list(_LETTERS), rng.integers(1, 4))), max(tile_px // 16, 1)
        (w, h), _ = cv2.getTextSize(text, 0, tile_px / 50, thick)
        ink = np.zeros(face.shape[:2], np.uint8)
        foot = ((width - w) // 2, (tile_px + h) // 2)
        cv2.putText(ink, text, foot, 0, tile_px / 50, 255, thick, cv2.LINE_AA)
        put_ink(face, ink, tone)
    elif style.back == "lattice":
        step = max(tile_px / rng.uniform(4, 9), 3.0)
        for k in range(int((width + tile_px) / step) + 1):
            x = round(k * step)
            cv2.line(face, (x, 0), (x - tile_px, tile_px), tone, 1, cv2.LINE_AA)
            cv2.line(face, (x - tile_px, 0), (x, tile_px), tone, 1, cv2.LINE_AA)
    elif style.back == "disc":
        _disc(face, np.array([width / 2, tile_px / 2]), tile_px * rng.uniform(0.15, 0.4), tone)
    elif style.back == "print":
        draw_print(face, tone, rng)
    return reflected(face, style, rng) if style.gloss or style.film else face
