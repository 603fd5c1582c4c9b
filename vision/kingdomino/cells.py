"""What lies on the cells of a lattice: terrain and crowns, a castle or nothing.

What cells and the seams between them look like is compared with the table around a kingdom: a lawn
may be taken for forest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from threading import Thread
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common import geometry
from vision.common.geometry import around
from vision.kingdomino import result
from vision.kingdomino.lattice import CORNERS, Detections, Lattice, align, middles_of
from vision.kingdomino.result import CASTLE_AT, EMPTY_AT, LIKELY, NEIGHBOUR, SURE, Floats
from vision.kingdomino.weights import LightModel, SquareClassifier

Image = NDArray[np.uint8]
Asked = tuple[Lattice, Sequence[Position]]
# The share of a cell from which on what a thing covers there cannot be seen.
COVERED = 0.5
# What lies on a cell is classified from this share of it in the picture on.
MOSTLY = 0.6
# The probabilities of a cell that is plainly empty: any label is as improbable as any other.
_BARE = np.where(result.BARE, 0.99, 0.01 / (len(result.BARE) - 1))


class Seen(NamedTuple):
    """Of a cell the probabilities of ``LABELS`` and of a castle's colours, and what is covered."""

    probabilities: Floats
    colours: Floats = np.full(len(result.CASTLE_COLOURS), 1 / len(result.CASTLE_COLOURS))
    things: float = 0.0


@dataclass(frozen=True)
class GridSettings:
    """What lies on a cell, what looks like the table, and how far around a kingdom it counts.

    A cell with a detection is occupied from probability ``min_seen`` on, one without from
    ``min_unseen``. ``locator_floor`` is the least probability that the locator is believed. A cell
    without a detection that it surely takes for bare table is not classified. An empty cell beside
    the kingdom that holds a square with more than ``min_candidate`` is a candidate for settling.

    What lies up to ``reach`` squares from a kingdom is beside it: so far its table is looked at,
    and squares with a gap between may be its own.

    A square looks like the table when the third nearest of at least ``min_table`` free cells, by
    colour and roughness, is at most ``max_distance`` times as far as theirs are from each other,
    which is taken to be ``slack`` more than measured, on a scale where black and white are 100
    apart. The odds that such a cell is empty are multiplied by ``odds``; squares for which "no
    square" is less probable than ``min_empty`` are beyond doubt anyway. Of composed photographs 82
    of 102 pieces of table that were taken for squares look so, of 11,700 true squares some 20.
    """

    min_seen: float = 0.35
    min_unseen: float = 0.6
    locator_floor: float = 0.01
    min_candidate: float = 0.03
    reach: int = 2
    min_table: int = 8
    max_distance: float = 0.8
    slack: float = 4.0
    odds: float = 100.0
    min_empty: float = 1e-3


def colours_at(rgb: Image, points: Floats) -> NDArray[np.float32]:
    """The colours (n, m, 3) in CIE L*a*b* at pixels (n, m, 2), of which there is one at least."""
    at, border = points.astype(np.float32), cv2.BORDER_REPLICATE
    seen = cv2.remap(rgb, at, None, cv2.INTER_LINEAR, borderMode=border)  # type: ignore[call-overload]
    return np.asarray(cv2.cvtColor(np.asarray(seen, np.float32) / 255, cv2.COLOR_RGB2LAB))


@cache
def fill_colour_tables() -> None:
    """Let OpenCV fill its tables of L*a*b*, once and beside what goes on meanwhile: 70 ms."""
    black = np.zeros((1, 1, 3), np.float32)
    # No daemon: a process that ends in the middle of it would be aborted.
    Thread(target=cv2.cvtColor, args=(black, cv2.COLOR_RGB2LAB)).start()


def find_covered(found: Detections, lattice: Lattice, cells: Iterable[Position]) -> set[Position]:
    """Those of the cells of which a thing covers so much that nothing is seen there."""
    asked = list(cells)
    shares = found.ground.within_each(lattice.spots(asked))[:, 1]
    return {cell for cell, share in zip(asked, shares, strict=True) if share > COVERED}


def _square_corners(lattice: Lattice, cells: Sequence[Position], detections: Detections) -> Floats:
    """The corners (n, 4, 2) of squares, half way between the lattice and where they were found."""
    corners = lattice.spots(cells)
    seen = [k for k, cell in enumerate(cells) if cell in lattice.members]
    found = detections.chosen([lattice.members[cells[k]] for k in seen])
    own, _ = align(found.edges, CORNERS.T @ corners[seen])
    corners[seen] += (found.centres[:, None] + CORNERS @ own - corners[seen]) / 2
    return corners


