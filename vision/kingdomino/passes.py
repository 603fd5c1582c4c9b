"""One pass over a photograph: the stages in order, from squares to kingdoms to readings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.geometry import around, beside
from vision.common.network import Clock
from vision.kingdomino import cells, doubt, groups, search, settling, warn
from vision.kingdomino.cells import CellLooks, Grid
from vision.kingdomino.doubt import SeenKingdom
from vision.kingdomino.lattice import Detections, Lattice
from vision.kingdomino.result import (
    BARE,
    CASTLE_COLOURS,
    DOMINO,
    EMPTY,
    FOREIGN_AT,
    KingdomReading,
    SquareReading,
    kingdom_of,
)
from vision.kingdomino.search import FlatView, Located, LocateSettings
from vision.kingdomino.settling import Judgement, Observation
from vision.kingdomino.together import TogetherSettings
from vision.kingdomino.weights import Weights
from vision.photo import Photo, PhotoSettings

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
    flagged, is searched again; one seen at a slant, whose squares look more than ``slanted`` times
    as long as wide, from above even where nothing is in doubt.

    Below the ``confidence`` ``min_confidence`` a reading is refused: readings of real photographs
    have 0.85 at least, what is read from pictures of other games 0.65 at most.
    """

    min_castleless: int = 4
    min_castleless_beside: int = 9
    castle_hint: float = 0.05
    doubtful_share: float = 0.34
    slanted: float = 1.6
    min_confidence: float = 0.68


@dataclass(frozen=True)
class ReadSettings:
    """Settings of all steps; a castle's colour is named from probability ``sure_colour`` on."""

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    grid: cells.GridSettings = field(default_factory=cells.GridSettings)
    choose: ChooseSettings = field(default_factory=ChooseSettings)
    judge: settling.JudgeSettings = field(default_factory=settling.JudgeSettings)
    regroup: groups.RegroupSettings = field(default_factory=groups.RegroupSettings)
    apart: warn.ApartSettings = field(default_factory=warn.ApartSettings)
    quality: warn.QualitySettings = field(default_factory=warn.QualitySettings)
    hidden: doubt.HiddenSettings = field(default_factory=doubt.HiddenSettings)
    mirror: warn.MirrorSettings = field(default_factory=warn.MirrorSettings)
    view: search.ViewSettings = field(default_factory=search.ViewSettings)
    dim: warn.DimSettings = field(default_factory=warn.DimSettings)
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


@dataclass(frozen=True, eq=False)
class Scene:
    """What one pass sees: the squares found in a picture of a photograph, and how its cells look.

    ``looks`` are of the picture that was searched, in whose pixels the ``detections`` are;
    ``to_photo`` (3, 3) leads from these to the photograph's.
    """

    photo: Photo
    looks: CellLooks
    to_photo: Floats
    detections: Detections
    weights: Weights
    settings: ReadSettings
    searching: LocateSettings


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
        located = found or search.locate(rgb, weights.locator, searching)
        detections, lattices = search.drop_off_scale(located, settings.view)
    to_photo = np.asarray(np.linalg.inv(flat.view)) if flat else np.eye(3)
    looks = CellLooks(rgb, settings.grid)
    scene = Scene(photo, looks, to_photo, detections, weights, settings, searching)
    with clock.step("classify"):
        chosen = select_lattices(detections, lattices, settings.choose)
        members = cells.read_members(looks, detections, chosen, weights.classifier)
        formed, pieces = form_kingdoms(scene, members)
    with clock.step("settle"):
        kept = [kingdom.grid for kingdom in formed]
        unread = warn.find_unread_groups(detections, pieces, kept)
        seen = look_at_each(scene, formed, unread)
        judgements = settling.judge_table([kingdom.observation for kingdom in seen], settings.judge)
    with clock.step("warn"):
        grids = [kingdom.grid for kingdom in seen]
        beside, elsewhere = warn.find_beside(detections, unread, grids, settings.apart)
        readings = [
            flag_and_warn(scene, seen[k], judged, unread, k in beside or formed[k].left_out)
            for k, judged in enumerate(judgements)
            if judged
        ]
    likely = [p[1:FOREIGN_AT].max() for grid in members for p in grid.probabilities.values()]
    off_scale = len(lattices) < len(located.lattices)
    return Pass(
        tuple(sorted(readings, key=lambda reading: -len(squares_of(reading)))),
        ("other_squares",) if elsewhere or off_scale else (),
        located,
        int((detections.scores > search.SURE_SCORE).sum()),
        float(np.mean(likely)) if likely else 0.0,
    )


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


