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
                "halves": [int(number) for number in each.halves],
                "corners": np.asarray(each.corners, float).tolist(),
                "probability": float(each.probability),
                "doubtful": bool(each.doubtful),
                "runner_up": each.runner_up,
                "likelihoods": np.asarray(each.likelihoods, float).tolist(),
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
    dominoes = tuple(
        DominoReading(
            (each["halves"][0], each["halves"][1]),
            np.array(each["corners"], float),
            each["probability"],
            each["doubtful"],
            each["runner_up"],
            np.array(each["likelihoods"], float),
            each["existence"],
            tuple(each["reasons"]),
        )
        for each in plain["dominoes"]
    )
    width, height = plain["size"]
    return HandReading(
        dominoes, plain["set"], tuple(plain["warnings"]), width, height, plain["seconds"]
    )
