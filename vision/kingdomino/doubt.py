"""What a person should look at: what is cut off or hidden, and one number of doubt.

What lies beyond the edge is unknown, not bare. Of a cell that the edge cuts, the part that is seen
is compared with the table around. The probability that what is said of a cell is right follows from
all evidence, numbers of which boosted trees tell it (``vision.kingdomino.weights.DoubtModel``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import STEPS, Extent, around, beside, hang_together, measure_stretch
from vision.kingdomino.cells import (
    COVERED,
    MOSTLY,
    CellLooks,
    Grid,
    cell_corners,
    colours_at,
    compare_with_table,
    find_covered,
    table_distances,
)
from vision.kingdomino.lattice import Detections, GroundMap, Lattice, measure_rotations
from vision.kingdomino.result import (
    BARE,
    EMPTY,
    EMPTY_AT,
    FOREIGN_AT,
    LABELS,
    MAX_HOLES,
    NEIGHBOUR,
    TWO_CROWNS_AT,
    KingdomReading,
    merge_foreign,
    merge_two_crowns,
    size_limit,
)
from vision.kingdomino.settling import MOST_FOREIGN, Judgement, JudgeSettings, Observation
from vision.kingdomino.warn import Quality, sort_codes
from vision.kingdomino.weights import BorderCell, BorderModel, DoubtModel

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# Points across a cell and down it.
POINTS = 12
_SPOTS = (np.indices((POINTS, POINTS)).reshape(2, -1).T[:, ::-1] + 0.5) / POINTS
# Dominoes shade the table so far from their sides, in squares.
SHADE = 0.06


def shares_inside(lattice: Lattice, cells: Sequence[Position], size: tuple[int, int]) -> Floats:
    """The share (n,) of each cell that lies in the picture of ``size`` (width, height)."""
    return np.asarray(_in_picture(_points(lattice, cells), size).mean(1), np.float64)


def _points(lattice: Lattice, cells: Sequence[Position]) -> Floats:
    """Pixels (n, points, 2) spread over each cell."""
    at = np.array(cells, np.float64).reshape(-1, 1, 2)[..., ::-1] + _SPOTS
    return lattice.points(at).reshape(-1, len(_SPOTS), 2)


def _in_picture(points: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray(((points >= -0.5) & (points <= np.array(size) - 0.5)).all(-1))


def measure_border(
    rgb: Image,
    lattice: Lattice,
    occupied: Collection[Position],
    free: Sequence[Position],
    ground: GroundMap,
    searched: Lattice,
) -> list[BorderCell]:
    """The cells beside the squares of a kingdom of which the picture (h, w, 3) shows a part.

    ``free`` are cells around it on which nothing lies; ``searched`` is the lattice in pixels of
    ``ground``.
    """
    size = rgb.shape[1], rgb.shape[0]
    if _in_picture(lattice.points(Extent.of(occupied).widened(1).corners()), size).all():
        return []
    steps = {
        (r + dr, c + dc): (dr, dc)
        for r, c in sorted(occupied)
        for dr, dc in STEPS
        if (r + dr, c + dc) not in occupied
    }
    points = _points(lattice, list(steps))
    visible = _in_picture(points, size)
    inside = visible.mean(1)
    cut = np.flatnonzero((inside > 0) & (inside < MOSTLY))
    if not len(cut):
        return []
    beyond = _points(lattice, free)
    table = _colours(rgb, beyond[_in_picture(beyond, size).all(1)])
    cells = [list(steps)[k] for k in cut]
    grounds = ground.within_each(cell_corners(searched, cells))[:, 0]
    found = []
    for k, cell, look, bare in zip(cut, cells, _colours(rgb, points[cut]), grounds, strict=True):
        step = steps[cell]
        # Out of the shade of the square.
        lit = (_SPOTS - 0.5) @ np.array(step[::-1], np.float64) + 0.5 > SHADE
        seen = visible[k] & lit
        distance = usual = np.nan
        if seen.sum() < POINTS // 2:
            bare = np.nan
        elif len(table) > NEIGHBOUR:
            mean = look[seen].mean(0)
            (distance,), usual = compare_with_table(mean[None], table[:, seen].mean(1))
        numbers = inside[k], distance, usual, bare
        found.append(BorderCell(cell, step, *map(float, numbers)))
    return found


def find_cut_off(
    border: Sequence[BorderCell],
    lattice: Lattice,
    occupied: Collection[Position],
    size: tuple[int, int],
    model: BorderModel,
) -> dict[Position, float]:
    """The cells on which a kingdom may go on beyond the picture of ``size`` (width, height).

    With the share of each that lies in the picture. A kingdom that is as wide or high as usual,
    but has more than a few empty cells, is one of the large ones if that can be seen.
    """
    extent = Extent.of(occupied)
    most = size_limit(extent.longest)
    is_full = len(set(occupied)) >= most * most - MAX_HOLES
    known = model.probabilities(border)
    cells = sorted(around(occupied, corners=True))
    shares = dict(zip(cells, shares_inside(lattice, cells, size).tolist(), strict=True))
    found, edges = {}, around(occupied)
    for cell in edges:
        side = extent.with_cell(cell).longest
        likely = known.get(cell, np.nan)
        if side > most and (is_full or side > LARGE_GRID or np.isnan(likely)):
            continue
        if likely >= model.bound or (np.isnan(likely) and shares[cell] < MOSTLY):
            found[cell] = shares[cell]
    corners = {
        cell: shares[cell]
        for cell in shares.keys() - edges
        if shares[cell] < MOSTLY and any(near in found for near in beside(cell))
    }
    return found | corners


def _colours(rgb: Image, points: Floats) -> Floats:
    """The colours (n, points, 3) in CIE L*a*b* at pixels (n, points, 2)."""
    found = colours_at(rgb, points) if len(points) else np.zeros((0, len(_SPOTS), 3))
    return np.asarray(found, np.float64)


@dataclass(frozen=True)
class HiddenSettings:
    """When a cell shows something other than the table.

    A cell is like the table when it resembles the nearest half of the cells around the kingdom as
    well as they resemble each other: its distance is at most ``max_distance`` times theirs (that of
    ``usual_percent`` of them, since an arm may cover the rest), and ``slack`` more on a scale where
    black and white are 100 apart. What something covers is hidden.
    """

    max_distance: float = 1.5
    slack: float = 8.0
    usual_percent: float = 82.0


def find_hidden_cells(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom, or beside it, that something seems to hide.

    ``lattice`` is that of the grid in pixels of the picture whose ``looks`` are given.
    """
    covered = {cell for cell, one in grid.seen.items() if one.things > COVERED}
    near = around(grid.occupied, corners=True) | grid.occupied
    unlike = _find_unlike_table(looks, lattice, grid, settings)
    return frozenset(covered & near).union(unlike)


