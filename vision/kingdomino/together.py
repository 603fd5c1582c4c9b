"""What several photographs show of the same kingdoms, put together: what a hand, a lamp or the edge
of the picture hides in one may be seen in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, around, project, smallest_extent
from vision.kingdomino import result
from vision.kingdomino.doubt import flag_missing_halves
from vision.kingdomino.result import EMPTY, EMPTY_AT, LABELS, KingdomReading, PhotoReading
from vision.kingdomino.settling import Judgement, JudgeSettings, Observation, judge_table
from vision.kingdomino.warn import sort_codes

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Of the table around a kingdom so many cells are known to be bare, if the picture shows them.
MARGIN = LARGE_GRID + 2
# Of what there may be more of than was read; what is blinding white may look like a bare table.
INCOMPLETE = {"hidden", "cut_off", "beside", "glare"}
# A cell that is surely bare needs no settling.
BARE = 0.999


# How often each label lies on a cell of a kingdom's extent, (labels,): by the box.
_HALVES = Counter(str(half) for each in BASE_DOMINOES for half in (each.left, each.right))
_SHARES = np.array([0.67 * _HALVES[label] / _HALVES.total() + 0.002 for label in LABELS])
_SHARES[[EMPTY_AT, result.CASTLE_AT]] = 0.3, 0.04
USUAL: Floats = np.asarray(_SHARES / _SHARES.sum())


@dataclass(frozen=True)
class TogetherSettings:
    """When kingdoms of several photographs are one, and how far each reading is believed.

    They are one where the natural logarithm of the odds for it is at least ``same``, and more by
    ``lead`` than for any other kingdom of the photograph or another way to lay one on the other;
    above 0 they may be one, which is told. A castle of the same or another colour adds to it
    ``same_colour`` or ``other_colour``.

    What is said of a square is right with the probability ``sure``, with ``asked`` where it is
    flagged, and with ``half_seen`` where that is because something hides it. Cells around a kingdom
    that the picture shows are bare with ``bare``, or with ``asked`` where something of the
    kingdom may be missing. Below ``least`` a square is flagged.
    """

    same: float = 10.0
    lead: float = 5.0
    same_colour: float = 1.0
    other_colour: float = -4.0
    sure: float = 0.999
    asked: float = 0.8
    half_seen: float = 0.3
    bare: float = 0.99
    least: float = 0.98


@dataclass(frozen=True, eq=False)
class _View:
    """A kingdom as a photograph shows it, and the table around it up to ``MARGIN`` cells away.

    By row and column: ``belief`` (rows, columns, labels) what is likely to lie there, which is
    ``USUAL`` where nothing is known; ``unasked`` whether that is seen and not asked about,
    ``known`` whether anything is; ``within`` whether it is a cell of the reading, ``reasons`` why
    it is asked about, "" where none is given.
    """

    reading: KingdomReading
    belief: Floats
    unasked: Bools
    known: Bools
    within: Bools
    reasons: NDArray[np.object_]

    @property
    def extent(self) -> Extent:
        """That of the reading, or of all that were put together."""
        return Extent.of([(r, c) for r, c in np.argwhere(self.within).tolist()])


def _view(
    reading: KingdomReading, number: int, photo: PhotoReading, settings: TogetherSettings
) -> _View:
    """The view of a reading in the photograph of this ``number``."""
    height, width = reading.kingdom.height + 2 * MARGIN, reading.kingdom.width + 2 * MARGIN
    places = np.indices((height + 1, width + 1)).reshape(2, -1).T[:, ::-1] - MARGIN
    points = reading.points(places)
    # Beyond the horizon a point comes back on the other side.
    ahead = np.c_[places, np.ones(len(places))] @ reading.homography[2] > 1e-9
    inside = ((points >= 0) & (points <= (photo.width - 1, photo.height - 1))).all(1) & ahead
    corners = sliding_window_view(inside.reshape(height + 1, width + 1), (2, 2))
    known = np.asarray(corners.all((2, 3)))
    bare = settings.asked if INCOMPLETE & set(reading.warnings) else settings.bare
    belief = np.where(known[..., None], _believe(EMPTY, bare, USUAL), USUAL)
    unasked, within, reasons = known.copy(), np.zeros_like(known), np.full(known.shape, "", object)
    for (row, column), square in reading.by_position.items():
        at = row + MARGIN, column + MARGIN
        hides = square.doubtful and square.reason in result.UNSEEN
        within[at], reasons[at], unasked[at] = True, square.reason or "", not square.doubtful
        known[at], belief[at] = not (hides and square.label == EMPTY), USUAL
        if known[at] and square.label in LABELS:
            found = USUAL if reading.probabilities is None else reading.probabilities[row, column]
            asked = settings.half_seen if hides else settings.asked
            belief[at] = _believe(square.label, asked if square.doubtful else settings.sure, found)
    return _View(replace(reading, photos=(number,)), belief, unasked, known, within, reasons)


def _believe(label: str, sure: float, found: Floats) -> Floats:
    """The probabilities (labels,) where a label is right by ``sure``, else what was ``found``.

    What else it is, was found in half of the cases; in the others it is anything.
    """
    others = np.array(LABELS) != label
    rest = found * others + 1e-9 * USUAL
    shares = (rest / rest.sum() + USUAL * others / (USUAL * others).sum()) / 2
    return np.where(others, (1 - sure) * shares, sure)


class _Pose(NamedTuple):
    """How a view lies on the first of its group: turned so often by 90°, then moved."""

    turns: int = 0
    down: int = 0
    right: int = 0

    def shared(self, first: NDArray[Any], cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where a view's cells (rows, columns, …) and those of the first meet: the part of both."""
        turned, down, right = np.rot90(cells, self.turns), self.down, self.right
        (height, width), (rows, columns) = turned.shape[:2], first.shape[:2]
        mine = first[max(down, 0) : down + height, max(right, 0) : right + width]
        return mine, turned[max(-down, 0) : rows - down, max(-right, 0) : columns - right]

    def lay(self, cells: NDArray[Any], shape: tuple[int, ...], beyond: object) -> NDArray[Any]:
        """What a view says of its cells (rows, columns, …), by those of the first, of a ``shape``.

        Where they don't meet it is ``beyond``.
        """
        laid = np.full((*shape[:2], *cells.shape[2:]), beyond, cells.dtype)
        here, there = self.shared(laid, cells)
        here[:] = there
        return laid


