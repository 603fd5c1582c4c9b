"""What a person should look at: what is cut off or hidden, and one number of doubt.

What lies beyond the edge is unknown, not bare: what is seen of a cell that it cuts is compared with
the table around. From numbers of evidence boosted trees tell how likely what is said of a cell is
right (``vision.kingdomino.weights.DoubtModel``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common import geometry
from vision.common.geometry import STEPS, Extent, around, beside, longest_side
from vision.kingdomino import cells, result
from vision.kingdomino.lattice import Detections, GroundMap, Lattice, measure_rotations, middles_of
from vision.kingdomino.result import EMPTY, Floats
from vision.kingdomino.settling import MOST_FOREIGN, Judgement, Observation
from vision.kingdomino.warn import Quality
from vision.kingdomino.weights import BorderCell, BorderModel, DoubtModel

Image = NDArray[np.uint8]
Confirm = Callable[[Mapping[Position, str]], Collection[Position]]

# Points across a cell and down it.
POINTS = 12
_SPOTS = (np.indices((POINTS, POINTS)).reshape(2, -1).T[:, ::-1] + 0.5) / POINTS
# Dominoes shade the table so far from their sides, in squares.
SHADE = 0.06


def _in_picture(points: Floats, size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which pixels (..., 2) lie in a picture of ``size`` (width, height)."""
    return np.asarray(((points >= -0.5) & (points <= np.array(size) - 0.5)).all(-1))


def _mean_colours(rgb: Image, points: Floats) -> Floats:
    """The mean colours (n, 3) in CIE L*a*b* at pixels (n, points, 2)."""
    return np.asarray(cells.colours_at(rgb, points).mean(1, np.float64))


def measure_border(
    rgb: Image, lattice: Lattice, grid: cells.Grid, free: Sequence[Position], ground: GroundMap
) -> list[BorderCell]:
    """The cells beside the squares of a kingdom of which the picture (h, w, 3) shows a part.

    ``lattice`` is that of the grid in pixels of the picture, ``free`` are cells around it on which
    nothing lies.
    """
    size, occupied = rgb.shape[1::-1], grid.occupied
    if _in_picture(lattice.points(Extent.of(occupied).widened(1).corners()), size).all():
        return []
    steps = {
        (r + dr, c + dc): (dr, dc)
        for r, c in sorted(occupied)
        for dr, dc in STEPS
        if (r + dr, c + dc) not in occupied
    }
    table = lattice.spots(free, _SPOTS)
    table = table[_in_picture(table, size).all(1)]
    colours = cells.colours_at(rgb, table) if len(table) > result.NEIGHBOUR else None
    found = []
    for (cell, step), spots in zip(steps.items(), lattice.spots([*steps], _SPOTS), strict=True):
        visible = _in_picture(spots, size)
        if not 0 < visible.mean() < cells.MOSTLY:
            continue
        bare = float(ground.within_each(grid.lattice.spots([cell]))[0, 0])
        distance = usual = np.nan
        # Out of the shade of the square.
        seen = visible & ((_SPOTS - 0.5) @ np.array(step[::-1], np.float64) + 0.5 > SHADE)
        if seen.sum() < POINTS // 2:
            bare = np.nan
        elif colours is not None:
            others = np.asarray(colours[:, seen].mean(1, np.float64))
            own, apart = cells.compare_with_table(_mean_colours(rgb, spots[None, seen]), others)
            distance, usual = float(apart[0]), float(np.median(own))
        found.append(BorderCell(cell, step, distance, usual, bare))
    return found


def find_growing_cells(occupied: Collection[Position]) -> set[Position]:
    """The cells beside a kingdom on which it may go on.

    One that is as wide or high as usual, but has more than a few empty cells, may be one of the
    large ones.
    """
    most = result.size_limit(longest_side(occupied))
    is_full = len(occupied) >= most * most - result.MAX_HOLES
    return cells.keep_within(around(occupied), occupied, most if is_full else LARGE_GRID)


def find_cut_off(
    border: Sequence[BorderCell],
    lattice: Lattice,
    occupied: Collection[Position],
    size: tuple[int, int],
    model: BorderModel,
) -> dict[Position, float]:
    """The cells on which a kingdom may go on beyond the picture of ``size`` (width, height).

    With the share of each that lies in the picture. Beyond the usual size the border must tell.
    """
    edges, most = find_growing_cells(occupied), result.size_limit(longest_side(occupied))
    near = sorted(around(occupied, corners=True))
    inside = _in_picture(lattice.spots(near, _SPOTS), size).mean(1)
    shares = dict(zip(near, inside.tolist(), strict=True))
    unseen = {cell for cell in near if shares[cell] < cells.MOSTLY}
    known = model.probabilities(border)
    usual = cells.keep_within(unseen - known.keys(), occupied, most)
    found = edges & usual.union(cell for cell in known if known[cell] >= model.bound)
    corners = unseen - around(occupied)
    found |= {cell for cell in corners if not found.isdisjoint(beside(cell))}
    return {cell: shares[cell] for cell in found}


