"""Readings for tests: what a reader would say of a photo of a given hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.games.pip_dominoes.kept import KeptHand
from vision.pip_dominoes.result import DominoReading, HandReading, parse_tile


def _likelihoods(tile: str, runner_up: str) -> NDArray[np.float64]:
    """The tile's numbers explain all, those of the runner-up two thirds of it."""
    shares = np.zeros((2, 19))
    for each, share in ((runner_up, 0.65), (tile, 1.0)):
        for half, number in enumerate(map(int, each.split("|") if each else ())):
            shares[half, number] = max(shares[half, number], share)
    return shares


def _domino(tile: str, left: int, runner_up: str | None, reasons: tuple[str, ...]) -> DominoReading:
    """A domino that lies upright, 40 by 80 pixels, its corner at (``left``, 20)."""
    corners = [(left, 20), (left + 40, 20), (left + 40, 100), (left, 100)]
    in_doubt = runner_up is not None
    return DominoReading(
        parse_tile(tile),
        np.array(corners, np.float64),
        0.61234 if in_doubt else 0.98765,
        in_doubt,
        runner_up or "",
        _likelihoods(tile, runner_up or ""),
        reasons=reasons if in_doubt else (),
    )


def hand_of(
    tiles: str,
    doubtful: dict[str, str] | None = None,
    *,
    warnings: tuple[str, ...] = (),
    reasons: tuple[str, ...] = (),
) -> HandReading:
    """A hand of a double-12 set from its notation, with the runner-up of each tile in doubt."""
    found = doubtful or {}
    dominoes = tuple(
        _domino(tile, 10 + 50 * number, found.get(tile), reasons)
        for number, tile in enumerate(tiles.split())
    )
    return HandReading(dominoes, 12, warnings, 400, 120, {"decode": 0.0123456, "locate": 0.5})


def confirmed(hand: KeptHand) -> KeptHand:
    """The hand after somebody looked at all that was in doubt and found it right."""
    tiles = tuple(replace(each, doubtful=False) for each in hand.tiles)
    return replace(hand, tiles=tiles, incomplete=False)