@dataclass(eq=False)
class _Group:
    """The views of one kingdom, each with how it lies on the first.

    ``seen`` is what they say together, by the cells of the first view's window: ``unasked`` whether
    one of them at least sees it and does not ask, ``known`` and ``within`` as of one of them,
    ``reasons`` of the first that has any. ``reading`` is what is said of the kingdom.
    """

    seen: _View
    reading: KingdomReading
    views: list[tuple[_View, _Pose]]
    may_be_another: bool

    def add(self, view: _View, pose: _Pose) -> None:
        """One more view: what each of them saw is multiplied (Bayes, with ``USUAL`` before)."""
        seen, shape = self.seen, self.seen.belief.shape
        product = seen.belief * pose.lay(view.belief, shape, USUAL) / USUAL
        reasons = pose.lay(view.reasons, shape, "")
        self.seen = replace(
            seen,
            belief=product / product.sum(-1, keepdims=True),
            unasked=seen.unasked | pose.lay(view.unasked, shape, False),
            known=seen.known | pose.lay(view.known, shape, False),
            within=seen.within | pose.lay(view.within, shape, False),
            reasons=np.where(seen.reasons == "", reasons, seen.reasons),
        )
        self.views.append((view, pose))

    @property
    def colours(self) -> set[str]:
        """Those of its castle."""
        return {colour for view, _ in self.views if (colour := view.reading.castle_colour)}


