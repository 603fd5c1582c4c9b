"""Dominoes drawn for the result card, and where the pips of each number lie."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from scorer.pip_dominoes import Tile

__all__ = ["PIPS", "draw_tiles"]

_L, _C, _R = 1, 2, 4
_SIDES, _ALL = _L | _R, _L | _C | _R
PIPS: tuple[tuple[int, ...], ...] = (
    (),
    (0, _C, 0),
    (_R, 0, _L),
    (_R, _C, _L),
    (_SIDES, 0, _SIDES),
    (_SIDES, _C, _SIDES),
    (_SIDES, _SIDES, _SIDES),
    (_SIDES, _ALL, _SIDES),
    (_ALL, _SIDES, _ALL),
    (_ALL, _ALL, _ALL),
    (_ALL, _SIDES, _SIDES, _ALL),
    (_ALL, _SIDES, _C, _SIDES, _ALL),
    (_ALL, _ALL, _ALL, _ALL),
    (_ALL, _SIDES, _ALL, _SIDES, _ALL),
    (_ALL, _ALL, _SIDES, _ALL, _ALL),
    (_ALL, _ALL, _ALL, _ALL, _ALL),
    (_ALL, _SIDES, _ALL, _ALL, _SIDES, _ALL),
    (_ALL, _ALL, _SIDES, _C, _SIDES, _ALL, _ALL),
    (_ALL, _ALL, _ALL, _ALL, _ALL, _ALL),
)
"""Rows of pips of each number from the top, each a sum of left (1), centre (2) and right (4)."""

_FACE, _EDGE, _PIP = "#fdf8ea", "#4f3d28", "#23190f"
_WIDE, _HIGH = 74, 38
"""A domino that lies down, in units of its own."""
_GAP = 8
_LARGEST = 2.6
_FINER = 3
"""Drawn so many times larger and then reduced, because Pillow's edges are not smooth."""


def draw_tiles(card: Image.Image, tiles: Sequence[Tile], box: tuple[int, int, int, int]) -> None:
    """Draw dominoes in rows into ``box`` (left, top, right, bottom) of the card, pixels.

    They are as large as fits, up to about 190 pixels wide, and in the middle of the box.
    """
    if not tiles:
        return
    left, top, right, bottom = box
    columns, scale = _arranged(len(tiles), right - left, bottom - top)
    rows = -(-len(tiles) // columns)
    size = columns * (_WIDE + _GAP) - _GAP, rows * (_HIGH + _GAP) - _GAP
    unit = scale * _FINER
    drawn = Image.new("RGBA", (round(size[0] * unit), round(size[1] * unit)))
    draw = ImageDraw.Draw(drawn)
    for number, tile in enumerate(tiles):
        row, column = divmod(number, columns)
        in_row = min(columns, len(tiles) - row * columns)
        indent = (columns - in_row) * (_WIDE + _GAP) / 2
        x, y = indent + column * (_WIDE + _GAP), row * (_HIGH + _GAP)
        _draw_tile(draw, tile, (x, y), unit)
    shown = drawn.resize((round(size[0] * scale), round(size[1] * scale)), Image.Resampling.LANCZOS)
    at = (left + right - shown.width) // 2, (top + bottom - shown.height) // 2
    card.paste(shown, at, shown)


def _arranged(count: int, width: int, height: int) -> tuple[int, float]:
    """How many dominoes in a row, and pixels a unit, so that they come out largest."""

    def scale(columns: int) -> float:
        rows = -(-count // columns)
        across = width / (columns * (_WIDE + _GAP) - _GAP)
        return min(_LARGEST, across, height / (rows * (_HIGH + _GAP) - _GAP))

    columns = max(range(1, count + 1), key=lambda each: (scale(each), each))
    return columns, scale(columns)


def _draw_tile(
    draw: ImageDraw.ImageDraw, tile: Tile, place: tuple[float, float], unit: float
) -> None:
    x, y = place
    face = tuple(round(unit * each) for each in (x + 0.5, y + 0.5, x + 73.5, y + 37.5))
    line = max(1, round(1.5 * unit))
    draw.rounded_rectangle(face, radius=5 * unit, fill=_FACE, outline=_EDGE, width=line)
    bar = [(unit * (x + 37), unit * (y + 6)), (unit * (x + 37), unit * (y + 32))]
    draw.line(bar, fill=_EDGE, width=line)
    for number, start in ((tile.low, 1), (tile.high, 37)):
        rows = PIPS[number]
        radius = 2.2 if len(rows) > 5 else 2.7 if len(rows) > 3 else 3.5
        for index, bits in enumerate(rows):
            for column in range(3):
                if bits >> column & 1:
                    cx = x + start + 8 + 10 * column
                    cy = y + 6.5 + 23 * index / (len(rows) - 1)
                    corners = (cx - radius, cy - radius, cx + radius, cy + radius)
                    draw.ellipse([unit * each for each in corners], fill=_PIP)
