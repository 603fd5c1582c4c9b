"""What several photographs show of the same kingdoms, put together: what a hand, a lamp or the edge
of the picture hides in one may be seen in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, around, project, smallest_extent
from vision.kingdomino.doubt import MissingSettings, flag_missing_halves
from vision.kingdomino.result import (
    EMPTY,
    EMPTY_AT,
    LABELS,
    REASONS,
    KingdomReading,
    PhotoReading,
    SquareReading,
    kingdom_of,
    size_limit,
)
from vision.kingdomino.settling import Judgement, JudgeSettings, Observation, judge_table
from vision.kingdomino.warn import sort_codes

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Cells = TypeVar("Cells", Floats, Bools, NDArray[np.str_])

# Of the table around a kingdom so many cells are known to be bare, if the picture shows them.
MARGIN = LARGE_GRID + 2
UNSEEN = ("hidden", "cut_off")
# Of what there may be more of than was read; what is blinding white may look like a bare table.
INCOMPLETE = {"hidden", "cut_off", "beside", "glare"}
# A cell that is surely bare needs no settling.
BARE = 0.999


def _usual_shares() -> Floats:
    """How often each label lies on a cell of a kingdom's extent, (labels,): by the box."""
    halves = Counter(str(half) for each in BASE_DOMINOES for half in (each.left, each.right))
    shares = np.array([0.67 * halves[label] / halves.total() + 0.002 for label in LABELS])
    shares[EMPTY_AT], shares[LABELS.index("c")] = 0.3, 0.04
    return np.asarray(shares / shares.sum())


USUAL = _usual_shares()


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
    photo: int
    belief: Floats
    unasked: Bools
    known: Bools
    within: Bools
    reasons: NDArray[np.str_]


def _view(
    reading: KingdomReading, photo: int, size: tuple[int, int], settings: TogetherSettings
) -> _View:
    """The view of a reading in a photograph of that ``size`` (width, height)."""
    window = Extent(0, 0, reading.kingdom.height, reading.kingdom.width).widened(MARGIN)
    seen = _is_in_picture(reading, window, size)
    incomplete = INCOMPLETE & set(reading.warnings)
    bare = _believe(EMPTY, settings.asked if incomplete else settings.bare, USUAL)
    belief = np.where(seen[..., None], bare, USUAL)
    unasked, known, within = seen.copy(), seen.copy(), np.zeros_like(seen)
    reasons = np.full(seen.shape, "", f"U{max(map(len, REASONS))}")
    for (row, column), _ in reading.kingdom.items():
        square, at = reading.squares[row][column], (row + MARGIN, column + MARGIN)
        within[at], reasons[at] = True, square.reason or ""
        hides = square.doubtful and square.reason in UNSEEN
        unasked[at], known[at] = not square.doubtful, not (hides and square.label == EMPTY)
        belief[at] = USUAL
        if known[at] and square.label in LABELS:
            found = USUAL if reading.probabilities is None else reading.probabilities[row, column]
            sure = _certainty(square, settings)
            belief[at] = _believe(square.label, sure, found)
    return _View(reading, photo, belief, unasked, known, within, reasons)


def _certainty(square: SquareReading, settings: TogetherSettings) -> float:
    """How likely what is said of a square is right, by the reading alone."""
    if not square.doubtful:
        return settings.sure
    return settings.half_seen if square.reason in UNSEEN else settings.asked


def _believe(label: str, sure: float, found: Floats) -> Floats:
    """The probabilities (labels,) where a label is right by ``sure``, else what was ``found``.

    What else it is, was found in half of the cases; in the others it is anything.
    """
    others = np.array(LABELS) != label
    rest = found * others + 1e-9 * USUAL
    shares = (rest / rest.sum() + USUAL * others / (USUAL * others).sum()) / 2
    return np.where(others, (1 - sure) * shares, sure)


