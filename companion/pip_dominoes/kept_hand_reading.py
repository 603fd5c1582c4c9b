"""A hand's reading as plain data, and the hand that it begins with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.merging import Json
from companion.pip_dominoes.hand_reading import HandReading
from companion.pip_dominoes.kept_hand import MAX_TILES, KeptHand, KeptTile
from scorer.pip_dominoes import DOUBLE_BLANK, Tile

__all__ = ["KeptDomino", "KeptHandReading"]

_MAY_MISS = frozenset({"closer", "cut_off", "unread"})
"""Warnings after which a domino may be missing, so that the sum may be wrong."""

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class KeptDomino:
    """A domino of a photo; ``corners`` are four points (x, y) in pixels of the upright photo.

    ``likelihoods`` say for either half how well each number from 0 explains it; none are known of
    readings that were kept before they were.
    """

    tile: Tile
    corners: Corners
    doubtful: bool = False
    runner_up: Tile | None = None
    reasons: tuple[str, ...] = ()
    likelihoods: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class KeptHandReading:
    """What the reader found in a photo.

    ``photo`` is the id of the photo; ``width`` and ``height`` are its pixels, upright. ``highest``
    is the set that the reader took it for; ``warnings`` are codes of the reader.
    """

    dominoes: tuple[KeptDomino, ...]
    photo: str
    width: int
    height: int
    highest: int
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, reading: HandReading, photo: str, width: int, height: int) -> KeptHandReading:
        """The reading of a photo, to be kept."""
        dominoes = tuple(
            KeptDomino(
                Tile.parse(str(each.tile)),
                tuple(
                    (round(float(x), 1), round(float(y), 1))
                    for x, y in np.asarray(each.corners, dtype=float)
                ),
                bool(each.doubtful),
                Tile.parse(str(each.runner_up)) if each.runner_up else None,
                tuple(each.reasons),
                tuple(
                    tuple(float(f"{value:.3g}") for value in half)
                    for half in np.asarray(each.likelihoods, dtype=float)
                ),
            )
            for each in reading.dominoes
        )
        return cls(dominoes, photo, width, height, int(reading.set), tuple(reading.warnings))

    def hand(self, reading_id: str) -> KeptHand:
        """The hand to begin with; the double blank always asks, because it costs 50 points."""
        tiles = (
            KeptTile(each.tile, number, each.doubtful or each.tile == DOUBLE_BLANK)
            for number, each in enumerate(self.dominoes[:MAX_TILES])
        )
        incomplete = bool(_MAY_MISS & {*self.warnings})
        return KeptHand(tuple(tiles), reading=reading_id, incomplete=incomplete)

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same reading back."""
        return {
            "dominoes": [
                {
                    "tile": str(each.tile),
                    "corners": [list(corner) for corner in each.corners],
                    "doubtful": each.doubtful,
                    "runner_up": str(each.runner_up) if each.runner_up else None,
                    "reasons": list(each.reasons),
                }
                | (
                    {"likelihoods": [list(half) for half in each.likelihoods]}
                    if each.likelihoods
                    else {}
                )
                for each in self.dominoes
            ],
            "photo": self.photo,
            "width": self.width,
            "height": self.height,
            "set": self.highest,
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_data(cls, data: Json) -> KeptHandReading:
        """The reading of plain data; ValueError for anything else."""
        try:
            dominoes = tuple(
                KeptDomino(
                    Tile.parse(each["tile"]),
                    tuple((float(x), float(y)) for x, y in each["corners"]),
                    bool(each["doubtful"]),
                    Tile.parse(each["runner_up"]) if each["runner_up"] else None,
                    tuple(map(str, each["reasons"])),
                    tuple(tuple(map(float, half)) for half in each.get("likelihoods", ())),
                )
                for each in data["dominoes"]
            )
            return cls(
                dominoes,
                str(data["photo"]),
                int(data["width"]),
                int(data["height"]),
                int(data["set"]),
                tuple(map(str, data["warnings"])),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"reading: expected the data of a reading, {error}") from error
