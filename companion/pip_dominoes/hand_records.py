"""The line of JSON that `dominoes count` writes for a photo: a contract that others build on."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.pip_dominoes.hand_reading import DominoReading, HandReading

__all__ = ["hand_record"]


def hand_record(photo: str, reading: HandReading) -> dict[str, Any]:
    """A photo that was read: its dominoes, their pips in all, and seconds by step.

    ``doubtful`` is true where the sum may be wrong. ``runner_up`` is null where nothing else
    comes into question.
    """
    return {
        "photo": photo,
        "dominoes": [_domino_record(domino) for domino in reading.dominoes],
        "sum": int(reading.sum),
        "doubtful": bool(reading.doubtful),
        "set": int(reading.set),
        "warnings": list(reading.warnings),
        "seconds": {step: round(seconds, 4) for step, seconds in reading.seconds.items()},
    }


def _domino_record(domino: DominoReading) -> dict[str, Any]:
    corners = np.asarray(domino.corners, dtype=float)
    return {
        "tile": str(domino.tile),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "probability": round(float(domino.probability), 4),
        "doubtful": bool(domino.doubtful),
        "runner_up": str(domino.runner_up) if domino.runner_up else None,
    }
