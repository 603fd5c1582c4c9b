"""The seam between a domino and a kingdom: where the table shows in it, they do not touch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.cell_looks import CellLooks, find_free_cells, nth_distances
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.locate.lattice import Lattice

__all__ = ["SeamSettings", "measure_seam"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# Points across a seam and along it.
ACROSS, ALONG = 64, 40


@dataclass(frozen=True)
class SeamSettings:
    """How the table is told in a seam; lengths are squares, colours those of CIE L*a*b*.

    A seam is looked at up to ``half_depth`` to both sides of where the lattice has it, and along
    the middle ``length`` of the squares' side. What lies equally far across shows the table where
    its mean colour differs by less than ``max_difference`` from that of the ``neighbour``-th most
    similar of ``min_table`` free cells or more, up to ``reach`` around the kingdom; lightness
    counts ``lightness`` of it, since dominoes shade what lies between them. It may be table in deep
    shadow where it has less than ``shadow`` of the table's lightness. A band of it as wide as
    ``min_width`` tells a gap: that of dominoes that touch shows a line at most. Where more than
    ``max_elsewhere`` of what lies besides the widest band looks so, the squares look like the table
    themselves.
    """

    half_depth: float = 0.4
    length: float = 0.8
    reach: int = 2
    min_table: int = 8
    neighbour: int = 3
    max_difference: float = 9.0
    lightness: float = 0.5
    shadow: float = 0.5
    max_elsewhere: float = 0.3
    min_width: float = 0.05


def measure_seam(
    looks: CellLooks,
    grid: Grid,
    part: Collection[Position],
    step: Position,
    others: Sequence[Grid],
    settings: SeamSettings,
) -> float | None:
    """How wide the table shows between a part of a kingdom and the rest, in squares.

    The rest lies a ``step`` (rows, columns) from the part, ``looks`` are of the picture, in which
    ``others`` are groups of squares too. None where nobody can tell: the table is hardly seen, or
    the squares look like it, or a dark band may be its shadow, ``min_width`` wide or more.
    """
    free = find_free_cells(grid, others, settings.reach)
    cells = [look[:3] for look in looks.measure(grid.lattice, free) if look is not None]
    if len(cells) < settings.min_table:
        return None
    table = np.array(cells)
    widths = [
        _band_width(_profile(looks.rgb, grid.lattice, cell, step, settings), table, settings)
        for cell in part
        if (cell[0] + step[0], cell[1] + step[1]) in grid.occupied
    ]
    seen = [width for width in widths if width is not None]
    widest = max(seen, default=0.0)
    return widest if seen and (len(seen) == len(widths) or widest >= settings.min_width) else None


def _profile(
    rgb: Image, lattice: Lattice, cell: Position, step: Position, settings: SeamSettings
) -> Floats:
    """The mean colours (ACROSS, 3) in CIE L*a*b* from a cell across its side to the next one."""
    across = np.array(step[::-1], np.float64)
    middle = np.array(cell[::-1]) + 0.5 + across / 2
    over = ((np.arange(ACROSS) + 0.5) / ACROSS * 2 - 1) * settings.half_depth
    beside = ((np.arange(ALONG) + 0.5) / ALONG - 0.5) * settings.length
    spots = middle + over[:, None, None] * across + beside[:, None] * np.abs(across[::-1])
    at = lattice.points(spots.reshape(-1, 2)).reshape(ACROSS, ALONG, 2).astype(np.float32)
    strip = cv2.remap(rgb, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    colours = cv2.cvtColor(np.asarray(strip, np.float32) / 255, cv2.COLOR_RGB2LAB)
    return np.asarray(colours.mean(1), np.float64)


def _band_width(profile: Floats, table: Floats, settings: SeamSettings) -> float | None:
    """How wide the table (n, 3) shows within a profile (m, 3); None where nobody can tell."""
    weights = np.array([settings.lightness, 1, 1])
    apart = nth_distances(profile * weights, table * weights, settings.neighbour)
    is_table = apart < settings.max_difference
    width, elsewhere = _widest_band(is_table, settings)
    if elsewhere > settings.max_elsewhere:
        return None
    if width < settings.min_width:
        is_dark = profile[:, 0] < settings.shadow * np.median(table[:, 0])
        shaded, elsewhere = _widest_band(is_table | is_dark, settings)
        if shaded >= settings.min_width or elsewhere > settings.max_elsewhere:
            return None
    return width


def _widest_band(is_like: NDArray[np.bool_], settings: SeamSettings) -> tuple[float, float]:
    """The width of the widest band that reaches neither end, and the share of the rest like it."""
    edges = np.flatnonzero(np.diff(np.r_[False, is_like, False]))
    bands = [
        (int(first), int(last))
        for first, last in zip(edges[::2], edges[1::2], strict=True)
        if first > 0 and last < len(is_like)
    ]
    first, last = max(bands, key=lambda band: band[1] - band[0], default=(0, 0))
    rest = np.r_[is_like[:first], is_like[last:]]
    width = 2 * settings.half_depth * (last - first) / len(is_like)
    return width, float(rest.mean()) if len(rest) else 0.0
