"""What a person should look at: what is cut off or hidden, and one number of doubt.

What lies beyond the edge is unknown, not bare. Of a cell that the edge cuts, the part that is seen
is compared with the table around. The probability that what is said of a cell is right follows from
all evidence, numbers of which boosted trees tell it (``vision.kingdomino.weights.DoubtModel``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

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
    SquareReading,
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
    extent = Extent.of(occupied).widened(1)
    if _in_picture(lattice.points(extent.corners()), size).all():
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
    around = _points(lattice, free)
    table = _colours(rgb, around[_in_picture(around, size).all(1)])
    looks = _colours(rgb, points[cut])
    cells = [list(steps)[k] for k in cut]
    grounds = ground.within_each(cell_corners(searched, cells))[:, 0]
    found = []
    for k, cell, look, bare in zip(cut, cells, looks, grounds, strict=True):
        seen = visible[k] & _lit(steps[cell])
        distance = usual = np.nan
        if seen.sum() < POINTS // 2:
            bare = np.nan
        elif len(table) > NEIGHBOUR:
            mean = look[seen].mean(0)
            (distance,), usual = compare_with_table(mean[None], table[:, seen].mean(1))
        found.append(
            BorderCell(
                cell, steps[cell], float(inside[k]), float(distance), float(usual), float(bare)
            )
        )
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
    shares = dict(zip(cells, shares_inside(lattice, cells, size), strict=True))
    found = {}
    for cell in around(occupied):
        side = extent.with_cell(cell).longest
        likely = known.get(cell, np.nan)
        if side > most and (is_full or side > LARGE_GRID or np.isnan(likely)):
            continue
        if likely >= model.bound or (np.isnan(likely) and shares[cell] < MOSTLY):
            found[cell] = float(shares[cell])
    corners = {
        cell: float(shares[cell])
        for cell in shares.keys() - around(occupied)
        if shares[cell] < MOSTLY and any(near in found for near in beside(cell))
    }
    return found | corners


def _lit(step: Position) -> NDArray[np.bool_]:
    """The points of a cell a ``step`` from a square that lie out of its shade."""
    across = (_SPOTS - 0.5) @ np.array(step[::-1], np.float64) + 0.5
    return np.asarray(across > SHADE)


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
        elif cell not in grid.seen or cell not in lattice.members:
            outer.append(cell)
    if not inner:
        return frozenset()
    cells = [*inner, *outer]
    features = dict(zip(cells, looks.measure(lattice, cells), strict=True))
    table = [feature for cell in outer if (feature := features[cell]) is not None]
    empty = [cell for cell in inner if features[cell] is not None]
    if not empty or len(table) < looks.settings.min_table:
        return frozenset()
    own, apart = table_distances(np.array(table), np.array([features[cell] for cell in empty]))
    most = (
        settings.max_distance * float(np.percentile(own, settings.usual_percent)) + settings.slack
    )
    return frozenset(cell for cell, far in zip(empty, apart, strict=True) if far > most)


OF_CELL = (
    "probability", "lead", "empty", "foreign", "unplayed", "score", "bare", "things",
    "offset", "turn", "inside", "white", "table", "is_empty", "is_castle", "crowns", "changed",
    "unpaired", "neighbours", "weak_beside", "is_hole", "hidden", "loose", "apart", "cut_off",
)  # fmt: skip
OF_KINGDOM = (
    "misfit", "stretch", "sharpness", "level", "side_px", "colour", "usual", "mean_log",
    "least_log", "weak_share", "score_mean", "squares", "longest", "castles", "certain",
    "unpaired_all", "changed_all", "hidden_all", "unread",
)  # fmt: skip
FEATURES = OF_CELL + OF_KINGDOM
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
    cells = list(judgement.extent.cells())
    columns = _read(cells, seen, judgement, settings.settle.giants)
    columns |= _located(cells, detections, seen)
    table, usual = _table_distances(rgb, seen.lattice, cells, seen.free)
    observation, size = seen.observation, (rgb.shape[1], rgb.shape[0])
    columns |= {
        "table": table,
        "inside": shares_inside(seen.lattice, cells, size),
        "white": [seen.quality.white_shares.get(cell, np.nan) for cell in cells],
        "hidden": [cell in observation.hidden for cell in cells],
        "loose": [cell in seen.loose for cell in cells],
        "apart": [cell in observation.apart for cell in cells],
        "cut_off": [cell in observation.cut_off for cell in cells],
    }
    whole = _of_kingdom(seen, judgement, columns) | {"usual": usual, "unread": unread}
    columns |= {name: np.full(len(cells), float(value)) for name, value in whole.items()}
    stacked = np.stack([np.asarray(columns[name], np.float64) for name in FEATURES], -1)
    return stacked.reshape(judgement.extent.height, judgement.extent.width, len(FEATURES))


def _read(
    cells: Sequence[Position], seen: SeenKingdom, judgement: Judgement, giants: bool
) -> dict[str, object]:
    """What the classifier and the box make of cells."""
    squares = [judgement.squares[cell] for cell in cells]
    found = np.array([seen.grid.probabilities.get(cell, BARE) for cell in cells])
    others = merge_foreign(found) if giants else merge_two_crowns(merge_foreign(found))
    others[np.arange(len(cells)), [LABELS.index(square.label) for square in squares]] = 0
    kingdom = {c for c, s in zip(cells, squares, strict=True) if s.label != EMPTY}
    halves = {c for c, s in zip(cells, squares, strict=True) if s.label not in (EMPTY, "c")}
    weak = {c for c, s in zip(cells, squares, strict=True) if s.probability < WEAK}
    shares = np.array([square.probability for square in squares])
    return {
        "probability": shares,
        "lead": np.log(np.maximum(shares, 1e-9)) - np.log(np.maximum(others.max(1), 1e-9)),
        "empty": merge_foreign(found)[:, EMPTY_AT],
        "foreign": found[:, FOREIGN_AT],
        "unplayed": np.where(giants, 0.0, found[:, TWO_CROWNS_AT].max(1)),
        "is_empty": [cell not in kingdom for cell in cells],
        "is_castle": [square.label == "c" for square in squares],
        "crowns": [int(s.label[1:]) if s.label[1:].isdigit() else 0 for s in squares],
        "changed": [square.settled_from is not None for square in squares],
        "unpaired": [cell in judgement.unpaired for cell in cells],
        "neighbours": [len(kingdom.intersection(beside(cell))) for cell in cells],
        "weak_beside": [len(weak.intersection(beside(cell))) for cell in cells],
        "is_hole": [c not in kingdom and not halves.isdisjoint(beside(c)) for c in cells],
    }


def _located(
    cells: Sequence[Position], detections: Detections, seen: SeenKingdom
) -> dict[str, object]:
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
    grounds = detections.ground.within_each(cell_corners(grid.lattice, cells))
    return {
        "score": scores,
        "offset": offsets,
        "turn": [abs(turns.get(cell, np.nan)) for cell in cells],
        "bare": grounds[:, 0],
        "things": grounds[:, 1],
    }


def _of_kingdom(
    seen: SeenKingdom, judgement: Judgement, columns: dict[str, object]
) -> dict[str, float]:
    """What is the same for all cells of a kingdom."""
    squares = [square for square in judgement.squares.values() if square.label != EMPTY]
    logs = [np.log(max(square.probability, 1e-9)) for square in squares] or [0.0]
    extent, quality = judgement.extent, seen.quality
    middle = extent.left + extent.width / 2, extent.top + extent.height / 2
    scores = np.asarray(columns["score"], np.float64)
    known = scores[~np.isnan(scores)]
    return {
        "misfit": seen.grid.lattice.misfit,
        "stretch": measure_stretch(seen.lattice.homography, middle),
        "sharpness": quality.sharpness,
        "level": quality.level,
        "side_px": quality.side_px,
        "colour": quality.colour,
        "mean_log": float(np.mean(logs)),
        "least_log": min(logs),
        "weak_share": sum(s.probability < WEAK for s in squares) / max(len(squares), 1),
        "score_mean": float(known.mean()) if len(known) else np.nan,
        "squares": len(squares),
        "longest": extent.longest,
        "castles": sum(square.label == "c" for square in squares),
        "certain": judgement.certain,
        "unpaired_all": len(judgement.unpaired),
        "changed_all": float(np.sum(columns["changed"])),  # type: ignore[call-overload]
        "hidden_all": len(set(seen.observation.hidden)),
    }


def _table_distances(
    rgb: Image, lattice: Lattice, cells: Sequence[Position], free: Sequence[Position]
) -> tuple[Floats, float]:
    """How far the mean colour (n,) of cells is from that of free ones, and what is usual there."""
    points = _points(lattice, [*cells, *free])
    inside = _in_picture(points, (rgb.shape[1], rgb.shape[0])).mean(1)
    looks = np.where(inside[:, None] > 0.99, _colours(rgb, points).mean(1), np.nan)
    table = looks[len(cells) :]
    table = table[~np.isnan(table[:, 0])]
    if len(table) <= NEIGHBOUR:
        return np.full(len(cells), np.nan), np.nan
    return compare_with_table(looks[: len(cells)], table)


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
    squares = {
        cell: replace(
            judgement.squares[cell],
            doubtful=bool(is_flagged),
            reason=judgement.squares[cell].reason if is_flagged else None,
        )
        for cell, is_flagged in zip(judgement.extent.cells(), flagged.flat, strict=True)
    }
    return replace(judgement, squares=squares)


Squares = Mapping[Position, SquareReading]


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
    squares = reading.by_position
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
    warnings = sort_codes({*reading.warnings, "hidden"})
    return replace(reading.with_squares(squares), warnings=warnings)


def _is_beside_a_half(cell: Position, squares: Squares) -> bool:
    return any(near in squares and squares[near].label not in (EMPTY, "c") for near in beside(cell))


def _spread(cells: Collection[Position], squares: Squares) -> set[Position]:
    """The cells with all empty ones that hang together with them, corners included."""
    empty = {cell for cell, square in squares.items() if square.label == EMPTY}
    groups = hang_together(empty.union(cells), corners=True)
    return {cell for group in groups if not group.isdisjoint(cells) for cell in group}