def form_kingdoms(scene: Scene, members: Sequence[Grid]) -> tuple[list[FormedKingdom], list[Grid]]:
    """The kingdoms of a picture, largest first, and all groups of squares that were found in it.

    The ``members`` are what was classified on each of its lattices.
    """
    looks, detections, settings = scene.looks, scene.detections, scene.settings
    classifier = scene.weights.classifier
    emptied = [cells.empty_table_like(looks, grid, _without(grid, members)) for grid in members]
    divided = [
        groups.divide_grid(detections, grid, settings.regroup)
        for grid in groups.regroup(detections, emptied, settings.regroup)
    ]
    pieces = [grid for one in divided for grid in one.grids]
    contested = frozenset[int]().union(*(one.contested for one in divided))
    # In 8 bits gaps measure the same but for 0.014 of a square at most.
    closer = scene.weights.quick_locator or scene.weights.locator
    hanging = [
        groups.part_hanging_domino(
            looks, closer, detections, grid, _without(grid, pieces), settings.regroup.hanging,
            scene.searching,
        )
        for grid in choose_kingdoms(pieces, settings.choose, to_grow=True)
    ]  # fmt: skip
    pieces += [domino for _, domino, _ in hanging if domino]
    kingdoms: list[FormedKingdom] = []
    for parted, domino, unsure in hanging:
        full, _, dropped_first = groups.drop_loose_domino(detections, parted, settings.regroup)
        others = [
            other.lattice
            for other in _without(full, pieces)
            if len(other.occupied) >= DOMINO
            and not lies_on(other.lattice, other.occupied, full.lattice, full.occupied)
        ]
        taken = find_taken_cells(detections, full.lattice, others)
        for before in kingdoms:
            taken.update(find_cells_under(before.grid.lattice, before.grid.occupied, full.lattice))
        grown = cells.grow(looks, detections, full, classifier, taken)
        if not grown.occupied:
            continue
        kept, loose, dropped_last = groups.drop_loose_domino(detections, grown, settings.regroup)
        between = frozenset(cell for cell, k in kept.lattice.members.items() if k in contested)
        left_out = domino is not None or dropped_first or dropped_last
        kingdoms.append(FormedKingdom(kept, loose | unsure, between, left_out))
    grids = [kingdom.grid for kingdom in kingdoms]
    for number, kingdom in enumerate(kingdoms):
        kept = cells.doubt_table_like(looks, kingdom.grid, _without(kingdom.grid, grids))
        between = kingdom.contested & kept.occupied
        loose = (kingdom.loose & kept.occupied) | between
        kingdoms[number] = FormedKingdom(kept, loose, between, kingdom.left_out)
    chosen = choose_kingdoms([kingdom.grid for kingdom in kingdoms], settings.choose)
    return [k for grid in chosen for k in kingdoms if k.grid is grid], pieces


def _without(one: Grid, grids: Iterable[Grid]) -> list[Grid]:
    return [grid for grid in grids if grid is not one]


