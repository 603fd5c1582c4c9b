"""Muggins once more, by another way: tiles as nodes, joined at named places of theirs.

Knows nothing of lines and arms. A tile has two halves to join at; the first double has two sides
and two ends; a later double has a near and a far side. What counts is read off the places that
are still free. It's an independent check of the layout's open ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.pip_dominoes import Tile

Joint = tuple[int, str]
"""A free place: the number of the tile on the table, and which of its places."""


@dataclass
class Table:
    """The tiles in the order laid, and the places of each that are joined already."""

    tiles: list[Tile] = field(default_factory=list)
    joined: list[set[str]] = field(default_factory=list)

    def is_spinner(self, number: int) -> bool:
        doubles = [each for each, tile in enumerate(self.tiles) if tile.is_double]
        return doubles[:1] == [number]

    def places_of(self, number: int) -> dict[str, int]:
        """The places of a tile where another may be joined now, with the pips there."""
        tile = self.tiles[number]
        if self.is_spinner(number):
            sides = {"side a", "side b"}
            names = sides | ({"end a", "end b"} if sides <= self.joined[number] else set())
            return dict.fromkeys(sorted(names), tile.low)
        if tile.is_double:
            return {"near": tile.low, "far": tile.low}
        return {"low": tile.low, "high": tile.high}

    def free(self) -> dict[Joint, int]:
        return {
            (number, name): pips
            for number in range(len(self.tiles))
            for name, pips in self.places_of(number).items()
            if name not in self.joined[number]
        }

    def lay(self, tile: Tile, at: Joint | None) -> int:
        """Lay a tile, at a free place or as the first; gives its number."""
        number = len(self.tiles)
        self.tiles.append(tile)
        self.joined.append(set())
        if at is None:
            return number
        pips = self.free()[at]
        self.joined[at[0]].add(at[1])
        own = "side a" if self.is_spinner(number) else "near" if tile.is_double else ""
        self.joined[number].add(own or ("low" if tile.low == pips else "high"))
        return number

    def total(self, *, spinner_counts: bool = True) -> int:
        """The pips of the open ends, tile by tile."""
        total = 0
        for number, tile in enumerate(self.tiles):
            joined = self.joined[number]
            if self.is_spinner(number):
                total += tile.pips * (spinner_counts and not {"side a", "side b"} <= joined)
            elif tile.is_double:
                total += tile.pips * ("far" not in joined)
            else:
                total += tile.low * ("low" not in joined) + tile.high * ("high" not in joined)
        return total
