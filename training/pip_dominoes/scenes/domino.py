"""What dominoes look like: sets by lot, and their faces and backs drawn flat."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, rotation
from training.common.synthetic import any_of, near_colour

Colour = tuple[float, ...]
"""Red, green and blue, 0..255."""

# By its highest number how common a set is, and how large its pips are at most.
_SETS = {6: (0.34, 0.135), 9: (0.14, 0.115), 12: (0.36, 0.095), 15: (0.08, 0.085), 18: (0.08, 0.07)}
# White, ivory, cream, pale wood, wood, grey; then dark and coloured bodies, RGB.
_LIGHT: tuple[Colour, ...] = (
    (244, 243, 238), (238, 228, 200), (250, 247, 228), (214, 184, 138), (178, 132, 84),
    (205, 205, 205),
)  # fmt: skip
_DARK: tuple[Colour, ...] = ((26, 26, 28), (44, 40, 40), (70, 44, 28), (30, 36, 60))
# The usual colours of one to twelve and their shades beyond.
JEWELS: tuple[Colour, ...] = (
    (40, 150, 200), (30, 150, 60), (210, 30, 40), (130, 80, 50), (20, 80, 190), (235, 160, 20),
    (200, 30, 140), (20, 150, 120), (80, 40, 140), (240, 100, 30), (120, 30, 50), (150, 155, 160),
    (60, 60, 70), (110, 170, 40), (90, 40, 200), (190, 90, 90), (60, 110, 120), (20, 30, 80),
)  # fmt: skip

# Those of OpenCV's fonts that numbers and prints are written in.
FONTS = (0, 2, 3, 4)

# Looks that many people own, as fields of ``Style``.
COLOURED = {"body": (246, 244, 238), "pips": JEWELS, "bar": (24, 24, 26)}
IVORY = {"body": (240, 230, 204), "pips": ((22, 22, 24),) * 18, "bar": (22, 22, 24)}
BLACK_TILES = {"body": (28, 28, 30), "pips": ((240, 240, 236),) * 18, "bar": (225, 225, 220)}


@dataclass(frozen=True)
class Style:
    """One set of dominoes; lengths in short sides of a tile, colours RGB 0..255.

    ``side`` is the colour of the lower half of the sides, where it is another than the body's.
    ``film`` is the share of a face that sharp reflections cover, as on lacquer or plastic film,
    ``gloss`` how strongly faces mirror a bright window, ``worn`` how much of the pips' paint may
    be gone, all 0..1.
    """

    highest: int
    length: float
    thickness: float
    rounding: float
    body: Colour
    grain: float
    speckle: float
    edge_light: float
    pips: tuple[Colour, ...]
    pip_radius: float
    pip_kind: str
    margin: float
    empty_holes: bool
    turned: bool
    mirrored: bool
    other: int
    numerals: bool
    numeral_font: int
    bar_width: float
    bar_length: float
    bar: Colour
    bar_groove: bool
    pin: float
    pin_colour: Colour
    border: float
    back: str
    back_colour: Colour
    side: Colour | None = None
    film: float = 0.0
    gloss: float = 0.0
    worn: float = 0.0

    def outline(self) -> Matrix:
        """The outline (24, 2) of a tile about its middle, x along it."""
        angle = np.add.outer(np.arange(4), np.linspace(0, 1, 6)).ravel() * np.pi / 2
        signs = np.repeat([(1, 1), (-1, 1), (-1, -1), (1, -1)], 6, axis=0)
        arc = np.column_stack([np.cos(angle), np.sin(angle)]) * self.rounding
        return np.asarray(arc + signs * (self.length / 2 - self.rounding, 0.5 - self.rounding))


def _random_colour(rng: Rng) -> Colour:
    hsv = (rng.random(), rng.uniform(0.1, 1), rng.uniform(0.15, 0.95))
    return tuple(v * 255 for v in colorsys.hsv_to_rgb(*hsv))


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    """The first colour, moved towards the second by a share."""
    return tuple(a + (c - a) * share for a, c in zip(first, second, strict=True))


def luminance(colour: Colour) -> float:
    """How bright a colour is, 0..255."""
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]


def _distinct(colour: Colour, body: Colour, rng: Rng) -> Colour:
    """The colour, made darker or lighter until it can be told from the body."""
    least = rng.uniform(26, 60)
    step = -8.0 if luminance(body) > 110 else 8.0
    for _ in range(40):
        away = sum(abs(a - b) for a, b in zip(colour, body, strict=True)) / 3
        if away > least and abs(luminance(colour) - luminance(body)) > 0.6 * least:
            break
        colour = tuple(min(max(v + step, 0.0), 255.0) for v in colour)
    return colour


def random_style(rng: Rng, highest: int | None = None) -> Style:
    """A set such as somebody might own, of the double-``highest`` or of any."""
    if highest is None:
        highest = int(rng.choice(list(_SETS), p=[share for share, _ in _SETS.values()]))
    kind = rng.random()
    if kind < 0.66:
        body = near_colour(any_of(_LIGHT if rng.random() < 0.4 else _LIGHT[:3], rng), 6, rng)
    elif kind < 0.86:
        body = near_colour(any_of(_DARK, rng), 6, rng)
    else:
        body = _random_colour(rng)
    dark_body = luminance(body) < 110
    way = rng.random()
    plain = (240, 240, 236) if dark_body else (22, 22, 24)
    if way < (0.34 if highest == 6 else 0.16):
        pips: tuple[Colour, ...] = (near_colour(plain, 8, rng),) * 18
    elif way < (0.42 if highest == 6 else 0.24):
        pips = (_random_colour(rng),) * 18
    elif way < 0.85:
        grey, fade = (128, 128, 128), rng.uniform(0, 0.45)
        pips = tuple(near_colour(_mixed(c, grey, fade * rng.random()), 14, rng) for c in JEWELS)
    else:
        pips = tuple(_random_colour(rng) for _ in range(18))
    pips = tuple(_distinct(c, body, rng) for c in pips)
    # Grey pips on black and pale ones on white are the hard ones.
    if rng.random() < 0.12:
        share = rng.uniform(0.25, 0.6)
        pips = tuple(_mixed(body, c, share) for c in pips)
    barless = rng.random() < (0.14 if dark_body else 0.04)
    bar = plain if rng.random() < 0.7 else _random_colour(rng)
    if rng.random() < 0.15:
        shade = rng.uniform(0.55, 0.85) if not dark_body else rng.uniform(1.4, 2.2)
        bar = tuple(min(v * shade + 6, 255) for v in body)
    return Style(
        highest=highest,
        length=rng.uniform(1.85, 2.15),
        thickness=rng.uniform(0.12, 0.55),
        rounding=float(rng.choice([0.02, 0.06, 0.12, 0.18]) * rng.uniform(0.7, 1.2)),
        body=body,
        grain=rng.uniform(0, 10) if rng.random() < 0.3 else 0.0,
        speckle=rng.uniform(0, 14) if rng.random() < 0.2 else 0.0,
        edge_light=rng.uniform(-0.25, 0.3),
        pips=pips,
        pip_radius=_SETS[highest][1] * rng.uniform(0.68, 1.12),
        pip_kind=str(rng.choice(["flat", "hollow", "ball", "ring"], p=[0.4, 0.3, 0.22, 0.08])),
        margin=rng.uniform(0.17, 0.27),
        empty_holes=bool(dark_body and highest == 6 and rng.random() < 0.15),
        turned=rng.random() < 0.12,
        mirrored=rng.random() < 0.5,
        other=int(rng.integers(1, 3)) if rng.random() < 0.2 else 0,
        numerals=rng.random() < 0.06,
        numeral_font=any_of(FONTS, rng),
        bar_width=0.0 if barless else rng.uniform(0.02, 0.085),
        bar_length=float(rng.choice([1.0, rng.uniform(0.6, 0.95)], p=[0.25, 0.75])),
        bar=bar,
        bar_groove=rng.random() < 0.4,
        pin=rng.uniform(0.04, 0.08) if rng.random() < 0.22 else 0.0,
        pin_colour=near_colour((200, 160, 80) if rng.random() < 0.6 else (190, 190, 195), 15, rng),
        border=rng.uniform(0.02, 0.06) if rng.random() < 0.12 else 0.0,
        back=str(rng.choice(["plain", "logo", "lattice", "disc"])),
        back_colour=_random_colour(rng) if rng.random() < 0.5 else body,
    )


# How common each trait is among sets; of those below with the range of its strength.
_PRINT, _SIDE, _BARLESS, _HOLES = 0.4, 0.3, 0.2, 0.2
_RARE = {
    "thickness": (0.15, 0.5, 0.95), "film": (0.1, 0.03, 0.25), "gloss": (0.3, 0.15, 1.0),
    "worn": (0.08, 0.2, 0.8),
}  # fmt: skip


def with_rare_traits(style: Style, rng: Rng) -> Style:
    """The set with traits that fewer sets have, each by lot, as sets that have been lived with."""
    rare: dict[str, Any] = {}
    if rng.random() < _PRINT:
        rare["back"] = "print"
    if rng.random() < _SIDE:
        rare["side"] = style.back_colour
    for name, (share, least, most) in _RARE.items():
        if rng.random() < share:
            rare[name] = rng.uniform(least, most)
    if luminance(style.body) < 110:
        # Dark sets lack a bar more often, and have holes where there is no pip.
        if rng.random() < _BARLESS:
            rare["bar_width"] = 0.0
        if style.highest <= 9 and rng.random() < _HOLES:
            rare["empty_holes"] = True
    return replace(style, **rare)


def in_shadow(style: Style, rng: Rng) -> Style:
    """The set in black with pale pips, its bar hardly seen or not at all."""
    body = tuple((rng.uniform(6, 46) + rng.normal(0, 4, 3)).tolist())
    pale = tuple((rng.uniform(170, 245) + rng.normal(0, 6, 3)).tolist())
    bar = pale if rng.random() < 0.5 else tuple(1.6 * v + 6 for v in body)
    return replace(style, body=body, pips=(pale,) * len(style.pips), bar=bar, back_colour=body)


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
    10: ((3, 4), (4, 2)), 13: ((4, 5), (5, 3)), 14: ((5, 4),), 16: ((5, 6), (6, 4)), 17: ((6, 5),)
}  # fmt: skip


def layout(number: int, turned: bool = False, mirrored: bool = False, other: int = 0) -> Matrix:
    """The places (number, 2) of the pips, 0 to 18, as most sets print them or as some maker does.

    ``turned`` by a quarter, ``mirrored``, or of the ``other``-th kind of columns (0 is common).
    """
    outer, middle = _COLUMNS.get(number, (0, ()))
    if other and number in _OTHER:
        outer, count = _OTHER[number][(other - 1) % len(_OTHER[number])]
        reach = 1 if count > 2 else 0.35
        middle = tuple(np.linspace(-reach, reach, count))
    if outer:
        sides = [(x, y) for x in (-1.0, 1.0) for y in np.linspace(-1, 1, outer)]
        places = np.array([*sides, *((0.0, y) for y in middle)])
    else:
        rows = zip(_ROWS[number], np.linspace(-1, 1, len(_ROWS[number])), strict=True)
        places = np.array([(x, y) for row, y in rows for x in _MARKS[row]]).reshape(-1, 2)
    if mirrored:
        places = places * (-1, 1)
    return places[:, ::-1] * (1, -1) if turned else places


def pip_places(style: Style, halves: tuple[int, int]) -> list[Matrix]:
    """Per half, the places (n, 2) of its pips about the tile's middle, x along; in short sides."""
    reach_across, reach_along = 0.5 - style.margin, style.length / 4 - style.margin * 0.95
    places = []
    for sign, number in zip((-1, 1), halves, strict=True):
        x, y = layout(number, style.turned, style.mirrored, style.other).T
        along = sign * style.length / 4 + y * reach_along
        places.append(np.column_stack([along, x * reach_across * sign]))
    return places


