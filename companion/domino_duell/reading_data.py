"""Readings of boards as plain data, to be sent from one process to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorer.domino_duell import Board, Piece, Shape, parse_piece
from vision.domino_duell import BoardReading, HollowReading

__all__ = ["reading_from_plain", "reading_to_plain"]


def reading_to_plain(reading: BoardReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "shape": str(reading.position.shape),
        "hollows": [
            [
                each.hollow,
                _plain(each.piece),
                float(each.probability),
                _plain(each.runner_up),
                bool(each.doubtful),
                each.settled_from,
            ]
            for each in reading.hollows
        ],
        "homography": reading.homography.tolist(),
        "size": [reading.width, reading.height],
        "certain": bool(reading.certain),
        "tried_on": reading.tried_on,
        "seconds": dict(reading.seconds),
    }


def reading_from_plain(plain: dict[str, Any]) -> BoardReading:
    """What ``reading_to_plain`` was given."""
    hollows = tuple(
        HollowReading(name, _piece(piece), probability, _piece(other), doubtful, settled_from)
        for name, piece, probability, other, doubtful, settled_from in plain["hollows"]
    )
    shape, (width, height) = Shape.parse(plain["shape"]), plain["size"]
    return BoardReading(
        Board(shape, tuple(each.piece for each in hollows)),
        hollows,
        np.array(plain["homography"], float),
        width,
        height,
        certain=plain["certain"],
        tried_on=plain["tried_on"],
        seconds=plain["seconds"],
    )


def _plain(piece: Piece | None) -> str | None:
    return None if piece is None else str(piece)


def _piece(text: str | None) -> Piece | None:
    return None if text is None else parse_piece(text)
