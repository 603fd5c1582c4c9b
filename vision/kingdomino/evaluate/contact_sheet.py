"""A contact sheet of the worst readings, each drawn on its photograph."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.annotate import draw_reading
from vision.kingdomino.evaluate.results import PhotoResult
from vision.photo import decode

__all__ = ["contact_sheet", "worst"]

TILE = (640, 480)
COLUMNS = 2


def _badness(result: PhotoResult) -> tuple[float, ...]:
    """Sort key, larger for a worse reading: not located, wrong unflagged, wrong, then flagged."""
    compared = result.comparison
    if compared is None:
        silent = result.reading is not None and any(
            not kingdom.doubtful for kingdom in result.reading.kingdoms
        )
        return (0, float(silent), 0, 0)
    wrong = compared.squares - compared.right
    return (
        float(not compared.located),
        float(compared.wrong_unflagged),
        float(wrong),
        float(compared.flagged),
    )


def worst(results: Sequence[PhotoResult], count: int) -> list[PhotoResult]:
    """The ``count`` worst readings, worst first."""
    return sorted(results, key=_badness, reverse=True)[:count]


def contact_sheet(results: Sequence[PhotoResult]) -> NDArray[np.uint8]:
    """Photographs with their readings, two in a row, shape (h, w, 3), RGB."""
    tiles = []
    for result in results:
        photo = decode(result.picture.path).rgb
        shown = draw_reading(photo, result.reading) if result.reading is not None else photo.copy()
        scale = min(TILE[0] / shown.shape[1], TILE[1] / shown.shape[0])
        size = (round(shown.shape[1] * scale), round(shown.shape[0] * scale))
        small = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
        tile = np.full((TILE[1] + 24, TILE[0], 3), 255, np.uint8)
        tile[24 : 24 + size[1], : size[0]] = small
        compared = result.comparison
        text = result.picture.path.name
        if compared is not None:
            text += f"  {compared.right}/{compared.squares}, {compared.flagged} flagged"
            text += f", {compared.wrong_unflagged} wrong not flagged"
        cv2.putText(tile, text, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(tile)
    while len(tiles) % COLUMNS:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[at : at + COLUMNS]) for at in range(0, len(tiles), COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)
