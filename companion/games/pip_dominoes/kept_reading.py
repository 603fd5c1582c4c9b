"""A hand's reading as it is kept, the hand that it begins with, and the hands of a round settled
together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from companion.games.pip_dominoes.kept import MAX_TILES, KeptHand, KeptTile
from companion.reading.codec import Codec
from companion.store.merging import Json
from scorer.pip_dominoes import DOUBLE_BLANK, HIGHEST_PIPS, Hand, Tile, hand_points
from vision.pip_dominoes.result import DominoReading, HandReading, possible_tiles

_MAY_MISS = frozenset({"cut_off", "unread"})
"""Warnings after which a domino may be missing, so that the sum may be wrong."""

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class KeptDomino:
    """A domino of a photo; ``corners`` are four points (x, y) in pixels of the upright photo.

    ``likelihoods`` say for either half how well each number from 0 explains it; none are known of
    readings that were kept before they were. ValueError for parts of another shape.
    """

    tile: Tile
    corners: Corners
    doubtful: bool = False
    runner_up: Tile | None = None
    reasons: tuple[str, ...] = ()
    likelihoods: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        if len(self.corners) not in (0, 4) or any(len(point) != 2 for point in self.corners):
            raise ValueError(f"corners: expected four points (x, y), got {self.corners}")
        if self.likelihoods and [len(half) for half in self.likelihoods] != [HIGHEST_PIPS + 1] * 2:
            raise ValueError(f"likelihoods: expected two times {HIGHEST_PIPS + 1} numbers")


@dataclass(frozen=True, slots=True)
class KeptHandReading:
    """What the reader found in a photo.

    ``photo`` is the id of the photo; ``width`` and ``height`` are its pixels, upright. ``set`` is
    the one that the reader took it for, ``warnings`` are codes of the reader. ``missed`` is what
    looks like a domino and was not read, each as what it would be, None where nobody saw its
    numbers.
    """

    dominoes: tuple[KeptDomino, ...]
    photo: str
    width: int
    height: int
    set: int
    warnings: tuple[str, ...] = ()
    missed: tuple[Tile | None, ...] = ()

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
        missed = tuple(Tile.parse(each.tile) if each.tile else None for each in reading.missed)
        warnings = tuple(reading.warnings)
        return cls(dominoes, photo, width, height, int(reading.set), warnings, missed)

    def hand(self, reading_id: str) -> KeptHand:
        """The hand to begin with; the double blank always asks, because it costs 50 points."""
        tiles = (
            KeptTile(each.tile, number, each.doubtful or each.tile == DOUBLE_BLANK)
            for number, each in enumerate(self.dominoes[:MAX_TILES])
        )
        incomplete = bool(self.missed or _MAY_MISS & {*self.warnings})
        return KeptHand(tuple(tiles), reading=reading_id, incomplete=incomplete)

    def possible(self, hand: KeptHand) -> list[tuple[Tile | None, ...]]:
        """What each tile of a hand can be as long as it is in doubt; None for no domino."""
        return [self._possible(each) for each in hand.tiles]

    def sum_range(self, hand: KeptHand) -> tuple[int, int]:
        """The lowest and the highest sum of pips that what is left to check in a hand allows."""
        bounds = [_bounds(each, lambda tile: tile.pips) for each in self.possible(hand)]
        more = sum(each.pips for each in self.missed if each) if hand.incomplete else 0
        return sum(low for low, _ in bounds), sum(high for _, high in bounds) + more

    def points_range(self, hand: KeptHand, double: Tile) -> tuple[int, float]:
        """The fewest and the most points of a hand in the round that ``double`` started.

        The most is infinite where something was missed whose numbers nobody saw.
        """

        def points(tile: Tile) -> int:
            return hand_points(Hand.of([tile]), double)

        bounds = [_bounds(each, points) for each in self.possible(hand)]
        low, high = sum(low for low, _ in bounds), float(sum(high for _, high in bounds))
        if hand.incomplete:
            named = [each for each in self.missed if each]
            unknown = len(named) < len(self.missed) or "cut_off" in self.warnings
            high = inf if unknown or not named else high + sum(map(points, named))
        return low, high

    def _possible(self, each: KeptTile) -> tuple[Tile | None, ...]:
        if not each.doubtful or each.place is None or each.place >= len(self.dominoes):
            return (each.tile,)
        seen = self.dominoes[each.place]
        if not seen.doubtful:  # It lies elsewhere as well, or is asked about for what it costs.
            return each.tile, None
        runner_up = str(seen.runner_up) if seen.runner_up else ""
        found = possible_tiles(str(each.tile), runner_up, seen.reasons)
        return tuple(Tile.parse(tile) if tile else None for tile in found)

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same reading back."""
        return _CODEC.to_plain(self)

    @classmethod
    def from_data(cls, data: Json) -> KeptHandReading:
        """The reading of plain data; ValueError for anything else."""
        return _CODEC.from_plain(data)


