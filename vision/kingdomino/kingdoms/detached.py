"""Groups of squares off a kingdom, but on its grid: what holds them to it may be hidden or
blurred.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import longest_side
from vision.kingdomino.detect.contact import measure_rotations
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.judge.warn import POOR_LIGHT
from vision.kingdomino.labels import EMPTY, merge_foreign, most_probable

__all__ = ["DetachedSettings", "DetachedSquares", "find_detached_squares", "with_squares"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DetachedSettings:
    """When a group may be a part of a kingdom; lengths in squares.

    It has ``min_squares`` or more, which lie ``max_offset`` off the grid at most, on average
    ``max_mean_offset``, and ``max_step`` from the kingdom, which with them gets no wider or higher
    than a large one. A single domino may be one where the kingdom is not seen clearly; or where it
    touches it, no more than ``domino_offset`` off the grid, and the kingdom gets no wider or higher
    than usual, if it is not so already. In poor light squares are found off their
    places, so any offset will do; another castle may be none there if with it the kingdom is no
    wider or higher than ``vague_side``. Where something covers a part of the kingdom,
    squares no more than ``joined_offset`` off the grid, on average ``joined_mean_offset``, and
    turned by ``max_turn_deg`` are taken for squares of it; those count of which no more than
    ``in_sight`` is covered, since others are found off their places.
    """

    min_squares: int = 3
    max_offset: float = 0.4
    max_mean_offset: float = 0.3
    max_step: int = 2
    domino_offset: float = 0.28
    vague_side: int = 6
    joined_offset: float = 0.25
    joined_mean_offset: float = 0.2
    max_turn_deg: float = 6.0
    in_sight: float = 0.2


class DetachedSquares(NamedTuple):
    """The labels of squares that are asked about, and what was seen of those that belong to it."""

    asked: dict[Position, str]
    joined: dict[Position, Floats]


def find_detached_squares(
    detections: Detections,
    grid: Grid,
    unread: Sequence[Grid],
    unclear: Collection[str],
    is_covered: bool,
    settings: DetachedSettings,
) -> DetachedSquares:
    """The cells of a kingdom's lattice on which squares of ``unread`` groups lie.

    ``unclear`` are the warnings of what leaves the kingdom unclear, such as poor light; it
    ``is_covered`` where something lies on it.
    """
    found = DetachedSquares({}, {})
    is_vague = not set(POOR_LIGHT).isdisjoint(unclear)
    for other in unread:
        members = {cell: k for cell, k in other.lattice.members.items() if cell in other.occupied}
        if len(members) < 2:
            continue
        places = grid.lattice.places(detections.centres[list(members.values())])
        cells = [(int(y), int(x)) for x, y in np.floor(places)]
        offsets = places - np.floor(places) - 0.5
        is_small = len(members) < settings.min_squares and not unclear and not is_covered
        most = settings.domino_offset if is_small else settings.max_mean_offset
        off, mean_off = np.abs(offsets).max(), np.abs(offsets.mean(0)).max()
        on_grid = off <= settings.max_offset and mean_off <= most
        side = longest_side([*grid.occupied, *cells])
        on_grid |= is_vague and (not other.has_castle or side <= settings.vague_side)
        if on_grid and _is_near(cells, grid.occupied, side, is_small, settings):
            laid = replace(grid.lattice, members=dict(zip(cells, members.values(), strict=True)))
            things = [other.things.get(cell, 0.0) for cell in members]
            belongs = is_covered and _lie_exactly(
                detections, laid, cells, offsets, things, settings
            )
            for cell, seen in zip(cells, map(other.probabilities.get, members), strict=True):
                label = EMPTY if seen is None else most_probable(merge_foreign(seen))
                if label == EMPTY or seen is None:
                    continue
                if belongs:
                    found.joined[cell] = seen
                else:
                    found.asked[cell] = label
    return found


def _lie_exactly(
    detections: Detections,
    lattice: Lattice,
    cells: Sequence[Position],
    offsets: Floats,
    things: Sequence[float],
    settings: DetachedSettings,
) -> bool:
    """Whether the members of a lattice lie on its ``cells``, by those of them that are in sight.

    ``offsets`` (n, 2) are theirs from the middles of the cells, ``things`` the share of each that
    something covers.
    """
    in_sight = np.array(things) <= settings.in_sight
    counted = in_sight if in_sight.any() else ~in_sight
    turned = measure_rotations(detections, lattice)
    turns = np.array([turned[cell] for cell in cells])[counted]
    return bool(
        np.abs(offsets[counted]).max() <= settings.joined_offset
        and np.abs(offsets[counted].mean(0)).max() <= settings.joined_mean_offset
        and abs(turns.mean()) <= settings.max_turn_deg
    )


def with_squares(grid: Grid, joined: Mapping[Position, Floats]) -> Grid:
    """The grid with squares that belong to it."""
    return replace(
        grid,
        probabilities={**grid.probabilities, **joined},
        occupied=grid.occupied | joined.keys(),
    )


def _is_near(
    cells: Collection[Position],
    occupied: Collection[Position],
    side: int,
    is_small: bool,
    settings: DetachedSettings,
) -> bool:
    """Whether a kingdom of ``occupied`` cells could go on to the others, to be ``side`` long."""
    steps = [(abs(r - a), abs(c - b)) for r, c in cells for a, b in occupied]
    if (0, 0) in steps:
        return False
    if not is_small:
        return min(map(max, steps)) <= settings.max_step and side <= LARGE_GRID
    is_usual = longest_side(occupied) <= SMALL_GRID
    most = SMALL_GRID if is_usual else LARGE_GRID
    return min(map(sum, steps)) <= 1 and side <= most
