"""What a person put right on a reading, as labelled crops from which the reader can learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import Board, Piece, Stone
from vision.domino_duell.classify import cut_patches
from vision.domino_duell.detect import places_of
from vision.domino_duell.result import BoardReading


@dataclass(frozen=True, eq=False)
class LabelledCrop:
    """The patch (32, 32, 3), uint8 RGB, of a hollow, what lies in it, and what was read.

    ``corrected`` is whether a person changed the reading, ``doubtful`` whether it was flagged.
    """

    hollow: str
    patch: NDArray[np.uint8]
    truth: Piece | None
    read: Piece | None
    doubtful: bool

    @property
    def corrected(self) -> bool:
        """Whether a person changed what was read."""
        return self.truth != self.read


def label_of(piece: Piece | None) -> str:
    """The notation of a stone, ``joker``, or ``.`` for an empty hollow."""
    if piece is None:
        return "."
    return str(piece) if isinstance(piece, Stone) else "joker"


def hollow_patches(rgb: NDArray[np.uint8], reading: BoardReading) -> NDArray[np.uint8]:
    """The patches (n, 32, 32, 3) of the hollows of a reading, in its order.

    ``rgb`` (h, w, 3) is the photograph that was read, upright, at any resolution.
    """
    scale = np.diag([rgb.shape[1] / reading.width, rgb.shape[0] / reading.height, 1.0])
    return cut_patches(rgb, scale @ reading.homography, places_of(reading.position.shape))


def labelled_crops(
    patches: NDArray[np.uint8], reading: BoardReading, position: Board
) -> tuple[LabelledCrop, ...]:
    """A crop of every hollow with its truth, once a person has confirmed ``position``.

    ``patches`` (n, 32, 32, 3) are those of the reading. ValueError where the position is of
    another board than the reading.
    """
    if position.shape != reading.position.shape:
        raise ValueError("position: expected one of the board that was read, got another board")
    return tuple(
        LabelledCrop(each.hollow, patch, truth, each.piece, each.doubtful)
        for each, patch, truth in zip(reading.hollows, patches, position.cells, strict=True)
    )
