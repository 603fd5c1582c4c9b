"""What the result cards of all games share: wood, paper, and letters that fit."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from PIL import Image, ImageFont

__all__ = ["INK", "PAPER", "QUIET_INK", "RULE", "Font", "fitting", "font_of", "wood"]

PAPER = "#fbf6ea"
INK = "#33281d"
QUIET_INK = "#6b5b49"
RULE = "#d9cdb6"

_FONT = files("companion.cards").joinpath("fonts", "DejaVuSans.ttf")

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


def _cut(line: str, font: Font, width: int) -> str:
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(f"{line}…") > width:
        line = line[:-1]
    return f"{line.rstrip()}…"
