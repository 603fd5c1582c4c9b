"""Dominoes that hang on a kingdom by one side: a closer look, and the table in the seam, tell
whether they touch it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import STEPS, around, hang_together, pairs_of
from vision.common.network import Network
from vision.common.rectify import measure_stretch
from vision.kingdomino.detect.grid import Grid, find_covered
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.detect.search import LocateSettings, look_closer, measure_offset
from vision.kingdomino.kingdoms.regroup import count_unpaired_squares, part_of_grid
from vision.kingdomino.kingdoms.table_likeness import CellLooks, nth_distances
from vision.kingdomino.labels import CASTLE_AT, MIN_SQUARES, NEIGHBOUR

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# Points across a seam and along it; it is looked at so far to both sides of where the lattice has
# it, and along so much of the squares' side, in squares.
ACROSS, ALONG = 64, 40
HALF_DEPTH, LENGTH = 0.4, 0.8
# A dark band as wide as this is a dark square and no shadow: of dominoes that lie so far off none
# is taken for a part of the kingdom.
WIDEST_SHADOW = 0.3


@dataclass(frozen=True)
class HangingSettings:
    """When a domino that touches a kingdom by one side is none of it; lengths are squares.

    It is asked about where the table shows between it and the rest, as wide as ``unsure_gap`` or
    wider, or where it lies off by so much and nobody can tell whether the table shows; where none
    shows, from ``loose_gap`` on. A domino is stiff, so the table shows along both of its halves, or
    what shows along one is a square that looks like it. It lies loose from ``loose_gap`` on, or
    from ``unsure_gap`` where the table shows along a half, in the mean of both looks, of which the
    closer one counts ``closer_weight``; but where one of them has it nearer than ``unsure_gap`` and
    no table shows, the closer one does not show it, or a thing covers a cell beside it, so that it
    may touch more squares than can be seen, it is asked about instead. Seen at a slant the sides of
    dominoes widen gaps by as much as the picture leans, of dominoes as thick as ``thickness``.

    What lies equally far across a seam shows the table where its mean colour, in CIE L*a*b*,
    differs by less than ``max_difference`` from that of the most similar free cells around the
    kingdom (``TableSettings``); lightness counts ``lightness`` of it, since dominoes shade what
    lies between them. It may be table in deep shadow where it has less than ``shadow`` of the
    table's lightness. The seam of dominoes that touch shows a line at most. Where more than
    ``max_elsewhere`` of what lies besides the widest band looks like the table, or the band is
    wider than the gap by more than ``most_beyond_gap``, the squares do themselves, and nobody can
    tell.
    """

    unsure_gap: float = 0.05
    loose_gap: float = 0.09
    closer_weight: float = 2 / 3
    thickness: float = 0.05
    max_difference: float = 9.0
    lightness: float = 0.5
    shadow: float = 0.5
    max_elsewhere: float = 0.3
    most_beyond_gap: float = 0.12


class Seam(NamedTuple):
    """How wide the table shows between a domino and the rest, in squares.

    Along the half where it is ``widest``, and along that where it is ``narrowest``.
    """

    widest: float
    narrowest: float


def measure_seam(
    looks: CellLooks,
    grid: Grid,
    part: Collection[Position],
    step: Position,
    others: Sequence[Grid],
    settings: HangingSettings,
) -> Seam | None:
    """How wide the table shows between a part of a kingdom and the rest.

    The rest lies a ``step`` (rows, columns) from the part, ``looks`` are of the picture, in which
    ``others`` are groups of squares too. None where nobody can tell: the table is hardly seen, or
    the squares look like it, or a dark band may be its shadow, ``unsure_gap`` wide or more. What
    can be told along one half alone counts where the table shows there.
    """
    around = looks.table_around(grid, others)
    if around is None:
        return None
    table = around[:, :3]
    widths = [
        _band_width(
            _profile(looks.rgb, grid.lattice, cell, step),
            table,
            settings,
        )
        for cell in part
        if (cell[0] + step[0], cell[1] + step[1]) in grid.occupied
    ]
    seen = [width for width in widths if width is not None]
    if not seen or (len(seen) < len(widths) and max(seen) < settings.unsure_gap):
        return None
    return Seam(max(seen), min(seen))


def _profile(rgb: Image, lattice: Lattice, cell: Position, step: Position) -> Floats:
    """The mean colours (ACROSS, 3) in CIE L*a*b* from a cell across its side to the next one."""
    across = np.array(step[::-1], np.float64)
    middle = np.array(cell[::-1]) + 0.5 + across / 2
    over = ((np.arange(ACROSS) + 0.5) / ACROSS * 2 - 1) * HALF_DEPTH
    beside = ((np.arange(ALONG) + 0.5) / ALONG - 0.5) * LENGTH
    spots = middle + over[:, None, None] * across + beside[:, None] * np.abs(across[::-1])
    at = lattice.points(spots.reshape(-1, 2)).reshape(ACROSS, ALONG, 2).astype(np.float32)
    strip = cv2.remap(rgb, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    colours = cv2.cvtColor(np.asarray(strip, np.float32) / 255, cv2.COLOR_RGB2LAB)
    return np.asarray(colours.mean(1), np.float64)


def _band_width(profile: Floats, table: Floats, settings: HangingSettings) -> float | None:
    """How wide the table (n, 3) shows within a profile (m, 3); None where nobody can tell."""
    weights = np.array([settings.lightness, 1, 1])
    apart = nth_distances(profile * weights, table * weights, NEIGHBOUR)
    is_table = apart < settings.max_difference
    width, elsewhere = _widest_band(is_table)
    if elsewhere > settings.max_elsewhere:
        return None
    if width < settings.unsure_gap:
        is_dark = profile[:, 0] < settings.shadow * np.median(table[:, 0])
        shaded, elsewhere = _widest_band(is_table | is_dark)
        may_be = shaded >= settings.unsure_gap or elsewhere > settings.max_elsewhere
        if may_be and shaded < WIDEST_SHADOW:
            return None
    return width


def _widest_band(is_like: NDArray[np.bool_]) -> tuple[float, float]:
    """The width of the widest band that reaches neither end, and the share of the rest like it."""
    edges = np.flatnonzero(np.diff(np.r_[False, is_like, False]))
    bands = [
        (int(first), int(last))
        for first, last in zip(edges[::2], edges[1::2], strict=True)
        if first > 0 and last < len(is_like)
    ]
    first, last = max(bands, key=lambda band: band[1] - band[0], default=(0, 0))
    rest = np.r_[is_like[:first], is_like[last:]]
    width = 2 * HALF_DEPTH * (last - first) / len(is_like)
    return width, float(rest.mean()) if len(rest) else 0.0


Step = tuple[int, int]


class Hanging(NamedTuple):
    """A domino that touches the rest of a kingdom, which lies a ``step`` from it, by one side.

    Its ``gap`` is how far it lies off the rest at the first look, in squares.
    """

    gap: float
    part: tuple[Position, ...]
    step: Step


def part_hanging_domino(
    looks: CellLooks,
    network: Network,
    detections: Detections,
    grid: Grid,
    others: Sequence[Grid],
    settings: HangingSettings,
    searching: LocateSettings,
) -> tuple[Grid, Grid | None, frozenset[Position]]:
    """The grid without a domino that lies loose beside it, that domino, and squares unsure of.

    ``looks`` are of the picture in whose pixels the detections are, ``others`` other groups in it.
    """
    unsure: set[Position] = set()
    measured = sorted(
        (
            Hanging(_gap(detections, grid.lattice, part, step), tuple(sorted(part)), step)
            for part, step in find_hanging_dominoes(detections, grid)
        ),
        reverse=True,
    )
    for one in measured:
        seam = measure_seam(looks, grid, one.part, one.step, others, settings)
        if not _is_asked(one.gap, seam, settings):
            continue
        nearer = _look_closer(looks.rgb, network, grid, one, searching)
        gap = one.gap if nearer is None else max(one.gap, nearer)
        if seam is not None and seam.widest > gap + settings.most_beyond_gap:
            seam = None
        if nearer is not None and not _is_asked(nearer, seam, settings):
            continue
        if not _is_loose(grid, one, nearer, seam, settings) or find_covered(
            detections, grid.lattice, around(one.part) - grid.occupied
        ):
            unsure.update(one.part)
            continue
        lattice = searching.lattice
        domino = part_of_grid(detections, grid, one.part, lattice)
        rest = set(grid.lattice.members) - set(one.part)
        kept = part_of_grid(detections, grid, rest, lattice)
        kept = replace(kept, occupied=kept.occupied & grid.occupied)
        return kept, domino, frozenset(unsure & kept.occupied)
    return grid, None, frozenset(unsure)


def _is_asked(gap: float, seam: Seam | None, settings: HangingSettings) -> bool:
    """Whether a domino so far off may not touch, the table showing as wide as in the ``seam``."""
    if seam is not None and seam.narrowest >= settings.unsure_gap:
        return True
    shows_none = seam is not None and seam.widest < settings.unsure_gap
    return gap >= (settings.loose_gap if shows_none else settings.unsure_gap)


def _is_loose(
    grid: Grid, one: Hanging, nearer: float | None, seam: Seam | None, settings: HangingSettings
) -> bool:
    """Whether a domino lies loose for sure, by its gap at a closer look, if that shows it."""
    if nearer is None:
        return False
    gap = one.gap + settings.closer_weight * (nearer - one.gap)
    gap -= settings.thickness * _lean(grid.lattice, one.part[0])
    if seam is not None and seam.widest >= settings.unsure_gap:
        return gap >= settings.unsure_gap
    return gap >= settings.loose_gap and min(one.gap, nearer) >= settings.unsure_gap


def find_hanging_dominoes(
    detections: Detections, grid: Grid
) -> list[tuple[frozenset[Position], Step]]:
    """Pairs of squares that touch the rest of a kingdom by one side alone, if they do.

    With the step (rows, columns) from them to the rest. The rest has what looks most like a castle,
    hangs together without them, and has as many pairs of halves as before.
    """
    cells = grid.occupied & grid.lattice.members.keys()
    castle = max(cells, key=lambda cell: float(grid.probabilities[cell][CASTLE_AT]), default=None)
    unpaired = None
    found = []
    for pair in pairs_of(cells, cells):
        part = frozenset(pair)
        rest = cells - part
        step = _only_step(part, rest)
        if step is None or len(rest) < MIN_SQUARES:
            continue
        if castle not in rest or len(hang_together(rest)) > 1:
            continue
        if unpaired is None:
            unpaired = count_unpaired_squares(grid, cells)
        alone = count_unpaired_squares(grid, part) + count_unpaired_squares(grid, rest)
        if alone <= unpaired:
            found.append((part, step))
    return found


def _look_closer(
    rgb: Image,
    network: Network,
    grid: Grid,
    one: Hanging,
    searching: LocateSettings,
) -> float | None:
    """The gap of a domino at a closer look, in squares; None where that does not show it."""
    step = one.step
    closer = look_closer(rgb, network, grid.lattice, one.part, searching)
    if closer is None:
        return None
    detections, lattice = closer
    members = {cell: k for cell, k in lattice.members.items() if cell in grid.occupied}
    seen = [cell for cell in one.part if cell in members]
    if not any((row + step[0], column + step[1]) in members for row, column in seen):
        return None
    return _gap(detections, replace(lattice, members=members), seen, step)


def _only_step(part: Collection[Position], rest: Collection[Position]) -> Step | None:
    """The step from a part to the rest beside it, None where there is none or more than one."""
    steps = {
        (dr, dc)
        for row, column in part
        for dr, dc in STEPS
        if (row + dr, column + dc) in rest and (row + dr, column + dc) not in part
    }
    return steps.pop() if len(steps) == 1 else None


def _lean(lattice: Lattice, cell: Position) -> float:
    """The tangent of the angle by which the camera leans where a cell lies."""
    row, column = cell
    stretch = measure_stretch(lattice.homography, (column + 0.5, row + 0.5))
    return math.sqrt(max(stretch**2 - 1, 0.0))


def _gap(detections: Detections, lattice: Lattice, part: Collection[Position], step: Step) -> float:
    """How far a part lies off the rest, which lies a step from it, in squares."""
    offset = measure_offset(detections, lattice, part)
    return float(-np.dot(offset, (step[1], step[0])))