def _compare(group: _Group, view: _View, settings: TogetherSettings) -> tuple[float, float, _Pose]:
    """The logarithm of the odds that a view is of the kingdom of a group, and how it lies on it.

    Between them stands that of the next best way. What both see of a cell is compared with what
    two kingdoms that have nothing to do with each other show; that both are bare says nothing.
    """
    first, extent = group.seen.belief, group.seen.extent
    found = []
    for turns in range(4):
        height, width = (n - 2 * MARGIN for n in np.rot90(view.known, turns).shape)
        for down in range(extent.top - MARGIN - height + 1, extent.bottom - MARGIN):
            for right in range(extent.left - MARGIN - width + 1, extent.right - MARGIN):
                pose = _Pose(turns, down, right)
                one, other = pose.shared(first, view.belief)
                odds = np.log((one * other / USUAL).sum(-1))
                both_bare = (one[..., EMPTY_AT] > 0.5) & (other[..., EMPTY_AT] > 0.5)
                found.append((float(odds[~both_bare].sum()), pose))
    found.sort(key=lambda each: each[0], reverse=True)
    (best, pose), second = found[0], found[1][0]
    ours, colour = group.colours, view.reading.castle_colour
    if ours and colour:
        best += settings.same_colour if colour in ours else settings.other_colour
    return best, second, pose


def _group(views: Sequence[Sequence[_View]], settings: TogetherSettings) -> list[_Group]:
    """The views of each photograph by the kingdom that they show; no two of one are the same."""
    groups: list[_Group] = []
    for of_photo in views:
        known = list(groups)
        compared = [[_compare(group, view, settings) for view in of_photo] for group in known]
        odds = np.reshape([[r[0] for r in row] for row in compared], (len(known), len(of_photo)))
        for j, view in enumerate(of_photo):
            for i, group in enumerate(known):
                best, second, pose = compared[i][j]
                others = [*np.delete(odds[i], j), *np.delete(odds[:, j], i), second]
                if best >= settings.same and best >= max(others) + settings.lead:
                    group.add(view, pose)
                    break
            else:
                maybe = [group for group, row in zip(known, odds, strict=True) if row[j] > 0]
                for group in maybe:
                    group.may_be_another = True
                groups.append(_Group(view, view.reading, [(view, _Pose())], bool(maybe)))
    return groups


def combine_photos(
    readings: Sequence[PhotoReading | None],
    judging: JudgeSettings | None = None,
    settings: TogetherSettings | None = None,
) -> PhotoReading:
    """The kingdoms that photographs of one table show, each once, largest first.

    ``readings`` are those of the photographs, None for one that could not be read. Kingdoms are
    the same by what lies on them and the castle's colour, however they are turned. What is said of
    a cell is what all that saw it make most probable, settled with the box; it is asked about
    unless one reading did not ask, and what the others saw leaves no doubt. Where two may be the
    same and it is not sure, they stay two, with the warning ``maybe_same``. ValueError where none
    was read.
    """
    settings = settings or TogetherSettings()
    read = {
        number: each
        for number, each in enumerate(readings)
        if each and not any(other and _is_again(each, other) for other in readings[:number])
    }
    if not read:
        raise ValueError("expected a reading at least")
    views = [
        [_view(kingdom, number, each, settings) for kingdom in each.kingdoms]
        for number, each in read.items()
    ]
    groups = _group(views, settings)
    several = [group for group in groups if len(group.views) > 1]
    judgements = judge_table([_observe(group.seen) for group in several], judging)
    for group, judgement in zip(several, filter(None, judgements), strict=True):
        group.reading = _make(group, judgement, settings)
    for group in groups:
        if group.may_be_another:
            warnings = sort_codes({*group.reading.warnings, "maybe_same"})
            group.reading = replace(group.reading, warnings=warnings)
    kingdoms = sorted(
        (g.reading for g in groups if len(g.views) > 1 or not _is_piece(g.seen, several)),
        key=lambda each: -sum(not square.is_empty for _, square in each.kingdom.items()),
    )
    seconds = Counter[str]()
    for each in read.values():
        seconds.update(each.seconds)
    warnings = sort_codes({code for each in read.values() for code in each.warnings})
    first, *_ = read.values()
    return PhotoReading(tuple(kingdoms), first.width, first.height, dict(seconds), warnings)