def reflected(face: Floats, style: Style, rng: Rng) -> Floats:
    """A face (h, w, 3) that mirrors a window, or a lamp in creases; pips still show through."""
    height, width = face.shape[:2]
    if (style.gloss or style.film) and rng.random() < style.gloss:
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


def put_ink(picture: Floats, ink: Image, tone: ArrayLike) -> None:
    """Colour a picture (h, w, 3) where there is ``ink`` (h, w), 0..255."""
    picture += (np.asarray(tone, np.float32) - picture) * (ink[..., None] / np.float32(255))


def _write(
    picture: Image, text: str, font: int, scale: float, thick: int,
    colour: Sequence[float] = (255,), lift: int = 0,
) -> tuple[int, int, int]:  # fmt: skip
    """Write in the middle of a picture, or higher; where the line begins, ends, and stands."""
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    left, foot = (picture.shape[1] - w) // 2, (picture.shape[0] + h) // 2 - lift
    cv2.putText(picture, text, (left, foot), font, scale, colour, thick, cv2.LINE_AA)
    return left, left + w, foot


def _disc(face: Floats, at: Matrix, radius: float, colour: Colour) -> None:
    x, y = (int(v) for v in np.round(at * 16))
    cv2.circle(face, (x, y), max(round(radius * 16), 8), colour, -1, cv2.LINE_AA, 4)


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
    rim, light = max(round(0.05 * tile_px), 1), 1 + style.edge_light
    cv2.rectangle(face, (0, 0), (width - 1, tile_px - 1), tuple(v * light for v in colour), rim)
    return face


