"""The hands of one round settled together: each domino is in one of them only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from companion.pip_dominoes.kept_hand import KeptHand
from companion.pip_dominoes.kept_hand_reading import KeptDomino, KeptHandReading
from scorer.pip_dominoes import Tile

__all__ = ["settle_beside"]


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
    vision: Any = import_module("vision")
    beside = [_read(each) for *_, each in open_ones] + [_read(KeptDomino(t, ())) for t in fixed]
    corrections = {len(open_ones) + k: str(tile) for k, tile in enumerate(fixed)}
    own = _hand([_read(each) for each in reading.dominoes], highest)
    own, others = vision.settle_hands([own, _hand(beside, highest)], ({}, corrections), highest)
    changed: dict[int, KeptHand] = {}
    for (player, number, _), settled in zip(open_ones, others.dominoes, strict=False):
        hand = changed.get(player, hands[player])
        tiles = list(hand.tiles)
        tiles[number] = replace(tiles[number], tile=Tile.parse(settled.tile))
        if tiles[number] != hand.tiles[number]:
            changed[player] = replace(hand, tiles=tuple(tiles))
    dominoes = map(_settled, reading.dominoes, own.dominoes)
    return replace(reading, dominoes=tuple(dominoes)), changed


def _settled(kept: KeptDomino, settled: Any) -> KeptDomino:
    tile = Tile.parse(settled.tile)
    if tile == kept.tile and not settled.doubtful:
        return kept
    runner_up = Tile.parse(settled.runner_up) if settled.runner_up else None
    reasons = tuple(dict.fromkeys((*kept.reasons, *settled.reasons)))
    return replace(kept, tile=tile, doubtful=True, runner_up=runner_up, reasons=reasons)


def _read(kept: KeptDomino) -> Any:
    """The reading of a domino; where nothing was seen of it, every number explains it."""
    result: Any = import_module("vision.pip_dominoes.result")
    likelihoods = np.array(kept.likelihoods) if kept.likelihoods else np.ones((2, 19))
    corners = np.array(kept.corners) if kept.corners else np.zeros((4, 2))
    halves = (kept.tile.low, kept.tile.high)
    return result.DominoReading(
        halves, corners, 0.5, kept.doubtful, "", likelihoods, reasons=kept.reasons
    )


def _hand(dominoes: list[Any], highest: int) -> Any:
    result: Any = import_module("vision.pip_dominoes.result")
    return result.HandReading(tuple(dominoes), highest, (), 1, 1)
