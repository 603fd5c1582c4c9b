"""The line of JSON that `kingdomino read` writes for a photo, a stable format."""

from __future__ import annotations

from typing import Any

from scorer.kingdomino import score
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

__all__ = ["photo_record"]


def photo_record(photo: str, reading: PhotoReading) -> dict[str, Any]:
    """The record of a photo that was read: kingdoms, largest first, and seconds by step."""
    return {
        "photo": photo,
        "kingdoms": [_kingdom_record(kingdom) for kingdom in reading.kingdoms],
        "warnings": list(reading.warnings),
        "seconds": {step: round(seconds, 4) for step, seconds in reading.seconds.items()},
    }


def _kingdom_record(reading: KingdomReading) -> dict[str, Any]:
    """The record of a kingdom, with ``next_best`` only if the lattice is uncertain."""
    doubt: dict[str, Any] = {}
    if not reading.lattice_certain:
        other = reading.next_best
        doubt["lattice_certain"] = False
        doubt["next_best"] = None if other is None else str(other.kingdom)
    return {
        "kingdom": str(reading.kingdom),
        "score": score(reading.kingdom).points,
        "doubtful": [list(position) for position in reading.doubtful],
        "squares": [[_square_record(square) for square in row] for row in reading.squares],
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.corners],
        "warnings": list(reading.warnings),
        **doubt,
    }


def _square_record(square: SquareReading) -> dict[str, Any]:
    """The record of a square, with ``reason`` only where one is known for its doubt."""
    record = {"label": square.label, "probability": round(float(square.probability), 4)}
    return {**record, "reason": square.reason} if square.reason else record
