"""What the result cards of all games share: wood, paper, letters that fit, the title and the line
below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from companion.languages import Language
from companion.store import Game, kind_of

PAPER = "#fbf6ea"
INK = "#33281d"
QUIET_INK = "#6b5b49"
RULE = "#d9cdb6"

_FONT = files("companion.games").joinpath("fonts", "DejaVuSans.ttf")

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


@dataclass(frozen=True)
class SheetLayout:
    """Sizes that all cards have, in pixels."""

    width_px: int = 1080
    margin_px: int = 44
    padding_px: int = 56
    title_px: int = 52
    text_px: int = 30
    row_px: int = 58

    @property
    def inner_px(self) -> int:
        """The width between the paddings."""
        return self.width_px - 2 * (self.margin_px + self.padding_px)


class Sheet:
    """A card with its two lines at the top and space for a picture and a pad of rows below.

    ``card`` and ``draw`` are what is drawn on, from ``left`` and ``top`` on; ``box`` (left, top,
    right, bottom) is for the picture. Pixels.
    """

    def __init__(
        self, sentence: str, subtitle: str, picture_px: int, rows: int, layout: SheetLayout
    ) -> None:
        self.layout = layout
        title, title_font = fitting(sentence, layout.inner_px, layout.title_px, lines=3)
        line_px = round(1.25 * layout.title_px)
        edge, below = layout.margin_px, 2 * layout.text_px + 30
        pad = (rows + 1) * layout.row_px
        around = 2 * (layout.margin_px + layout.padding_px)
        height = len(title) * line_px + below + picture_px + 60 + pad + around
        self.card: Image.Image = wood(layout.width_px, height)
        self.draw = ImageDraw.Draw(self.card)
        paper = (edge, edge, layout.width_px - edge, height - edge)
        self.draw.rounded_rectangle(paper, radius=26, fill=PAPER)
        self.left = self.top = layout.margin_px + layout.padding_px
        for line in title:
            self.draw.text((self.left, self.top), line, INK, title_font)
            self.top += line_px
        (shown,), font = fitting(subtitle, layout.inner_px, layout.text_px, lines=1)
        self.draw.text((self.left, self.top + 6), shown, QUIET_INK, font)
        self.top += below
        right = self.left + layout.inner_px
        self.box = (self.left, self.top, right, self.top + picture_px)

    def pad(
        self,
        heads: Sequence[str],
        rows: Sequence[tuple[str, Sequence[str]]],
        label_share: float,
        colours: Sequence[str | None] = (),
    ) -> None:
        """Draw a column a player with name and colour, and a row a figure, the last one the sum."""
        layout, top = self.layout, self.box[3] + 60
        label_px = round(layout.inner_px * label_share)
        column = (layout.inner_px - label_px) // len(heads)
        first = self.left + label_px + column // 2
        middles = [first + number * column for number in range(len(heads))]
        for head, middle in zip(heads, middles, strict=True):
            (shown,), font = fitting(head, column - 16, layout.text_px, lines=1)
            self.draw.text((middle, top + 18), shown, INK, font, anchor="mm")
        for colour, middle in zip(colours, middles, strict=False):
            if colour is not None:
                bar = (middle - 28, top + 40, middle + 28, top + 46)
                self.draw.rounded_rectangle(bar, radius=3, fill=colour)
        for index, (label, figures) in enumerate(rows, start=1):
            is_sum = index == len(rows)
            font = font_of(layout.text_px + (8 if is_sum else 0))
            shown_figures = [
                (figure, middle, font, INK) for figure, middle in zip(figures, middles, strict=True)
            ]
            line = top + index * layout.row_px
            label_ink = INK if is_sum else QUIET_INK
            self.row(line, is_sum, (label, label_px, font, label_ink), shown_figures)

    def row(
        self,
        line: int,
        is_heavy: bool,
        label: tuple[str, int, Font, str],
        figures: Iterable[tuple[str, float, Font, str]],
    ) -> None:
        """Draw a row of a pad below its line, which may be heavy.

        ``label`` is a text, the width for it, its font and ink; of each figure there are the text,
        its middle, font and ink.
        """
        right = self.left + self.layout.inner_px
        ends = (self.left, line, right, line)
        self.draw.line(ends, INK if is_heavy else RULE, 3 if is_heavy else 1)
        middle = line + self.layout.row_px / 2
        text, width, font, ink = label
        (shown,), fitted = fitting(text, width - 12, round(font.size), lines=1)
        self.draw.text((self.left, middle), shown, ink, fitted, anchor="lm")
        for figure, x, figure_font, figure_ink in figures:
            self.draw.text((x, middle), figure, figure_ink, figure_font, anchor="mm")

    def png(self) -> bytes:
        """The card as a file."""
        file = BytesIO()
        self.card.save(file, "PNG")
        return file.getvalue()


def subtitle(game: Game, language: Language, *more: str) -> str:
    """The game, ``more`` of it, its title and place, and the day, as the language writes it."""
    about = game.values.get("about") or {}
    played = game.played_at
    day = f"{played:%d.%m.%Y}" if language is Language.GERMAN else f"{played:%Y-%m-%d}"
    words = [kind_of(game.kind).name, *more, about.get("title", ""), about.get("place", ""), day]
    return "  ·  ".join(word for word in words if word)
