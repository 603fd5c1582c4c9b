"""Kingdoms of one game read together: each domino lies in one of them only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorer.kingdomino import Kingdom, Square
from vision.kingdomino.judgement import DoubtSettings, decided
from vision.kingdomino.labels import EMPTY, LABELS
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.kingdomino.settle.program import settle

__all__ = ["settle_together"]

Cell = tuple[int, int]

_EMPTY = LABELS.index(EMPTY)


def settle_together(
    readings: Sequence[KingdomReading],
    corrections: Sequence[Mapping[Cell, str]] = (),
    settings: DoubtSettings | None = None,
) -> list[KingdomReading]:
    """Settle the kingdoms of one game anew, jointly, with what people have corrected.

    ``corrections`` gives for each reading labels by (row, column); they are taken as certain
    and are never flagged. Each other square keeps what was seen on it; where the box now says
    otherwise it is changed and flagged. ValueError for a reading without probabilities or a
    correction outside of its kingdom.
    """
    settings = settings or DoubtSettings()
    places, fixed = [], []
    for number, reading in enumerate(readings):
        if reading.probabilities is None:
            raise ValueError(f"reading {number}: expected one with probabilities")
        corrected = dict(corrections[number]) if number < len(corrections) else {}
        shape = reading.probabilities.shape[:2]
        for row, column in corrected:
            if not (0 <= row < shape[0] and 0 <= column < shape[1]):
                raise ValueError(f"correction at {(row, column)}: expected a place in {shape}")
        fixed.append(corrected)
        places.append(
            {
                (r, c): reading.probabilities[r, c]
                for r in range(shape[0])
                for c in range(shape[1])
                if (r, c) in corrected
                or 1 - reading.probabilities[r, c, _EMPTY] > settings.candidate
            }
        )
    settled = settle(places, settings.settle, fixed)
    together = []
    for reading, corrected, kingdom in zip(readings, fixed, settled, strict=True):
        assert reading.probabilities is not None
        found = {
            (r, c): reading.probabilities[r, c]
            for r in range(reading.kingdom.height)
            for c in range(reading.kingdom.width)
        }
        squares = decided(found, kingdom, frozenset(), frozenset(), settings)
        for cell, label in corrected.items():
            squares[cell] = SquareReading(label, 1.0)
        rows = tuple(
            tuple(squares[r, c] for c in range(reading.kingdom.width))
            for r in range(reading.kingdom.height)
        )
        together.append(
            replace(
                reading,
                kingdom=Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in rows)),
                squares=rows,
            )
        )
    return together
