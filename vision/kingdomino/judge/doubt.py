"""One number of doubt: the probability that what is said of a cell is right, from all evidence.

The evidence is what was seen of each cell, as numbers. Boosted trees (Friedman, Greedy function
approximation, 2001), fitted by ``python -m training.kingdomino.doubt`` with scikit-learn, are
evaluated here with NumPy alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import beside
from vision.common.rectify import measure_stretch
from vision.kingdomino.detect.grid import Grid, cell_corners
from vision.kingdomino.detect.lattice import Detections, Lattice, measure_rotations
from vision.kingdomino.judge.border import cell_colours, shares_inside
from vision.kingdomino.judge.judgement import (
    MOST_FOREIGN,
    Judgement,
    JudgeSettings,
    Observation,
)
from vision.kingdomino.judge.light import Quality
from vision.kingdomino.kingdoms.table_likeness import nth_distances
from vision.kingdomino.labels import (
    BARE,
    EMPTY,
    EMPTY_AT,
    FOREIGN_AT,
    LABELS,
    NEIGHBOUR,
    TWO_CROWNS_AT,
    merge_foreign,
    merge_two_crowns,
)

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
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
class Seen:
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
    seen: Seen,
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
    cells: Sequence[Position], seen: Seen, judgement: Judgement, giants: bool
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


def _located(cells: Sequence[Position], detections: Detections, seen: Seen) -> dict[str, object]:
    """What the locator makes of cells: how crooked, how sure, how covered."""
    grid, members = seen.grid, seen.grid.lattice.members
    offsets = np.full(len(cells), np.nan)
    own = [k for k, cell in enumerate(cells) if cell in members]
    if own:
        found = detections.centres[[members[cells[k]] for k in own]]
        middles = np.array([cells[k] for k in own], np.float64)[:, ::-1] + 0.5
        offsets[own] = np.abs(grid.lattice.places(found) - middles).max(1)
    turns = measure_rotations(detections, grid.lattice) if members else {}
    grounds = np.full((len(cells), 2), np.nan)
    if detections.ground is not None:
        grounds = detections.ground.within_each(cell_corners(grid.lattice, cells))
    return {
        "score": [grid.scores.get(cell, np.nan) for cell in cells],
        "offset": offsets,
        "turn": [abs(turns.get(cell, np.nan)) for cell in cells],
        "bare": grounds[:, 0],
        "things": grounds[:, 1],
    }


def _of_kingdom(seen: Seen, judgement: Judgement, columns: dict[str, object]) -> dict[str, float]:
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
    looks, inside = cell_colours(rgb, lattice, [*cells, *free])
    looks = np.where(inside[:, None] > 0.99, looks.mean(1), np.nan)
    table = looks[len(cells) :]
    table = table[~np.isnan(table[:, 0])]
    if len(table) <= NEIGHBOUR:
        return np.full(len(cells), np.nan), np.nan
    usual = float(np.median(nth_distances(table, table, NEIGHBOUR + 1)))
    return nth_distances(looks[: len(cells)], table, NEIGHBOUR), usual


_PROBABILITY, _FOREIGN, _UNPLAYED = (
    FEATURES.index(name) for name in ("probability", "foreign", "unplayed")
)
_TOLD = [FEATURES.index(name) for name in ("hidden", "cut_off", "apart", "loose", "changed")]
LEAST_PROBABILITY = 0.9


@dataclass(frozen=True, eq=False)
class DoubtModel:
    """Trees as arrays over all their nodes, (nodes,), and the first node of each, (trees,).

    A node asks whether ``feature`` is at most ``threshold``, and goes on to ``left`` or ``right``;
    what is not known goes left where ``unknown_left``. A leaf goes on to itself and adds ``value``
    to the log-odds, which begin at ``baseline``. Below the probability ``bound`` a person looks.
    """

    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    unknown_left: NDArray[np.bool_]
    value: Floats
    baseline: float
    bound: float

    @classmethod
    def load(cls, path: Path) -> DoubtModel:
        """The model of an ``.npz`` file. FileNotFoundError, ValueError for another file."""
        with np.load(path, allow_pickle=False) as arrays:
            plain = {name: arrays[name] for name in arrays.files}
        plain |= {name: float(plain[name]) for name in ("baseline", "bound")}
        return cls(**plain)

    def probabilities(self, evidence: Floats) -> Floats:
        """That what is said of each cell is right, for evidence (..., features)."""
        rows = evidence.reshape(-1, evidence.shape[-1])
        at = np.tile(self.roots, (len(rows), 1))
        every = np.arange(len(rows))[:, None]
        while True:
            seen = rows[every, self.feature[at]]
            goes_left = np.where(np.isnan(seen), self.unknown_left[at], seen <= self.threshold[at])
            further = np.where(goes_left, self.left[at], self.right[at])
            if (further == at).all():
                break
            at = further
        odds = self.baseline + self.value[at].sum(1)
        return np.asarray(1 / (1 + np.exp(-odds))).reshape(evidence.shape[:-1])


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