def is_touched(detections: Detections, grid: Grid) -> bool:
    """Whether a thing covers a cell beside a kingdom, even if it would get too large by that."""
    return bool(find_covered(detections, grid.lattice, around(grid.occupied)))


def _find_unlike_table(
    looks: CellLooks, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> list[Position]:
    """The cells within the extent of a kingdom that show neither a square nor the table."""
    extent = Extent.of(grid.occupied)
    inner = [cell for cell in extent.cells() if cell not in grid.occupied]
    if not inner:
        return []
    squares = grid.seen.keys() & lattice.members.keys()
    wide = extent.widened(looks.settings.reach).cells()
    cells = [*inner, *(cell for cell in wide if not extent.holds(cell) and cell not in squares)]
    features = zip(cells, looks.measure(lattice, cells), strict=True)
    known = {cell: feature for cell, feature in features if feature is not None}
    empty = [cell for cell in known if extent.holds(cell)]
    table = np.array([known[cell] for cell in known if not extent.holds(cell)])
    if not empty or len(table) < looks.settings.min_table:
        return []
    own, apart = table_distances(table, np.array([known[cell] for cell in empty]))
    usual = float(np.percentile(own, settings.usual_percent))
    far = apart > settings.max_distance * usual + settings.slack
    return [cell for cell, is_far in zip(empty, far, strict=True) if is_far]


FEATURES = (
    # Of a cell.
    "probability", "lead", "empty", "foreign", "unplayed", "score", "bare", "things",
    "offset", "turn", "inside", "white", "table", "is_empty", "is_castle", "crowns", "changed",
    "unpaired", "neighbours", "weak_beside", "is_hole", "hidden", "loose", "apart", "cut_off",
    # Of its kingdom.
    "misfit", "stretch", "sharpness", "level", "side_px", "colour", "usual", "mean_log",
    "least_log", "weak_share", "score_mean", "squares", "longest", "castles", "certain",
    "unpaired_all", "changed_all", "hidden_all", "unread",
)  # fmt: skip
"""The numbers of a cell and of its kingdom, in order; what is not known is NaN."""
# A square less probable than this is a weak one.
WEAK = 0.93


@dataclass(frozen=True)
class SeenKingdom:
    """One kingdom of a pass, with all that was seen of it.

    ``lattice`` is that of the ``grid`` in pixels of the photograph. ``free`` are cells around it on
    which nothing lies, ``loose`` those of its own that may not belong to it.
    """

    grid: Grid
    lattice: Lattice
    observation: Observation
    quality: Quality
    free: Sequence[Position] = ()
    loose: Collection[Position] = ()


def gather_evidence(
    rgb: Image,
    detections: Detections,
    seen: SeenKingdom,
    judgement: Judgement,
    unread: int,
    settings: JudgeSettings,
) -> Floats:
    """The evidence (rows, columns, features) on the cells of a judged kingdom's extent.

    ``rgb`` (h, w, 3) is the photograph, of which ``unread`` squares became part of no kingdom.
    """
    extent, observation, quality = judgement.extent, seen.observation, seen.quality
    cells = list(extent.cells())
    middle = extent.left + extent.width / 2, extent.top + extent.height / 2
    numbers = {
        "white": [quality.white_shares.get(cell, np.nan) for cell in cells],
        "hidden": [cell in observation.hidden for cell in cells],
        "loose": [cell in seen.loose for cell in cells],
        "apart": [cell in observation.apart for cell in cells],
        "cut_off": [cell in observation.cut_off for cell in cells],
        "misfit": seen.grid.lattice.misfit,
        "stretch": measure_stretch(seen.lattice.homography, middle),
        "sharpness": quality.sharpness,
        "level": quality.level,
        "side_px": quality.side_px,
        "colour": quality.colour,
        "longest": extent.longest,
        "certain": judgement.certain,
        "unpaired_all": len(judgement.unpaired),
        "hidden_all": len(set(observation.hidden)),
        "unread": unread,
        **_read(cells, seen, judgement, settings.settle.giants),
        **_located(cells, detections, seen),
        **_compared(rgb, seen.lattice, cells, seen.free),
    }
    columns = [np.broadcast_to(np.asarray(numbers[n], np.float64), len(cells)) for n in FEATURES]
    return np.stack(columns, -1).reshape(extent.height, extent.width, len(FEATURES))


def _read(
    cells: Sequence[Position], seen: SeenKingdom, judgement: Judgement, giants: bool
) -> dict[str, ArrayLike]:
    """What the classifier and the box make of cells."""
    squares = [judgement.squares[cell] for cell in cells]
    labels = np.array([square.label for square in squares])
    shares = np.array([square.probability for square in squares])
    is_empty, is_castle = labels == EMPTY, labels == "c"
    changed = [square.settled_from is not None for square in squares]
    found = np.array([seen.grid.probabilities.get(cell, BARE) for cell in cells])
    merged = merge_foreign(found)
    others = merged.copy() if giants else merge_two_crowns(merged)
    others[np.arange(len(cells)), [LABELS.index(label) for label in labels]] = 0
    logs = np.log(np.maximum(shares, 1e-9))
    kingdom, halves, weak = (
        {cell for cell, is_one in zip(cells, chosen, strict=True) if is_one}
        for chosen in (~is_empty, ~is_empty & ~is_castle, shares < WEAK)
    )
    return {
        "probability": shares,
        "lead": logs - np.log(np.maximum(others.max(1), 1e-9)),
        "empty": merged[:, EMPTY_AT],
        "foreign": found[:, FOREIGN_AT],
        "unplayed": np.where(giants, 0.0, found[:, TWO_CROWNS_AT].max(1)),
        "is_empty": is_empty,
        "is_castle": is_castle,
        "crowns": [int(label[1:]) if label[1:].isdigit() else 0 for label in labels],
        "changed": changed,
        "unpaired": [cell in judgement.unpaired for cell in cells],
        "neighbours": [len(kingdom.intersection(beside(cell))) for cell in cells],
        "weak_beside": [len(weak.intersection(beside(cell))) for cell in cells],
        "is_hole": [c not in kingdom and not halves.isdisjoint(beside(c)) for c in cells],
        "mean_log": logs[~is_empty].mean() if kingdom else 0.0,
        "least_log": logs[~is_empty].min(initial=0.0),
        "weak_share": len(weak & kingdom) / max(len(kingdom), 1),
        "squares": len(kingdom),
        "castles": is_castle.sum(),
        "changed_all": sum(changed),
    }


def _located(
    cells: Sequence[Position], detections: Detections, seen: SeenKingdom
) -> dict[str, ArrayLike]:
    """What the locator makes of cells: how crooked, how sure, how covered."""
    grid, members = seen.grid, seen.grid.lattice.members
    scores, offsets = np.full((2, len(cells)), np.nan)
    own = [k for k, cell in enumerate(cells) if cell in members]
    if own:
        found = detections.chosen(np.array([members[cells[k]] for k in own]))
        middles = np.array([cells[k] for k in own], np.float64)[:, ::-1] + 0.5
        scores[own] = found.scores
        offsets[own] = np.abs(grid.lattice.places(found.centres) - middles).max(1)
    turns = measure_rotations(detections, grid.lattice) if members else {}
    bare, things = detections.ground.within_each(cell_corners(grid.lattice, cells)).T
    return {
        "score": scores,
        "offset": offsets,
        "turn": [abs(turns.get(cell, np.nan)) for cell in cells],
        "bare": bare,
        "things": things,
        "score_mean": scores[own].mean() if own else np.nan,
    }


def _compared(
    rgb: Image, lattice: Lattice, cells: Sequence[Position], free: Sequence[Position]
) -> dict[str, ArrayLike]:
    """How far the mean colour of cells is from that of free ones, and what is usual there."""
    points = _points(lattice, [*cells, *free])
    inside = _in_picture(points, (rgb.shape[1], rgb.shape[0])).mean(1)
    looks = np.where(inside[:, None] > 0.99, _colours(rgb, points).mean(1), np.nan)
    table = looks[len(cells) :]
    table = table[~np.isnan(table[:, 0])]
    apart: ArrayLike = np.nan
    usual = np.nan
    if len(table) > NEIGHBOUR:
        apart, usual = compare_with_table(looks[: len(cells)], table)
    return {"inside": inside[: len(cells)], "table": apart, "usual": usual}


_PROBABILITY, _FOREIGN, _UNPLAYED = (
    FEATURES.index(name) for name in ("probability", "foreign", "unplayed")
)
_TOLD = [FEATURES.index(name) for name in ("hidden", "cut_off", "apart", "loose", "changed")]
LEAST_PROBABILITY = 0.9


def is_asked(evidence: Floats) -> NDArray[np.bool_]:
    """Whether cells (...) are asked about whatever the trees say, by evidence (..., features).

    A cell that something hides or the edge of the picture cuts off is, and a square that may not
    belong to the kingdom: what can't be seen is no question of how its label looks, and trees know
    only the hands and cards that they were shown. So is a square that the box changed, against what
    was seen; one that the classifier gives less than ``LEAST_PROBABILITY``; and one that is of
    another game, or of an expansion that is not played, by more than ``MOST_FOREIGN``: no
    photograph was there to learn from.
    """
    strange = np.maximum(evidence[..., _FOREIGN], evidence[..., _UNPLAYED])
    told = (evidence[..., _TOLD] > 0).any(-1)
    unlikely = evidence[..., _PROBABILITY] < LEAST_PROBABILITY
    return np.asarray(told | unlikely | (strange > MOST_FOREIGN))


def flag_doubtful(judgement: Judgement, evidence: Floats, model: DoubtModel) -> Judgement:
    """The judgement with those cells flagged of which the evidence leaves doubt, and no others.

    ``evidence`` (rows, columns, features) is that of its extent. Flagged are cells below the bound
    of the ``model``, those of ``is_asked``, and, where the grid as a whole is in doubt, the least
    sure one. A reason stays where it explains a flag.
    """
    sure = model.probabilities(evidence)
    flagged = (sure < model.bound) | is_asked(evidence)
    if not judgement.certain:
        flagged.flat[sure.argmin()] = True
    squares = {}
    for cell, is_flagged in zip(judgement.extent.cells(), flagged.flat, strict=True):
        square = judgement.squares[cell]
        reason = square.reason if is_flagged else None
        squares[cell] = replace(square, doubtful=bool(is_flagged), reason=reason)
    return replace(judgement, squares=squares)


# A label less probable than this that settling chose was not seen at all.
UNLIKELY = 0.1


def flag_missing_halves(reading: KingdomReading) -> KingdomReading:
    """The reading with the empty cells flagged that may hold a hidden square.

    That one is hidden is told by a square without its other half, or by one that settling took
    away or made something else for want of it, against all that was seen. Where nothing was known
    to be hidden, so that settling could not reckon with it, such squares are then taken as they
    were seen, with the probability that the box left to them; but a castle stays one, since each
    kingdom has one. What hides one cell may hide the empty cells that hang together with it as
    well; what hides none of them lies beyond the extent.
    """
    squares = reading.by_position
    changed = {
        cell: square
        for cell, square in squares.items()
        if square.settled_from not in (None, EMPTY, "c")
        and square.label != "c"
        and square.probability < UNLIKELY
    }
    halves = {cell for cell, square in squares.items() if square.label not in (EMPTY, "c")}
    empty = {cell for cell, square in squares.items() if square.label == EMPTY}
    holes = {cell for cell in empty - changed.keys() if not halves.isdisjoint(beside(cell))}
    covered = {cell for cell, square in squares.items() if square.reason == "hidden"}
    is_odd = bool(reading.unpaired or changed)
    hidden = empty & covered | (holes if is_odd else set())
    if not hidden and not reading.unpaired:
        return reading
    if holes and not covered:
        for cell, square in changed.items():
            squares[cell] = replace(
                square,
                label=str(square.settled_from),
                runner_up=square.label,
                doubtful=True,
                settled_from=None,
                reason="hidden",
            )
        empty -= changed.keys()
    if is_odd:
        groups = hang_together(empty, corners=True)
        hidden = {cell for group in groups if group & hidden for cell in group}
    for cell in hidden:
        squares[cell] = replace(squares[cell], doubtful=True, reason="hidden")
    warnings = sort_codes({*reading.warnings, "hidden"})
    return replace(reading.with_squares(squares), warnings=warnings)
