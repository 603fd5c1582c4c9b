"""What makes a reading incomplete, told by codes: what is hidden or cut off, and what lies beside a
kingdom or apart from it; words are found where people read them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Position, Square
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import Extent, around, beside, hang_together, longest_side
from vision.kingdomino.detect.grid import COVERED, Grid, find_covered
from vision.kingdomino.detect.lattice import Detections, Lattice, measure_rotations
from vision.kingdomino.kingdoms.table_likeness import CellLooks, table_distances
from vision.kingdomino.labels import DOMINO, EMPTY, MIN_SQUARES, merge_foreign, most_probable
from vision.kingdomino.result import KingdomReading, SquareReading

Floats = NDArray[np.float64]


WARNINGS = (
    "cut_off",
    "hidden",
    "blurred",
    "dark",
    "glare",
    "grey",
    "beside",
    "other_squares",
    "mirrored",
    "maybe_same",
)


# Those of light in which any square may be read as another.
POOR_LIGHT = ("dark", "blurred", "grey")


@dataclass(frozen=True)
class WarnSettings:
    """When something is told; lengths are squares.

    A group of squares that belongs to no
    kingdom is told if it is a domino or more, a single one only with a score of
    ``sure_single``; it lies beside a kingdom up to the distance ``beside`` between the middles of
    squares.
    """

    sure_single: float = 0.6
    beside: float = 2.2


def find_warnings(
    detections: Detections,
    found: Sequence[Grid],
    read: Sequence[Grid],
    beside: Sequence[bool],
    cut_off: Sequence[bool],
    settings: WarnSettings,
) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The warnings for each kingdom that was ``read``, and those that belong to none.

    ``found`` are the groups of squares of the picture, read or not. ``beside`` tells of which
    kingdoms a domino was left out, ``cut_off`` which go on beyond the picture. A kingdom without a
    castle beside another may be a part of it, and what lies beside that may be wrongly divided
    from it as well.
    """
    told = [
        {code for code, is_due in (("beside", left_out), ("cut_off", goes_on)) if is_due}
        for left_out, goes_on in zip(beside, cut_off, strict=True)
    ]
    beyond = set()
    for middles in find_unread_groups(detections, found, read, settings):
        apart = [_distance(middles, grid) for grid in read]
        near = [k for k, far in enumerate(apart) if far <= settings.beside]
        for k in near:
            told[k].add("beside")
        if not near:
            beyond.add("other_squares")
    for number in _find_doubtful_neighbours(detections, read, settings):
        told[number].add("beside")
    return [sort_codes(codes) for codes in told], sort_codes(beyond)


