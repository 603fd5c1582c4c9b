"""One pass over a photograph: the stages in order, from squares to kingdoms to readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.geometry import around, beside
from vision.common.network import Clock
from vision.kingdomino.cells import (
    CellLooks,
    Grid,
    GridSettings,
    doubt_table_like,
    empty_table_like,
    find_candidates,
    find_free_cells,
    grow,
    read_members,
)
from vision.kingdomino.doubt import (
    HiddenSettings,
    SeenKingdom,
    find_cut_off,
    find_hidden_cells,
    flag_doubtful,
    gather_evidence,
    is_touched,
    measure_border,
)
from vision.kingdomino.groups import (
    RegroupSettings,
    divide_grid,
    drop_loose_domino,
    part_hanging_domino,
    part_of_grid,
    regroup,
)
from vision.kingdomino.lattice import Detections, Lattice
from vision.kingdomino.result import (
    BARE,
    CASTLE_COLOURS,
    DOMINO,
    FOREIGN_AT,
    KingdomReading,
    kingdom_of,
)
from vision.kingdomino.search import (
    GROUNDS,
    SURE_SCORE,
    FlatView,
    Located,
    LocateSettings,
    ViewSettings,
    drop_off_scale,
    locate,
)
from vision.kingdomino.settling import (
    Judgement,
    JudgeSettings,
    Observation,
    add_reason,
    judge_table,
)
from vision.kingdomino.together import TogetherSettings
from vision.kingdomino.warn import (
    DetachedSettings,
    DimSettings,
    MirrorSettings,
    QualitySettings,
    WarnSettings,
    explain_by_light,
    find_beside,
    find_detached_squares,
    find_unread_groups,
    measure_quality,
    quality_codes,
    sort_codes,
)
from vision.kingdomino.weights import Weights
from vision.photo import Photo, PhotoSettings

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
# A square whose centre is nearer than this to that of a cell covers a good part of the cell.
TAKEN_REACH = 0.7
# Crooked squares of a kingdom lie nearer to their cells than this.
STRAY_OFFSET = 0.3
STRAY_SCORE = 0.5


@dataclass(frozen=True)
class ChooseSettings:
    """What counts as a kingdom, and when a photograph is searched again.

    A group without a castle counts as a kingdom from ``min_castleless`` squares on, beside one with
    a castle from ``min_castleless_beside`` on, which is more than four dominoes laid out for the
    next turn have; its castle is looked for in any group that would count alone. Smaller groups are
    read only where the locator gives one of their squares at least the probability ``castle_hint``
    of being a castle, or if they are a domino or more, to tell what else lies there.

    A photograph whose grid is not certain, or more than ``doubtful_share`` of whose squares are
    flagged, is searched again. The pass with the largest sum of (probability − ``worthless``) over
    its squares wins, a certain one before others. A kingdom in doubt beside the largest counts for
    ``uncertain_share`` of its sum: without that, of kingdoms across the table, a pass with pieces
    of one goes before one with both.

    Below the ``confidence`` ``min_confidence`` a reading is refused: readings of real photographs
    have 0.85 at least, what is read from pictures of other games 0.65 at most. A kingdom in doubt
    whose squares look more than ``slanted`` times as long as wide is refused where not all of it
    was seen; at such a slant a table is looked at from above even where nothing is in doubt.
    """

    min_castleless: int = 4
    min_castleless_beside: int = 9
    castle_hint: float = 0.05
    doubtful_share: float = 0.34
    worthless: float = 0.75
    uncertain_share: float = 0.5
    min_confidence: float = 0.68
    floor: float = 0.02
    slanted: float = 1.6


@dataclass(frozen=True)
class ReadSettings:
    """Settings of all steps.

    A castle's colour is named from probability ``sure_colour`` on.
    """

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    grid: GridSettings = field(default_factory=GridSettings)
    choose: ChooseSettings = field(default_factory=ChooseSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    regroup: RegroupSettings = field(default_factory=RegroupSettings)
    apart: DetachedSettings = field(default_factory=DetachedSettings)
    warn: WarnSettings = field(default_factory=WarnSettings)
    quality: QualitySettings = field(default_factory=QualitySettings)
    hidden: HiddenSettings = field(default_factory=HiddenSettings)
    mirror: MirrorSettings = field(default_factory=MirrorSettings)
    view: ViewSettings = field(default_factory=ViewSettings)
    dim: DimSettings = field(default_factory=DimSettings)
    together: TogetherSettings = field(default_factory=TogetherSettings)
    sure_colour: float = 0.8


@dataclass(frozen=True)
class Pass:
    """The kingdoms found in one pass over a photograph, largest first, and warnings beyond them.

    ``located`` are all squares and lattices found, in pixels of the picture that was searched;
    ``found_squares`` is how many squares the locator found by itself, ``squareness`` the mean
    probability that the classifier gives what was found to be some square of the game, 0..1.
    """

    kingdoms: tuple[KingdomReading, ...] = ()
    warnings: tuple[str, ...] = ()
    located: Located | None = None
    found_squares: int = 0
    squareness: float = 0.0


def run_pass(
    photo: Photo,
    weights: Weights,
    settings: ReadSettings,
    searching: LocateSettings,
    clock: Clock,
    flat: FlatView | None = None,
    found: Located | None = None,
) -> Pass:
    """The kingdoms of a photograph searched at one size, largest first.

    Where a ``flat`` view is given, they are searched in it; ``found`` is what was found in the
    photograph itself already, which then is not searched.
    """
    rgb = flat.picture if flat else photo.rgb
    with clock.step("locate"):
        located = found or locate(rgb, weights.locator, searching)
        detections, lattices = drop_off_scale(located, settings.view)
        off_scale = len(lattices) < len(located.lattices)
    with clock.step("classify"):
        lattices = select_lattices(detections, lattices, settings.choose)
        members = read_members(rgb, detections, lattices, weights.classifier, settings.grid)
        looks = CellLooks(rgb, settings.grid)
        formed = form_kingdoms(looks, detections, members, weights, searching, settings)
        grids = [kingdom.grid for kingdom in formed.kingdoms]
    with clock.step("settle"):
        unread = [
            group for group in formed.groups if find_unread_groups(detections, [group], grids)
        ]
        seen = _look_at_each(
            photo, CellLooks(photo.rgb, settings.grid) if flat else looks, detections, formed,
            unread,
            np.asarray(np.linalg.inv(flat.view)) if flat else np.eye(3), weights, settings,
        )  # fmt: skip
        judgements = judge_table([kingdom.observation for kingdom in seen], settings.judge)
    with clock.step("warn"):
        grids = [kingdom.grid for kingdom in seen]
        next_to, elsewhere = find_beside(detections, unread, grids, settings.warn)
        unread_squares = sum(len(group.occupied) for group in unread)
        readings = []
        for k, (kingdom, judgement) in enumerate(zip(seen, judgements, strict=True)):
            if judgement is None:
                continue
            observation = kingdom.observation
            due = {
                "beside": k in next_to or formed.kingdoms[k].left_out,
                "cut_off": bool(observation.cut_off),
                "hidden": bool(observation.hidden) or is_touched(detections, kingdom.grid),
            }
            codes = {code for code, is_due in due.items() if is_due}
            codes.update(quality_codes(kingdom.quality, settings.quality))
            judged = add_reason(judgement, kingdom.loose, "loose")
            evidence = gather_evidence(
                photo.rgb, detections, kingdom, judged, unread_squares, settings.judge
            )
            judged = flag_doubtful(judged, evidence, weights.doubt)
            judged = explain_by_light(judged, kingdom.quality, settings.quality)
            reading = make_reading(
                kingdom.grid, kingdom.lattice, observation, judged, photo, settings
            )
            readings.append(replace(reading, warnings=sort_codes(codes)))
    kingdoms = tuple(sorted(readings, key=lambda reading: -count_squares(reading)))
    found_squares = int((detections.scores > SURE_SCORE).sum())
    warnings = ("other_squares",) if elsewhere or off_scale else ()
    return Pass(kingdoms, warnings, located, found_squares, _squareness(members))


@dataclass(frozen=True)
class FormedKingdom:
    """The grid of a kingdom, with what is uncertain about it.

    ``loose`` squares may not belong to it; the ``contested`` ones among them may belong to the next
    kingdom. ``left_out`` tells whether a domino beside it was left out.
    """

    grid: Grid
    loose: frozenset[Position]
    contested: frozenset[Position]
    left_out: bool


class Formed(NamedTuple):
    """The kingdoms of a picture, largest first, and all groups of squares that were found in it."""

    kingdoms: list[FormedKingdom]
    groups: list[Grid]


def form_kingdoms(
    looks: CellLooks,
    detections: Detections,
    members: Sequence[Grid],
    weights: Weights,
    searching: LocateSettings,
    settings: ReadSettings,
) -> Formed:
    """The kingdoms of a picture, on whose lattices the ``members`` were classified.

    ``looks`` are those of its cells.
    """
    emptied = [
        empty_table_like(looks, grid, [g for g in members if g is not grid]) for grid in members
    ]
    divided = [
        divide_grid(detections, grid, settings.regroup)
        for grid in regroup(detections, emptied, settings.regroup)
    ]
    groups = [grid for one in divided for grid in one.grids]
    contested = frozenset[int]().union(*(one.contested for one in divided))
    # In 8 bits gaps measure the same but for 0.014 of a square at most.
    closer = weights.quick_locator or weights.locator
    hanging = [
        part_hanging_domino(
            looks,
            closer,
            detections,
            grid,
            [other for other in groups if other is not grid],
            settings.regroup.hanging,
            searching,
        )
        for grid in choose_kingdoms(groups, settings.choose, to_grow=True)
    ]
    groups += [domino for _, domino, _ in hanging if domino]
    kingdoms: list[FormedKingdom] = []
    for parted, domino, unsure in hanging:
        full, _, dropped_first = drop_loose_domino(detections, parted, settings.regroup)
        taken = find_taken_cells(detections, full.lattice, _other_lattices(full, groups, settings))
        taken = taken.union(
            *(
                find_cells_under(before.grid.lattice, before.grid.occupied, full.lattice)
                for before in kingdoms
            )
        )
        grown = grow(looks.rgb, detections, full, weights.classifier, settings.grid, taken)
        if not grown.occupied:
            continue
        kept, loose, dropped_last = drop_loose_domino(detections, grown, settings.regroup)
        between = {cell for cell, k in kept.lattice.members.items() if k in contested}
        kingdoms.append(
            FormedKingdom(
                kept,
                loose | unsure,
                frozenset(between),
                bool(domino or dropped_first or dropped_last),
            )
        )
    kingdoms = [_doubt_table(looks, kingdom, kingdoms) for kingdom in kingdoms]
    chosen = choose_kingdoms([kingdom.grid for kingdom in kingdoms], settings.choose)
    return Formed([k for grid in chosen for k in kingdoms if k.grid is grid], groups)


def _doubt_table(
    looks: CellLooks, kingdom: FormedKingdom, all_of_them: Sequence[FormedKingdom]
) -> FormedKingdom:
    """The kingdom without what looks like the table around it."""
    others = [other.grid for other in all_of_them if other is not kingdom]
    grid = doubt_table_like(looks, kingdom.grid, others)
    contested = kingdom.contested & grid.occupied
    loose = (kingdom.loose & grid.occupied) | contested
    return FormedKingdom(grid, loose, contested, kingdom.left_out)


def _other_lattices(grid: Grid, groups: Sequence[Grid], settings: ReadSettings) -> list[Lattice]:
    """The lattices of other groups of squares, but of none that lies on this one."""
    return [
        other.lattice
        for other in groups
        if other is not grid
        and len(other.occupied) >= DOMINO
        and not lies_on(other.lattice, other.occupied, grid.lattice, grid.occupied)
    ]


def find_taken_cells(
    detections: Detections, lattice: Lattice, others: Iterable[Lattice]
) -> frozenset[Position]:
    """The cells of a lattice on which squares of other lattices lie, wholly or in part.

    A detection of no lattice that lies between cells of this one takes them too, but no cell that
    squares of the lattice enclose: that holds a crooked one of theirs.
    """
    members = set(lattice.members.values())
    theirs = {k for other in others for k in other.members.values()}
    rest = np.array([k for k in range(len(detections)) if k not in members], np.intp)
    if not len(rest):
        return frozenset()
    centres = detections.centres[rest]
    found = set()
    for k, cell, (x, y), in_front in zip(
        rest, *lattice.cells_at(centres), lattice.reaches(centres), strict=True
    ):
        stray = max(abs(x), abs(y)) > STRAY_OFFSET and detections.scores[k] > STRAY_SCORE
        if not in_front or not (int(k) in theirs or stray):
            continue
        for row, column in around({cell}, corners=True) | {cell}:
            enclosed = sum(near in lattice.members for near in beside((row, column))) > 2
            if enclosed and int(k) not in theirs:
                continue
            if max(abs(row - cell[0] - y), abs(column - cell[1] - x)) < TAKEN_REACH:
                found.add((row, column))
    return frozenset(found - set(lattice.members))


def _look_at_each(
    photo: Photo,
    looks: CellLooks,
    detections: Detections,
    formed: Formed,
    unread: Sequence[Grid],
    to_photo: Floats,
    weights: Weights,
    settings: ReadSettings,
) -> list[SeenKingdom]:
    """All that is seen of each kingdom; ``to_photo`` (3, 3) leads from its pixels to the photo's.

    ``looks`` are those of the cells of the photo, ``unread`` the groups that are no kingdoms.
    """
    grids = [kingdom.grid for kingdom in formed.kingdoms]
    size = photo.rgb.shape[1], photo.rgb.shape[0]
    contested = {
        k: part_of_grid(detections, kingdom.grid, kingdom.contested, settings.regroup.lattice)
        for k, kingdom in enumerate(formed.kingdoms)
        if kingdom.contested
    }
    reach = settings.grid.reach
    around = [find_free_cells(each, [g for g in grids if g is not each], reach) for each in grids]
    seen = []
    for k, (grid, free) in enumerate(zip(grids, around, strict=True)):
        lattice = replace(grid.lattice, homography=to_photo @ grid.lattice.homography)
        quality = measure_quality(photo.rgb, lattice, grid.occupied, settings.quality)
        border = measure_border(
            photo.rgb, lattice, grid.occupied, free, detections.ground, grid.lattice
        )
        cut_off = find_cut_off(border, lattice, grid.occupied, size, weights.border)
        hidden = find_hidden_cells(looks, lattice, grid, settings.hidden)
        light = quality_codes(quality, settings.quality)
        others = [g for g in grids if g is not grid and (light or not g.has_castle)]
        next_to = [part for owner, part in contested.items() if owner != k]
        apart = find_detached_squares(
            detections, grid, unread, light, bool(hidden), settings.apart, reach
        )
        unclear = (*light, *(["hidden"] if hidden else []))
        shared = find_detached_squares(
            detections, grid, [*others, *next_to], unclear, False, settings.apart, reach
        )
        grids[k] = replace(
            grid.with_probabilities(apart.joined), occupied=grid.occupied | apart.joined.keys()
        )
        observation = replace(
            observe(grids[k], settings.grid),
            hidden=hidden,
            cut_off=cut_off,
            apart=shared.asked | apart.asked,
        )
        loose = formed.kingdoms[k].loose | apart.joined.keys()
        seen.append(SeenKingdom(grids[k], lattice, observation, quality, free, loose))
    return seen


def _squareness(grids: Sequence[Grid]) -> float:
    """The mean over all squares found of the largest probability of a label of this game."""
    seen = [found[1:FOREIGN_AT].max() for grid in grids for found in grid.probabilities.values()]
    return float(np.mean(seen)) if seen else 0.0


def observe(grid: Grid, settings: GridSettings) -> Observation:
    """What a grid gives to the judgement."""
    return Observation(grid.probabilities, find_candidates(grid, settings))


def make_reading(
    grid: Grid,
    lattice: Lattice,
    observation: Observation,
    judgement: Judgement,
    photo: Photo,
    settings: ReadSettings,
) -> KingdomReading:
    """The reading of a judged grid; ``lattice`` is that of the grid in the reduced photograph."""
    top, left, height, width = judgement.extent
    box = [[(top + r, left + c) for c in range(width)] for r in range(height)]
    squares = tuple(tuple(judgement.squares[position] for position in row) for row in box)
    # Pixels of the reduced picture become pixels of the photograph, whose middles have halves.
    zoom = 1 / photo.scale
    full = np.array([[zoom, 0, (zoom - 1) / 2], [0, zoom, (zoom - 1) / 2], [0, 0, 1]])
    considered = frozenset(observation.considered)
    return KingdomReading(
        kingdom_of(squares),
        squares,
        full @ lattice.moved(top, left).homography,
        castle_colour=_castle_colour(grid, judgement, settings.sure_colour),
        lattice_certain=judgement.certain,
        probabilities=np.array([[grid.probabilities.get(p, BARE) for p in row] for row in box]),
        considered=np.array([[p in considered for p in row] for row in box]),
        unpaired=frozenset((row - top, column - left) for row, column in judgement.unpaired),
    )


def _castle_colour(grid: Grid, judgement: Judgement, sure: float) -> str | None:
    """The colour of the only castle, where it is sure enough."""
    castles = [position for position, s in judgement.squares.items() if s.label == "c"]
    if len(castles) != 1 or castles[0] not in grid.seen:
        return None
    colours = grid.seen[castles[0]].colours
    best = int(np.argmax(colours))
    return CASTLE_COLOURS[best] if colours[best] >= sure else None


def count_squares(reading: KingdomReading) -> int:
    """How many squares a kingdom has, the castle included."""
    return sum(not square.is_empty for row in reading.kingdom.rows for square in row)


_CASTLE_GROUND = GROUNDS.index("c")


def select_lattices(
    detections: Detections, lattices: Sequence[Lattice], settings: ChooseSettings
) -> list[Lattice]:
    """The lattices worth classifying: the first, and those that may be kingdoms beside it.

    ``lattices`` come largest first. One that lies on another is the top of a standing castle.
    """
    castle = detections.grounds[:, _CASTLE_GROUND]
    kept: list[Lattice] = []
    for lattice in lattices:
        hinted = castle[list(lattice.members.values())].max() >= settings.castle_hint
        if not kept or (
            (hinted or len(lattice.members) >= DOMINO)
            and not any(lies_on(lattice, lattice.members, other, other.members) for other in kept)
        ):
            kept.append(lattice)
    return kept


def lies_on(
    upper: Lattice, squares: Iterable[Position], lower: Lattice, occupied: Iterable[Position]
) -> bool:
    """Whether more than half of the ``squares`` of one lattice lie on ``occupied`` ones of another.

    The top of a standing castle may be detected as a square beside its place; a lattice grown
    from there covers the kingdom a second time.
    """
    cells = find_cells_under(upper, squares, lower)
    below = set(occupied)
    return 2 * sum(cell in below for cell in cells) > len(cells)


def find_cells_under(upper: Lattice, squares: Iterable[Position], lower: Lattice) -> list[Position]:
    """For each of the ``squares`` of one lattice the cell of another in which its middle lies."""
    return lower.cells_at(upper.points([(column + 0.5, row + 0.5) for row, column in squares]))[0]


def choose_kingdoms(
    grids: Sequence[Grid], settings: ChooseSettings, *, to_grow: bool = False
) -> list[Grid]:
    """The grids that are kingdoms, largest first: with a castle, or large enough without one.

    Smaller ones are good enough ``to_grow``: the castle may be found then. One that covers a larger
    one is dropped.
    """
    occupied = [grid for grid in grids if grid.occupied]
    any_castle = any(grid.has_castle for grid in occupied)
    beside = settings.min_castleless if to_grow else settings.min_castleless_beside
    least = beside if any_castle else settings.min_castleless
    kept: list[Grid] = []
    for grid in sorted(occupied, key=lambda grid: -len(grid.occupied)):
        if (grid.has_castle or len(grid.occupied) >= least) and not any(
            lies_on(grid.lattice, grid.occupied, other.lattice, other.occupied) for other in kept
        ):
            kept.append(grid)
    return kept
