"""The most probable kingdom, given what was seen and the dominoes of the box.

Every square but the castle is half of a domino, every domino of the box lies once at most.
Choosing for each place a label, or none, and for each square a partner beside it so that the
product of the probabilities is largest is an integer program. What people lay is not always
what the box allows (a tile misplaced, another edition), so a square may stay without a partner
at a price: the result is advice, and whatever it changes is flagged.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Domino, Position
from vision.kingdomino.labels import EMPTY, LABELS
from vision.kingdomino.probabilities import most_probable
from vision.kingdomino.settle.integer_program import IntegerProgram

__all__ = ["SettleSettings", "Settled", "settle"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SettleSettings:
    """Prices are natural logarithms of probabilities.

    A label below ``min_probability`` is not considered for its place; labels below
    ``quick_probability`` only where they could do better than the rest. ``unpaired_price`` is
    what a square without a partner costs, ``no_castle_price`` what a kingdom without a castle
    costs, ``second_castle_price`` each castle beyond the first.
    """

    min_probability: float = 2e-4
    quick_probability: float = 0.01
    unpaired_price: float = 6.0
    no_castle_price: float = 5.0
    second_castle_price: float = 8.0
    time_limit_s: float = 2.0


@dataclass(frozen=True)
class Settled:
    """One kingdom as the box allows it: labels by (row, column), and squares left unpaired.

    ``solved`` is False where time ran out: the labels are the best found until then, or the most
    probable ones.
    """

    labels: dict[Position, str]
    unpaired: frozenset[Position]
    solved: bool


@cache
def _box(with_giants: bool) -> Counter[tuple[str, str]]:
    """How often the box has each pair of labels, in alphabetical order."""
    dominoes = (*BASE_DOMINOES, *GIANT_DOMINOES) if with_giants else BASE_DOMINOES
    return Counter(
        (min(pair), max(pair)) for pair in ((str(d.left), str(d.right)) for d in dominoes)
    )


def _squares_of(dominoes: Sequence[Domino]) -> frozenset[str]:
    return frozenset(str(square) for each in dominoes for square in (each.left, each.right))


_ONLY_IN_GIANTS = _squares_of(GIANT_DOMINOES) - _squares_of(BASE_DOMINOES)


def settle(
    kingdoms: Sequence[Mapping[Position, Floats]],
    settings: SettleSettings | None = None,
    fixed: Sequence[Mapping[Position, str]] = (),
) -> list[Settled]:
    """The most probable kingdoms of one game, jointly: each domino of the box once at most.

    ``kingdoms`` holds per position (row, column) that may carry a square the probabilities of
    ``LABELS``, another game's squares merged into "no square". ``fixed`` are squares in notation
    that a person has given; they are certain, whatever they are. One that only Age of Giants has
    brings its dominoes into the box.
    """
    settings = settings or SettleSettings()
    fixed = [fixed[k] if k < len(fixed) else {} for k in range(len(kingdoms))]
    best = [
        Settled(
            {cell: given.get(cell) or most_probable(found) for cell, found in kingdom.items()},
            frozenset(),
            solved=not kingdom,
        )
        for kingdom, given in zip(kingdoms, fixed, strict=True)
    ]
    if not any(kingdoms):
        return best
    until = time.monotonic() + settings.time_limit_s
    given_labels = frozenset(label for given in fixed for label in given.values())
    box = _box(with_giants=bool(given_labels & _ONLY_IN_GIANTS))
    for least in (settings.quick_probability, settings.min_probability):
        options = [
            {cell: _options(found, given.get(cell), least) for cell, found in kingdom.items()}
            for kingdom, given in zip(kingdoms, fixed, strict=True)
        ]
        solved = _solved(options, box, settings, max(until - time.monotonic(), 0.0))
        if solved is None:
            return [replace(kingdom, solved=False) for kingdom in best]
        best, cost = solved
        cheapest = [min(prices.values()) for cells in options for prices in cells.values()]
        # A label that was left out would cost its place at least this much more.
        if cost <= sum(cheapest) - math.log(least) - max(cheapest):
            break
    return best


def _solved(
    options: Sequence[Mapping[Position, Mapping[str, float]]],
    box: Mapping[tuple[str, str], int],
    settings: SettleSettings,
    time_limit_s: float,
) -> tuple[list[Settled], float] | None:
    """The cheapest kingdoms by the prices of the labels that each place may have, and their cost.

    None where time ran out before any was found.
    """
    program = IntegerProgram()
    choices: list[tuple[int, tuple[tuple[Position, str], ...], bool]] = []
    for number, places in enumerate(options):
        covers = {cell: program.row((number, cell), 1, 1) for cell in places}
        castle_row = program.row((number, "castle"), 1, 1)
        choices.append((number, (), False))
        program.choice(settings.no_castle_price, [castle_row])
        for cell, prices in places.items():
            for label, price in prices.items():
                rows, cost, unpaired = [covers[cell]], price, False
                if label == "c":
                    choices.append((number, ((cell, label),), False))
                    program.choice(price, [*rows, castle_row])
                    # A second castle is odd, not impossible.
                    cost += settings.second_castle_price
                elif label != EMPTY:
                    cost += settings.unpaired_price
                    unpaired = True
                choices.append((number, ((cell, label),), unpaired))
                program.choice(cost, rows)
            row, column = cell
            for beside in ((row, column + 1), (row + 1, column)):
                for other, other_price in places.get(beside, {}).items():
                    for label, price in prices.items():
                        pair = (min(label, other), max(label, other))
                        if pair not in box:
                            continue
                        supply = program.row(pair, 0, box[pair])
                        choices.append((number, ((cell, label), (beside, other)), False))
                        rows = [covers[cell], covers[beside], supply]
                        program.choice(price + other_price, rows)
    taken = program.solve(time_limit_s)
    if taken is None:
        return None
    labels: list[dict[Position, str]] = [{} for _ in options]
    alone: list[set[Position]] = [set() for _ in options]
    for chosen in np.flatnonzero(taken):
        number, squares, unpaired = choices[int(chosen)]
        labels[number].update(squares)
        if unpaired:
            alone[number].add(squares[0][0])
    settled = [Settled(a, frozenset(b), True) for a, b in zip(labels, alone, strict=True)]
    return settled, float(np.dot(program.prices, taken))


def _options(found: Floats, corrected: str | None, least: float) -> dict[str, float]:
    """Labels that a place may have, those of the probability ``least`` on, with their prices."""
    if corrected is not None:
        return {corrected: 0.0}
    best = float(found.max())
    return {
        label: -float(np.log(max(p, 1e-12)))
        for label, p in zip(LABELS, found.astype(float), strict=True)
        if p >= least or p == best
    }
