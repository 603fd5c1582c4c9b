"""Drawings of our own of terrains, castle and crowns: the same on board, result and card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

from PIL import Image, ImageDraw

from scorer.kingdomino import Square, Terrain


@dataclass(frozen=True)
class Art:
    """A drawing of 100 units each way: its ground, the ink of its shapes, and the shapes as SVG.

    Crowns lie below 66, so the shapes of terrains stay above.
    """

    ground: str
    ink: str
    shapes: str

    @property
    def svg(self) -> str:
        """The drawing as SVG."""
        return (
            f'<rect width="100" height="100" fill="{self.ground}"/><g fill="{self.ink}" '
            f'stroke="{self.ink}" stroke-linecap="round" stroke-linejoin="round">{self.shapes}</g>'
        )


ART: Mapping[Terrain, Art] = {
    Terrain.WHEAT: Art(
        "#ecc14b",
        "#74500a",
        '<g fill="none" stroke-width="4"><path d="M50 64V26M26 64V34M74 64V34"/></g><'
        'g stroke="none"><path d="M50 8q7 7 0 15q-7-8 0-15M50 26q1-9 11-11q0 10-11 11'
        "M50 26q-1-9-11-11q0 10 11 11M50 39q1-9 11-11q0 10-11 11M50 39q-1-9-11-11q0 1"
        '0 11 11M50 52q1-9 11-11q0 10-11 11M50 52q-1-9-11-11q0 10 11 11"/><path d="M2'
        "6 20q6 6 0 13q-6-7 0-13M26 38q1-8 9-10q0 9-9 10M26 38q-1-8-9-10q0 9 9 10M26 "
        '50q1-8 9-10q0 9-9 10M26 50q-1-8-9-10q0 9 9 10"/><path d="M74 20q6 6 0 13q-6-'
        "7 0-13M74 38q1-8 9-10q0 9-9 10M74 38q-1-8-9-10q0 9 9 10M74 50q1-8 9-10q0 9-9"
        ' 10M74 50q-1-8-9-10q0 9 9 10"/></g>',
    ),
    Terrain.FOREST: Art(
        "#2c6440",
        "#cfe6bd",
        '<g stroke="none"><path d="M34 8l13 20h-7l11 17H17l11-17h-7z"/><path d="M31 4'
        '5h6v10h-6z"/><path d="M69 20l12 18h-6l10 15H53l10-15h-6z"/><path d="M66 53h6'
        'v9h-6z"/></g>',
    ),
    Terrain.LAKE: Art(
        "#2f74b5",
        "#e8f4fd",
        '<g fill="none" stroke-width="5"><path d="M12 22q9.500-10 19 0t19 0t19 0t19 0'
        '"/><path d="M12 40q9.500-10 19 0t19 0t19 0t19 0"/><path d="M12 58q9.500-10 1'
        '9 0t19 0t19 0t19 0"/></g>',
    ),
    Terrain.GRASSLAND: Art(
        "#9cc957",
        "#3c5f14",
        '<g fill="none" stroke-width="4"><path d="M20 38q0-9-6-14M20 38q1-12 0-18M20 '
        '38q0-9 7-13"/><path d="M70 60q0-9-6-14M70 60q1-12 0-18M70 60q0-9 7-13"/></g>'
        '<g stroke="none"><circle cx="58" cy="16" r="5"/><circle cx="50" cy="22" r="5'
        '"/><circle cx="66" cy="22" r="5"/><circle cx="53" cy="31" r="5"/><circle cx='
        '"63" cy="31" r="5"/><circle cx="32" cy="50" r="4"/><circle cx="25" cy="55" r'
        '="4"/><circle cx="39" cy="55" r="4"/><circle cx="28" cy="62" r="4"/><circle '
        'cx="36" cy="62" r="4"/></g>',
    ),
    Terrain.SWAMP: Art(
        "#b3a587",
        "#4a3a22",
        '<g fill="none" stroke-width="4"><path d="M30 62V30M52 62V20M72 62V34M12 62h7'
        '6M52 56q12-4 14-16M30 58q-11-3-13-13"/></g><g stroke="none"><rect x="24" y="'
        '14" width="12" height="24" rx="6"/><rect x="46" y="5" width="12" height="24"'
        ' rx="6"/><rect x="66" y="18" width="12" height="24" rx="6"/></g>',
    ),
    Terrain.MINE: Art(
        "#463f4b",
        "#e9dfd0",
        '<path fill="none" stroke-width="5" d="M8 62L36 16l15 23 12-16 29 39"/><path '
        'fill="none" stroke-width="4" d="M27 31l8 6 8-9"/><g stroke="none"><path d="M'
        '38 49l7-5 7 5-3 9h-8z"/><path d="M61 50l6-4 6 4-2 8h-8z"/></g>',
    ),
}
CASTLE = Art(
    "#ded3bf",
    "#54473a",
    '<path stroke="none" d="M18 84V38h11v9h10V30h22v17h10v-9h11v46H60V70q-10-15-20 0v'
    '14z"/><path fill="none" stroke-width="4" d="M50 30V10"/><path stroke="none" d="M'
    '50 9l20 7-20 8z"/>',
)
CROWN = (
    '<path d="M2 18V4.500l5.500 5L12 2l4.500 7.500 5.500-5V18z" fill="#ffd64f" stroke'
    '="#2d1d02" stroke-width="2.200" stroke-linejoin="round"/>'
)
"""A crown in a box of 24 by 20, as SVG."""
COVERED_CROWN = (
    '<path d="M2 18V4.500l5.500 5L12 2l4.500 7.500 5.500-5V18z" fill="#8d8678" stroke'
    '="#2d1d02" stroke-width="2.200" stroke-linejoin="round"/><g fill="#8c1f2f" strok'
    'e="#fff4ea" stroke-width="1.800"><path d="M3.500 19.500q0-9 8.500-9t8.500 9z"/><'
    'circle cx="12" cy="6" r="5"/></g><path d="M9.500 5.500h1.500M13 5.500h1.500" str'
    'oke="#fff4ea" stroke-width="1.800"/>'
)
"""A crown under a giant, in the same box."""


@cache
def symbols() -> str:
    """The drawings for a page, as the inside of an SVG.

    Symbols ``tile-w`` … for terrains by their letter, ``tile-c`` for the castle, ``crown`` and
    ``covered``; and a style that gives the class ``ground-w`` … the colour of the ground.
    """
    drawings = {**{each.letter: art for each, art in ART.items()}, "c": CASTLE}
    grounds = [
        f".ground-{letter}{{fill:{art.ground};background:{art.ground}}}"
        for letter, art in drawings.items()
    ]
    tiles = [
        f'<symbol id="tile-{letter}" viewBox="0 0 100 100" preserveAspectRatio="none">'
        f"{art.svg}</symbol>"
        for letter, art in drawings.items()
    ]
    crowns = [
        f'<symbol id="{name}" viewBox="0 0 24 20">{shapes}</symbol>'
        for name, shapes in (("crown", CROWN), ("covered", COVERED_CROWN))
    ]
    return f"<style>{''.join(grounds)}</style>{''.join(tiles + crowns)}"


def _art_of(square: Square) -> Art:
    if square.terrain is not None:
        return ART[square.terrain]
    if not square.is_castle:
        raise ValueError("square: expected one that is not empty")
    return CASTLE


_PAPER, _LINE = "#fffaf0", "#2b1703"
_HOUSE = f'<path stroke="none" fill="{_PAPER}" d="M20 98V68L50 46L80 68V98z"/>'
_FIGURE = (
    f'<g fill="{_PAPER}" stroke="{_LINE}" stroke-width="3"><path d="M32 97L42 66H58L68 97z"/>'
    '<circle cx="50" cy="60" r="11"/></g>'
)

Mark = tuple[str, float, float, float]
"""Shapes as SVG, where they lie on a tile of 100 units (x, y), and how they are scaled there."""


def marks_of(square: Square) -> list[Mark]:
    """What lies on the terrain of a square: its crowns, and a piece of The Court."""
    found = _crowns(square.crowns, square.giants, 28 / 24, 68)
    if square.building:
        found += [(_HOUSE, 0, 0, 1), *_crowns(square.building, 0, 18 / 24, 76)]
    elif square.character:
        found.append((_FIGURE, 0, 0, 1))
    elif square.token and square.terrain:
        art = ART[square.terrain]
        disc = f'<circle cx="50" cy="78" r="16" fill="{art.ink}" stroke="{art.ground}"/>'
        found.append((disc, 0, 0, 1))
    return found


def _crowns(count: int, giants: int, scale: float, top: float) -> list[Mark]:
    step = 26 * scale
    left = 50 - (step * (count - 1) + 24 * scale) / 2
    return [
        (COVERED_CROWN if number < giants else CROWN, left + step * number, top, scale)
        for number in range(count)
    ]


def tile_svg(square: Square) -> str:
    """A square with all that lies on it, as SVG of 100 units each way; ValueError for none."""
    marks = "".join(
        f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{shapes}</g>'
        for shapes, x, y, scale in marks_of(square)
    )
    return f"{_art_of(square).svg}{marks}"


_LARGER = 3


@cache
def tile_picture(square: Square, side_px: int) -> Image.Image:
    """A square with all that lies on it, as pixels; ValueError for an empty one."""
    art = _art_of(square)
    unit = _LARGER * side_px / 100
    picture = Image.new("RGB", (_LARGER * side_px, _LARGER * side_px), art.ground)
    _draw(picture, art.shapes, unit, (0, 0), art.ink)
    for shapes, x, y, scale in marks_of(square):
        _draw(picture, shapes, scale * unit, (x * unit, y * unit), art.ink)
    return picture.resize((side_px, side_px), Image.Resampling.LANCZOS)


def _draw(
    picture: Image.Image, shapes: str, scale: float, place: tuple[float, float], ink: str
) -> None:
    """Draw the shapes of an SVG, as far as the drawings of this module go."""
    draw = ImageDraw.Draw(picture)
    look = {"fill": ink, "stroke": ink, "stroke-width": "1"}
    root = ElementTree.fromstring(f"<g>{shapes}</g>")

    def at(x: float, y: float) -> tuple[float, float]:
        return place[0] + scale * x, place[1] + scale * y

    def visit(element: ElementTree.Element, inherited: Mapping[str, str]) -> None:
        now = {**inherited, **{key: element.get(key, value) for key, value in inherited.items()}}
        fill, line = (None if now[key] == "none" else now[key] for key in ("fill", "stroke"))
        width = max(1, round(float(now["stroke-width"]) * scale)) if line else 0
        number = {key: float(value) for key, value in element.items() if _is_number(value)}
        if element.tag == "circle":
            x, y, radius = number["cx"], number["cy"], number["r"]
            box = (*at(x - radius, y - radius), *at(x + radius, y + radius))
            draw.ellipse(box, fill, line, width)
        elif element.tag == "rect":
            x, y = number["x"], number["y"]
            box = (*at(x, y), *at(x + number["width"], y + number["height"]))
            draw.rounded_rectangle(box, number["rx"] * scale, fill, line, width)
        elif element.tag == "path":
            for points, closed in _outlines(element.get("d", "")):
                placed = [at(*point) for point in points]
                if fill and len(placed) > 2:
                    draw.polygon(placed, fill)
                if line:
                    draw.line([*placed, placed[0]] if closed else placed, line, width, "curve")
        for child in element:
            visit(child, now)

    visit(root, look)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9.]+", text) is not None


_TOKEN = re.compile(r"[MmLlHhVvQqTtZz]|-?[0-9]*[.]?[0-9]+")
_TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "q": 4, "t": 2, "z": 0}
_STEPS = 8
Point = tuple[float, float]


def _outlines(path: str) -> Iterator[tuple[list[Point], bool]]:
    """The lines of the data of an SVG path as points, and whether each is closed.

    Moves, lines and quadratic curves; all else is not used here.
    """
    tokens = _TOKEN.findall(path)
    points: list[Point] = []
    here: Point = (0.0, 0.0)
    turn: Point = here
    command, index = "M", 0
    while index < len(tokens):
        if tokens[index].isalpha():
            command, index = tokens[index], index + 1
        kind, taken = command.lower(), _TAKES[command.lower()]
        values = [float(each) for each in tokens[index : index + taken]]
        index += taken
        if kind == "z":
            yield points, True
            here, points = points[0], points[:1]
            continue
        start = here
        if command.islower():
            values = [
                value + start[1 if kind == "v" or (taken > 1 and number % 2) else 0]
                for number, value in enumerate(values)
            ]
        if kind == "m":
            if len(points) > 1:
                yield points, False
            here = (values[0], values[1])
            points, command = [here], "l" if command == "m" else "L"
        elif kind in "qt":
            mirrored = (2 * start[0] - turn[0], 2 * start[1] - turn[1])
            turn = (values[0], values[1]) if kind == "q" else mirrored
            here = (values[-2], values[-1])
            points += [_on_curve(start, turn, here, step / _STEPS) for step in range(1, _STEPS + 1)]
            continue
        else:
            here = {
                "h": (values[0], start[1]),
                "v": (start[0], values[0]),
                "l": (values[0], values[-1]),
            }[kind]
            points = [*points, here]
        turn = here
    if len(points) > 1:
        yield points, False


def _on_curve(start: Point, turn: Point, end: Point, share: float) -> Point:
    rest = 1 - share
    a, b, c = rest * rest, 2 * rest * share, share * share
    return a * start[0] + b * turn[0] + c * end[0], a * start[1] + b * turn[1] + c * end[1]
