"""The hollows of a photo that people put right."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from companion.store.labelled_squares import CorrectedSquare
from scorer.domino_duell import Board
from vision.domino_duell import BoardReading, labelled_crops
from vision.domino_duell.corrections import label_of

__all__ = ["corrected_hollows"]


def corrected_hollows(
    reading: BoardReading,
    position: Board,
    patches: NDArray[np.uint8],
    hollows: Collection[str],
) -> Iterator[CorrectedSquare]:
    """Every hollow that was doubtful or read wrongly.

    ``position`` is what people confirmed, row a at the upper end as in the reading; ``patches``
    (n, 32, 32, 3) show its hollows. Only those named in ``hollows`` are looked at: elsewhere
    something may have changed since the photo.
    """
    for crop in labelled_crops(patches, reading, position):
        if crop.hollow in hollows and (crop.corrected or crop.doubtful):
            yield CorrectedSquare(crop.hollow, crop.patch, label_of(crop.truth))
