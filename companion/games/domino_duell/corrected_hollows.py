"""Hollows of a photo that people put right, kept as labelled pictures if they say so."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from companion.store import Store
from companion.store.labelled_squares import keep_square
from scorer.domino_duell import Board
from vision.domino_duell import BoardReading, labelled_crops
from vision.domino_duell.corrections import label_of

__all__ = ["keep_corrected_hollows"]


def keep_corrected_hollows(
    store: Store,
    game_id: str,
    reading: BoardReading,
    position: Board,
    patches: NDArray[np.uint8],
    *,
    hollows: Collection[str],
    source_photo: str,
    consent: bool,
) -> int:
    """Keep the picture of every hollow that was doubtful or read wrongly; returns their number.

    ``position`` is what people confirmed, row a at the upper end as in the reading; ``patches``
    (n, 32, 32, 3) show its hollows. Only those named in ``hollows`` are looked at: elsewhere
    something may have changed since the photo. StoreError ``no_consent``.
    """
    crops = [
        crop
        for crop in labelled_crops(patches, reading, position)
        if crop.hollow in hollows and (crop.corrected or crop.doubtful)
    ]
    for crop in crops:
        keep_square(
            store,
            game_id,
            crop.patch,
            label_of(crop.truth),
            place=crop.hollow,
            source_photo=source_photo,
            consent=consent,
        )
    return len(crops)
