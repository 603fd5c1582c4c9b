"""What the witnesses saw of the dominoes of a photograph, put together and chosen from."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.tiles import HIGHEST

__all__ = ["Evidence"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was seen of n dominoes.

    ``corners`` (n, 4, 2) are refined; ``counted`` and ``recognised`` (n, 2, 19) are the
    probabilities of each number by pips and by the look of the half; ``face`` (n,) and ``half``
    (n,) how likely a domino's face is there by either; ``figures`` (n,) how likely it bears
    figures in place of pips.
    """

    corners: Floats
    counted: Floats
    recognised: Floats
    face: Floats
    half: Floats
    figures: Floats

    @classmethod
    def nothing(cls) -> Evidence:
        """What is seen of no domino."""
        numbers = np.zeros((0, 2, HIGHEST + 1))
        return cls(np.zeros((0, 4, 2)), numbers, numbers, *(np.zeros(0) for _ in range(3)))

    def joined(self, other: Evidence) -> Evidence:
        """What was seen of these and of others."""
        names = [each.name for each in fields(self)]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return Evidence(*(np.concatenate(pair) for pair in pairs))

    def replaced(self, rows: NDArray[np.intp], others: Evidence) -> Evidence:
        """What was seen, with ``others`` in place of some of them."""
        after = {}
        for each in fields(self):
            values = getattr(self, each.name).copy()
            values[rows] = getattr(others, each.name)
            after[each.name] = values
        return Evidence(**after)

    def chosen(self, keep: NDArray[np.intp]) -> Evidence:
        """What was seen of some of them."""
        return Evidence(
            self.corners[keep], self.counted[keep], self.recognised[keep],
            self.face[keep], self.half[keep], self.figures[keep],
        )  # fmt: skip
