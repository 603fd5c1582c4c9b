"""Draw the parts of the result card: wood, letters, tiles."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from scorer.kingdomino import Kingdom, Square, Terrain

__all__ = ["INK", "PAPER", "QUIET_INK", "RULE", "draw_kingdom", "fitting", "font_of", "wood"]

PAPER = "#fbf6ea"
INK = "#33281d"
QUIET_INK = "#6b5b49"
RULE = "#d9cdb6"
_CASTLE = "#8d857b"
_CROWN = "#ffd23f"
_CROWN_EDGE = "#3a2a05"
_GIANT = "#7a1f2b"

_FONT = files("companion.kingdomino").joinpath("fonts", "DejaVuSans.ttf")

Font = ImageFont.FreeTypeFont


def wood(width: int, height: int) -> Image.Image:
    """A table top of warm wood, the same every time."""
    rng = np.random.default_rng(7)
    grain = rng.normal(0, 1, (height // 6 + 1, 1)).cumsum(axis=0)
    grain -= np.linspace(grain[0, 0], grain[-1, 0], len(grain))[:, None]
    lines = np.repeat(grain, 6, axis=0)[:height]
    wave = 3 * np.sin(np.linspace(0, 5, width))[None, :]
    shade = 6 * np.tanh(lines / 3) + wave + rng.normal(0, 1.5, (height, 1))
    colour = np.array([146, 104, 66], np.float64) + shade[..., None] * np.array([1, 0.9, 0.7])
    return Image.fromarray(np.clip(colour, 0, 255).astype(np.uint8))


@cache
def font_of(size: int) -> Font:
    """The font of the card, the same on every system: Latin, Greek, Cyrillic and more."""
    return ImageFont.truetype(BytesIO(_FONT.read_bytes()), size)


def fitting(text: str, width: int, size: int, lines: int) -> tuple[list[str], Font]:
    """Wrap a text into at most ``lines`` lines of ``width`` pixels; the lines and their font.

    If needed the font gets smaller, down to two thirds of ``size``; then the text is cut.
    """
    smallest = round(size * 2 / 3)
    for smaller in range(size, smallest - 1, -1):
        font = font_of(smaller)
        found = _wrapped(text, font, width)
        if len(found) <= lines and all(font.getlength(line) <= width for line in found):
            return found, font
    found = _wrapped(text, font_of(smallest), width)
    found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [_cut(line, font_of(smallest), width) for line in found], font_of(smallest)


def _wrapped(text: str, font: Font, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and font.getlength(f"{lines[-1]} {word}") <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def draw_kingdom(
    card: Image.Image, kingdom: Kingdom, place: tuple[int, int], square_px: int
) -> None:
    """Draw the tiles of a kingdom with its top left at ``place`` (x, y)."""
    draw = ImageDraw.Draw(card)
    for (row, column), square in kingdom.items():
        if square.is_empty:
            continue
        left, top = place[0] + column * square_px, place[1] + row * square_px
        box = (left, top, left + square_px - 2, top + square_px - 2)
        fill = square.terrain.colour if square.terrain else _CASTLE
        draw.rounded_rectangle(box, radius=square_px // 10, fill=fill)
        if square.is_castle:
            _draw_castle(draw, left, top, square_px)
        elif square.terrain:
            _draw_sign(draw, square.terrain, left, top, square_px)
            _draw_crowns(draw, square, left, top, square_px)


def _draw_castle(draw: ImageDraw.ImageDraw, left: int, top: int, side: int) -> None:
    u = side / 10
    outline = [(2, 8), (2, 3), (3.4, 3), (3.4, 4.2), (4.3, 4.2), (4.3, 3), (5.5, 3), (5.5, 4.2)]
    outline += [(6.4, 4.2), (6.4, 3), (7.8, 3), (7.8, 8)]
    draw.polygon([(left + x * u, top + y * u) for x, y in outline], fill=PAPER)


def _draw_sign(draw: ImageDraw.ImageDraw, terrain: Terrain, left: int, top: int, side: int) -> None:
    """Draw a symbol of the terrain, so that it doesn't depend on colour alone."""
    u, shade = side / 20, _darker(terrain.colour)
    stroke = max(1, round(u))

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(left + x * u, top + y * u) for x, y in points]

    if terrain is Terrain.WHEAT:
        for x in (6, 9.5, 13):
            draw.line(at((x, 12), (x, 4)), shade, stroke)
            draw.line(at((x - 1.5, 6), (x, 8), (x + 1.5, 6)), shade, stroke)
    elif terrain is Terrain.FOREST:
        for x in (7, 13):
            draw.polygon(at((x, 3.5), (x + 3, 12), (x - 3, 12)), fill=shade)
    elif terrain is Terrain.LAKE:
        for y in (6, 10):
            draw.line(at((4, y), (7, y - 1.5), (10, y), (13, y - 1.5), (16, y)), PAPER, stroke)
    elif terrain is Terrain.GRASSLAND:
        for x, y in ((5, 7), (11, 6), (8, 11), (14, 11)):
            draw.line(at((x - 1, y - 2), (x, y), (x + 1, y - 2)), shade, stroke)
    elif terrain is Terrain.SWAMP:
        for x, y in ((7, 4), (10, 6), (13, 5)):
            draw.line(at((x, 12), (x, y)), shade, stroke)
            draw.ellipse(at((x - 1, y - 1), (x + 1, y + 3)), fill=shade)
    else:
        draw.polygon(at((4, 12), (8, 4), (11, 9), (13, 6), (16, 12)), fill=shade)


def _draw_crowns(draw: ImageDraw.ImageDraw, square: Square, left: int, top: int, side: int) -> None:
    """Draw the crowns along the lower edge, a red disc over each one under a giant."""
    u = side / 20
    for number in range(square.crowns):
        x = left + (10 + 5.6 * (number - (square.crowns - 1) / 2)) * u
        y = top + 13.2 * u
        points = [(-2.4, 4.4), (-2.4, 0), (-1, 1.8), (0, -0.6), (1, 1.8), (2.4, 0), (2.4, 4.4)]
        crown = [(x + dx * u, y + dy * u) for dx, dy in points]
        draw.polygon(crown, fill=_CROWN, outline=_CROWN_EDGE)
        if number < square.giants:
            draw.ellipse((x - 2.4 * u, y - 0.6 * u, x + 2.4 * u, y + 4.4 * u), fill=_GIANT)


def _darker(colour: str) -> str:
    parts = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
    return "#" + "".join(f"{round(0.62 * part):02x}" for part in parts)


def _cut(line: str, font: Font, width: int) -> str:
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(f"{line}…") > width:
        line = line[:-1]
    return f"{line.rstrip()}…"
