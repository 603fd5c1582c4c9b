"""Drawn squares: the terrain, its crowns and its giants as small pictures of our own."""

from __future__ import annotations

from functools import cache
from urllib.parse import quote

from scorer.kingdomino import Square, Terrain

__all__ = ["data_address", "square_svg"]

_ORNAMENTS = {
    Terrain.WHEAT: (
        '<g stroke="#9a6f0c" stroke-width="4" stroke-linecap="round" fill="none">'
        '<path d="M28 62V22M50 58V14M72 62V22"/>'
        '<path d="M28 30l-8-8M28 30l8-8M28 42l-8-8M28 42l8-8M50 22l-8-8M50 22l8-8M50 34l-8-8'
        'M50 34l8-8M72 30l-8-8M72 30l8-8M72 42l-8-8M72 42l8-8"/></g>'
    ),
    Terrain.FOREST: (
        '<g fill="#163d20"><path d="M28 12l17 28H11zM28 26l20 32H8z"/>'
        '<path d="M70 8l18 30H52zM70 24l21 34H49z"/></g>'
    ),
    Terrain.LAKE: (
        '<g stroke="#b9def7" stroke-width="5" stroke-linecap="round" fill="none">'
        '<path d="M14 22q9-9 18 0t18 0t18 0t18 0M14 38q9-9 18 0t18 0t18 0t18 0'
        'M14 54q9-9 18 0t18 0t18 0t18 0"/></g>'
    ),
    Terrain.GRASSLAND: (
        '<g stroke="#4f7d1c" stroke-width="4" stroke-linecap="round" fill="none">'
        '<path d="M18 34l5 12 5-12M48 24l5 12 5-12M74 38l5 12 5-12M34 52l5 12 5-12'
        'M64 56l5 10 5-10"/></g>'
    ),
    Terrain.SWAMP: (
        '<g stroke="#4d4733" stroke-width="4" stroke-linecap="round" fill="none">'
        '<path d="M26 60V30M46 60V18M66 60V28M14 60h72"/></g>'
        '<g fill="#5f3b1c"><rect x="21" y="16" width="10" height="22" rx="5"/>'
        '<rect x="41" y="6" width="10" height="22" rx="5"/>'
        '<rect x="61" y="16" width="10" height="22" rx="5"/></g>'
    ),
    Terrain.MINE: (
        '<path d="M8 62L34 18l14 20 14-24 30 48z" fill="#221d21"/>'
        '<g fill="#e8b93a"><circle cx="34" cy="46" r="6"/><circle cx="60" cy="40" r="7"/>'
        '<circle cx="74" cy="54" r="5"/></g>'
    ),
}
_CASTLE = (
    '<path d="M20 82V30h10v10h10V22h20v18h10V30h10v52H60V66q-10-14-20 0v16z" fill="#5d5a61"/>'
    '<path d="M50 22V8l16 6-16 6" fill="#a3262a" stroke="#a3262a" stroke-width="2"/>'
)
_CROWN = (
    '<path d="M0 20V3l7 8 6-11 6 11 7-8v17z" fill="#ffd23f" stroke="#3a2a05" stroke-width="2"/>'
)
_GIANT = (
    '<g fill="#7a1f2b" stroke="#fff" stroke-width="2"><circle cx="13" cy="-8" r="8"/>'
    '<path d="M1 21q0-21 12-21t12 21z"/></g>'
)
_CASTLE_GROUND = "#d8d3ca"
_EMPTY_GROUND = "#f3efe6"


@cache
def square_svg(square: Square) -> str:
    """The drawing of a square as SVG, 100 units wide and high."""
    if square.is_castle:
        ground, inside = _CASTLE_GROUND, _CASTLE
    elif square.terrain is None:
        ground, inside = _EMPTY_GROUND, ""
    else:
        ground, inside = square.terrain.colour, _ORNAMENTS[square.terrain] + _crowns(square)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<rect width="100" height="100" fill="{ground}"/>{inside}</svg>'
    )


def _crowns(square: Square) -> str:
    """Crowns in a row at the bottom, those under giants first."""
    left = 50 - 15 * square.crowns + 2
    drawn = []
    for number in range(square.crowns):
        piece = _CROWN + (_GIANT if number < square.giants else "")
        drawn.append(f'<g transform="translate({left + 30 * number} 72)">{piece}</g>')
    return "".join(drawn)


def data_address(svg: str) -> str:
    """The drawing as an address for CSS."""
    return f"data:image/svg+xml,{quote(svg)}"
