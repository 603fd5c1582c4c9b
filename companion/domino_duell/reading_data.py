"""Readings of boards as plain data, to be sent from one process to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorer.domino_duell import Piece, Position, Shape, parse_piece
from vision.domino_duell import BoardReading, HollowReading

__all__ = ["board_from_plain", "board_to_plain"]


def board_to_plain(reading: BoardReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "rows": list(reading.position.shape.rows),
        "cells": [_text(piece) for piece in reading.position.cells],
        "hollows": [
            {
                "hollow": each.hollow,
                "piece": _text(each.piece),
                "probability": float(each.probability),
                "runner_up": _text(each.runner_up),
                "doubtful": bool(each.doubtful),
                "settled_from": each.settled_from,
            }
            for each in reading.hollows
        ],
        "homography": reading.homography.tolist(),
        "size": [reading.width, reading.height],
        "certain": bool(reading.certain),
        "tried_on": reading.tried_on,
        "seconds": dict(reading.seconds),
    }


def board_from_plain(plain: dict[str, Any]) -> BoardReading:
    """What ``board_to_plain`` was given."""
    hollows = tuple(
        HollowReading(
            each["hollow"],
            _piece(each["piece"]),
            each["probability"],
            _piece(each["runner_up"]),
            each["doubtful"],
            each["settled_from"],
        )
        for each in plain["hollows"]
    )
    width, height = plain["size"]
    return BoardReading(
        Position(Shape(tuple(plain["rows"])), tuple(map(_piece, plain["cells"]))),
        hollows,
        np.array(plain["homography"], float),
        width,
        height,
        plain["certain"],
        plain["tried_on"],
        plain["seconds"],
    )


def _text(piece: Piece | None) -> str | None:
    return None if piece is None else str(piece)


def _piece(text: str | None) -> Piece | None:
    return None if text is None else parse_piece(text)
