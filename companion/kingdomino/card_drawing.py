"""Draw the kingdoms of the result card."""

from __future__ import annotations

from PIL import Image, ImageDraw

from companion.cards.paper import PAPER
from scorer.kingdomino import Kingdom, Square, Terrain

__all__ = ["draw_kingdom"]

_CASTLE = "#8d857b"
_CROWN = "#ffd23f"
_CROWN_EDGE = "#3a2a05"
_GIANT = "#7a1f2b"


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
