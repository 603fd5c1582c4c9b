"""Readings for tests of settling: what the classifier saw on the squares of a kingdom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scorer.kingdomino import Position
from tests.companion.games.kingdomino.readings import kingdom_reading
from vision.kingdomino.result import LABELS, KingdomReading


def seen_as(
    notation: str, seen: Mapping[Position, Mapping[str, float]] | None = None, sure: float = 0.99
) -> KingdomReading:
    """A kingdom whose squares were seen as they are with the probability ``sure``.

    Those of ``seen`` are in doubt, with these probabilities by label.
    """
    seen = seen or {}
    second = {
        place: max((label for label in labels if label != str(square)), key=labels.__getitem__)
        for place, square in kingdom_reading(notation).kingdom.items()
        if (labels := seen.get(place))
    }
    reading = kingdom_reading(notation, second)
    shape = (reading.kingdom.height, reading.kingdom.width, len(LABELS))
    probabilities = np.full(shape, (1 - sure) / len(LABELS))
    for place, square in reading.kingdom.items():
        for label, share in seen.get(place, {str(square): sure}).items():
            probabilities[*place, LABELS.index(label)] = share
    probabilities /= probabilities.sum(2, keepdims=True)
    return replace(reading, probabilities=probabilities)
