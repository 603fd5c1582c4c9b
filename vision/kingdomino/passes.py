"""One pass over a photograph: the stages in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.common.runtime import Clock
from vision.kingdomino.detect.classifier import GridSettings
from vision.kingdomino.detect.grid import Grid, find_candidates, read_members
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.detect.search import Located, LocateSettings, locate
from vision.kingdomino.detect.view import FlatView, drop_off_scale
from vision.kingdomino.judge.border import find_cut_off, measure_border
from vision.kingdomino.judge.doubt import flag_doubtful
from vision.kingdomino.judge.evidence import Seen, gather_evidence
from vision.kingdomino.judge.judgement import Judgement, Observation, add_reason, judge_table
from vision.kingdomino.judge.light import explain_by_light, measure_quality, quality_codes
from vision.kingdomino.judge.warn import (
    find_hidden_cells,
    find_unread_groups,
    find_warnings,
    is_touched,
    sort_codes,
)
from vision.kingdomino.kingdoms.choose import Pass, drop_patterns, select_lattices
from vision.kingdomino.kingdoms.detached import find_detached_squares, with_squares
from vision.kingdomino.kingdoms.form import Formed, form_kingdoms
from vision.kingdomino.kingdoms.regroup import part_of_grid
from vision.kingdomino.kingdoms.table_likeness import CellLooks, find_free_cells
from vision.kingdomino.labels import BARE, CASTLE_COLOURS, FOREIGN_AT
from vision.kingdomino.result import KingdomReading, kingdom_of
from vision.kingdomino.settings import ReadSettings
from vision.kingdomino.weights import Weights
from vision.photo import Photo

__all__ = ["make_reading", "observe", "run_pass"]

Floats = NDArray[np.float64]

# How far around a kingdom the table is looked at, in squares.
FREE = 2


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
        looks = CellLooks(rgb)
        formed = form_kingdoms(rgb, looks, detections, members, weights, searching, settings)
        grids = [kingdom.grid for kingdom in formed.kingdoms]
    with clock.step("settle"):
        unread = [
            group
            for group in formed.groups
            if find_unread_groups(detections, [group], grids, settings.warn)
        ]
        seen = _look_at_each(
            photo, CellLooks(photo.rgb) if flat else looks, detections, formed, unread,
            np.asarray(np.linalg.inv(flat.view)) if flat else np.eye(3), weights, settings,
        )  # fmt: skip
        judgements = judge_table([kingdom.observation for kingdom in seen], settings.judge)
    with clock.step("warn"):
        grids = [kingdom.grid for kingdom in seen]
        beside = [kingdom.left_out for kingdom in formed.kingdoms]
        told, warnings = find_warnings(
            detections, unread, grids, beside,
            [bool(kingdom.observation.cut_off) for kingdom in seen], settings.warn,
        )  # fmt: skip
        unread_squares = sum(len(group.occupied) for group in unread)
        readings = []
        for kingdom, judgement, codes in zip(seen, judgements, told, strict=True):
            if judgement is None:
                continue
            light = quality_codes(kingdom.quality, settings.quality)
            touched = is_touched(detections, kingdom.grid, settings.hidden)
            hidden = {"hidden"} if kingdom.observation.hidden or touched else set()
            judged = add_reason(judgement, kingdom.loose, "loose")
            evidence = gather_evidence(
                photo.rgb, detections, kingdom, judged, unread_squares, settings.judge
            )
            judged = flag_doubtful(judged, evidence, weights.doubt)
            judged = explain_by_light(judged, kingdom.quality, settings.quality)
            reading = make_reading(
                kingdom.grid, kingdom.lattice, kingdom.observation, judged, photo, settings
            )
            readings.append(replace(reading, warnings=sort_codes({*codes, *light, *hidden})))
    kingdoms = tuple(drop_patterns(readings, settings.choose))
    found_squares = int((detections.scores > settings.view.sure).sum())
    dropped = len(kingdoms) < len(readings)
    if dropped or off_scale:
        warnings = sort_codes({*warnings, "other_squares"})
    return Pass(kingdoms, warnings, located, found_squares, _squareness(members), dropped)


def _look_at_each(
    photo: Photo,
    looks: CellLooks,
    detections: Detections,
    formed: Formed,
    unread: Sequence[Grid],
    to_photo: Floats,
    weights: Weights,
    settings: ReadSettings,
) -> list[Seen]:
    """All that is seen of each kingdom; ``to_photo`` (3, 3) leads from its pixels to the photo's.

    ``looks`` are those of the cells of the photo, ``unread`` the groups that are no kingdoms.
    """
    grids = [kingdom.grid for kingdom in formed.kingdoms]
    size = photo.rgb.shape[1], photo.rgb.shape[0]
    claimed = {
        k: part_of_grid(detections, kingdom.grid, kingdom.claimed, settings.divide.lattice)
        for k, kingdom in enumerate(formed.kingdoms)
        if kingdom.claimed
    }
    around = [find_free_cells(each, [g for g in grids if g is not each], FREE) for each in grids]
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
        claims = [part for owner, part in claimed.items() if owner != k]
        apart = find_detached_squares(detections, grid, unread, light, bool(hidden), settings.apart)
        unclear = (*light, *(["hidden"] if hidden else []))
        shared = find_detached_squares(
            detections, grid, [*others, *claims], unclear, False, settings.apart
        )
        grids[k] = with_squares(grid, apart.joined)
        observation = replace(
            observe(grids[k], settings.grid),
            hidden=hidden,
            cut_off=cut_off,
            apart=shared.asked | apart.asked,
        )
        loose = formed.kingdoms[k].loose | apart.joined.keys()
        seen.append(Seen(grids[k], lattice, observation, quality, free, loose))
    return seen


def _squareness(grids: Sequence[Grid]) -> float:
    """The mean over all squares found of the largest probability of a label of this game."""
    seen = [found[1:FOREIGN_AT].max() for grid in grids for found in grid.probabilities.values()]
    return float(np.mean(seen)) if seen else 0.0


def observe(grid: Grid, settings: GridSettings) -> Observation:
    """What a grid gives to the judgement."""
    return Observation(
        grid.probabilities,
        find_candidates(grid, settings),
        {position: grid.scores[position] for position in grid.lattice.members},
        grid.lattice.misfit,
    )


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
    scores = observation.detection_scores
    return KingdomReading(
        kingdom_of(squares),
        squares,
        full @ lattice.moved(top, left).homography,
        castle_colour=_castle_colour(grid, judgement, settings.sure_colour),
        lattice_certain=judgement.certain,
        probabilities=np.array([[grid.probabilities.get(p, BARE) for p in row] for row in box]),
        considered=np.array([[p in considered for p in row] for row in box]),
        detection_scores=np.array([[scores.get(p, np.nan) for p in row] for row in box]),
        misfit=observation.misfit,
        unpaired=frozenset((row - top, column - left) for row, column in judgement.unpaired),
    )


def _castle_colour(grid: Grid, judgement: Judgement, sure: float) -> str | None:
    """The colour of the only castle, where it is sure enough."""
    castles = [position for position, s in judgement.squares.items() if s.label == "c"]
    if len(castles) != 1 or castles[0] not in grid.colours:
        return None
    colours = grid.colours[castles[0]]
    best = int(np.argmax(colours))
    return CASTLE_COLOURS[best] if colours[best] >= sure else None
