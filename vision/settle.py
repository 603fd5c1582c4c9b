"""The most probable kingdom, given what was seen and the dominoes of the box.

Every square but the castle is half of a domino, every domino of the box lies once at most.
Choosing for each place a label, or none, and for each square a partner beside it so that the
product of the probabilities is largest is an integer program. What people lay is not always
what the box allows (a tile misplaced, another edition), so a square may stay without a partner
at a price: the result is advice, and whatever it changes is flagged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

from scorer.kingdomino import BASE_DOMINOES
from vision.labels import EMPTY, FOREIGN, LABELS

__all__ = ["SettleSettings", "Settled", "settle"]

Floats = NDArray[np.float64]
Cell = tuple[int, int]


@dataclass(frozen=True)
class SettleSettings:
    """Prices are natural logarithms of probabilities.

    A label below ``min_probability`` is not considered for its place. ``unpaired_price`` is
    what a square without a partner costs, ``no_castle_price`` what a kingdom without a castle
    costs, ``second_castle_price`` each castle beyond the first.
    """

    min_probability: float = 2e-4
    unpaired_price: float = 6.0
    no_castle_price: float = 5.0
    second_castle_price: float = 8.0
    time_limit_s: float = 2.0


@dataclass(frozen=True)
class Settled:
    """One kingdom as the box allows it: labels by (row, column), and squares left unpaired.

    ``solved`` is False where time ran out; then the labels are those of the plain reading.
    """

    labels: dict[Cell, str]
    unpaired: frozenset[Cell]
    solved: bool


def _box() -> Counter[tuple[str, str]]:
    """How often the box has each pair of labels, in alphabetical order."""
    return Counter(
        (min(pair), max(pair)) for pair in ((str(d.left), str(d.right)) for d in BASE_DOMINOES)
    )


class _Program:
    """Columns, rows and prices of the integer program, collected one choice at a time."""

    def __init__(self) -> None:
        self.prices: list[float] = []
        self.entries: list[tuple[int, int]] = []
        self.rows: dict[object, int] = {}
        self.bounds: list[tuple[float, float]] = []

    def row(self, key: object, low: float, high: float) -> int:
        if key not in self.rows:
            self.rows[key] = len(self.rows)
            self.bounds.append((low, high))
        return self.rows[key]

    def choice(self, price: float, rows: Sequence[int]) -> int:
        column = len(self.prices)
        self.prices.append(price)
        self.entries.extend((row, column) for row in rows)
        return column

    def solve(self, time_limit_s: float) -> Floats | None:
        rows, columns = zip(*self.entries, strict=True)
        shape = (len(self.rows), len(self.prices))
        matrix = csc_array((np.ones(len(rows)), (rows, columns)), shape=shape)
        low, high = np.array(self.bounds).T
        found = milp(
            np.array(self.prices),
            constraints=LinearConstraint(matrix, low, high),
            integrality=np.ones(len(self.prices)),
            bounds=Bounds(0, 1),
            options={"time_limit": time_limit_s, "mip_rel_gap": 1e-6},
        )
        return None if found.x is None else np.round(found.x)


def settle(
    kingdoms: Sequence[Mapping[Cell, Floats]],
    settings: SettleSettings | None = None,
    fixed: Sequence[Mapping[Cell, str]] = (),
) -> list[Settled]:
    """The most probable kingdoms of one game, jointly: each domino of the box once at most.

    ``kingdoms`` holds per place (row, column) that may carry a square the probabilities of
    ``LABELS``; ``fixed`` labels that a person has corrected, which are taken as certain.
    """
    settings = settings or SettleSettings()
    box = _box()
    program = _Program()
    choices: list[tuple[int, tuple[tuple[Cell, str], ...], bool]] = []
    for number, kingdom in enumerate(kingdoms):
        corrected = fixed[number] if number < len(fixed) else {}
        options = {
            cell: _options(found, corrected.get(cell), settings) for cell, found in kingdom.items()
        }
        covers = {cell: program.row((number, cell), 1, 1) for cell in options}
        castle_row = program.row((number, "castle"), 1, 1)
        choices.append((number, (), False))
        program.choice(settings.no_castle_price, [castle_row])
        for cell, prices in options.items():
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
                for other, other_price in options.get(beside, {}).items():
                    for label, price in prices.items():
                        pair = (min(label, other), max(label, other))
                        if pair not in box:
                            continue
                        supply = program.row(pair, 0, box[pair])
                        choices.append((number, ((cell, label), (beside, other)), False))
                        rows = [covers[cell], covers[beside], supply]
                        program.choice(price + other_price, rows)
    plain = [
        Settled({cell: _plain(found) for cell, found in kingdom.items()}, frozenset(), False)
        for kingdom in kingdoms
    ]
    if not any(kingdoms):
        return plain
    taken = program.solve(settings.time_limit_s)
    if taken is None:
        return plain
    labels: list[dict[Cell, str]] = [{} for _ in kingdoms]
    alone: list[set[Cell]] = [set() for _ in kingdoms]
    for chosen in np.flatnonzero(taken):
        number, squares, unpaired = choices[int(chosen)]
        labels[number].update(squares)
        if unpaired:
            alone[number].add(squares[0][0])
    return [Settled(a, frozenset(b), True) for a, b in zip(labels, alone, strict=True)]


def _options(found: Floats, corrected: str | None, settings: SettleSettings) -> dict[str, float]:
    """Labels that a place may have, with their prices."""
    if corrected is not None:
        return {corrected: 0.0}
    joined = dict(zip(LABELS, found.astype(float), strict=True))
    joined[EMPTY] += joined.pop(FOREIGN)
    best = max(joined.values())
    return {
        label: -float(np.log(max(p, 1e-12)))
        for label, p in joined.items()
        if p >= settings.min_probability or p == best
    }


def _plain(found: Floats) -> str:
    label = LABELS[int(np.argmax(found))]
    return EMPTY if label == FOREIGN else label
