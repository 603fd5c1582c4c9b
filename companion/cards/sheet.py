"""The sheet of paper that a result card begins with: its size, the title and the line below."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

from companion.cards.paper import INK, PAPER, QUIET_INK, fitting, wood
from companion.games import Game
from companion.languages import Language

__all__ = ["Sheet", "SheetLayout", "day_of"]


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
    """A card with its two lines at the top and room for a picture and a pad of rows below.

    ``card`` and ``draw`` are what is drawn on, from ``left`` and ``top`` on.
    """

    def __init__(
        self, sentence: str, subtitle: str, picture_px: int, rows: int, layout: SheetLayout
    ) -> None:
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


def day_of(game: Game, language: Language) -> str:
    """The day that a game was played, as the language writes it."""
    played = game.played_at
    return f"{played:%d.%m.%Y}" if language is Language.GERMAN else f"{played:%Y-%m-%d}"
