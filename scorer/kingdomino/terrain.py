"""The six terrains with letter, names and colour."""

from __future__ import annotations

from enum import Enum

__all__ = ["Terrain"]


class Terrain(Enum):
    """A terrain (Landschaftstyp); the castle has none.

    Source: Kingdomino, overview of the terrains on the last page of the sheet.
    """

    WHEAT = ("w", "wheat field", "Getreidefeld", "#e5b82e")
    FOREST = ("f", "forest", "Wald", "#2f6b3c")
    LAKE = ("l", "lake", "See", "#2f7fc1")
    GRASSLAND = ("g", "grassland", "Wiese", "#8fc24a")
    SWAMP = ("s", "swamp", "Sumpf", "#a39a80")
    MINE = ("m", "mine", "Mine", "#4a4148")

    def __init__(self, letter: str, english: str, german: str, colour: str) -> None:
        self.letter = letter
        self.english = english
        self.german = german
        self.colour = colour

    @classmethod
    def of(cls, letter: str) -> Terrain:
        """The terrain with that letter; ValueError for any other text."""
        for terrain in cls:
            if terrain.letter == letter:
                return terrain
        letters = " ".join(terrain.letter for terrain in cls)
        raise ValueError(f"terrain: expected one of {letters}, got {letter!r}")
