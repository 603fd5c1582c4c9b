"""Triples and quadruples: which stones are one, and which stone is missing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product

from scorer.domino_duell.stone import FEATURES, STONES, Feature, Stone

__all__ = [
    "TRIPLE_MASKS",
    "GroupKind",
    "MissingFeature",
    "completions",
    "is_group",
    "missing_features",
]


class GroupKind(Enum):
    """A triple or a quadruple: how many stones it has and the points that a new one is worth.

    Source: Domino-Duell, "Wertung und Spielende".
    """

    TRIPLE = ("triple", 3, 1)
    QUADRUPLE = ("quadruple", 4, 3)

    def __init__(self, key: str, size: int, points: int) -> None:
        self.key = key
        self.size = size
        self.points = points


def is_group(stones: Collection[Stone]) -> bool:
    """Whether three stones are a triple or four a quadruple; ValueError for any other number.

    Source: Domino-Duell, "Was ist ein Tripel?" and "Was ist ein Quadrupel?".
    """
    if len(stones) not in (3, 4):
        raise ValueError(f"stones: expected 3 or 4, got {len(stones)}")
    kinds = [len(set(values)) for values in zip(*(stone.features for stone in stones), strict=True)]
    return all(count in (1, len(stones)) for count in kinds)


@dataclass(frozen=True, slots=True)
class MissingFeature:
    """One feature of the missing stone: whether those there are equal, and what it can be."""

    equal: bool
    values: tuple[Feature, ...]


def missing_features(stones: Sequence[Stone]) -> tuple[MissingFeature, ...]:
    """Feature by feature, what the stone must have that makes two or three stones a group.

    In the order colour, symbol, colour of the symbol. ``values`` is empty where three stones are
    neither equal nor different in the feature. ValueError for another number of stones or for
    the same stone twice. Source: Domino-Duell, "Welcher Spielstein fehlt zum Tripel?".
    """
    if len(stones) not in (2, 3):
        raise ValueError(f"stones: expected 2 or 3, got {len(stones)}")
    if len(set(stones)) < len(stones):
        raise ValueError("stones: expected different ones, got one of them twice")
    found = []
    for kind, seen in zip(
        FEATURES, zip(*(each.features for each in stones), strict=True), strict=True
    ):
        values: tuple[Feature, ...] = tuple(kind)
        equal = len(set(seen)) == 1
        if equal:
            values = seen[:1]
        elif len(set(seen)) == len(seen):
            values = tuple(value for value in values if value not in seen)
        else:
            values = ()
        found.append(MissingFeature(equal, values))
    return tuple(found)


def completions(stones: Sequence[Stone]) -> tuple[Stone, ...]:
    """The stones that make two stones a triple (2, 4 or 8), or a triple a quadruple (one).

    None for three stones that are no triple. ValueError as in ``missing_features``.
    """
    missing = missing_features(stones)
    return tuple(
        stone
        for features in product(*(each.values for each in missing))
        if (stone := _BY_FEATURES[features]) not in stones
    )


_BY_FEATURES: dict[tuple[Feature, ...], Stone] = {stone.features: stone for stone in STONES}


def _triple_masks() -> list[int]:
    masks = [0] * (64 * 64)
    for one in STONES:
        for other in STONES:
            if one is not other:
                third = completions((one, other))
                masks[64 * one.number + other.number] = sum(1 << stone.number for stone in third)
    return masks


TRIPLE_MASKS = _triple_masks()
"""At 64 × a + b the stones, as bits by number, that make the stones a and b a triple."""
