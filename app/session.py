"""What one visitor of the web app is doing: a typed state that callbacks change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from app.editing import EditedKingdom, Side
from app.languages import Language
from app.link import from_link, to_link
from scorer.kingdomino import Position, Quest, Rules, Score, Square, Terrain, score
from vision.errors import PhotoError
from vision.reading import PhotoReading

__all__ = ["CASTLE_CHOICE", "EMPTY_CHOICE", "TERRAIN_CHOICES", "PhotoSource", "Session"]

CASTLE_CHOICE = "c"
EMPTY_CHOICE = "."
TERRAIN_CHOICES = (*(terrain.letter for terrain in Terrain), CASTLE_CHOICE, EMPTY_CHOICE)
"""What a square can be set to, in the notation."""


@dataclass(frozen=True)
class PhotoSource:
    """A photo that was chosen: the name it is called by, and its bytes."""

    name: str
    data: bytes = field(repr=False)


@dataclass
class Session:
    """The kingdoms in work and how they are looked at.

    ``waiting`` is a photo still to be read; ``refusal`` says why the last one was not. ``photo``
    is the upright RGB picture, uint8, shape (h, w, 3), that the readings belong to.
    """

    language: Language = Language.ENGLISH
    kingdoms: list[EditedKingdom] = field(default_factory=list)
    chosen: int = 0
    selected: Position | None = None
    starting: bool = True
    waiting: PhotoSource | None = None
    refusal: tuple[str, PhotoError] | None = None
    photo: NDArray[np.uint8] | None = field(default=None, repr=False)
    photo_size: tuple[int, int] = (0, 0)
    show_photo: bool = False
    rules: Rules = field(default_factory=Rules)

    @property
    def edited(self) -> EditedKingdom:
        """The kingdom that is shown."""
        return self.kingdoms[self.chosen]

    @property
    def score(self) -> Score:
        return score(self.edited.kingdom, self.rules)

    def choose_photo(self, name: str, data: bytes) -> None:
        """Have a photo read when the page is drawn next."""
        self.waiting = PhotoSource(name, data)
        self.refusal = None

    def refuse_photo(self, name: str, error: PhotoError) -> None:
        self.waiting = None
        self.refusal = (name, error)

    def open_reading(self, reading: PhotoReading, photo: NDArray[np.uint8]) -> None:
        """Look at what was read, the largest kingdom and its first doubtful square before all."""
        self.waiting = None
        self.photo = photo
        self.photo_size = (reading.width, reading.height)
        self._open([EditedKingdom.of_reading(kingdom) for kingdom in reading.kingdoms])
        self.show_photo = True

    def open_empty(self, side: int) -> None:
        """Start from an empty grid."""
        self.photo = None
        self.show_photo = False
        self._open([EditedKingdom.empty(side)])

    def open_link(self, parameters: Mapping[str, str]) -> None:
        """Go on with the kingdom in the address of the page, if there is one."""
        edited = from_link(parameters)
        if edited is not None:
            self._open([edited])

    def link(self) -> dict[str, str]:
        """The address parameters that ``open_link`` understands."""
        return {} if self.starting or not self.kingdoms else to_link(self.edited)

    def choose_kingdom(self, number: int) -> None:
        self.chosen = number
        self.selected = self._first_doubt()

    def tap(self, position: Position) -> None:
        """Select a square."""
        self.selected = position

    def go_to_next_doubt(self) -> None:
        """Select the doubtful square after the selected one, row by row and round again."""
        doubts = sorted(self.edited.doubtful)
        following = [place for place in doubts if self.selected and place > self.selected]
        self.selected = next(iter(following or doubts), self.selected)

    def set_terrain(self, choice: str) -> None:
        """Give the selected square one of ``TERRAIN_CHOICES``; a terrain keeps its crowns."""
        before = self._selected_square()
        square = Square.parse(choice)
        if square.terrain is not None:
            square = replace(square, crowns=before.crowns, giants=before.giants)
        self._put(square)

    def set_crowns(self, crowns: int) -> None:
        """Give the selected square so many crowns; giants without a crown leave it."""
        before = self._selected_square()
        if before.terrain is not None:
            self._put(replace(before, crowns=crowns, giants=min(before.giants, crowns)))

    def set_giants(self, giants: int) -> None:
        before = self._selected_square()
        if giants <= before.crowns:
            self._put(replace(before, giants=giants))

    def set_square(self, square: Square) -> None:
        """Give the selected square a reading that was offered, and go to the next doubt."""
        self._put(square)
        self.go_to_next_doubt()

    def confirm(self) -> None:
        """The selected square is right as it stands; go to the next doubt."""
        self.set_square(self._selected_square())

    def add_line(self, side: Side) -> None:
        self._replace(self.edited.with_line(side))
        self.selected = None

    def trim(self) -> None:
        self._replace(self.edited.trimmed())
        self.selected = None

    def set_rules(
        self, *, harmony: bool, middle_kingdom: bool, giants: bool, quests: tuple[Quest, ...]
    ) -> None:
        """Play by these rules; quests take the place of the two variants, which they include."""
        self.rules = Rules(
            harmony=harmony and not quests,
            middle_kingdom=middle_kingdom and not quests,
            age_of_giants=giants,
            quests=quests if giants else (),
        )

    def _open(self, kingdoms: list[EditedKingdom]) -> None:
        self.kingdoms = kingdoms
        self.starting = False
        self.refusal = None
        self.choose_kingdom(0)

    def _first_doubt(self) -> Position | None:
        return min(self.edited.doubtful, default=None)

    def _selected_square(self) -> Square:
        if self.selected is None:
            raise ValueError("expected a selected square, there is none")
        return self.edited.kingdom[self.selected]

    def _put(self, square: Square) -> None:
        if self.selected is not None:
            self._replace(self.edited.with_square(self.selected, square))

    def _replace(self, edited: EditedKingdom) -> None:
        self.kingdoms[self.chosen] = edited