# The discs of each kind of pip, from below: how far towards the light and how large, in radii;
# whether of the pip's colour or of the body's, times what and how much brighter.
_DISCS: dict[str, tuple[tuple[float, float, bool, float, float], ...]] = {
    "flat": ((0, 1, True, 1, 0),),
    "hollow": ((-0.15, 1.08, False, 0.72, 0), (0, 1, True, 1, 0), (0.4, 0.45, True, 0.75, 45)),
    "ball": ((0, 1, True, 0.8, 0), (-0.15, 0.75, True, 1, 0), (-0.4, 0.25, True, 0.4, 150)),
    "ring": ((0, 1.1, True, 1, 0), (0, 0.35, False, 1, 0)),
}


def draw_face(style: Style, halves: tuple[int, int], tile_px: int, rng: Rng) -> Floats:
    """The face (tile_px, length, 3) with x along the tile, the first half at the left."""
    face, body = _canvas(style, tile_px, style.body, rng), style.body
    width = face.shape[1]
    middle = np.array([width / 2 - 0.5, tile_px / 2 - 0.5])
    light = rotation(rng.uniform(0, 2 * np.pi))[:, 0]
    if style.border:
        inset = round((style.border + 0.06) * tile_px)
        low, high = (inset, inset), (width - inset, tile_px - inset)
        thick = max(round(style.border * tile_px / 2), 1)
        cv2.rectangle(face, low, high, style.pips[0], thick, cv2.LINE_AA)
    if style.bar_width:
        wide = max(style.bar_width * tile_px, 1.2)
        bar = box(middle, wide, style.bar_length * tile_px, 0.0)
        brighter = tuple(min(v * 1.1 + 14, 255) for v in body)
        groove = [(bar + (wide * 0.3, 0), brighter)] if style.bar_groove else []
        for corners, tone in (*groove, (bar, style.bar)):
            cv2.fillConvexPoly(face, np.round(corners * 16).astype(np.int32), tone, cv2.LINE_AA, 4)
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
        colour = style.pips[max(number - 1, 0)]
        if style.numerals:
            if number or rng.random() < 0.5:
                _numeral(face, half, number, style)
            continue
        for spot in spots:
            pip = tuple(v * rng.uniform(0.94, 1.06) for v in colour)
            at = middle + (spot + rng.normal(0, 0.006, 2)) * tile_px
            for ahead, size, own, share, more in _DISCS[style.pip_kind]:
                tone = tuple(v * share + more for v in (pip if own else body))
                _disc(face, at + light * radius * ahead, radius * size, tone)
            if style.worn and rng.random() <= style.worn:
                # A part of the pip's paint is rubbed off; most of it stays.
                aside = rotation(rng.uniform(0, 2 * np.pi))[:, 0]
                beside = aside * radius * rng.uniform(0.6, 1.2)
                tone = tuple(v * rng.uniform(0.75, 1.0) for v in body)
                _disc(face, at + beside, radius * rng.uniform(0.3, 0.6), tone)
    return reflected(face, style, rng)


