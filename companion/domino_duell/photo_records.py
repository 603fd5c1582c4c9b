"""The line of JSON that `domino-duell read` writes for a photo, a stable format."""

from __future__ import annotations

from typing import Any

from vision.domino_duell.result import BoardReading

__all__ = ["board_record"]


def board_record(photo: str, reading: BoardReading) -> dict[str, Any]:
    """The record of a photo that was read: the board, what to check, and seconds by step."""
    return {
        "photo": photo,
        "tried_on": reading.tried_on,
        "board": {hollow: str(piece) for hollow, piece in reading.position.items()},
        "certain": reading.certain,
        "check": [
            {
                "hollow": each.hollow,
                "read": None if each.piece is None else str(each.piece),
                "probability": round(each.probability, 4),
                "runner_up": None if each.runner_up is None else str(each.runner_up),
            }
            for each in reading.hollows
            if each.doubtful
        ],
        "seconds": {step: round(seconds, 4) for step, seconds in reading.seconds.items()},
    }
