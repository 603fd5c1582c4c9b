"""Groups of squares once they have been classified: parted where nothing lies, joined again where
a kingdom was parted by mistake."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import STEPS, around, hang_together, longest_side
from vision.kingdomino.detect.classifier import COVERED, find_covered
from vision.kingdomino.detect.contact import (
    group_by_contact,
    measure_rotations,
)
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, Lattice, LatticeSettings, fit_lattice
from vision.kingdomino.kingdoms.pairing import count_unpaired
from vision.kingdomino.labels import CASTLE_AT, EMPTY, EMPTY_AT, merge_foreign, most_probable

__all__ = ["RegroupSettings", "count_unpaired_squares", "part_of_grid", "regroup"]

_PAIRS = frozenset(
    (min(pair), max(pair))
    for pair in ((str(d.left), str(d.right)) for d in (*BASE_DOMINOES, *GIANT_DOMINOES))
)


@dataclass(frozen=True)
class RegroupSettings:
    """When groups are parted or joined; gaps and offsets are shares of a square.

    What the classifier takes for no square with more than ``empty`` holds nothing together; nor,
    where another castle is seen, a single square between two parts of ``min_bridged`` or more of
    which the locator is less sure than ``weak_score`` and the classifier than ``weak``. A
    group of ``min_joined`` squares or more without a castle joins a kingdom that it fits, no wider
    or higher than usual, or than a large one if they are, where its squares lie on its lattice but
    for ``max_offset`` and a turn of ``max_turn_deg``, and the gap between is less than
    ``touching``, or less than ``near`` if more halves of dominoes then find their other half. A
    domino joins at less than ``near``; whether it touches, a closer look tells
    (``vision.kingdomino.kingdoms.hanging``). Nothing touches, but up to ``bridge`` cells in a row
    lie between, each covered by a thing by more than ``covered``: then it joins as well, and so
    does one that meets a kingdom of usual size at a corner, on its lattice but for
    ``corner_offset``.
    """

    castle: float = 0.5
    empty: float = 0.5
    weak_score: float = 0.45
    weak: float = 0.95
    min_bridged: int = 3
    min_joined: int = 2
    max_turn_deg: float = 6.0
    max_offset: float = 0.3
    corner_offset: float = 0.1
    touching: float = 0.1
    near: float = 0.2
    covered: float = COVERED
    bridge: int = 3
    lattice: LatticeSettings = field(default_factory=LatticeSettings)


def regroup(detections: Detections, grids: Sequence[Grid], settings: RegroupSettings) -> list[Grid]:
    """The groups of squares by what touches, now that it is known what is a square."""
    with_castle = [grid for grid in grids if _castles(grid, settings)]
    parts = [
        part
        for grid in grids
        for part in _part_at_empty(
            detections, grid, any(other is not grid for other in with_castle), settings
        )
    ]
    kingdoms = [part for part in parts if _castles(part, settings)]
    rest = sorted(
        (part for part in parts if not _castles(part, settings)),
        key=lambda part: -len(part.occupied),
    )
    without: list[Grid] = []
    for group in rest:
        if not any(_join_one_of(detections, some, group, settings) for some in (kingdoms, without)):
            without.append(group)
    return sorted([*kingdoms, *without], key=lambda part: -len(part.lattice.members))


def _join_one_of(
    detections: Detections, kingdoms: list[Grid], group: Grid, settings: RegroupSettings
) -> bool:
    """Let a group become part of the first of the kingdoms that it belongs to, if any.

    Parts of a kingdom whose castle cannot be seen join by what covers cells between them alone.
    """
    for number, kingdom in enumerate(kingdoms):
        joined = _join(detections, kingdom, group, settings)
        if joined is not None:
            kingdoms[number] = joined
            return True
    return False


def part_of_grid(
    detections: Detections, grid: Grid, cells: Collection[Position], settings: LatticeSettings
) -> Grid:
    """A part of the grid on a lattice of its own, all its squares occupied."""
    members = {cell: k for cell, k in grid.lattice.members.items() if cell in cells}
    lattice = fit_lattice(detections, members, settings)
    mine = [cell for cell in lattice.members if cell in grid.probabilities]
    return Grid(
        Lattice(lattice.homography, lattice.members, lattice.misfit),
        {cell: grid.probabilities[cell] for cell in mine},
        {cell: grid.colours[cell] for cell in mine},
        frozenset(mine),
        {cell: grid.scores[cell] for cell in lattice.members},
        {cell: grid.things[cell] for cell in mine if cell in grid.things},
    )


def count_unpaired_squares(grid: Grid, cells: Collection[Position]) -> int:
    """How many of the cells of a grid are half of no domino of the box, as far as it was read."""
    labels = {
        cell: most_probable(merge_foreign(grid.probabilities[cell]))
        for cell in cells
        if cell in grid.probabilities
    }
    return _unpaired(labels)


def _unpaired(labels: Mapping[Position, str]) -> int:
    halves = {cell: label for cell, label in labels.items() if label not in (EMPTY, "c")}
    return count_unpaired(halves, _PAIRS)


def _castles(grid: Grid, settings: RegroupSettings) -> list[Position]:
    return [
        cell
        for cell in grid.lattice.members
        if cell in grid.probabilities and grid.probabilities[cell][CASTLE_AT] > settings.castle
    ]


def _part_at_empty(
    detections: Detections, grid: Grid, others: bool, settings: RegroupSettings
) -> list[Grid]:
    """What of a group hangs together without the places that hold no square.

    Where there are ``others``, squares that are hardly seen hold nothing together either.
    """
    empty = {
        cell
        for cell in grid.lattice.members
        if cell in grid.probabilities and grid.probabilities[cell][EMPTY_AT] > settings.empty
    }
    if others:
        empty |= _find_weak_bridges(grid, settings)
    kept = {cell: k for cell, k in grid.lattice.members.items() if cell not in empty}
    if not empty or len(kept) < settings.min_joined:
        return [grid]
    lattice = fit_lattice(detections, kept, settings.lattice)
    groups = _join_at_corners(group_by_contact(detections, lattice, settings.lattice), settings)
    if len(groups) == 1 and len(groups[0]) == len(kept):
        return [grid]
    return [part_of_grid(detections, grid, group, settings.lattice) for group in groups]


def _find_weak_bridges(grid: Grid, settings: RegroupSettings) -> set[Position]:
    """The squares, hardly seen, that alone hold two larger parts of a group together."""
    members = grid.lattice.members.keys()
    return {
        cell
        for cell in members
        if cell in grid.probabilities
        and grid.scores[cell] < settings.weak_score
        and grid.probabilities[cell].max() < settings.weak
        and sum(len(part) >= settings.min_bridged for part in hang_together(members - {cell})) > 1
    }


def _join_at_corners(
    groups: Sequence[Mapping[Position, int]], settings: RegroupSettings
) -> list[dict[Position, int]]:
    """The groups, largest first, with those joined that touch by corners alone and fit."""
    kept: list[dict[Position, int]] = []
    for group in groups:
        for other in kept:
            by_edges = around(group) & other.keys()
            by_corners = around(group, edges=False, corners=True) & other.keys()
            fits = longest_side([*other, *group]) <= SMALL_GRID
            if fits and by_corners and not by_edges:
                other.update(group)
                break
        else:
            kept.append(dict(group))
    return kept


def _join(
    detections: Detections, kingdom: Grid, group: Grid, settings: RegroupSettings
) -> Grid | None:
    """The kingdom with a group beside it, None where that does not belong to it."""
    if len(group.lattice.members) < settings.min_joined:
        return None
    members = list(group.lattice.members.items())
    places = kingdom.lattice.places(detections.centres[[k for _, k in members]])
    cells = [(int(np.floor(y)), int(np.floor(x))) for x, y in places]
    centred = {
        cell: place - (cell[1] + 0.5, cell[0] + 0.5)
        for cell, place in zip(cells, places, strict=True)
    }
    mine = kingdom.lattice.members
    if len(centred) < len(cells) or centred.keys() & mine.keys():
        return None
    farthest = max(float(np.abs(off).max()) for off in centred.values())
    if farthest > settings.max_offset:
        return None
    own_side = max(longest_side(mine), longest_side(group.lattice.members))
    most = SMALL_GRID if own_side <= SMALL_GRID else LARGE_GRID
    if longest_side([*mine, *cells]) > most:
        return None
    gaps = [
        float(-dr * centred[r, c][1] - dc * centred[r, c][0])
        for r, c in cells
        for dr, dc in STEPS
        if (r + dr, c + dc) in mine
    ]
    at_corner = bool(around(cells, edges=False, corners=True) & mine.keys())
    is_apart_but_fits = not gaps and (
        (at_corner and farthest < settings.corner_offset and most == SMALL_GRID)
        or _is_bridged(detections, kingdom.lattice, cells, settings)
    )
    if not is_apart_but_fits and (
        not gaps or np.mean(gaps) > settings.near or not _castles(kingdom, settings)
    ):
        return None
    moved = {old: new for (old, _), new in zip(members, cells, strict=True)}
    joined = Grid(
        fit_lattice(
            detections, {**mine, **{moved[old]: k for old, k in members}}, settings.lattice
        ),
        {**kingdom.probabilities, **{moved[c]: p for c, p in group.probabilities.items()}},
        {**kingdom.colours, **{moved[c]: p for c, p in group.colours.items()}},
        kingdom.occupied | {moved[cell] for cell in group.occupied},
        {**kingdom.scores, **{moved[c]: score for c, score in group.scores.items()}},
        {**kingdom.things, **{moved[c]: share for c, share in group.things.items()}},
    )
    apart = count_unpaired_squares(kingdom, mine) + count_unpaired_squares(
        group, group.lattice.members
    )
    turns = measure_rotations(detections, joined.lattice)
    if abs(float(np.mean([turns.get(cell, 0.0) for cell in cells]))) > settings.max_turn_deg:
        return None
    if is_apart_but_fits:
        return joined
    pairs_more = count_unpaired_squares(joined, joined.occupied) < apart
    close = np.mean(gaps) < settings.touching or len(cells) == 2
    return joined if pairs_more or close else None


def _is_bridged(
    detections: Detections, lattice: Lattice, cells: Collection[Position], settings: RegroupSettings
) -> bool:
    """Whether covered cells lead from some cells beside a lattice to its squares."""
    seen, edge = set(cells), set(cells)
    for _ in range(settings.bridge + 1):
        near = around(edge) - seen
        if seen != set(cells) and near & lattice.members.keys():
            return True
        outside = near - lattice.members.keys()
        edge = find_covered(detections, lattice, outside, settings.covered)
        seen |= edge
    return False