def classify_cells(
    looks: CellLooks, found: Detections, asked: Sequence[Asked], classifier: SquareClassifier
) -> list[dict[Position, Seen]]:
    """What is seen of the cells ``asked`` about, without those that lie outside of the picture."""
    targets = [(n, cell) for n, (_, cells) in enumerate(asked) for cell in cells]
    seen: list[dict[Position, Seen]] = [{} for _ in asked]
    if not targets:
        return seen
    squares = np.concatenate([_square_corners(*each, found) for each in asked])
    bare, things = found.ground.within_each(squares).T
    is_bare = (bare > SURE) & [cell not in asked[n][0].members for n, cell in targets]
    # By their bounding boxes most of them lies in the picture.
    low, high, size = squares.min(1), squares.max(1), looks.rgb.shape[1::-1]
    shown = (np.clip(high, 0, size) - np.clip(low, 0, size)).prod(1)
    inside = shown / np.maximum((high - low).prod(1), 1e-9) >= MOSTLY
    inside &= (high - low <= size).all(1)
    looked_at = np.flatnonzero(inside & ~is_bare)
    patches = geometry.cut_squares(looks.rgb, list(squares[looked_at]))
    labels, colours = classifier.probabilities(patches)
    # A part of a square beside what covers the rest is no empty cell.
    ground = np.where(things > COVERED, bare + things, bare)[looked_at]
    believed = ground.clip(looks.settings.locator_floor, 1 - looks.settings.locator_floor)
    # What the classifier and the locator say is independent evidence, so the odds are multiplied.
    told = zip(_more_empty(labels, believed / (1 - believed)), colours, strict=True)
    for k, (n, cell) in enumerate(targets):
        if is_bare[k]:
            seen[n][cell] = Seen(_BARE, things=float(things[k]))
        elif inside[k]:
            seen[n][cell] = Seen(*next(told), float(things[k]))
    return seen


def _more_empty(found: Floats, odds: Floats | float) -> Floats:
    """The probabilities (..., labels) where "no square" has so many times the odds."""
    joint = found.copy()
    joint[..., EMPTY_AT] *= odds
    return np.asarray(joint / joint.sum(-1, keepdims=True))


@dataclass(frozen=True)
class Grid:
    """What was ``seen`` on a lattice, by (row, column), and the cells of the kingdom."""

    lattice: Lattice
    seen: dict[Position, Seen]
    occupied: frozenset[Position]

    @cached_property
    def probabilities(self) -> dict[Position, Floats]:
        """Those of ``LABELS`` for each cell that was classified."""
        return {cell: one.probabilities for cell, one in self.seen.items()}

    @property
    def has_castle(self) -> bool:
        """Whether one of the squares is a castle."""
        return bool(self.castles(self.occupied))

    def castles(self, cells: Collection[Position]) -> list[Position]:
        """Those of the cells that are likely castles, the likeliest first."""
        shares = {cell: self.probabilities[cell][CASTLE_AT] for cell in cells if cell in self.seen}
        likely = [cell for cell, share in shares.items() if share > LIKELY]
        return sorted(likely, key=shares.__getitem__, reverse=True)

    def with_probabilities(self, changed: Mapping[Position, Floats]) -> Grid:
        """The grid with other probabilities for some cells."""
        seen = dict(self.seen)
        for cell, found in changed.items():
            seen[cell] = seen.get(cell, Seen(found))._replace(probabilities=found)
        return replace(self, seen=seen)


def read_members(
    looks: CellLooks, found: Detections, lattices: Sequence[Lattice], classifier: SquareClassifier
) -> list[Grid]:
    """Classify the detections of each lattice, and nothing else."""
    asked = [(lattice, [*lattice.members]) for lattice in lattices]
    each = zip(lattices, classify_cells(looks, found, asked, classifier), strict=True)
    grids = [Grid(lattice, seen, frozenset()) for lattice, seen in each]
    return [_with_kingdom(grid, _find_occupied(grid, looks.settings)) for grid in grids]


