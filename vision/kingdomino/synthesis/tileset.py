"""What scenes are composed from, and how much they vary."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["SceneSettings", "TileSet"]

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class TileSet:
    """Pictures to compose scenes from.

    ``labels`` are the labels (left, right) of the dominoes by number, ``dominoes`` their pictures
    (96, 192, 3), ``starts`` the start tiles (96, 96, 3) by colour, ``squares`` single squares
    (96, 96, 3) by label, which may replace a half, ``surfaces`` the tables and ``foreign`` squares
    of other games. ``drawn`` and ``drawn_starts`` are drawn dominoes and start tiles. Castles have
    labels like "c:blue".
    """

    labels: dict[str, tuple[str, str]]
    dominoes: dict[str, list[Image]]
    starts: dict[str, list[Image]]
    squares: dict[str, list[Image]]
    surfaces: list[Image]
    foreign: list[Image] = field(default_factory=list)
    drawn: dict[str, list[Image]] = field(default_factory=dict)
    drawn_starts: dict[str, list[Image]] = field(default_factory=dict)


@dataclass(frozen=True)
class SceneSettings:
    """How much scenes vary; lengths are in squares unless the name has a unit, shares are 0..1.

    ``steep_share`` of the scenes are seen at ``steep_tilt_deg``, ``thing_share`` have things lying
    or standing on them, ``blur_share`` are shaken or out of focus by up to ``max_blur`` squares,
    ``dim_share`` taken in dim light. In ``close_share`` of those with several kingdoms or loose
    dominoes these lie aligned and close beside the first.
    """

    size_px: int = 384
    square_px: tuple[float, float] = (11.0, 120.0)
    max_tilt_deg: float = 48.0
    max_gap: float = 0.13
    max_crooked_deg: float = 8.0
    castle_share: float = 0.35
    thing_share: float = 0.0
    steep_share: float = 0.0
    steep_tilt_deg: tuple[float, float] = (40.0, 72.0)
    blur_share: float = 0.0
    max_blur: float = 0.2
    dim_share: float = 0.0
    close_share: float = 0.0
    empty_share: float = 0.06
    drawn_share: float = 0.1
    foreign_share: float = 0.04
    photo_squares_share: float = 0.25