def _is_in_picture(reading: KingdomReading, cells: Extent, size: tuple[int, int]) -> Bools:
    """Which cells (rows, columns) lie within the picture with all corners."""
    rows, columns = np.mgrid[: cells.height + 1, : cells.width + 1]
    places = np.stack([columns + cells.left, rows + cells.top], -1).reshape(-1, 2)
    points = project(places, reading.homography)
    # Beyond the horizon a point comes back on the other side.
    ahead = np.c_[places, np.ones(len(places))] @ reading.homography[2] > 1e-9
    inside = ((points >= 0) & (points <= np.array(size) - 1)).all(1) & ahead
    corner = inside.reshape(rows.shape)
    return np.asarray(corner[:-1, :-1] & corner[1:, :-1] & corner[:-1, 1:] & corner[1:, 1:])


@dataclass(frozen=True)
class _Pose:
    """How a view lies on the first of its group: turned so often by 90°, then moved."""

    turns: int = 0
    down: int = 0
    right: int = 0

    def lay(self, cells: Cells, shape: tuple[int, ...], beyond: Floats | str | bool) -> Cells:
        """What a view says of its cells (rows, columns, …), by those of the first, of a ``shape``.

        Where they don't meet it is ``beyond``.
        """
        turned = np.rot90(cells, self.turns)
        laid = np.empty((*shape[:2], *cells.shape[2:]), cells.dtype)
        laid[:] = beyond
        here, there = _shared(shape, turned.shape, self.down, self.right)
        laid[here] = turned[there]
        return cast("Cells", laid)


Slices = tuple[slice, slice]


def _shared(
    first: tuple[int, ...], second: tuple[int, ...], down: int, right: int
) -> tuple[Slices, Slices]:
    """What two grids share, of which the second lies so far ``down`` and ``right``, in both."""
    here, there = [], []
    for length, other, moved in zip(first[:2], second[:2], (down, right), strict=True):
        low, high = max(0, moved), max(0, moved, min(length, other + moved))
        here.append(slice(low, high))
        there.append(slice(low - moved, high - moved))
    return (here[0], here[1]), (there[0], there[1])


class _Group:
    """The views of one kingdom, each with how it lies on the first, and what they say together.

    By the cells of the first view's window: ``unasked`` whether one of them at least sees it and
    does not ask, ``known`` and ``within`` as of one of them, ``reasons`` of the first that has any.
    """

    def __init__(self, view: _View, may_be_another: bool) -> None:
        self.views = [(view, _Pose())]
        self.may_be_another = may_be_another
        self.belief, self.unasked, self.known = view.belief, view.unasked, view.known
        self.within, self.reasons = view.within, view.reasons

    def add(self, view: _View, pose: _Pose) -> None:
        """One more view: what each of them saw is multiplied (Bayes, with ``USUAL`` before)."""
        shape = self.belief.shape
        product = self.belief * pose.lay(view.belief, shape, USUAL) / USUAL
        self.belief = product / product.sum(-1, keepdims=True)
        self.unasked = self.unasked | pose.lay(view.unasked, shape, False)
        self.known = self.known | pose.lay(view.known, shape, False)
        self.within = self.within | pose.lay(view.within, shape, False)
        reasons = pose.lay(view.reasons, shape, "")
        self.reasons = np.where(self.reasons == "", reasons, self.reasons)
        self.views.append((view, pose))

    @property
    def extent(self) -> Extent:
        """That of all readings."""
        return Extent.of([(int(r), int(c)) for r, c in np.argwhere(self.within)])


