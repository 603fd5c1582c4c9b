"""Stones as pictures within the text of a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from companion.domino_duell.stone_drawing import DARK, FILLS, INKS, outline
from companion.web.surface import Markup
from scorer.domino_duell import Stone, Symbol, SymbolColour

__all__ = ["stones_picture"]


def stones_picture(stones: Sequence[Stone], missing: Stone, name: str) -> Markup:
    """Stones in a row, and after a plus the one that is missing, ringed by dashes."""
    parts = [_drawn(stone, 50 + 96 * number) for number, stone in enumerate(stones)]
    end = 96 * len(stones)
    plus = f'<path d="M{end + 12} 50h32m-16-16v32" stroke="currentColor" stroke-width="6"/>'
    x = end + 110
    ring = (
        f'<circle cx="{x}" cy="50" r="48" fill="none" stroke="currentColor" stroke-width="3" '
        'stroke-dasharray="8 6"/>'
    )
    width = end + 164
    return Markup(
        f'<svg viewBox="0 0 {width} 100" width="{width * 0.7:.0f}" style="max-width:100%" '
        f'role="img" aria-label="{escape(name)}">{"".join(parts)}{plus}{_drawn(missing, x)}{ring}'
        "</svg>"
    )


def _drawn(stone: Stone, x: int) -> str:
    ink = stone.symbol_colour
    line = "#ffffff" if ink is SymbolColour.BLACK else DARK
    look = f'fill="{INKS[ink]}" stroke="{line}" stroke-width="3" stroke-linejoin="round"'
    if stone.symbol is Symbol.CIRCLE:
        symbol = f'<circle r="22" {look}/>'
    else:
        points = " ".join(f"{43 * x:.1f},{43 * y:.1f}" for x, y in outline(stone.symbol))
        symbol = f'<polygon points="{points}" {look}/>'
    disc = f'<circle r="43" fill="{FILLS[stone.colour]}" stroke="{DARK}" stroke-width="2"/>'
    return f'<g transform="translate({x} 50)">{disc}{symbol}</g>'