def find_taken_cells(
    detections: Detections, lattice: Lattice, others: Iterable[Lattice]
) -> set[Position]:
    """The cells of a lattice on which squares of other lattices lie, wholly or in part.

    A detection of no lattice that lies between cells of this one takes them too, but no cell that
    squares of the lattice enclose: that holds a crooked one of theirs.
    """
    theirs = {k for other in others for k in other.members.values()}
    rest = np.setdiff1d(np.arange(len(detections)), [*lattice.members.values()])
    centres = detections.centres[rest]
    found = set()
    for k, cell, (x, y), in_front in zip(
        rest.tolist(), *lattice.cells_at(centres), lattice.reaches(centres), strict=True
    ):
        stray = max(abs(x), abs(y)) > STRAY_OFFSET and detections.scores[k] > STRAY_SCORE
        if not in_front or not (k in theirs or stray):
            continue
        for row, column in around({cell}, corners=True) | {cell}:
            enclosed = sum(near in lattice.members for near in beside((row, column))) > 2
            far = max(abs(row - cell[0] - y), abs(column - cell[1] - x))
            if far < TAKEN_REACH and (k in theirs or not enclosed):
                found.add((row, column))
    return found - lattice.members.keys()


def look_at_each(
    scene: Scene, kingdoms: Sequence[FormedKingdom], unread: Sequence[Grid]
) -> list[SeenKingdom]:
    """All that is seen of each kingdom; ``unread`` are the groups that are none."""
    detections, settings, rgb = scene.detections, scene.settings, scene.photo.rgb
    looks = scene.looks if scene.looks.rgb is rgb else CellLooks(rgb, settings.grid)
    size, reach = (rgb.shape[1], rgb.shape[0]), settings.grid.reach
    grids = [kingdom.grid for kingdom in kingdoms]
    table = [cells.find_free_cells(grid, _without(grid, grids), reach) for grid in grids]
    contested = {
        k: groups.part_of_grid(detections, each.grid, each.contested, settings.regroup.lattice)
        for k, each in enumerate(kingdoms)
        if each.contested
    }
    seen = []
    for k, (kingdom, free) in enumerate(zip(kingdoms, table, strict=True)):
        grid, own = kingdom.grid, kingdom.grid.occupied
        lattice = replace(grid.lattice, homography=scene.to_photo @ grid.lattice.homography)
        quality = warn.measure_quality(rgb, lattice, own, settings.quality)
        border = doubt.measure_border(rgb, lattice, own, free, detections.ground, grid.lattice)
        cut_off = doubt.find_cut_off(border, lattice, own, size, scene.weights.border)
        hidden = doubt.find_hidden_cells(looks, lattice, grid, settings.hidden)
        light = warn.quality_codes(quality, settings.quality)
        shared = [other for other in _without(grid, grids) if light or not other.has_castle]
        shared += [part for owner, part in contested.items() if owner != k]
        unclear = (*light, "hidden") if hidden else light
        (apart, joined), (others, _) = (
            warn.find_detached_squares(
                detections, grid, some, unclear, joins, settings.apart, reach
            )
            for some, joins in ((unread, bool(hidden)), (shared, False))
        )
        grids[k] = replace(grid.with_probabilities(joined), occupied=own | joined.keys())
        candidates = cells.find_candidates(grids[k], settings.grid)
        observation = Observation(
            grids[k].probabilities, candidates, hidden, cut_off, apart=others | apart
        )
        loose = kingdom.loose | joined.keys()
        seen.append(SeenKingdom(grids[k], lattice, observation, quality, free, loose))
    return seen


def flag_and_warn(
    scene: Scene, seen: SeenKingdom, judged: Judgement, unread: Iterable[Grid], is_beside: bool
) -> KingdomReading:
    """The reading of a judged kingdom, with doubts, their reasons and warnings.

    ``unread`` are groups that are no kingdoms; it ``is_beside`` squares that may be its own.
    """
    rgb, settings, quality = scene.photo.rgb, scene.settings, seen.quality
    count = sum(len(group.occupied) for group in unread)
    judged = settling.add_reason(judged, seen.loose, "loose")
    evidence = doubt.gather_evidence(rgb, scene.detections, seen, judged, count, settings.judge)
    judged = doubt.flag_doubtful(judged, evidence, scene.weights.doubt)
    judged = warn.explain_by_light(judged, quality, settings.quality)
    due = {
        "beside": is_beside,
        "cut_off": seen.observation.cut_off,
        "hidden": seen.observation.hidden or doubt.is_touched(scene.detections, seen.grid),
    }
    codes = {code for code, is_due in due.items() if is_due}
    codes.update(warn.quality_codes(quality, settings.quality))
    grid = replace(seen.grid, lattice=seen.lattice)
    reading = make_reading(grid, seen.observation, judged, scene.photo, settings)
    return replace(reading, warnings=warn.sort_codes(codes))


