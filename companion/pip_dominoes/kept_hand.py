"""What a player has left at the end of a round as the store keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.merging import Json
from scorer.pip_dominoes import DOUBLE_BLANK, Hand, NotationError, Tile
from scorer.pip_dominoes.rounds import DOUBLE_BLANK_POINTS

__all__ = ["MAX_COUNTED", "MAX_TILES", "KeptHand", "KeptTile"]

MAX_TILES = 200
"""More than the largest set has, so that a reading gone wrong can still be kept and mended."""
MAX_COUNTED = 9999


@dataclass(frozen=True, slots=True)
class KeptTile:
    """A tile of a hand; ``place`` is its number, from 0, in the reading it comes from.

    ``doubtful`` stays until a person has confirmed or changed it.
    """

    tile: Tile
    place: int | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class KeptHand:
    """The ``tiles`` that were left, or the number that the player ``counted``, never both.

    ``double_blank`` says of a counted hand that the double blank is in it, its 50 points beside
    the number. ``reading`` is the id by which the store has the reading of the photo, and
    ``incomplete`` stays, where a domino may be missing in it, until a person has looked. No tile
    and no number is a player who is out. ValueError for figures out of range.
    """

    tiles: tuple[KeptTile, ...] = ()
    counted: int | None = None
    double_blank: bool = False
    reading: str | None = None
    incomplete: bool = False

    def __post_init__(self) -> None:
        if len(self.tiles) > MAX_TILES:
            raise ValueError(f"tiles: expected {MAX_TILES} at most, got {len(self.tiles)}")
        if self.counted is not None and (self.tiles or not 0 <= self.counted <= MAX_COUNTED):
            raise ValueError(f"counted: expected 0 to {MAX_COUNTED} without tiles")
        if self.double_blank and self.counted is None:
            raise ValueError("double_blank: expected only beside a counted number")

    @classmethod
    def of_tiles(cls, tiles: Sequence[Tile]) -> KeptHand:
        """A hand that was tapped by hand, nothing in doubt."""
        return cls(tuple(map(KeptTile, tiles)))

    @property
    def left(self) -> Hand | int:
        """The hand for the scorer; the 50 for a double blank are in a counted number.

        A tile that is there twice, which is a doubt, is in it once.
        """
        if self.counted is not None:
            return self.counted + DOUBLE_BLANK_POINTS * self.double_blank
        return Hand.of(dict.fromkeys(each.tile for each in self.tiles))

    @property
    def doubts(self) -> tuple[int, ...]:
        """Which tiles, from 0, are still to be checked: doubtful ones, and any that are twice."""
        tiles = [each.tile for each in self.tiles]
        return tuple(
            number
            for number, each in enumerate(self.tiles)
            if each.doubtful or tiles.count(each.tile) > 1
        )

    @property
    def checks(self) -> int:
        """How many things are left to check: doubts, and whether a domino is missing."""
        return len(self.doubts) + self.incomplete

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to check."""
        return not self.checks

    @property
    def has_double_blank(self) -> bool:
        return self.double_blank or any(each.tile == DOUBLE_BLANK for each in self.tiles)

    def confirmed(self) -> KeptHand:
        """The same hand with every doubt settled but those about tiles that are twice."""
        tiles = tuple(replace(each, doubtful=False) for each in self.tiles)
        return replace(self, tiles=tiles, incomplete=False)

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same hand back."""
        if self.counted is not None:
            counted: dict[str, Json] = {"counted": self.counted, "double_blank": self.double_blank}
            return counted if self.reading is None else {**counted, "reading": self.reading}
        data: dict[str, Json] = {"tiles": " ".join(str(each.tile) for each in self.tiles)}
        if self.reading is not None:
            data["reading"] = self.reading
        if any(each.place is not None for each in self.tiles):
            data["places"] = [each.place for each in self.tiles]
        doubtful = [number for number, each in enumerate(self.tiles) if each.doubtful]
        if self.incomplete:
            data["incomplete"] = True
        return data | ({"doubtful": doubtful} if doubtful else {})

    @classmethod
    def from_data(cls, data: Json) -> KeptHand:
        """The hand of plain data; ValueError (NotationError for tiles) for anything else."""
        if not isinstance(data, dict):
            raise ValueError("hand: expected an object")
        reading = data.get("reading")
        if reading is not None and not (isinstance(reading, str) and 0 < len(reading) <= 64):
            raise ValueError("reading: expected an id")
        if "counted" in data:
            counted, blank = data["counted"], data.get("double_blank", False)
            known = data.keys() <= {"counted", "double_blank", "reading"}
            if type(counted) is not int or type(blank) is not bool or not known:
                raise ValueError("hand: expected a whole number and whether the double blank is in")
            return cls(counted=counted, double_blank=blank, reading=reading)
        if not data.keys() <= {"tiles", "reading", "places", "doubtful", "incomplete"}:
            raise ValueError("hand: expected no further fields")
        tiles = _tiles(data.get("tiles"))
        places = data.get("places", [None] * len(tiles))
        doubtful = data.get("doubtful", [])
        incomplete = data.get("incomplete", False)
        if type(incomplete) is not bool:
            raise ValueError("incomplete: expected a truth value")
        if not isinstance(places, list) or len(places) != len(tiles):
            raise ValueError("places: expected one a tile")
        if not all(each is None or (type(each) is int and 0 <= each < 1000) for each in places):
            raise ValueError("places: expected numbers in the reading")
        if not isinstance(doubtful, list) or not all(
            type(each) is int and 0 <= each < len(tiles) for each in doubtful
        ):
            raise ValueError("doubtful: expected numbers of tiles")
        kept = (
            KeptTile(tile, place, number in doubtful)
            for number, (tile, place) in enumerate(zip(tiles, places, strict=True))
        )
        return cls(tuple(kept), reading=reading, incomplete=incomplete)


def _tiles(text: Json) -> list[Tile]:
    if not isinstance(text, str) or len(text) > MAX_TILES * 6:
        raise NotationError("bad_record", field="tiles")
    return list(map(Tile.parse, text.split()))
