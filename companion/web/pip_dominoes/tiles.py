"""Dominoes as markup: drawn with their pips, and said in words."""

from __future__ import annotations

from companion.pip_dominoes.tile_drawing import PIPS
from companion.web.surface import Markup, tag
from scorer.pip_dominoes import Tile

__all__ = ["tile_name", "tile_picture"]


def tile_name(tile: Tile) -> str:
    """How people say it: "5-9"."""
    return f"{tile.low}-{tile.high}"


def tile_picture(tile: Tile, name: str | None = None) -> Markup:
    """The domino lying down; named for screen readers, which else pass over it."""
    marks = {"aria_hidden": "true"} if name is None else {"role": "img", "aria_label": name}
    pips = Markup(_half(tile.low, 1) + _half(tile.high, 37))
    return tag(
        "svg",
        tag("rect", class_="face", x=1, y=1, width=72, height=36, rx=5),
        tag("path", class_="bar", d="M37 6v26"),
        tag("g", pips, class_="pips"),
        class_="tile",
        viewBox="0 0 74 38",
        focusable="false",
        **marks,
    )


def _half(number: int, x: int) -> str:
    rows = PIPS[number]
    radius = 2.2 if len(rows) > 5 else 2.7 if len(rows) > 3 else 3.5
    found = []
    for index, row in enumerate(rows):
        y = 6.5 + 23 * index / (len(rows) - 1)
        for column, bit in enumerate((1, 2, 4)):
            if row & bit:
                found.append(f'<circle cx="{x + 8 + 10 * column}" cy="{y:.1f}" r="{radius}"/>')
    return "".join(found)