def _compare(group: _Group, view: _View, settings: TogetherSettings) -> tuple[float, float, _Pose]:
    """The logarithm of the odds that a view is of the kingdom of a group, and how it lies on it.

    Between them stands that of the next best way. What both see of a cell is compared with what
    two kingdoms that have nothing to do with each other show; that both are bare says nothing.
    """
    first, extent = group.belief, group.extent
    found = []
    for turns in range(4):
        turned = np.rot90(view.belief, turns)
        height, width = (n - 2 * MARGIN for n in turned.shape[:2])
        for down in range(extent.top - MARGIN - height + 1, extent.bottom - MARGIN):
            for right in range(extent.left - MARGIN - width + 1, extent.right - MARGIN):
                here, there = _shared(first.shape, turned.shape, down, right)
                one, other = first[here], turned[there]
                odds = np.log((one * other / USUAL).sum(-1))
                both_bare = (one[..., EMPTY_AT] > 0.5) & (other[..., EMPTY_AT] > 0.5)
                found.append((float(odds[~both_bare].sum()), _Pose(turns, down, right)))
    found.sort(key=lambda each: each[0], reverse=True)
    (best, pose), second = found[0], found[1][0]
    ours = {colour for each, _ in group.views if (colour := each.reading.castle_colour)}
    if ours and view.reading.castle_colour:
        is_same = view.reading.castle_colour in ours
        best += settings.same_colour if is_same else settings.other_colour
    return best, second, pose


def _group(views: Sequence[Sequence[_View]], settings: TogetherSettings) -> list[_Group]:
    """The views of each photograph by the kingdom that they show; no two of one are the same."""
    groups: list[_Group] = []
    for of_photo in views:
        compared = [[_compare(group, view, settings) for view in of_photo] for group in groups]
        odds = np.array([[best for best, _, _ in row] for row in compared]).reshape(
            len(groups), len(of_photo)
        )
        known = list(groups)
        for j, view in enumerate(of_photo):
            joined = False
            for i, group in enumerate(known):
                best, second, pose = compared[i][j]
                others = [*np.delete(odds[i], j), *np.delete(odds[:, j], i), second]
                if best >= settings.same and best >= max(others) + settings.lead:
                    group.add(view, pose)
                    joined = True
            if not joined:
                maybe = [k for k in range(len(known)) if odds[k, j] > 0]
                for k in maybe:
                    known[k].may_be_another = True
                groups.append(_Group(view, bool(maybe)))
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
    settings, judging = settings or TogetherSettings(), judging or JudgeSettings()
    read = [(number, each) for number, each in enumerate(readings) if each is not None]
    if not read:
        raise ValueError("expected a reading at least")
    read = [
        (number, each)
        for k, (number, each) in enumerate(read)
        if not any(_is_again(each, earlier) for _, earlier in read[:k])
    ]
    views = [
        [_view(kingdom, number, (each.width, each.height), settings) for kingdom in each.kingdoms]
        for number, each in read
    ]
    groups = _group(views, settings)
    several = [group for group in groups if len(group.views) > 1]
    judgements = judge_table([_observe(group) for group in several], judging)
    made = {
        id(group): _make(group, judgement, settings)
        for group, judgement in zip(several, judgements, strict=True)
        if judgement is not None
    }
    kingdoms = []
    for group in groups:
        if id(group) in made:
            reading = made[id(group)]
        elif _is_piece(group, several):
            continue
        else:
            view = group.views[0][0]
            reading = replace(view.reading, photos=(view.photo,))
        if group.may_be_another:
            reading = replace(reading, warnings=sort_codes({*reading.warnings, "maybe_same"}))
        kingdoms.append(reading)
    first = read[0][1]
    seconds = Counter[str]()
    for _, each in read:
        seconds.update(each.seconds)
    return PhotoReading(
        tuple(sorted(kingdoms, key=lambda k: -sum(not s.is_empty for _, s in k.kingdom.items()))),
        first.width,
        first.height,
        dict(seconds),
        sort_codes({code for _, each in read for code in each.warnings}),
    )


def _is_again(one: PhotoReading, other: PhotoReading) -> bool:
    """Whether two readings are of the same picture, which says nothing new."""
    return (one.width, one.height) == (other.width, other.height) and all(
        a.squares == b.squares and np.array_equal(a.homography, b.homography)
        for a, b in zip(one.kingdoms, other.kingdoms, strict=False)
    )


def _observe(group: _Group) -> Observation:
    """What all views of a kingdom give to the judgement."""
    extent, known = group.extent, group.known
    probabilities = {cell: group.belief[cell] for cell in extent.cells()}
    return Observation(
        probabilities,
        [cell for cell, seen in probabilities.items() if seen[EMPTY_AT] < BARE and known[cell]],
        hidden=[cell for cell in extent.cells() if not known[cell]],
        extent=extent,
    )