def make_reading(
    grid: Grid, observation: Observation, judged: Judgement, photo: Photo, settings: ReadSettings
) -> KingdomReading:
    """The reading of a judged grid, whose lattice is in pixels of the reduced photograph."""
    top, left, height, width = judged.extent
    box = [[(top + r, left + c) for c in range(width)] for r in range(height)]
    squares = tuple(tuple(judged.squares[place] for place in row) for row in box)
    # Pixels of the reduced picture become pixels of the photograph, whose middles have halves.
    zoom = 1 / photo.scale
    full = np.array([[zoom, 0, (zoom - 1) / 2], [0, zoom, (zoom - 1) / 2], [0, 0, 1]])
    castles = [grid.seen.get(p) for p, square in judged.squares.items() if square.label == "c"]
    castle, colour = castles[0] if len(castles) == 1 else None, None
    if castle and castle.colours.max() >= settings.sure_colour:
        colour = CASTLE_COLOURS[int(castle.colours.argmax())]
    considered = frozenset(observation.considered)
    return KingdomReading(
        kingdom_of(squares),
        squares,
        full @ grid.lattice.moved(top, left).homography,
        castle_colour=colour,
        lattice_certain=judged.certain,
        probabilities=np.array([[grid.probabilities.get(p, BARE) for p in row] for row in box]),
        considered=np.array([[p in considered for p in row] for row in box]),
        unpaired=frozenset((row - top, column - left) for row, column in judged.unpaired),
    )


def squares_of(reading: KingdomReading) -> list[SquareReading]:
    """The squares of a kingdom, the castle included, row by row, without empty places."""
    return [square for row in reading.squares for square in row if square.label != EMPTY]


def select_lattices(
    detections: Detections, lattices: Sequence[Lattice], settings: ChooseSettings
) -> list[Lattice]:
    """The lattices worth classifying: the first, and those that may be kingdoms beside it.

    ``lattices`` come largest first. One that lies on another is the top of a standing castle.
    """
    castle = detections.grounds[:, search.GROUNDS.index("c")]
    kept: list[Lattice] = []
    for one in lattices:
        hinted = castle[[*one.members.values()]].max() >= settings.castle_hint
        on_another = any(lies_on(one, one.members, other, other.members) for other in kept)
        if not kept or ((hinted or len(one.members) >= DOMINO) and not on_another):
            kept.append(one)
    return kept


def lies_on(
    upper: Lattice, squares: Iterable[Position], lower: Lattice, occupied: Collection[Position]
) -> bool:
    """Whether more than half of the ``squares`` of one lattice lie on ``occupied`` ones of another.

    The top of a standing castle may be detected as a square beside its place; a lattice grown
    from there covers the kingdom a second time.
    """
    below = find_cells_under(upper, squares, lower)
    return 2 * sum(cell in occupied for cell in below) > len(below)


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
    any_castle = any(grid.has_castle for grid in grids)
    is_strict = any_castle and not to_grow
    least = settings.min_castleless_beside if is_strict else settings.min_castleless
    kept: list[Grid] = []
    for grid in sorted(grids, key=lambda grid: -len(grid.occupied)):
        if (grid.has_castle or len(grid.occupied) >= least) and not any(
            lies_on(grid.lattice, grid.occupied, other.lattice, other.occupied) for other in kept
        ):
            kept.append(grid)
    return kept