@dataclass(frozen=True)
class HiddenSettings:
    """When a cell shows something other than the table.

    A cell is like the table when it resembles the nearest half of the cells around the kingdom as
    well as they resemble each other: its distance is at most ``max_distance`` times theirs (that of
    ``usual_percent`` of them, since an arm may cover the rest), and ``slack`` more on a scale where
    black and white are 100 apart.
    """

    max_distance: float = 1.5
    slack: float = 8.0
    usual_percent: float = 82.0


def find_hidden_cells(
    looks: cells.CellLooks, lattice: Lattice, grid: cells.Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The cells within the extent of a kingdom, or beside it, that something seems to hide.

    Those that a thing covers, and those within the extent that show neither a square nor the table.
    ``lattice`` is that of the grid in pixels of the picture whose ``looks`` are given.
    """
    extent, near = Extent.of(grid.occupied), around(grid.occupied, corners=True)
    things = (cell for cell, one in grid.seen.items() if one.things > cells.COVERED)
    hidden = frozenset(things) & (near | grid.occupied)
    if extent.height * extent.width == len(grid.occupied):
        return hidden
    squares = grid.seen.keys() & lattice.members.keys()
    asked = [
        cell
        for cell in extent.widened(looks.settings.reach).cells()
        if cell not in (grid.occupied if extent.holds(cell) else squares)
    ]
    seen = looks.measure(lattice, asked)
    within, known = np.array([*map(extent.holds, asked)]), ~np.isnan(seen[:, 0])
    empty, table = np.flatnonzero(within & known), seen[~within & known]
    if not len(empty) or len(table) < looks.settings.min_table:
        return hidden
    own, apart = cells.compare_with_table(seen[empty], table, round(len(table) / 2))
    usual = float(np.percentile(own, settings.usual_percent))
    far = apart > settings.max_distance * usual + settings.slack
    return hidden.union(asked[k] for k in empty[far])


FEATURES = (
    # Of a cell.
    "probability", "lead", "empty", "foreign", "unplayed", "score", "bare", "things",
    "offset", "turn", "inside", "blind", "table", "is_empty", "is_castle", "crowns", "changed",
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

    grid: cells.Grid
    lattice: Lattice
    observation: Observation
    quality: Quality
    free: Sequence[Position] = ()
    loose: Collection[Position] = ()


def gather_evidence(
    rgb: Image, found: Detections, seen: SeenKingdom, judged: Judgement, unread: int, giants: bool
) -> Floats:
    """The evidence (rows, columns, features) on the cells of a judged kingdom's extent.

    ``rgb`` (h, w, 3) is the photograph, of which ``unread`` squares became part of no kingdom; with
    ``giants`` the dominoes of Age of Giants are in the box.
    """
    extent, observation, quality = judged.extent, seen.observation, seen.quality
    grid, lattice, members = seen.grid, seen.grid.lattice, seen.grid.lattice.members
    places = list(extent.cells())
    # What the classifier and the box make of them.
    squares = [judged.squares[place] for place in places]
    labels = np.array([square.label for square in squares])
    shares = np.array([square.probability for square in squares])
    changed = [square.settled_from is not None for square in squares]
    logs = np.log(np.maximum(shares, 1e-9))
    is_square, is_castle, is_weak = labels != EMPTY, labels == "c", shares < WEAK
    likely = np.array([grid.probabilities.get(place, result.BARE) for place in places])
    merged = result.merge_foreign(likely, giants=giants)
    others = merged.copy()
    others[np.arange(len(places)), [result.LABELS.index(label) for label in labels]] = 0
    masks = np.reshape([is_square, is_square & ~is_castle, is_weak], (3, *extent[2:]))
    wide = np.pad(masks, ((0, 0), (1, 1), (1, 1))).astype(int)
    sums = wide[:, :-2, 1:-1] + wide[:, 2:, 1:-1] + wide[:, 1:-1, :-2] + wide[:, 1:-1, 2:]
    squares_beside, halves_beside, weak_beside = sums.reshape(3, -1)
    # What the locator makes of them: how sure, how crooked, how covered.
    located = found.chosen([*members.values()])
    offsets = np.abs(lattice.places(located.centres) - middles_of(members)).max(1)
    turns = np.abs([*measure_rotations(found, lattice).values()])
    by_cell = dict(zip(members, np.c_[located.scores, offsets, turns], strict=True))
    score, offset, turn = np.array([by_cell.get(place, [np.nan] * 3) for place in places]).T
    scores = score[~np.isnan(score)]
    bare, things = found.ground.within_each(lattice.spots(places)).T
    # How far their mean colour is from that of free ones, and what is usual there.
    spots = seen.lattice.spots([*places, *seen.free], _SPOTS)
    inside = _in_picture(spots, rgb.shape[1::-1]).mean(1)
    looks = np.where(inside[:, None] > 0.99, _mean_colours(rgb, spots), np.nan)
    table = looks[len(places) :]
    table, apart, usual = table[~np.isnan(table[:, 0])], np.full(len(places), np.nan), np.nan
    if len(table) > result.NEIGHBOUR:
        own, apart = cells.compare_with_table(looks[: len(places)], table)
        usual = float(np.median(own))
    middle = extent.left + extent.width / 2, extent.top + extent.height / 2
    numbers: dict[str, ArrayLike] = {
        "probability": shares, "lead": logs - np.log(np.maximum(others.max(1), 1e-9)),
        "empty": merged[:, result.EMPTY_AT], "foreign": likely[:, result.FOREIGN_AT],
        "unplayed": 0.0 if giants else likely[:, result.TWO_CROWNS_AT].max(1),
        "score": score, "bare": bare, "things": things, "offset": offset, "turn": turn,
        "inside": inside[: len(places)],
        "blind": [quality.blind_shares.get(place, np.nan) for place in places],
        "table": apart, "is_empty": ~is_square, "is_castle": is_castle,
        "crowns": [int(label[1:] or 0) for label in labels], "changed": changed,
        "unpaired": [place in judged.unpaired for place in places],
        "neighbours": squares_beside, "weak_beside": weak_beside,
        "is_hole": ~is_square & (halves_beside > 0),
        "hidden": [place in judged.hidden for place in places],
        "loose": [place in seen.loose for place in places],
        "apart": [place in observation.apart for place in places],
        "cut_off": [place in observation.cut_off for place in places],
        "misfit": lattice.misfit, "sharpness": quality.sharpness, "level": quality.level,
        "stretch": geometry.measure_stretch(seen.lattice.homography, middle),
        "side_px": quality.side_px, "colour": quality.colour, "usual": usual,
        "mean_log": logs[is_square].mean() if is_square.any() else 0.0,
        "least_log": logs[is_square].min(initial=0.0),
        "weak_share": (is_weak & is_square).sum() / max(is_square.sum(), 1),
        "score_mean": scores.mean() if len(scores) else np.nan, "squares": is_square.sum(),
        "longest": extent.longest, "castles": is_castle.sum(), "certain": judged.certain,
        "unpaired_all": len(judged.unpaired), "changed_all": sum(changed),
        "hidden_all": len(judged.hidden), "unread": unread,
    }  # fmt: skip
    columns = [np.broadcast_to(np.asarray(numbers[n], np.float64), len(places)) for n in FEATURES]
    return np.stack(columns, -1).reshape(*extent[2:], len(FEATURES))


# A cell with more of one of these is asked about, and one with a label less probable than that.
_MOST = {
    "hidden": 0.0, "cut_off": 0.0, "apart": 0.0, "loose": 0.0, "changed": 0.0,
    "foreign": MOST_FOREIGN, "unplayed": MOST_FOREIGN,
}  # fmt: skip
LEAST_PROBABILITY = 0.95


def is_asked(evidence: Floats) -> NDArray[np.bool_]:
    """Whether cells (...) are asked about whatever the trees say, by evidence (..., features).

    Those of ``has_reason``, and one that the classifier gives less than ``LEAST_PROBABILITY``.
    """
    return has_reason(evidence) | (evidence[..., FEATURES.index("probability")] < LEAST_PROBABILITY)


def has_reason(evidence: Floats) -> NDArray[np.bool_]:
    """Whether cells (...) are asked about however sure their labels are.

    A cell that something hides or the edge of the picture cuts off is, and a square that may not
    belong to the kingdom: what can't be seen is no question of how its label looks, and trees know
    only the hands and cards that they were shown. So is a square that the box changed, against what
    was seen; and one that is of another game, or of an expansion that is not played, by more than
    ``MOST_FOREIGN``: no photograph was there to learn from.
    """
    told = evidence[..., [*map(FEATURES.index, _MOST)]] > [*_MOST.values()]
    return np.asarray(told.any(-1))


def flag_doubtful(
    judgement: Judgement, evidence: Floats, model: DoubtModel, confirm: Confirm
) -> Judgement:
    """The judgement with those cells flagged of which the evidence leaves doubt, and no others.

    ``evidence`` (rows, columns, features) is that of its extent. Flagged are cells below the bound
    of the ``model``, those of ``is_asked``, and, where the grid as a whole is in doubt, the least
    sure one. Where only labels are in doubt, ``confirm`` is asked which of them the box leaves no
    others; these are not flagged. A reason stays where it explains a flag.
    """
    sure, stays = model.probabilities(evidence).ravel(), has_reason(evidence).ravel()
    flagged, places = (sure < model.bound) | is_asked(evidence).ravel(), [*judgement.extent.cells()]
    in_doubt = np.flatnonzero(flagged & ~stays).tolist()
    labels = {places[k]: judgement.squares[places[k]].label for k in in_doubt}
    known = confirm(labels) if labels else ()
    flagged[[k for k in in_doubt if places[k] in known]] = False
    if not judgement.certain:
        flagged[sure.argmin()] = True
    squares = {}
    for cell, asked in zip(places, flagged.tolist(), strict=True):
        square = judgement.squares[cell]
        reason = square.reason if asked else None
        squares[cell] = replace(square, doubtful=asked, reason=reason)
    return replace(judgement, squares=squares)
