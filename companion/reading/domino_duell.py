"""Domino-Duell's reader, tried on drawn pictures only, for this process and for workers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.reading.codec import Codec
from companion.reading.jobs import GameReader
from companion.reading.own_heads import DUEL_HEADS
from scorer.domino_duell import Joker, Shape, Stone, parse_piece
from vision.domino_duell import BoardReading

Image = NDArray[np.uint8]


def _read(source: bytes | str | Image) -> BoardReading:
    DUEL_HEADS.use()
    from vision.domino_duell import read_board  # Loads the weights: not before there is a photo.

    return read_board(source)


def _draw(photo_rgb: Image, reading: BoardReading) -> Image:
    from vision.domino_duell.draw import annotate

    return annotate(photo_rgb, reading)


def _first_run() -> None:
    """Run the network: on a grey picture it would not be asked."""
    from scorer.domino_duell import DEFAULT_SHAPE
    from vision.domino_duell.classify import PATCH_PX
    from vision.domino_duell.detect import places_of
    from vision.domino_duell.weights import shipped

    DUEL_HEADS.use()
    places = places_of(DEFAULT_SHAPE)
    shipped().board_logits(np.zeros((len(places), PATCH_PX, PATCH_PX, 3), np.uint8), places)


BOARDS = GameReader(
    "companion.reading.domino_duell",
    _read,
    _draw,
    Codec(BoardReading, {Shape: Shape.parse, Stone: parse_piece, Joker: parse_piece}),
    _first_run,
)
"""Reads the board of a photo."""

warm_up, carry_out = BOARDS.warm_up, BOARDS.carry_out
