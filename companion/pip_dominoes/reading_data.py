"""Readings of hands as plain data, to be sent from one process to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.pip_dominoes.result import DominoReading, HandReading

__all__ = ["hand_from_plain", "hand_to_plain"]


def hand_to_plain(reading: HandReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "dominoes": [
            {
                "halves": [int(half) for half in each.halves],
                "corners": each.corners.tolist(),
                "probability": float(each.probability),
                "doubtful": bool(each.doubtful),
                "runner_up": each.runner_up,
                "likelihoods": each.likelihoods.tolist(),
                "existence": float(each.existence),
                "reasons": list(each.reasons),
            }
            for each in reading.dominoes
        ],
        "set": int(reading.set),
        "warnings": list(reading.warnings),
        "size": [reading.width, reading.height],
        "seconds": dict(reading.seconds),
    }


def hand_from_plain(plain: dict[str, Any]) -> HandReading:
    """What ``hand_to_plain`` was given."""
    dominoes = tuple(_domino_from_plain(each) for each in plain["dominoes"])
    width, height = plain["size"]
    warnings = tuple(plain["warnings"])
    return HandReading(dominoes, plain["set"], warnings, width, height, plain["seconds"])


def _domino_from_plain(plain: dict[str, Any]) -> DominoReading:
    first, second = plain["halves"]
    return DominoReading(
        (first, second),
        np.array(plain["corners"], float),
        plain["probability"],
        plain["doubtful"],
        plain["runner_up"],
        np.array(plain["likelihoods"], float),
        plain["existence"],
        tuple(plain["reasons"]),
    )
