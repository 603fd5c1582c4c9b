"""Kingdoms as they were photographed, cut out of their photos."""

from __future__ import annotations

import numpy as np

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.kept_board import KeptBoard
from companion.web.kingdomino.board_changes import is_photo_here
from companion.web.kingdomino.parts import kingdom_picture
from companion.web.shell import Markup, tag
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom
from vision.kingdomino.result import KingdomReading

__all__ = ["kingdom_crop", "kingdom_seen"]

_MARGIN = 0.3
"""Of a square, around the kingdom."""


def kingdom_seen(visit: Visit, board: KeptBoard, kept: KeptReading | None, name: str) -> Markup:
    """The kingdom on its photo; drawn, where there is none."""
    return kingdom_crop(visit, kept, name) or kingdom_picture(board.kingdom.trimmed(), name)


def kingdom_crop(visit: Visit, kept: KeptReading | None, name: str) -> Markup | None:
    """The part of the photo that shows the kingdom; None where the photo is not here."""
    if kept is None or not is_photo_here(visit, kept):
        return None
    left, top, right, bottom = _box(kept.reading, kept.reading.kingdom)
    left, top = max(0.0, left), max(0.0, top)
    right, bottom = min(float(kept.width), right), min(float(kept.height), bottom)
    if right - left < 1 or bottom - top < 1:
        return None
    image = tag("image", href=f"photo/{kept.photo}", width=kept.width, height=kept.height)
    return tag(
        "svg",
        image,
        viewBox=f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}",
        class_="crop",
        role="img",
        aria_label=name,
    )


def _box(reading: KingdomReading, kingdom: Kingdom) -> tuple[float, float, float, float]:
    """What a kingdom spans on its photo, in pixels: left, top, right, bottom."""
    low, wide, high = -_MARGIN, kingdom.width + _MARGIN, kingdom.height + _MARGIN
    corners = np.array([[low, low, 1], [wide, low, 1], [wide, high, 1], [low, high, 1]])
    placed = corners @ reading.homography.T
    points = placed[:, :2] / placed[:, 2:]
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)