_CODEC = Codec(KeptHandReading, {Tile: Tile.parse})


def _bounds(possible: Sequence[Tile | None], cost: Callable[[Tile], int]) -> tuple[int, int]:
    costs = [0 if tile is None else cost(tile) for tile in possible]
    return min(costs), max(costs)


def settle_beside(
    reading: KeptHandReading,
    hands: Mapping[int, KeptHand],
    readings: Mapping[int, KeptHandReading],
    known: Sequence[Tile],
    highest: int,
) -> tuple[KeptHandReading, dict[int, KeptHand]]:
    """A new reading settled beside the other hands of its round, and those of them that change.

    ``hands`` and the ``readings`` that they come from are by player; ``known`` are dominoes that
    lie elsewhere, such as the starting double. What people have seen stays. What is in doubt may
    become another domino, and stays in doubt.
    """
    if not all(each.likelihoods for each in reading.dominoes):
        return reading, {}
    certain = [*known]
    open_ones: list[tuple[int, int, KeptDomino]] = []
    for player, hand in hands.items():
        seen = readings[player].dominoes if player in readings else ()
        for number, each in enumerate(hand.tiles):
            place = len(seen) if each.place is None else each.place
            if each.doubtful and place < len(seen) and seen[place].likelihoods:
                open_ones.append((player, number, replace(seen[place], tile=each.tile)))
            else:
                certain.append(each.tile)
    fixed = list(dict.fromkeys(certain))
    if not (open_ones or fixed):
        return reading, {}
    from vision.pip_dominoes import settle_hands  # Loads OpenCV and the weights.

    beside = [_read(each) for *_, each in open_ones] + [_read(KeptDomino(t, ())) for t in fixed]
    corrections = {len(open_ones) + k: str(tile) for k, tile in enumerate(fixed)}
    own = _hand([_read(each) for each in reading.dominoes], highest)
    own, others = settle_hands([own, _hand(beside, highest)], ({}, corrections), highest)
    changed: dict[int, KeptHand] = {}
    for (player, number, _), settled in zip(open_ones, others.dominoes, strict=False):
        hand = changed.get(player, hands[player])
        tiles = list(hand.tiles)
        tiles[number] = replace(tiles[number], tile=Tile.parse(settled.tile))
        if tiles[number] != hand.tiles[number]:
            changed[player] = replace(hand, tiles=tuple(tiles))
    dominoes = map(_settled, reading.dominoes, own.dominoes)
    return replace(reading, dominoes=tuple(dominoes)), changed


def _settled(kept: KeptDomino, settled: DominoReading) -> KeptDomino:
    tile = Tile.parse(settled.tile)
    if tile == kept.tile and not settled.doubtful:
        return kept
    runner_up = Tile.parse(settled.runner_up) if settled.runner_up else None
    reasons = tuple(dict.fromkeys((*kept.reasons, *settled.reasons)))
    return replace(kept, tile=tile, doubtful=True, runner_up=runner_up, reasons=reasons)


def _read(kept: KeptDomino) -> DominoReading:
    """The reading of a domino; where nothing was seen of it, every number explains it."""
    likelihoods = np.array(kept.likelihoods) if kept.likelihoods else np.ones((2, 19))
    corners = np.array(kept.corners) if kept.corners else np.zeros((4, 2))
    halves = (kept.tile.low, kept.tile.high)
    return DominoReading(halves, corners, 0.5, kept.doubtful, "", likelihoods, reasons=kept.reasons)


def _hand(dominoes: list[DominoReading], highest: int) -> HandReading:
    return HandReading(tuple(dominoes), highest, (), 1, 1)
