"""One square of a kingdom: terrain, crowns and giants, the castle, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino.errors import NotationError
from scorer.kingdomino.terrain import Terrain

__all__ = ["CASTLE", "EMPTY", "MAX_CROWNS", "Square"]

MAX_CROWNS = 3


@dataclass(frozen=True, slots=True)
class Square:
    """A square (Feld): half a domino, the start tile with the castle, or an empty place.

    ``crowns`` is the number of printed crowns (0..3), ``giants`` how many of them giants cover
    (0..crowns). ValueError if the parts contradict each other. Any number of crowns is valid on
    any terrain; ``problems`` knows which of them the box has.

    Its notation is ``.`` (empty), ``c`` (castle) or the letter of its terrain, the number of crowns
    unless it is 0, and a ``!`` for each giant: ``w``, ``m3!!``.

    Source: Kingdomino, "Spielmaterial"; giants: Age of Giants, "Ankunft der Giganten".
    """

    terrain: Terrain | None = None
    crowns: int = 0
    giants: int = 0
    is_castle: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.crowns <= MAX_CROWNS:
            raise ValueError(f"crowns: expected 0..{MAX_CROWNS}, got {self.crowns}")
        if not 0 <= self.giants <= self.crowns:
            raise ValueError(f"giants: expected 0..{self.crowns} (the crowns), got {self.giants}")
        if self.terrain is None and self.crowns:
            raise ValueError(f"crowns: expected 0 without terrain, got {self.crowns}")
        if self.terrain is not None and self.is_castle:
            raise ValueError(f"terrain: expected none under the castle, got {self.terrain.name}")

    @classmethod
    def parse(cls, text: str) -> Square:
        """Parse the notation of a square; NotationError ``bad_square`` for any other text."""
        try:
            return _BY_NOTATION[text]
        except KeyError:
            raise NotationError("bad_square", text=text) from None

    def __str__(self) -> str:
        if self.is_castle:
            return "c"
        if self.terrain is None:
            return "."
        return f"{self.terrain.letter}{self.crowns or ''}{'!' * self.giants}"

    @property
    def is_empty(self) -> bool:
        return self.terrain is None and not self.is_castle

    @property
    def counting_crowns(self) -> int:
        """The crowns that no giant covers.

        Source: Age of Giants, "Ankunft der Giganten", last sentence.
        """
        return self.crowns - self.giants

    @property
    def printed(self) -> Square:
        """The square as it is printed on the domino, without giants."""
        return Square(self.terrain, self.crowns) if self.giants else self


EMPTY = Square()
CASTLE = Square(is_castle=True)

# All 62 possible squares by their notation.
_BY_NOTATION = {
    str(square): square
    for square in (
        EMPTY,
        CASTLE,
        *(
            Square(terrain, crowns, giants)
            for terrain in Terrain
            for crowns in range(MAX_CROWNS + 1)
            for giants in range(crowns + 1)
        ),
    )
}