def _find_doubtful_neighbours(
    detections: Detections, read: Sequence[Grid], settings: WarnSettings
) -> set[int]:
    """The numbers of the kingdoms that one without a castle hangs together with, itself included.

    Step by step from one kingdom to the next that lies beside it.
    """
    middles = [detections.centres[list(grid.lattice.members.values())] for grid in read]
    beside = {
        number: {
            k
            for k, other in enumerate(read)
            if k != number and len(mine) and _distance(mine, other) <= settings.beside
        }
        for number, mine in enumerate(middles)
    }
    waiting = [k for k, grid in enumerate(read) if not grid.has_castle and beside[k]]
    found = set(waiting)
    while waiting:
        fresh = beside[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def sort_codes(codes: Collection[str]) -> tuple[str, ...]:
    """Codes in the order of ``WARNINGS``."""
    return tuple(code for code in WARNINGS if code in codes)


def find_unread_groups(
    detections: Detections,
    grids: Iterable[Grid],
    read: Sequence[Grid],
    settings: WarnSettings,
) -> list[Floats]:
    """The middles (n, 2) in pixels of the squares of each group that became part of no kingdom.

    What lies on a kingdom that was read, such as the top of a standing castle, is no group.
    """
    groups = []
    for grid in grids:
        cells = [cell for cell in grid.occupied if cell in grid.lattice.members]
        scores = [grid.scores[cell] for cell in cells]
        if not cells or (len(cells) < DOMINO and max(scores) < settings.sure_single):
            continue
        middles = detections.centres[[grid.lattice.members[cell] for cell in cells]]
        apart = np.array([[_nearest(middle, kingdom) for kingdom in read] for middle in middles])
        free = (apart > 0.6).all(1) if len(read) else np.ones(len(middles), bool)
        if 2 * free.sum() > len(middles):
            groups.append(middles)
    return groups


def _distance(middles: Floats, kingdom: Grid) -> float:
    """How far the nearest of the points (n, 2) in pixels is from the squares of a kingdom.

    Between middles, in squares, the larger of across and down.
    """
    return min(_nearest(middle, kingdom) for middle in middles)


def _nearest(middle: Floats, kingdom: Grid) -> float:
    at = kingdom.lattice.places(middle)[0]
    cells = np.array([(c + 0.5, r + 0.5) for r, c in kingdom.occupied])
    return float(np.abs(cells - at).max(1).min())


@dataclass(frozen=True)
class DetachedSettings:
    """When a group may be a part of a kingdom; lengths in squares.

    It is a domino at least, whose squares lie ``max_offset`` off the grid at most, and
    ``max_step`` from the kingdom, which with them gets no wider or higher
    than a large one. A single domino may be one where the kingdom is not seen clearly; or where it
    touches it, and the kingdom gets no wider or higher than usual, if it is not so already. In poor
    light squares are found off their places, so any offset will do. Where something covers a part
    of the kingdom, squares no more than ``joined_offset`` off the grid, and turned by
    ``max_turn_deg``, are taken for squares of it.
    """

    max_offset: float = 0.4
    max_step: int = 2
    joined_offset: float = 0.25
    max_turn_deg: float = 10.0


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
        is_small = len(members) < MIN_SQUARES and not unclear and not is_covered
        off = np.abs(offsets).max()
        on_grid = off <= settings.max_offset or is_vague
        side = longest_side([*grid.occupied, *cells])
        if on_grid and _is_near(cells, grid.occupied, side, is_small, settings):
            laid = replace(grid.lattice, members=dict(zip(cells, members.values(), strict=True)))
            turns = [*measure_rotations(detections, laid).values()]
            belongs = (
                is_covered
                and off <= settings.joined_offset
                and abs(np.mean(turns)) <= settings.max_turn_deg
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


Squares = Mapping[Position, SquareReading]


@dataclass(frozen=True)
class HiddenSettings:
    """When a cell shows something other than the table.

    A cell is like the table when it resembles the nearest ``share`` of the cells around the
    kingdom, as well as they resemble each other: its distance is at most ``max_distance`` times
    theirs (that of ``usual_percent`` of them, since an arm may cover the rest), and ``slack`` more
    on a scale where black and white are 100 apart. What something covers is hidden.
    """

    share: float = 0.4
    max_distance: float = 1.5
    slack: float = 8.0
    usual_percent: float = 82.0


def find_hidden_cells(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom, or beside it, that something seems to hide.

    ``lattice`` is that of the grid in pixels of the picture whose ``looks`` are given.
    """
    covered = {cell for cell, share in grid.things.items() if share > COVERED}
    near = around(grid.occupied, corners=True) | grid.occupied
    return frozenset(covered & near) | _find_unlike_table(looks, lattice, grid, settings)


def is_touched(detections: Detections, grid: Grid) -> bool:
    """Whether a thing covers a cell beside a kingdom, even if it would get too large by that."""
    return bool(find_covered(detections, grid.lattice, around(grid.occupied)))


def _find_unlike_table(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom that show neither a square nor the table."""
    extent = Extent.of(grid.occupied)
    inner, outer = [], []
    for cell in extent.widened(looks.settings.reach).cells():
        if extent.holds(cell):
            if cell not in grid.occupied:
                inner.append(cell)
        elif cell not in grid.probabilities or cell not in lattice.members:
            outer.append(cell)
    if not inner:
        return frozenset()
    cells = [*inner, *outer]
    features = dict(zip(cells, looks.measure(lattice, cells), strict=True))
    table = [feature for cell in outer if (feature := features[cell]) is not None]
    empty = [cell for cell in inner if features[cell] is not None]
    if not empty or len(table) < looks.settings.min_table:
        return frozenset()
    own, apart = table_distances(
        np.array(table), np.array([features[cell] for cell in empty]), settings.share
    )
    most = (
        settings.max_distance * float(np.percentile(own, settings.usual_percent)) + settings.slack
    )
    return frozenset(cell for cell, far in zip(empty, apart, strict=True) if far > most)


@dataclass(frozen=True)
class MissingSettings:
    """A label less probable than ``unlikely`` that settling chose was not seen at all."""

    unlikely: float = 0.1


def flag_missing_halves(reading: KingdomReading, settings: MissingSettings) -> KingdomReading:
    """The reading with the empty cells flagged that may hold a hidden square.

    That one is hidden is told by a square without its other half, or by one that settling took
    away or made something else for want of it, against all that was seen. Where nothing was known
    to be hidden, so that settling could not reckon with it, such squares are then taken as they
    were seen, with the probability that the box left to them; but a castle stays one, since each
    kingdom has one. What hides one cell
    may hide the empty cells that hang together with it as well.
    """
    squares = {(r, c): s for r, row in enumerate(reading.squares) for c, s in enumerate(row)}
    changed = {
        cell: square
        for cell, square in squares.items()
        if square.settled_from not in (None, EMPTY, "c")
        and square.label != "c"
        and square.probability < settings.unlikely
    }
    holes = [
        cell
        for cell, square in squares.items()
        if square.label == EMPTY and cell not in changed and _is_beside_a_half(cell, squares)
    ]
    known = any(square.reason == "hidden" for square in squares.values())
    hidden = {cell for cell, s in squares.items() if s.label == EMPTY and s.reason == "hidden"}
    if reading.unpaired or changed:
        hidden.update(holes)
    if reading.unpaired and not hidden:
        # What is hidden lies beyond the extent.
        return replace(reading, warnings=sort_codes({*reading.warnings, "hidden"}))
    if not hidden:
        return reading
    if holes and not known:
        for cell, square in changed.items():
            squares[cell] = replace(
                square,
                label=str(square.settled_from),
                runner_up=square.label,
                doubtful=True,
                settled_from=None,
                reason="hidden",
            )
    for cell in _spread(hidden, squares) if reading.unpaired or changed else hidden:
        squares[cell] = replace(squares[cell], doubtful=True, reason="hidden")
    rows = tuple(
        tuple(squares[r, c] for c in range(len(row))) for r, row in enumerate(reading.squares)
    )
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in rows))
    warnings = sort_codes({*reading.warnings, "hidden"})
    return replace(reading, kingdom=kingdom, squares=rows, warnings=warnings)


def _is_beside_a_half(cell: Position, squares: Squares) -> bool:
    return any(near in squares and squares[near].label not in (EMPTY, "c") for near in beside(cell))


def _spread(cells: Collection[Position], squares: Squares) -> set[Position]:
    """The cells with all empty ones that hang together with them, corners included."""
    empty = {cell for cell, square in squares.items() if square.label == EMPTY}
    groups = hang_together(empty.union(cells), corners=True)
    return {cell for group in groups if not group.isdisjoint(cells) for cell in group}
