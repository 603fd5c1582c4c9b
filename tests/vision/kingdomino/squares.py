"""Labelled squares of the drawn samples, as they are or in colours that the reader never saw."""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.common.refit import LabelledSquares
from vision.kingdomino.refit import known_squares


@cache
def few_squares() -> LabelledSquares:
    """Every third square of the samples; a sample is a session."""
    known = known_squares()
    chosen = np.arange(0, len(known), 3)
    return LabelledSquares(
        known.patches[chosen],
        tuple(known.labels[n] for n in chosen),
        tuple(known.sessions[n] for n in chosen),
    )


def strange_squares() -> LabelledSquares:
    """The same squares of an edition in which red and blue are exchanged."""
    few = few_squares()
    patches = np.ascontiguousarray(few.patches[..., ::-1])
    return LabelledSquares(patches, few.labels, few.sessions)
