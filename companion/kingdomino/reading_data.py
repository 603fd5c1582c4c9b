"""Readings as plain data, to be sent from one process to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorer.kingdomino import Kingdom
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

__all__ = ["kingdom_from_plain", "kingdom_to_plain", "reading_from_plain", "reading_to_plain"]


def reading_to_plain(reading: PhotoReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "kingdoms": [kingdom_to_plain(kingdom) for kingdom in reading.kingdoms],
        "size": [reading.width, reading.height],
        "seconds": dict(reading.seconds),
        "warnings": list(reading.warnings),
    }


def reading_from_plain(plain: dict[str, Any]) -> PhotoReading:
    """What ``reading_to_plain`` was given."""
    kingdoms = tuple(kingdom_from_plain(kingdom) for kingdom in plain["kingdoms"])
    width, height = plain["size"]
    return PhotoReading(kingdoms, width, height, plain["seconds"], tuple(plain["warnings"]))


def kingdom_to_plain(reading: KingdomReading) -> dict[str, Any]:
    """All of the reading of one kingdom, as in ``reading_to_plain``."""
    seen, other = reading.probabilities, reading.next_best
    return {
        "kingdom": str(reading.kingdom),
        "squares": [
            [
                [s.label, float(s.probability), s.runner_up, s.doubtful, s.settled_from, s.reason]
                for s in row
            ]
            for row in reading.squares
        ],
        "homography": reading.homography.tolist(),
        "castle_colour": reading.castle_colour,
        "lattice_certain": bool(reading.lattice_certain),
        "probabilities": None if seen is None else seen.tolist(),
        "considered": None if reading.considered is None else reading.considered.tolist(),
        "detection_scores": (
            None if reading.detection_scores is None else reading.detection_scores.tolist()
        ),
        "misfit": float(reading.misfit),
        "warnings": list(reading.warnings),
        "next_best": None if other is None else kingdom_to_plain(other),
    }


def kingdom_from_plain(plain: dict[str, Any]) -> KingdomReading:
    """What ``kingdom_to_plain`` was given."""
    seen, other = plain["probabilities"], plain["next_best"]
    considered, scores = plain["considered"], plain["detection_scores"]
    return KingdomReading(
        Kingdom.parse(plain["kingdom"]),
        tuple(tuple(SquareReading(*square) for square in row) for row in plain["squares"]),
        np.array(plain["homography"], float),
        castle_colour=plain["castle_colour"],
        lattice_certain=plain["lattice_certain"],
        probabilities=None if seen is None else np.array(seen, float),
        considered=None if considered is None else np.array(considered, bool),
        detection_scores=None if scores is None else np.array(scores, float),
        misfit=plain["misfit"],
        next_best=None if other is None else kingdom_from_plain(other),
        warnings=tuple(plain["warnings"]),
    )