def grow(
    looks: CellLooks,
    found: Detections,
    grid: Grid,
    classifier: SquareClassifier,
    taken: Collection[Position] = (),
) -> Grid:
    """Classify every further cell that may hold a square of the kingdom.

    The neighbours of each occupied cell are classified in turn, so glare or a castle in the way
    cuts nothing off. Cells ``taken`` by squares of others never join.
    """
    settings, occupied = looks.settings, _find_occupied(grid, looks.settings)
    # No pattern of the table beside a kingdom of the usual size makes it larger.
    most = result.size_limit(geometry.longest_side(occupied))
    while True:
        near = keep_within(around(occupied, corners=True), occupied, most)
        waiting = sorted(near.difference(grid.seen, taken))
        (fresh,) = classify_cells(looks, found, [(grid.lattice, waiting)], classifier)
        if not fresh:
            return _with_kingdom(grid, occupied)
        grid = replace(grid, seen=grid.seen | fresh)
        occupied = _find_occupied(grid, settings)


def _find_occupied(grid: Grid, settings: GridSettings) -> set[Position]:
    """The cells that hold a square; one without a detection needs a higher probability."""
    members, seen = grid.lattice.members, grid.probabilities
    least = {cell: settings.min_seen if cell in members else settings.min_unseen for cell in seen}
    return {cell for cell in seen if 1 - seen[cell][EMPTY_AT] > least[cell]}


def keep_within(
    cells: Iterable[Position], occupied: Collection[Position], most: int
) -> set[Position]:
    """Those cells with which a kingdom would be at most so wide and high, in squares."""
    extent = geometry.smallest_extent(occupied)
    return {cell for cell in cells if extent and extent.with_cell(cell).longest <= most}


def _with_kingdom(grid: Grid, occupied: set[Position]) -> Grid:
    """The grid with the squares joined to the castle, or the largest group."""
    castle = next(iter(grid.castles(occupied)), None)
    groups = geometry.hang_together(occupied, corners=True)
    # Without a castle the first, which is the largest.
    whole = max(groups, key=lambda group: castle in group, default=set[Position]())
    return replace(grid, occupied=frozenset(sorted(whole)))


def find_candidates(grid: Grid, settings: GridSettings) -> tuple[Position, ...]:
    """The cells of a kingdom, and those beside it that may hold a square not detected."""
    seen = grid.probabilities
    likely = {cell for cell in seen if 1 - seen[cell][EMPTY_AT] > settings.min_candidate}
    considered = grid.occupied | (likely & around(grid.occupied))
    return tuple(cell for cell in seen if cell in considered)


# Cells are looked at without a share of them at each edge, in half the pixels that the classifier
# takes, which tells as much; of a picture so small that these lie nearly so far apart in it.
LOOK_PX, MARGIN, LEAST_APART_PX = 32, 0.12, 0.75


def _spread(count: int) -> Floats:
    """Points (count², 2) spread evenly over the inner part of a cell, row by row."""
    across = np.linspace(MARGIN, 1 - MARGIN, count)
    return np.stack(np.meshgrid(across, across), -1).reshape(-1, 2)


_OVER_LOOK, _OVER_CELL = _spread(LOOK_PX), _spread(12)


class CellLooks:
    """The looks of cells of one picture, ``rgb`` (h, w, 3); each is measured once."""

    def __init__(self, rgb: Image, settings: GridSettings | None = None) -> None:
        self.rgb = rgb
        self.settings = settings or GridSettings()
        self._known: dict[bytes, dict[Position, Floats]] = {}

    def measure(self, lattice: Lattice, cells: Sequence[Position]) -> Floats:
        """CIE L*a*b* colour, contrast and roughness (n, 5), to about 100; NaN where cut off."""
        known = self._known.setdefault(lattice.homography.tobytes(), {})
        fresh = [cell for cell in dict.fromkeys(cells) if cell not in known]
        spots, last = lattice.spots(fresh, _OVER_LOOK), np.array(self.rgb.shape[1::-1]) - 1
        inside = ((spots >= 0) & (spots <= last)).all((1, 2))
        looks = np.full((len(fresh), 5), np.nan)
        if inside.any():
            looks[inside] = self._look(spots[inside])
        known.update(zip(fresh, looks, strict=True))
        return np.reshape([known[cell] for cell in cells], (-1, 5))

    def table_around(self, grid: Grid, others: Sequence[Grid]) -> Floats | None:
        """The looks (n, 5) of the free cells around a kingdom and others; None for too few."""
        free = find_free_cells(grid, others, self.settings.reach)
        looks = self.measure(grid.lattice, free)
        looks = looks[~np.isnan(looks[:, 0])]
        return looks if len(looks) >= self.settings.min_table else None

    def _look(self, spots: Floats) -> Floats:
        """The looks of cells with pixels at these ``spots`` (n, pixels, 2)."""
        size = np.array(self.rgb.shape[1::-1])
        apart = np.median(np.linalg.norm(spots[:, 1] - spots[:, 0], axis=1))
        least = np.ceil(size * LEAST_APART_PX / max(apart, 0.1)).astype(int)
        small = geometry.halved(self.rgb, *least.tolist())
        seen = colours_at(small, (spots + 0.5) * (small.shape[1::-1] / size) - 0.5)
        light = seen[..., 0].reshape(-1, LOOK_PX, LOOK_PX)
        inner, across, down = light[:, 1:-1, 1:-1], light[:, 1:-1], light[..., 1:-1]
        edges = across[..., :-2] + across[..., 2:] + down[:, :-2] + down[:, 2:] - 4 * inner
        means = np.einsum("npc->nc", seen) / seen.shape[1]
        return np.column_stack([means, 0.5 * light.std((1, 2)), 0.7 * edges.std((1, 2))])


