"""What a set of dominoes looks like: material, colours of the numbers, pips, bar, pin, back."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from training.common.arrays import Matrix, Rng

Colour = tuple[float, ...]
"""Red, green and blue, 0..255."""

SETS = (6, 9, 12, 15, 18)
_SET_SHARES = (0.34, 0.14, 0.36, 0.08, 0.08)
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


def _near(colour: Colour, spread: float, rng: Rng) -> Colour:
    return tuple(np.clip(rng.normal(0, spread, 3) + colour, 0, 255).tolist())


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
        highest = int(rng.choice(SETS, p=_SET_SHARES))
    kind = rng.random()
    if kind < 0.66:
        body = _near(_LIGHT[int(rng.integers(len(_LIGHT) if rng.random() < 0.4 else 3))], 6, rng)
    elif kind < 0.86:
        body = _near(_DARK[int(rng.integers(len(_DARK)))], 6, rng)
    else:
        body = _random_colour(rng)
    dark_body = luminance(body) < 110
    way = rng.random()
    plain = (240, 240, 236) if dark_body else (22, 22, 24)
    if way < (0.34 if highest == 6 else 0.16):
        pips: tuple[Colour, ...] = (_near(plain, 8, rng),) * 18
    elif way < (0.42 if highest == 6 else 0.24):
        pips = (_random_colour(rng),) * 18
    elif way < 0.85:
        fade = rng.uniform(0, 0.45)
        pips = tuple(
            _near(_mixed(c, (128, 128, 128), fade * rng.random()), 14, rng) for c in JEWELS
        )
    else:
        pips = tuple(_random_colour(rng) for _ in range(18))
    pips = tuple(_distinct(c, body, rng) for c in pips)
    # Grey pips on black and pale ones on white are the hard ones.
    if rng.random() < 0.12:
        share = rng.uniform(0.25, 0.6)
        pips = tuple(_mixed(body, c, share) for c in pips)
    widest = {6: 0.135, 9: 0.115, 12: 0.095, 15: 0.085, 18: 0.07}[highest]
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
        pip_radius=widest * rng.uniform(0.68, 1.12),
        pip_kind=str(rng.choice(["flat", "hollow", "ball", "ring"], p=[0.4, 0.3, 0.22, 0.08])),
        margin=rng.uniform(0.17, 0.27),
        empty_holes=bool(dark_body and highest == 6 and rng.random() < 0.15),
        turned=rng.random() < 0.12,
        mirrored=rng.random() < 0.5,
        other=int(rng.integers(1, 3)) if rng.random() < 0.2 else 0,
        numerals=rng.random() < 0.06,
        numeral_font=int(rng.choice([0, 2, 3, 4])),
        bar_width=0.0 if barless else rng.uniform(0.02, 0.085),
        bar_length=float(rng.choice([1.0, rng.uniform(0.6, 0.95)], p=[0.25, 0.75])),
        bar=bar,
        bar_groove=rng.random() < 0.4,
        pin=rng.uniform(0.04, 0.08) if rng.random() < 0.22 else 0.0,
        pin_colour=_near((200, 160, 80) if rng.random() < 0.6 else (190, 190, 195), 15, rng),
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
    """The set with traits that fewer sets have, each by lot.

    Large prints on the backs, sides of two colours, thick tiles, sharp and soft reflections, worn
    pips; and dark sets more often without a bar and with holes where there is no pip.
    """
    rare: dict[str, Any] = {}
    if rng.random() < _PRINT:
        rare["back"] = "print"
    if rng.random() < _SIDE:
        rare["side"] = style.back_colour
    for name, (share, least, most) in _RARE.items():
        if rng.random() < share:
            rare[name] = rng.uniform(least, most)
    if luminance(style.body) < 110:
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
