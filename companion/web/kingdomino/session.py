"""What one visitor of the web app is doing: a typed state that callbacks change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.kingdomino.editing import EditedKingdom, Side
from companion.kingdomino.settling import settled
from companion.languages import Language
from companion.web.kingdomino.link import (
    PLAYER,
    RULES,
    from_link,
    player_from_link,
    player_to_link,
    rules_from_link,
    rules_to_link,
    to_link,
)
from scorer.kingdomino import (
    LARGE_GRID,
    BleakKing,
    Player,
    Position,
    Quest,
    Ranking,
    Rules,
    Score,
    Square,
    Terrain,
    TieBreak,
    rank,
    score,
)
from vision.kingdomino.annotate import draw_reading
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError

__all__ = [
    "CASTLE_CHOICE",
    "EMPTY_CHOICE",
    "MAX_PLAYERS",
    "TERRAIN_CHOICES",
    "PhotoSource",
    "Seat",
    "Session",
]

MAX_PLAYERS = 5

CASTLE_CHOICE = "c"
EMPTY_CHOICE = "."
TERRAIN_CHOICES = (*(terrain.letter for terrain in Terrain), CASTLE_CHOICE, EMPTY_CHOICE)
"""What a square can be set to, in the notation."""


@dataclass(frozen=True)
class PhotoSource:
    """A photo that was chosen: the name it is called by, and its bytes."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Seat:
    """A player of the game and the kingdom that was kept for them."""

    name: str
    edited: EditedKingdom


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
    seats: list[Seat] = field(default_factory=list)
    _drawn: tuple[tuple[EditedKingdom, ...], NDArray[np.uint8]] | None = field(
        default=None, init=False, repr=False
    )

    @property
    def edited(self) -> EditedKingdom:
        """The kingdom that is shown."""
        return self.kingdoms[self.chosen]

    @property
    def score(self) -> Score:
        return score(self.edited.kingdom, self.rules)

    @property
    def ranking(self) -> Ranking | None:
        """The places of the players; None for fewer than two of them."""
        if len(self.seats) < 2:
            return None
        scores = {seat.name: score(seat.edited.kingdom, self.rules) for seat in self.seats}
        return rank(scores, self.rules)

    @property
    def players(self) -> list[Player]:
        return [Player(seat.name, seat.edited.kingdom) for seat in self.seats]

    def drawn_photo(self) -> NDArray[np.uint8] | None:
        """The photo with every kingdom as it stands now, RGB; None without a photo.

        Drawn again only after a change: most taps change nothing on it.
        """
        if self.photo is None:
            return None
        kingdoms = tuple(self.kingdoms)
        if self._drawn is None or self._drawn[0] != kingdoms:
            readings = [reading for edited in kingdoms if (reading := edited.as_reading())]
            picture = draw_reading(self.photo, PhotoReading(tuple(readings), *self.photo_size))
            self._drawn = (kingdoms, picture)
        return self._drawn[1]

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
        self._drawn = None
        self.photo_size = (reading.width, reading.height)
        self._open([EditedKingdom.of_reading(kingdom) for kingdom in reading.kingdoms])
        self.show_photo = True

    def open_empty(self, side: int) -> None:
        """Start from an empty grid."""
        self.photo = None
        self.show_photo = False
        self._open([EditedKingdom.empty(side)])

    def open_link(self, parameters: Mapping[str, str], players: Sequence[str] = ()) -> None:
        """Go on with the kingdom, the players and the rules in the address of the page."""
        self.rules = rules_from_link(parameters)
        seats = [seat for player in players if (seat := player_from_link(player))]
        self.seats = [Seat(name, edited) for name, edited in dict(seats[:MAX_PLAYERS]).items()]
        edited = from_link(parameters)
        if edited is not None:
            self._open([edited])

    def link(self) -> dict[str, str | list[str]]:
        """The address parameters that ``open_link`` understands."""
        link: dict[str, str | list[str]] = {}
        if self.kingdoms and not self.starting:
            link |= to_link(self.edited)
        if self.seats:
            link[PLAYER] = [player_to_link(seat.name, seat.edited) for seat in self.seats]
        if rules := rules_to_link(self.rules):
            link[RULES] = rules
        return link

    def keep_for(self, name: str) -> None:
        """Keep the shown kingdom for a player, in place of the one kept before."""
        seats = {seat.name: seat for seat in self.seats}
        if name in seats or len(seats) < MAX_PLAYERS:
            seats[name] = Seat(name, self.edited)
        self.seats = list(seats.values())

    def look_at_seat(self, name: str) -> None:
        """Show the kingdom of a player again; without the photo, which may be another by now."""
        self.photo = None
        self.show_photo = False
        self._open([seat.edited.without_reading() for seat in self.seats if seat.name == name])

    def leave_seat(self, name: str) -> None:
        self.seats = [seat for seat in self.seats if seat.name != name]

    def choose_kingdom(self, number: int) -> None:
        self.chosen = number
        self.selected = self._first_doubt()

    def take_next_best(self) -> None:
        """Look at the other reading of the photo; the one left is offered in its place."""
        current = self.edited.reading
        if current is None or current.next_best is None:
            return
        other = replace(current.next_best, next_best=replace(current, next_best=None))
        self._replace(EditedKingdom.of_reading(other))
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
        self,
        *,
        harmony: bool = False,
        middle_kingdom: bool = False,
        giants: bool = False,
        quests: tuple[Quest, ...] = (),
        large_grid: bool = False,
        tie_break: TieBreak = TieBreak.SHARED,
        bleak_king: BleakKing = BleakKing.TERRITORY,
    ) -> None:
        """Play by these rules; quests take the place of the two variants, which they include.

        Without ``large_grid`` the number of squares tells the size of the grid.
        """
        quests = quests if giants else ()
        self.rules = Rules(
            size=LARGE_GRID if large_grid else None,
            harmony=harmony and not quests,
            middle_kingdom=middle_kingdom and not quests,
            age_of_giants=giants,
            quests=quests,
            tie_break=tie_break,
            bleak_king=bleak_king,
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
            self.kingdoms = settled(self.kingdoms)

    def _replace(self, edited: EditedKingdom) -> None:
        self.kingdoms[self.chosen] = edited
