"""One pass over a photograph: the stages in order, from squares to kingdoms to readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from scorer.kingdomino import Position
from vision.common.geometry import around, enlarged
from vision.common.network import Clock
from vision.kingdomino import cells, doubt, groups, result, search, settling, warn
from vision.kingdomino.cells import CellLooks, Grid
from vision.kingdomino.doubt import SeenKingdom
from vision.kingdomino.lattice import Detections, Lattice, middles_of
from vision.kingdomino.result import DOMINO, Floats, KingdomReading
from vision.kingdomino.search import FlatView, Located, LocateSettings, Locator
from vision.kingdomino.settling import Judgement, Observation
from vision.kingdomino.together import TogetherSettings
from vision.kingdomino.weights import Weights
from vision.photo import Photo, PhotoSettings

# A square whose centre is nearer than this to that of a cell covers a good part of the cell.
TAKEN_REACH = 0.7


@dataclass(frozen=True)
class ChooseSettings:
    """What counts as a kingdom, and when a photograph is searched again.

    A group without a castle counts as a kingdom from ``min_castleless`` squares on, beside one with
    a castle from ``min_castleless_beside`` on, which is more than four dominoes laid out for the
    next turn have; its castle is looked for in any group that would count alone. A single square is
    read only where the locator has it for a castle by ``castle_hint`` at least.

    A photograph whose grid is not certain, or more than ``doubtful_share`` of whose squares are
    flagged, is searched again; one whose squares look more than ``slanted`` times as long as wide
    is read from above at first. Below the ``confidence`` ``min_confidence`` a reading
    is refused: real photographs have 0.85 at least, pictures of other games 0.65 at most.
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

    ``found_squares`` is how many squares the locator found by itself, ``squareness`` the mean
    probability that the classifier gives what was found to be some square of the game, 0..1.
    """

    kingdoms: tuple[KingdomReading, ...] = ()
    warnings: tuple[str, ...] = ()
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


def run_pass(
    photo: Photo,
    weights: Weights,
    settings: ReadSettings,
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
        located = found or search.locate(rgb, Locator(weights.locator, settings.locate))
        detections, lattices = search.drop_off_scale(located, settings.view)
    to_photo = np.asarray(np.linalg.inv(flat.view)) if flat else np.eye(3)
    looks = CellLooks(rgb, settings.grid)
    scene = Scene(photo, looks, to_photo, detections, weights, settings)
    with clock.step("classify"):
        chosen = select_lattices(detections, lattices, settings.choose)
        members = cells.read_members(looks, detections, chosen, weights.classifier)
        formed, pieces = form_kingdoms(scene, members)
        # Beside a kingdom what hardly resembles squares of the game is none.
        formed = [k for k in formed if squareness([k.grid]) >= result.LIKELY] or formed
        formed = [
            replace(each, grid=cells.weigh_by_light(rgb, each.grid, weights.light))
            for each in formed
        ]
    with clock.step("settle"):
        unread = warn.find_unread_groups(detections, pieces, [each.grid for each in formed])
        seen = look_at_each(scene, formed, unread)
        judgements = settling.judge_table([each.observation for each in seen], settings.judge)
    with clock.step("warn"):
        grids = [kingdom.grid for kingdom in seen]
        beside, elsewhere = warn.find_beside(detections, unread, grids, settings.apart)
        readings = [
            flag_and_warn(scene, seen[k], judged, unread, k in beside or formed[k].left_out)
            for k, judged in enumerate(judgements)
            if judged.squares
        ]
    off_scale = len(lattices) < len(located.lattices)
    return Pass(
        tuple(sorted(readings, key=lambda reading: -len(reading.occupied))),
        ("other_squares",) if elsewhere or off_scale else (),
        int((detections.scores > search.SURE_SCORE).sum()),
        squareness(members),
    )


def squareness(grids: Iterable[Grid]) -> float:
    """How likely what was found on grids looks like squares of the game, in the mean, 0..1."""
    found = [
        seen.probabilities
        for grid in grids
        for cell, seen in grid.seen.items()
        if cell in grid.lattice.members
    ]
    return float(np.mean([p[1 : result.FOREIGN_AT].max() for p in found])) if found else 0.0


@dataclass(frozen=True)
class FormedKingdom:
    """The grid of a kingdom, with what is uncertain about it.

    ``loose`` squares may not belong to it; the ``contested`` part of them may belong to the next
    kingdom. ``left_out`` tells whether a domino beside it was left out.
    """

    grid: Grid
    loose: frozenset[Position]
    contested: Grid | None
    left_out: bool


def form_kingdoms(scene: Scene, members: Sequence[Grid]) -> tuple[list[FormedKingdom], list[Grid]]:
    """The kingdoms of a picture, largest first, and all groups of squares found in it.

    The ``members`` are what was classified on each of its lattices.
    """
    looks, detections, settings = scene.looks, scene.detections, scene.settings
    pieces, contested = list[Grid](), set[int]()
    for group in groups.regroup(detections, members, settings.regroup):
        parts, unclear = groups.divide_grid(detections, group, settings.regroup)
        pieces += parts
        contested |= unclear
    grown: list[tuple[Grid, frozenset[Position], bool]] = []
    for piece in choose_kingdoms(pieces, settings.choose, to_grow=True):
        others = _without(piece, pieces)
        unsure = groups.find_doubtful_dominoes(looks, detections, piece, others, settings.regroup)
        full, _ = groups.drop_loose_domino(detections, piece, settings.regroup)
        large = [each for each in _without(full, pieces) if len(each.occupied) >= DOMINO]
        theirs = [each.lattice for each in large if not lies_on(each, full)]
        taken = find_taken_cells(detections, full.lattice, theirs)
        taken.update(*(find_cells_under(before, full.lattice) for before, *_ in grown))
        whole = cells.grow(looks, detections, full, scene.weights.classifier, taken)
        if whole.occupied:
            grown.append((whole, unsure, full is not piece))
    grids, kingdoms = [grid for grid, *_ in grown], []
    for grid, unsure, left_out in grown:
        whole = cells.doubt_table_like(looks, grid, _without(grid, grids))
        kept, loose = groups.drop_loose_domino(detections, whole, settings.regroup)
        numbers, fitting = kept.lattice.members, settings.regroup.lattice
        between = frozenset(cell for cell in kept.occupied if numbers.get(cell) in contested)
        part = groups.part_of_grid(detections, kept, between, fitting) if between else None
        maybe = ((loose | unsure) & kept.occupied) | between
        kingdoms.append(FormedKingdom(kept, maybe, part, left_out or kept is not whole))
    chosen = choose_kingdoms([kingdom.grid for kingdom in kingdoms], settings.choose)
    return [k for grid in chosen for k in kingdoms if k.grid is grid], pieces


def _without(one: Grid, grids: Iterable[Grid]) -> list[Grid]:
    return [grid for grid in grids if grid is not one]


def find_taken_cells(
    detections: Detections, lattice: Lattice, others: Iterable[Lattice]
) -> set[Position]:
    """The cells of a lattice on which squares of other lattices lie, wholly or in part."""
    theirs = np.array(sorted({k for other in others for k in other.members.values()}), int)
    theirs = theirs[lattice.reaches(detections.centres[theirs])]
    found = set()
    for cell, (x, y) in zip(*lattice.cells_at(detections.centres[theirs]), strict=True):
        for row, column in around({cell}, corners=True) | {cell}:
            if max(abs(row - cell[0] - y), abs(column - cell[1] - x)) < TAKEN_REACH:
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
    seen = []
    for k, (kingdom, free) in enumerate(zip(kingdoms, table, strict=True)):
        grid, own = kingdom.grid, kingdom.grid.occupied
        lattice = replace(grid.lattice, homography=scene.to_photo @ grid.lattice.homography)
        quality = warn.measure_quality(rgb, lattice, own, settings.quality)
        border = doubt.measure_border(rgb, lattice, grid, free, detections.ground)
        cut_off = doubt.find_cut_off(border, lattice, own, size, scene.weights.border)
        hidden = doubt.find_hidden_cells(looks, lattice, grid, settings.hidden)
        light = warn.quality_codes(quality, settings.quality)
        shared = [other for other in _without(grid, grids) if light or not other.has_castle]
        shared += [each.contested for each in kingdoms if each.contested and each is not kingdom]
        detached = partial(
            warn.find_detached_squares, detections, grid, settings=settings.apart, reach=reach,
            unclear=(*light, "hidden") if hidden else light,
        )  # fmt: skip
        apart, joined = detached(unread, may_join=bool(hidden))
        others, _ = detached(shared, may_join=False)
        grids[k] = replace(grid.with_probabilities(joined), occupied=own | joined.keys())
        found, candidates = grids[k].probabilities, cells.find_candidates(grids[k], settings.grid)
        holes = settling.find_holes(grids[k].occupied, hidden | cut_off.keys())
        observation = Observation(
            found, candidates, hidden, cut_off, apart=others | apart, holes=holes
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
    loose = {c: replace(s, reason="loose") for c, s in judged.squares.items() if c in seen.loose}
    judged = replace(judged, squares=judged.squares | loose)
    giants = settings.judge.settle.giants
    evidence = doubt.gather_evidence(rgb, scene.detections, seen, judged, count, giants)
    confirm = partial(settling.find_confirmed, seen.observation, settings=settings.judge)
    judged = doubt.flag_doubtful(judged, evidence, scene.weights.doubt, confirm)
    judged = warn.explain_by_light(judged, quality, settings.quality)
    grid, edges = seen.grid, doubt.find_growing_cells(seen.grid.occupied)
    cut_off = seen.observation.cut_off
    is_told = judged.hidden or (judged.unpaired and not cut_off)
    hides = is_told or cells.find_covered(scene.detections, grid.lattice, edges)
    due = {"beside": is_beside, "cut_off": cut_off, "hidden": hides}
    light = warn.quality_codes(quality, settings.quality)
    on_photo = replace(grid, lattice=seen.lattice)
    reading = make_reading(on_photo, seen.observation, judged, scene.photo, settings)
    codes = warn.sort_codes([*light, *(code for code, is_due in due.items() if is_due)])
    return replace(reading, warnings=codes)


def make_reading(
    grid: Grid, observation: Observation, judged: Judgement, photo: Photo, settings: ReadSettings
) -> KingdomReading:
    """The reading of a judged grid, whose lattice is in pixels of the reduced photograph."""
    castles = [grid.seen.get(p) for p, square in judged.squares.items() if square.label == "c"]
    colour = None
    if len(castles) == 1 and castles[0] and castles[0].colours.max() >= settings.sure_colour:
        colour = result.CASTLE_COLOURS[int(castles[0].colours.argmax())]
    view = enlarged(1 / photo.scale) @ grid.lattice.moved(*judged.extent[:2]).homography
    return judged.reading(observation, view, colour)


def select_lattices(
    detections: Detections, lattices: Sequence[Lattice], settings: ChooseSettings
) -> list[Lattice]:
    """The lattices worth classifying: the first, and those that may be kingdoms beside it."""
    castle, hint = detections.grounds[:, search.GROUNDS.index("c")], settings.castle_hint
    return [
        one
        for number, one in enumerate(lattices)
        if not number or len(one.members) >= DOMINO or castle[[*one.members.values()]].max() >= hint
    ]


def lies_on(upper: Grid, lower: Grid) -> bool:
    """Whether more than half of the squares of one grid lie on those of another.

    The top of a standing castle may be detected as a square beside its place; a lattice grown
    from there covers the kingdom a second time.
    """
    below = find_cells_under(upper, lower.lattice)
    return 2 * sum(cell in lower.occupied for cell in below) > len(below)


def find_cells_under(upper: Grid, lower: Lattice) -> list[Position]:
    """For each of the squares of a grid the cell of a lattice in which its middle lies."""
    return lower.cells_at(upper.lattice.points(middles_of(upper.occupied)))[0]


def choose_kingdoms(
    grids: Sequence[Grid], settings: ChooseSettings, *, to_grow: bool = False
) -> list[Grid]:
    """The grids that are kingdoms, largest first: with a castle, or large enough without one.

    Smaller ones do ``to_grow``: the castle may be found then. What covers a larger one is dropped.
    """
    is_strict = not to_grow and any(grid.has_castle for grid in grids)
    least = settings.min_castleless_beside if is_strict else settings.min_castleless
    kept: list[Grid] = []
    for grid in sorted(grids, key=lambda grid: -len(grid.occupied)):
        is_large = grid.has_castle or len(grid.occupied) >= least
        if is_large and not any(lies_on(grid, other) for other in kept):
            kept.append(grid)
    return kept