def find_free_cells(grid: Grid, others: Sequence[Grid], reach: int) -> list[Position]:
    """The cells up to ``reach`` around a kingdom on which neither it nor another one lies."""
    extent = geometry.Extent.of(grid.occupied)
    near = {*extent.widened(reach).cells()}
    free = sorted(near.difference(extent.cells(), grid.lattice.members))
    theirs = [other.lattice.points(middles_of(other.occupied)) for other in others]
    middles = grid.lattice.places(np.concatenate([np.zeros((0, 2)), *theirs]))
    is_taken = (np.abs(middles - middles_of(free)[:, None]).max(2) < 1).any(1)
    return [cell for cell, taken in zip(free, is_taken, strict=True) if not taken]


def compare_with_table(looks: Floats, table: Floats, nth: int = NEIGHBOUR) -> tuple[Floats, Floats]:
    """How far those of a table (m, k) are from its ``nth`` nearest, and other looks (n, k) are."""
    # Each of the table is itself among its nearest.
    return nth_distances(table, table, nth + 1), nth_distances(looks, table, nth)


def nth_distances(looks: Floats, table: Floats, number: int) -> Floats:
    """How far the ``number``-th nearest row of a table (m, k) is from each look (n, k)."""
    apart = np.linalg.norm(looks[:, None] - table[None], axis=2)
    last = min(number, len(table)) - 1
    return np.asarray(np.partition(apart, last, axis=1)[:, last])


def doubt_table_like(looks: CellLooks, grid: Grid, others: Sequence[Grid]) -> Grid:
    """The grid with squares that look like the table doubted, or gone, and empty cells surer so."""
    seen, settings, least = grid.probabilities, looks.settings, looks.settings.min_empty
    asked = grid.occupied | (seen.keys() - grid.lattice.members.keys())
    weak = [cell for cell in seen if cell in asked and least < seen[cell][EMPTY_AT] < 1 - least]
    table = looks.table_around(grid, others) if weak else None
    if table is None:
        return grid
    own, distances = compare_with_table(looks.measure(grid.lattice, weak), table)
    is_like = distances <= settings.max_distance * (float(np.median(own)) + settings.slack)
    alike = {cell: _more_empty(seen[cell], settings.odds)
             for cell, like in zip(weak, is_like, strict=True) if like}  # fmt: skip
    weighed = grid.with_probabilities(alike)
    left = _find_occupied(weighed, settings) & grid.occupied
    return weighed if left == grid.occupied else _with_kingdom(weighed, left)


def median_colours(rgb: Image, lattice: Lattice, cells: Sequence[Position]) -> Floats:
    """The median a* and b* (n, 2) of cells, in CIE L*a*b*; NaN where the picture cuts one off."""
    points, last = lattice.spots(cells, _OVER_CELL), np.array(rgb.shape[1::-1]) - 1
    seen = ((points >= 0) & (points <= last)).all((1, 2))
    colours = np.full((len(cells), 2), np.nan)
    if seen.any():
        colours[seen] = np.median(colours_at(rgb, points[seen])[..., 1:], axis=1)
    return colours


def weigh_by_light(rgb: Image, grid: Grid, light: LightModel) -> Grid:
    """The grid with squares named also by what the others tell of the light that they lie in."""
    asked = sorted(grid.occupied)
    colours = median_colours(rgb, grid.lattice, asked)
    seen = np.flatnonzero(~np.isnan(colours[:, 0]))
    if not len(seen):
        return grid
    found = np.array([grid.probabilities[asked[k]] for k in seen])
    told = light.probabilities(found, colours[seen])
    return grid.with_probabilities({asked[k]: own for k, own in zip(seen, told, strict=True)})