def _numeral(face: Floats, half: int, number: int, style: Style) -> None:
    """The number in figures, its feet towards the bar."""
    side, font, text = len(face), style.numeral_font, str(number)
    patch = np.full((side, side, 3), np.clip(style.body, 0, 255), np.uint8)
    scale, thick = side / 46, max(round(side / 16), 1)
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    scale *= min(1.0, 0.74 * side / w, 0.62 * side / h)
    colour = style.pips[max(number - 1, 0)]
    left, right, foot = _write(patch, text, font, scale, thick, colour)
    if number in (6, 9):
        under = foot + max(side // 12, 2)
        cv2.line(patch, (left, under), (right, under), colour, thick)
    square, quarters = (face[:, -side:], 3) if half else (face[:, :side], 1)
    inner = slice(round(0.12 * side), round(0.88 * side))
    square[inner, inner] = np.rot90(patch, quarters)[inner, inner]


def draw_back(style: Style, tile_px: int, rng: Rng) -> Floats:
    """The back of a tile: plain, with a maker's mark, a pattern, a disc, or a large print."""
    face = _canvas(style, tile_px, style.back_colour, rng)
    width, tone = face.shape[1], any_of(style.pips, rng)
    if style.back == "logo":
        ink = np.zeros(face.shape[:2], np.uint8)
        text = "".join(rng.choice(list("ABCDEFGHKLMNORST"), rng.integers(1, 4)))
        _write(ink, text, 0, tile_px / 50, max(tile_px // 16, 1))
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
        _print(face, tone, rng)
    return reflected(face, style, rng)


def _print(face: Floats, tone: Colour, rng: Rng) -> None:
    """A maker's print in the middle of a back (h, w, 3): letters, a ring, a bar with dots."""
    height, width = face.shape[:2]
    # Letters stand along the tile or across it.
    along = rng.random() < 0.5
    wide, high = (width, height) if along else (height, width)
    ink = np.zeros((high, wide), np.uint8)
    text = "".join(rng.choice(list("ABCDEFGHKLMNOPQRSTUVWXYZ"), int(rng.integers(1, 5))))
    font, thick = any_of(FONTS, rng), max(round(height * rng.uniform(0.02, 0.12)), 1)
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = rng.uniform(0.4, 0.9) * min(wide / w, 0.6 * high / h)
    lift = round(rng.uniform(0, 0.15) * high)
    left, right, foot = _write(ink, text, font, scale, thick, lift=lift)
    under = foot + round(rng.uniform(0.05, 0.2) * height)
    line, dots, ring = rng.random(3) < (0.5, 0.5, 0.3)
    if line:
        strong = max(round(height * rng.uniform(0.02, 0.1)), 1)
        cv2.line(ink, (left, under), (right, under), 255, strong, cv2.LINE_AA)
        for x in np.linspace(left, right, int(rng.integers(3, 8)) if dots else 0):
            cv2.circle(ink, (round(float(x)), under), max(strong // 3, 1), 0, -1, cv2.LINE_AA)
    if ring:
        radius = round(rng.uniform(0.25, 0.45) * height)
        thick = max(round(0.04 * height), 1)
        cv2.circle(ink, (wide // 2, high // 2), radius, 255, thick, cv2.LINE_AA)
    if not along:
        ink = np.rot90(ink, 1 if rng.random() < 0.5 else 3)
    put_ink(face, ink, tone)
