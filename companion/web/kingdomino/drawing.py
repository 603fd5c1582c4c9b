"""A kingdom as a small picture: tiles by colour and sign, its territories with their points."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.web.surface import Markup, tag
from scorer.kingdomino import Kingdom, Position, Score, Square, Terrain

__all__ = ["kingdom_picture"]

_SIDE = 20
_GROUNDS = {
    Terrain.WHEAT: ("#ecc14b", "#8a6206"),
    Terrain.FOREST: ("#2c6440", "#b7dcb9"),
    Terrain.LAKE: ("#2f74b5", "#e4f1ff"),
    Terrain.GRASSLAND: ("#9cc957", "#3f6312"),
    Terrain.SWAMP: ("#b3a587", "#4c4029"),
    Terrain.MINE: ("#463f4b", "#e2d8c0"),
}
_SIGNS = {
    Terrain.WHEAT: "M5 16V6M10 16V6M15 16V6M3 8l2-2 2 2M8 8l2-2 2 2M13 8l2-2 2 2",
    Terrain.FOREST: "M6 6 3 13h6zM14 6l-3 7h6zM6 13v3M14 13v3",
    Terrain.LAKE: "M3 8q2-3 4 0t4 0 4 0M4 13q2-3 4 0t4 0 4 0",
    Terrain.GRASSLAND: "M4 8l2 3 2-3M12 6l2 3 2-3M8 14l2 3 2-3",
    Terrain.SWAMP: "M6 16V8M10 16V5M14 16V8M4 16h12M5 7h2M9 4h2M13 7h2",
    Terrain.MINE: "M3 16 8 5l3 6 2-3 4 8z",
}
_CROWN = "m0 4-1-5 2 2L3-2l2 3 2-2-1 5z"


def kingdom_picture(
    kingdom: Kingdom,
    name: str,
    score: Score | None = None,
    lit: Collection[Position] | None = None,
) -> Markup:
    """The kingdom drawn; with a score each territory shows its points.

    Where ``lit`` is given, only those squares stay bright.
    """
    height, width = kingdom.height, kingdom.width
    parts: list[Markup] = []
    for place, square in kingdom.items():
        dim = lit is not None and place not in lit
        parts.append(_tile(place, square, dim))
    for territory in score.territories if score else ():
        parts.append(_outline(territory.squares))
    if score is not None:
        for territory in score.territories:
            if territory.points and (lit is None or set(territory.squares) & set(lit)):
                parts.append(_points(territory.squares, territory.points))
    for place in lit or ():
        parts.append(_frame(place))
    box = f"-1 -1 {width * _SIDE + 2} {height * _SIDE + 2}"
    inside = "".join(parts)
    return Markup(f'<svg class="kingdom" viewBox="{box}" role="img" {_label(name)}>{inside}</svg>')


def _label(name: str) -> str:
    return tag("i", aria_label=name)[3 : -len("></i>")]


def _tile(place: Position, square: Square, dim: bool) -> Markup:
    x, y = place[1] * _SIDE, place[0] * _SIDE
    if square.is_empty:
        return Markup("")
    if square.terrain is None:
        ground, ink, sign = "#ded3bf", "#4a3a24", "M5 16V6h2v2h2V6h2v2h2V6h2v10z"
    else:
        (ground, ink), sign = _GROUNDS[square.terrain], _SIGNS[square.terrain]
    crowns = "".join(
        f'<path transform="translate({3 + 6 * index} {14.5})" d="{_CROWN}" fill="'
        f'{"#8c1f2f" if index < square.giants else "#ffd64f"}" stroke="#2b1703" '
        'stroke-width=".7" stroke-linejoin="round"/>'
        for index in range(square.crowns)
    )
    look = ' class="dim"' if dim else ""
    return Markup(
        f'<g transform="translate({x} {y})"{look}><rect width="20" height="20" fill="{ground}"/>'
        f'<path d="{sign}" fill="none" stroke="{ink}" stroke-width="1.2" stroke-linecap="round" '
        f'stroke-linejoin="round" opacity=".8"/>{crowns}</g>'
    )


def _outline(squares: Iterable[Position]) -> Markup:
    """The border of a territory: the edges that only one of its squares has."""
    inside = set(squares)
    edges = []
    for row, column in inside:
        x, y = column * _SIDE, row * _SIDE
        for (dr, dc), path in (
            ((-1, 0), f"M{x} {y}h20"),
            ((1, 0), f"M{x} {y + 20}h20"),
            ((0, -1), f"M{x} {y}v20"),
            ((0, 1), f"M{x + 20} {y}v20"),
        ):
            if (row + dr, column + dc) not in inside:
                edges.append(path)
    path = "".join(edges)
    return Markup(f'<path d="{path}" stroke="#fffaf0" stroke-width="1.4" fill="none"/>')


def _points(squares: Iterable[Position], points: int) -> Markup:
    """The points on the square nearest to the territory's middle."""
    places = list(squares)
    middle = [sum(each) / len(places) for each in zip(*places, strict=True)]
    row, column = min(
        places, key=lambda place: (place[0] - middle[0]) ** 2 + (place[1] - middle[1]) ** 2
    )
    x, y = column * _SIDE + 5.6, row * _SIDE + 5.6
    return Markup(
        f'<circle cx="{x}" cy="{y}" r="4.9" fill="#fffaf0" stroke="#2b2116" stroke-width=".8"/>'
        f'<text x="{x}" y="{y + 2}">{points}</text>'
    )


def _frame(place: Position) -> Markup:
    x, y = place[1] * _SIDE, place[0] * _SIDE
    return Markup(
        f'<rect x="{x + 1}" y="{y + 1}" width="18" height="18" fill="none" stroke="#ffd64f" '
        'stroke-width="1.6"/>'
    )