# Points across a seam, so far to both sides of where the lattice has it, and beside each other
# along it, in squares.
HALF_DEPTH = 0.4
_OVER = ((np.arange(64) + 0.5) / 64 * 2 - 1) * HALF_DEPTH
_BESIDE = ((np.arange(40) + 0.5) / 40 - 0.5) * 0.8
# A dark band as wide as this is a dark square and no shadow: of dominoes that lie so far off none
# is taken for a part of the kingdom.
WIDEST_SHADOW = 0.3


@dataclass(frozen=True)
class HangingSettings:
    """When a domino that touches a kingdom by one side is asked about; lengths are squares.

    It is where the table shows along both of its halves, between it and the rest, as wide as
    ``unsure_gap`` or wider, since a domino is stiff, and what shows along one may be a square that
    looks like it. Where it shows along one or nobody can tell, it is from a gap of ``loose_gap``
    on; where none shows it touches, whatever was measured.

    What lies equally far across a seam shows the table where its mean colour, in CIE L*a*b*,
    differs by less than ``max_difference`` from that of the most similar free cells around the
    kingdom; lightness counts ``shade`` of it, since dominoes shade what lies between them. It may
    be table in deep shadow where it has less than ``shade`` of the table's lightness. The seam of
    dominoes that touch shows a line at most. Where more than half of what lies besides the widest
    band looks like the table, or the band is wider than a gap below ``unsure_gap`` by more than
    ``most_beyond_gap``, the squares do themselves, and nobody can tell.
    """

    unsure_gap: float = 0.05
    loose_gap: float = 0.085
    max_difference: float = 9.0
    shade: float = 0.5
    most_beyond_gap: float = 0.12


class Seam(NamedTuple):
    """How wide the table shows between the halves of a domino and the rest, in squares."""

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

    The rest lies a ``step`` (rows, columns) from the part; ``others`` are groups of squares too.
    None where nobody can tell: the table is hardly seen, or the squares look like it, or a dark
    band may be its shadow, ``unsure_gap`` wide or more. What can be told along one half alone
    counts where the table shows there.
    """
    free = looks.table_around(grid, others)
    if free is None:
        return None
    table, shades = free[:, :3], np.array([settings.shade, 1, 1])
    (dr, dc), across, widths = step, np.array(step[::-1], np.float64), list[float | None]()
    for row, column in part:
        beyond = row + dr, column + dc
        if beyond in part or beyond not in grid.occupied:
            continue
        middle = np.array([column, row]) + 0.5 + across / 2
        spots = middle + _OVER[:, None, None] * across + _BESIDE[:, None] * np.abs(across[::-1])
        seen = colours_at(looks.rgb, geometry.project(spots, grid.lattice.homography))
        profile = seen.mean(1).astype(np.float64)
        apart = nth_distances(profile * shades, table * shades, NEIGHBOUR)
        is_table = apart < settings.max_difference
        is_dark = profile[:, 0] < settings.shade * np.median(table[:, 0])
        width, elsewhere = _widest_band(is_table)
        shaded, elsewhere_shaded = _widest_band(is_table | is_dark)
        may_be_table = shaded >= settings.unsure_gap or elsewhere_shaded > LIKELY
        may_be_shadow = width < settings.unsure_gap and shaded < WIDEST_SHADOW and may_be_table
        widths.append(None if elsewhere > LIKELY or may_be_shadow else width)
    told = [width for width in widths if width is not None]
    if not told or (len(told) < len(widths) and max(told) < settings.unsure_gap):
        return None
    return Seam(max(told), min(told))


def _widest_band(is_like: NDArray[np.bool_]) -> tuple[float, float]:
    """The width of the widest band that reaches neither end, and the share of the rest like it."""
    bands = np.flatnonzero(np.diff(np.r_[False, is_like, False])).reshape(-1, 2)
    inner = bands[(bands[:, 0] > 0) & (bands[:, 1] < len(is_like))].tolist()
    first, last = max(inner, key=lambda band: band[1] - band[0], default=(0, 0))
    rest = np.delete(is_like, slice(first, last))
    width = 2 * HALF_DEPTH * (last - first) / len(is_like)
    return width, float(rest.mean()) if len(rest) else 0.0
