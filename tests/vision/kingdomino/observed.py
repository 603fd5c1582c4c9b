"""What was seen on small grids, made up for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.judge.judgement import Observation
from vision.kingdomino.labels import LABELS

__all__ = ["observed", "seen", "sure_of"]

Floats = NDArray[np.float64]
NAMES = {"bare": "."} | {label: label for label in LABELS}


def seen(**shares: float) -> Floats:
    """Probabilities of the labels, exactly as given; what is missing to 1 goes to "m3"."""
    found = np.zeros(len(LABELS))
    for name, share in shares.items():
        found[LABELS.index(NAMES[name])] = share
    found[LABELS.index("m3")] += 1 - found.sum()
    return found


def sure_of(label: str, share: float = 0.99) -> Floats:
    """Probabilities with ``share`` for one label; the rest goes to another of no matter."""
    return seen(**{"bare" if label == "." else label: share})


def observed(notation: str, share: float = 0.99, **changes: object) -> Observation:
    """A kingdom in notation, seen as it is; every position was detected and considered."""
    probabilities: Mapping[Position, Floats] = {
        (row, column): sure_of(label, share)
        for row, line in enumerate(notation.split("/"))
        for column, label in enumerate(line.split())
    }
    squares = [p for p, found in probabilities.items() if found[0] < 0.5]
    whole = Observation(probabilities, tuple(squares), dict.fromkeys(squares, 0.9))
    return replace(whole, **changes)  # type: ignore[arg-type]
