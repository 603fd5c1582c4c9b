"""A reading held against a composed photograph, place by place in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.table.conditions import HIDDEN, Photograph
from benchmarks.table.scenes import Truth
from vision.common.homography import project
from vision.kingdomino.result import KingdomReading, PhotoReading

__all__ = ["Verdict", "judge"]


@dataclass(frozen=True)
class Verdict:
    """What became of one kingdom.

    ``wrong`` squares are visible ones read otherwise or not at all, and squares read where none
    of this kingdom lies; those of a refused picture are told by the refusal, so that none is
    ``unflagged``. ``silent`` is one wrong with no flagged square and no warning.
    """

    read: bool
    refused: bool
    squares: int
    hidden: int
    wrong: int
    unflagged: int
    hidden_unflagged: int
    flags: int
    warnings: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Every square that can be seen is right, and none is added."""
        return self.read and not self.wrong

    @property
    def silent(self) -> bool:
        """Wrong, and nothing tells."""
        untold = not self.flags and not self.warnings and not self.refused
        return untold and (bool(self.wrong or self.hidden_unflagged) or not self.read)


def _places(truth: Truth, reading: KingdomReading) -> dict[tuple[int, int], tuple[int, int]]:
    """Which place of the reading each square of the truth lies on."""
    inverse = np.asarray(np.linalg.inv(reading.homography), np.float64)
    places = {}
    for cell in truth.labels:
        x, y = project(truth.middle(cell)[None], inverse)[0]
        places[cell] = (int(np.floor(y)), int(np.floor(x)))
    return places


def _overlap(truth: Truth, reading: KingdomReading) -> int:
    """How many squares of the truth the reading has a square for."""
    h, w = reading.kingdom.height, reading.kingdom.width
    return sum(
        0 <= r < h and 0 <= c < w and reading.squares[r][c].label != "."
        for r, c in _places(truth, reading).values()
    )


def judge(photograph: Photograph, reading: PhotoReading | None) -> list[Verdict]:
    """A verdict for each kingdom laid; ``reading`` is None where the picture was refused."""
    kingdoms = list(reading.kingdoms) if reading else []
    told: tuple[str, ...] = tuple(getattr(reading, "warnings", ()))
    pairs = sorted(
        ((_overlap(t, k), i, j) for i, t in enumerate(photograph.truths)
         for j, k in enumerate(kingdoms)), reverse=True,
    )  # fmt: skip
    mine: dict[int, int] = {}
    for shared, i, j in pairs:
        if shared > 0 and i not in mine and j not in mine.values():
            mine[i] = j
    verdicts = []
    for i, truth in enumerate(photograph.truths):
        if i not in mine:
            hidden = _hidden(truth)
            seen = len(truth.labels) - hidden
            refused = reading is None
            untold = (0, 0) if refused else (seen, hidden)
            verdicts.append(
                Verdict(False, refused, len(truth.labels), hidden, seen, *untold, 0, told)
            )
            continue
        verdicts.append(_verdict(truth, kingdoms[mine[i]], told))
    return verdicts


def _hidden(truth: Truth) -> int:
    return sum(truth.hidden.get(cell, 0.0) >= HIDDEN for cell in truth.labels)


def _verdict(truth: Truth, reading: KingdomReading, told: Sequence[str]) -> Verdict:
    h, w = reading.kingdom.height, reading.kingdom.width
    wrong = unflagged = hidden_unflagged = 0
    taken = set()
    for cell, (r, c) in _places(truth, reading).items():
        inside = 0 <= r < h and 0 <= c < w
        square = reading.squares[r][c] if inside else None
        again = (r, c) in taken
        taken.add((r, c))
        right = square is not None and square.label == truth.labels[cell] and not again
        flagged = square is not None and square.doubtful
        if truth.hidden.get(cell, 0.0) >= HIDDEN:
            hidden_unflagged += not right and not flagged
        else:
            wrong += not right
            unflagged += not right and not flagged
    for r, row in enumerate(reading.squares):
        for c, square in enumerate(row):
            if square.label != "." and (r, c) not in taken:
                wrong += 1
                unflagged += not square.doubtful
    return Verdict(
        True, False, len(truth.labels), _hidden(truth), wrong, unflagged, hidden_unflagged,
        len(reading.doubtful), (*tuple(getattr(reading, "warnings", ())), *told),
    )  # fmt: skip