def _is_again(one: PhotoReading, other: PhotoReading) -> bool:
    """Whether two readings are of the same picture, which says nothing new."""
    return (one.width, one.height) == (other.width, other.height) and all(
        a.squares == b.squares and np.array_equal(a.homography, b.homography)
        for a, b in zip(one.kingdoms, other.kingdoms, strict=False)
    )


def _observe(seen: _View) -> Observation:
    """What all views of a kingdom give to the judgement."""
    found = {cell: seen.belief[cell] for cell in seen.extent.cells()}
    hidden = [cell for cell in found if not seen.known[cell]]
    considered = [c for c, shares in found.items() if shares[EMPTY_AT] < BARE and seen.known[c]]
    return Observation(found, considered, hidden, extent=seen.extent)


def _make(group: _Group, judgement: Judgement, settings: TogetherSettings) -> KingdomReading:
    """The reading of a kingdom that several photographs show, by the pixels of the first."""
    seen, squares = group.seen, judgement.squares.copy()
    views = [view for view, _ in group.views]
    for cell, judged in squares.items():
        unsure = judged.probability < settings.least or judged.settled_from is not None
        asked = unsure or not seen.unasked[cell]
        reason = seen.reasons[cell] or None
        squares[cell] = replace(judged, doubtful=asked, reason=reason if asked else None)
    certain = judgement.certain and any(view.reading.lattice_certain for view in views)
    if not certain and not any(square.doubtful for square in squares.values()):
        weakest = min(squares, key=lambda cell: squares[cell].probability)
        squares[weakest] = replace(squares[weakest], doubtful=True)
    # What makes all of the readings incomplete; a side that one picture shows is not cut off.
    codes = set.intersection(*(set(view.reading.warnings) for view in views))
    occupied = [cell for cell, square in squares.items() if square.label != EMPTY]
    if "cut_off" in codes and occupied:
        extent = Extent.of(occupied)
        sides = [extent.with_cell(c).longest for c in around(occupied) if not seen.known[c]]
        if not any(side <= result.size_limit(extent.longest) for side in sides):
            codes.discard("cut_off")
    shown = [cell for cell, each in squares.items() if each.label != EMPTY or each.doubtful]
    box = smallest_extent(shown) or judgement.extent
    rows = tuple(
        tuple(squares[r, c] for c in range(box.left, box.right)) for r in range(box.top, box.bottom)
    )
    moved = np.eye(3)
    moved[:2, 2] = box.left - MARGIN, box.top - MARGIN
    belief = seen.belief[box.top : box.bottom, box.left : box.right]
    reading = KingdomReading(
        result.kingdom_of(rows),
        rows,
        seen.reading.homography @ moved,
        castle_colour=group.colours.pop() if len(group.colours) == 1 else None,
        lattice_certain=certain,
        probabilities=belief,
        considered=belief[..., EMPTY_AT] < BARE,
        unpaired=frozenset((r - box.top, c - box.left) for r, c in judgement.unpaired),
        next_best=None if certain else seen.reading.next_best,
        warnings=sort_codes(codes),
        photos=tuple(view.reading.photos[0] for view in views),
    )
    return flag_missing_halves(reading)


def _is_piece(seen: _View, several: Sequence[_Group]) -> bool:
    """Whether one view is a piece of a kingdom that other photographs show as a whole."""
    squares = [(c + 0.5, r + 0.5) for (r, c), s in seen.reading.kingdom.items() if not s.is_empty]
    points = seen.reading.points(squares)
    for other in several:
        for mine, pose in other.views:
            if mine.reading.photos == seen.reading.photos:
                inverse = np.asarray(np.linalg.inv(mine.reading.homography), np.float64)
                (x, y), shape = project(points, inverse).T + MARGIN, mine.known.shape
                counts, *_ = np.histogram2d(y, x, shape, [(0, cells) for cells in shape])
                belief = other.seen.belief
                on = pose.lay(counts, belief.shape, 0)[belief[..., EMPTY_AT] < 0.5]
                if 2 * on.sum() > len(squares):
                    return True
    return False
