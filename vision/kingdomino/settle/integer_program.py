"""A 0-1 integer program that is built one choice at a time."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

__all__ = ["IntegerProgram"]

Floats = NDArray[np.float64]

INTEGRALITY_TOLERANCE = 1e-6
OPTIMALITY_GAP = 1e-6
# Status of scipy.optimize.milp for a proven optimum; 1 is a time limit reached.
_OPTIMAL = 0


class IntegerProgram:
    """Choices with prices, and rows with bounds on how many of their choices are taken."""

    def __init__(self) -> None:
        self.prices: list[float] = []
        self._entries: list[tuple[int, int]] = []
        self._rows: dict[Hashable, int] = {}
        self._bounds: list[tuple[float, float]] = []

    def row(self, key: Hashable, low: float, high: float) -> int:
        """The number of the row ``key``, added with these bounds at its first use."""
        if key not in self._rows:
            self._rows[key] = len(self._rows)
            self._bounds.append((low, high))
        return self._rows[key]

    def choice(self, price: float, rows: Sequence[int]) -> None:
        """Add a choice that counts in these rows."""
        column = len(self.prices)
        self.prices.append(price)
        self._entries.extend((row, column) for row in rows)

    def solve(self, time_limit_s: float) -> Floats | None:
        """For each choice 1 if the cheapest solution takes it, else 0; None if time ran out.

        The linear relaxation is solved first; often it is integral within the integrality
        tolerance already.
        """
        until = time.monotonic() + time_limit_s
        relaxed = self._solve(False, time_limit_s)
        if relaxed is None:
            return None
        taken = np.round(relaxed)
        if np.abs(relaxed - taken).max() <= INTEGRALITY_TOLERANCE:
            return taken
        whole = self._solve(True, max(until - time.monotonic(), 0.0))
        return None if whole is None else np.round(whole)

    def _solve(self, integral: bool, time_limit_s: float) -> Floats | None:
        rows, columns = np.array(self._entries).T
        low, high = np.array(self._bounds).T
        matrix = csc_array((np.ones(len(rows)), (rows, columns)))
        found = milp(
            np.array(self.prices),
            constraints=LinearConstraint(matrix, low, high),
            integrality=int(integral),
            bounds=Bounds(0, 1),
            options={"time_limit": time_limit_s, "mip_rel_gap": OPTIMALITY_GAP},
        )
        return np.asarray(found.x) if found.status == _OPTIMAL else None
