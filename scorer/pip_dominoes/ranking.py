"""The places of the players, where the lowest or the highest total wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Place", "rank"]


@dataclass(frozen=True, slots=True)
class Place:
    """A player or team with its place, from 1; equal totals share a place."""

    name: str
    place: int
    total: int


def rank(totals: Mapping[str, int], *, lowest_wins: bool) -> tuple[Place, ...]:
    """The places, first to last; equal totals share one and the next is skipped (1, 1, 3).

    Who shares a place keeps the order given. Source: sheet, "Endabrechnung und Siegbedingungen";
    decision 8 for ties.
    """
    keys = {name: total if lowest_wins else -total for name, total in totals.items()}
    return tuple(
        Place(name, 1 + sum(key < keys[name] for key in keys.values()), totals[name])
        for name in sorted(totals, key=lambda name: keys[name])
    )