def _make(group: _Group, judgement: Judgement, settings: TogetherSettings) -> KingdomReading:
    """The reading of a kingdom that several photographs show, by the pixels of the first."""
    squares = {
        cell: _square(group, cell, square, settings) for cell, square in judgement.squares.items()
    }
    certain = judgement.certain and any(v.reading.lattice_certain for v, _ in group.views)
    if not certain and not any(square.doubtful for square in squares.values()):
        weakest = min(squares, key=lambda cell: squares[cell].probability)
        squares[weakest] = replace(squares[weakest], doubtful=True)
    shown = [cell for cell, each in squares.items() if each.label != EMPTY or each.doubtful]
    box = smallest_extent(shown) or judgement.extent
    rows = tuple(
        tuple(squares[r, c] for c in range(box.left, box.right)) for r in range(box.top, box.bottom)
    )
    at = np.s_[box.top : box.bottom, box.left : box.right]
    first = group.views[0][0].reading
    moved = np.eye(3)
    moved[:2, 2] = box.left - MARGIN, box.top - MARGIN
    colours = {colour for view, _ in group.views if (colour := view.reading.castle_colour)}
    belief = group.belief[at]
    reading = KingdomReading(
        kingdom_of(rows),
        rows,
        first.homography @ moved,
        castle_colour=colours.pop() if len(colours) == 1 else None,
        lattice_certain=certain,
        probabilities=belief,
        considered=belief[..., EMPTY_AT] < BARE,
        unpaired=frozenset((r - box.top, c - box.left) for r, c in judgement.unpaired),
        next_best=None if certain else first.next_best,
        warnings=_warnings(group, squares),
        photos=tuple(view.photo for view, _ in group.views),
    )
    return flag_missing_halves(reading, MissingSettings())


def _square(
    group: _Group, cell: Position, judged: SquareReading, settings: TogetherSettings
) -> SquareReading:
    """What is said of a cell."""
    unsure = judged.probability < settings.least or judged.settled_from is not None
    if group.unasked[cell] and not unsure:
        return replace(judged, doubtful=False, reason=None)
    return replace(judged, doubtful=True, reason=str(group.reasons[cell]) or None)


def _warnings(group: _Group, squares: Mapping[Position, SquareReading]) -> tuple[str, ...]:
    """What makes all of the readings incomplete; a side that one picture shows is not cut off."""
    codes = set.intersection(*(set(view.reading.warnings) for view, _ in group.views))
    occupied = [cell for cell, square in squares.items() if square.label != EMPTY]
    if "cut_off" in codes and occupied:
        extent, known = Extent.of(occupied), group.known
        most = size_limit(extent.longest)
        wider = (extent.with_cell(cell) for cell in around(occupied) if not known[cell])
        if not any(each.longest <= most for each in wider):
            codes.discard("cut_off")
    return sort_codes(codes)


def _is_piece(group: _Group, several: Sequence[_Group]) -> bool:
    """Whether one view is a piece of a kingdom that other photographs show as a whole."""
    (view, _), *_ = group.views
    squares = [(c + 0.5, r + 0.5) for (r, c), s in view.reading.kingdom.items() if not s.is_empty]
    points = view.reading.points(squares)
    for other in several:
        for mine, pose in other.views:
            if mine.photo != view.photo:
                continue
            inverse = np.asarray(np.linalg.inv(mine.reading.homography), np.float64)
            at = np.floor(project(points, inverse)).astype(int)[:, ::-1] + MARGIN
            counts = np.zeros(mine.known.shape)
            inside = ((at >= 0) & (at < counts.shape)).all(1)
            np.add.at(counts, tuple(at[inside].T), 1)
            on = pose.lay(counts, other.belief.shape, False)[other.belief[..., EMPTY_AT] < 0.5]
            if 2 * on.sum() > len(squares):
                return True
    return False
