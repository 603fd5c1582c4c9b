"""The Court, a free expansion to print: how many pieces it has, and what its characters earn.

Its rules are taken from a published summary and from the values of other score calculators, not
from a rule sheet of the publisher. A reading that only one of these supports can be overruled by
giving the points of a character by hand (``Square.points``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter

from scorer.kingdomino.kingdom import Character, Kingdom, Position, Square, Terrain, layout

_BY_TERRAIN = {
    Terrain.WHEAT: Character.FARMER,
    Terrain.FOREST: Character.LUMBERJACK,
    Terrain.LAKE: Character.FISHERMAN,
    Terrain.GRASSLAND: Character.SHEPHERDESS,
}
_TOKENS = {Terrain.WHEAT: 21, Terrain.FOREST: 16, Terrain.LAKE: 12, Terrain.GRASSLAND: 10}
"""One for each square without a crown in the base game, 59 in all."""

BUILDINGS = {
    (Terrain.WHEAT, 1): 3,
    (Terrain.FOREST, 1): 3,
    (Terrain.LAKE, 1): 3,
    (Terrain.GRASSLAND, 1): 1,
    (Terrain.GRASSLAND, 2): 1,
    (Terrain.SWAMP, 1): 1,
    (Terrain.SWAMP, 2): 1,
}
"""How many buildings there are by terrain and crowns, 13 in all; none for mines."""

PIECES = Counter(
    {
        **{f"{terrain.letter}*": count for terrain, count in _TOKENS.items()},
        **{f"{terrain.letter}+{crowns}": count for (terrain, crowns), count in BUILDINGS.items()},
        **{character.key: 1 for character in Character},
    }
)
"""How often each piece exists, by the key that ``piece_of`` gives."""

_WARRIORS = (
    Character.CAPTAIN,
    Character.AXE_WARRIOR,
    Character.SWORD_WARRIOR,
    Character.LIGHT_ARCHER,
    Character.HEAVY_ARCHER,
)
_POINTS_EACH = {
    **dict.fromkeys(_BY_TERRAIN.values(), 3),
    Character.BANKER: 2,
    Character.QUEEN: 2,
    Character.KING: 1,
    Character.CAPTAIN: 3,
}


def points_of(character: Character, times: int) -> int:
    """The points of a character to whom the squares around it add so often."""
    return character.points + _POINTS_EACH.get(character, 0) * times


def piece_of(square: Square) -> str | None:
    """The key of the piece on a square: ``w*``, ``g+2`` or ``queen``; None without one."""
    if square.character is not None:
        return square.character.key
    return str(square) if square.has_piece else None


@dataclass(frozen=True, slots=True)
class CharacterScore:
    """The points of a character.

    ``square`` is its (row, column), ``around`` those of the squares that add to its points,
    ``count`` how often they do (a square with two crowns adds twice to the king), ``each`` what
    each time adds. ``by_hand`` is the number of points if a person gave it.
    """

    character: Character
    square: Position
    around: tuple[Position, ...]
    count: int
    each: int
    by_hand: int | None = None

    @property
    def points(self) -> int:
        """Those given by hand, or the character's own and what the squares around it add."""
        if self.by_hand is not None:
            return self.by_hand
        return self.character.points + self.each * self.count


_CHARACTER = attrgetter("character")


def characters_of(kingdom: Kingdom) -> tuple[CharacterScore, ...]:
    """The points of every character of a kingdom, row by row.

    Source: The Court, overview of the characters. That the king counts the crowns of buildings too
    is the reading of one source.
    """
    squares = [square for row in kingdom.rows for square in row]
    if not any(map(_CHARACTER, squares)):
        return ()
    tables = layout(kingdom.height, kingdom.width)
    found = []
    for index, square in enumerate(squares):
        if square.character is None:
            continue
        times = [(near, times_of(square.character, squares[near])) for near in tables.rings[index]]
        found.append(
            CharacterScore(
                square.character,
                tables.positions[index],
                tuple(tables.positions[near] for near, count in times if count),
                sum(count for _, count in times),
                _POINTS_EACH.get(square.character, 0),
                square.points,
            )
        )
    return tuple(found)


def times_of(character: Character, near: Square) -> int:
    """How often one of the eight squares around a character adds to its points."""
    if character is Character.KING:
        return near.counting_crowns
    if character is Character.QUEEN:
        return near.character is not None
    if character is Character.CAPTAIN:
        return near.character in _WARRIORS
    if character is Character.BANKER:
        return near.token
    terrain = near.terrain
    return near.token and terrain is not None and _BY_TERRAIN[terrain] is character
