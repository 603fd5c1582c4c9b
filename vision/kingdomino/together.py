"""What several photographs show of the same kingdoms, put together: what a hand, a lamp or the edge
of the picture hides in one may be seen in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, around, project, smallest_extent
from vision.kingdomino.doubt import flag_missing_halves
from vision.kingdomino.result import (
    CASTLE_AT,
    EMPTY,
    EMPTY_AT,
    LABELS,
    REASONS,
    UNSEEN,
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
Slices = tuple[slice, ...]

# Of the table around a kingdom so many cells are known to be bare, if the picture shows them.
MARGIN = LARGE_GRID + 2
# Of what there may be more of than was read; what is blinding white may look like a bare table.
INCOMPLETE = {"hidden", "cut_off", "beside", "glare"}
# A cell that is surely bare needs no settling.
BARE = 0.999


# How often each label lies on a cell of a kingdom's extent, (labels,): by the box.
_HALVES = Counter(str(half) for each in BASE_DOMINOES for half in (each.left, each.right))
_SHARES = np.array([0.67 * _HALVES[label] / _HALVES.total() + 0.002 for label in LABELS])
_SHARES[[EMPTY_AT, CASTLE_AT]] = 0.3, 0.04
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
    photo: int
    belief: Floats
    unasked: Bools
    known: Bools
    within: Bools
    reasons: NDArray[np.str_]

    @property
    def extent(self) -> Extent:
        """That of the reading, or of all that were put together."""
        return Extent.of([(int(r), int(c)) for r, c in np.argwhere(self.within)])


def _view(
    reading: KingdomReading, photo: int, size: tuple[int, int], settings: TogetherSettings
) -> _View:
    """The view of a reading in a photograph of that ``size`` (width, height)."""
    seen = _is_in_picture(reading, size)
    bare = settings.asked if INCOMPLETE & set(reading.warnings) else settings.bare
    belief = np.where(seen[..., None], _believe(EMPTY, bare, USUAL), USUAL)
    unasked, known, within = seen.copy(), seen.copy(), np.zeros_like(seen)
    reasons = np.full(seen.shape, "", f"U{max(map(len, REASONS))}")
    for (row, column), square in reading.by_position.items():
        at = row + MARGIN, column + MARGIN
        within[at], reasons[at] = True, square.reason or ""
        hides = square.doubtful and square.reason in UNSEEN
        unasked[at], known[at] = not square.doubtful, not (hides and square.label == EMPTY)
        belief[at] = USUAL
        if known[at] and square.label in LABELS:
            found = USUAL if reading.probabilities is None else reading.probabilities[row, column]
            asked = settings.half_seen if hides else settings.asked
            belief[at] = _believe(square.label, asked if square.doubtful else settings.sure, found)
    return _View(reading, photo, belief, unasked, known, within, reasons)


def _believe(label: str, sure: float, found: Floats) -> Floats:
    """The probabilities (labels,) where a label is right by ``sure``, else what was ``found``.

    What else it is, was found in half of the cases; in the others it is anything.
    """
    others = np.array(LABELS) != label
    rest = found * others + 1e-9 * USUAL
    shares = (rest / rest.sum() + USUAL * others / (USUAL * others).sum()) / 2
    return np.where(others, (1 - sure) * shares, sure)


def _is_in_picture(reading: KingdomReading, size: tuple[int, int]) -> Bools:
    """Which cells (rows, columns) of the window lie within the picture with all corners."""
    height, width = reading.kingdom.height + 2 * MARGIN + 1, reading.kingdom.width + 2 * MARGIN + 1
    places = np.indices((height, width)).reshape(2, -1).T[:, ::-1] - MARGIN
    points = reading.points(places)
    # Beyond the horizon a point comes back on the other side.
    ahead = np.c_[places, np.ones(len(places))] @ reading.homography[2] > 1e-9
    inside = ((points >= 0) & (points <= np.array(size) - 1)).all(1) & ahead
    return np.asarray(sliding_window_view(inside.reshape(height, width), (2, 2)).all((2, 3)))


class _Pose(NamedTuple):
    """How a view lies on the first of its group: turned so often by 90°, then moved."""

    turns: int = 0
    down: int = 0
    right: int = 0

    def lay(self, cells: NDArray[Any], shape: tuple[int, ...], beyond: object) -> NDArray[Any]:
        """What a view says of its cells (rows, columns, …), by those of the first, of a ``shape``.

        Where they don't meet it is ``beyond``.
        """
        turned = np.rot90(cells, self.turns)
        laid = np.full((*shape[:2], *cells.shape[2:]), beyond, cells.dtype)
        here, there = self.shared(shape, turned.shape)
        laid[here] = turned[there]
        return laid

    def shared(self, first: tuple[int, ...], turned: tuple[int, ...]) -> tuple[Slices, Slices]:
        """What a grid of the shape ``first`` and a turned one that is moved share, in both."""

        def slices(shape: tuple[int, ...], *starts: int) -> Slices:
            ways = zip(starts, shape[:2], strict=True)
            return tuple(slice(max(at, 0), max(at + length, 0)) for at, length in ways)

        return slices(turned, self.down, self.right), slices(first, -self.down, -self.right)


class _Group:
    """The views of one kingdom, each with how it lies on the first.

    ``seen`` is what they say together, by the cells of the first view's window: ``unasked`` whether
    one of them at least sees it and does not ask, ``known`` and ``within`` as of one of them,
    ``reasons`` of the first that has any. ``reading`` is what is said of the kingdom.
    """

    def __init__(self, view: _View, may_be_another: bool) -> None:
        self.views = [(view, _Pose())]
        self.may_be_another = may_be_another
        self.seen = view
        self.reading = replace(view.reading, photos=(view.photo,))

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


def _compare(group: _Group, view: _View, settings: TogetherSettings) -> tuple[float, float, _Pose]:
    """The logarithm of the odds that a view is of the kingdom of a group, and how it lies on it.

    Between them stands that of the next best way. What both see of a cell is compared with what
    two kingdoms that have nothing to do with each other show; that both are bare says nothing.
    """
    first, extent = group.seen.belief, group.seen.extent
    found = []
    for turns in range(4):
        turned = np.rot90(view.belief, turns)
        height, width = (n - 2 * MARGIN for n in turned.shape[:2])
        for down in range(extent.top - MARGIN - height + 1, extent.bottom - MARGIN):
            for right in range(extent.left - MARGIN - width + 1, extent.right - MARGIN):
                pose = _Pose(turns, down, right)
                here, there = pose.shared(first.shape, turned.shape)
                one, other = first[here], turned[there]
                odds = np.log((one * other / USUAL).sum(-1))
                both_bare = (one[..., EMPTY_AT] > 0.5) & (other[..., EMPTY_AT] > 0.5)
                found.append((float(odds[~both_bare].sum()), pose))
    found.sort(key=lambda each: each[0], reverse=True)
    (best, pose), second = found[0], found[1][0]
    ours, colour = _castle_colours(group), view.reading.castle_colour
    if ours and colour:
        best += settings.same_colour if colour in ours else settings.other_colour
    return best, second, pose


def _castle_colours(group: _Group) -> set[str]:
    return {colour for each, _ in group.views if (colour := each.reading.castle_colour)}


def _group(views: Sequence[Sequence[_View]], settings: TogetherSettings) -> list[_Group]:
    """The views of each photograph by the kingdom that they show; no two of one are the same."""
    groups: list[_Group] = []
    for of_photo in views:
        known = list(groups)
        compared = [[_compare(group, view, settings) for view in of_photo] for group in known]
        odds = np.array([[best for best, _, _ in row] for row in compared])
        odds = odds.reshape(len(known), len(of_photo))
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
    settings = settings or TogetherSettings()
    read = [
        (number, each)
        for number, each in enumerate(readings)
        if each and not any(other and _is_again(each, other) for other in readings[:number])
    ]
    if not read:
        raise ValueError("expected a reading at least")
    views = [
        [_view(kingdom, number, (each.width, each.height), settings) for kingdom in each.kingdoms]
        for number, each in read
    ]
    groups = _group(views, settings)
    several = [group for group in groups if len(group.views) > 1]
    judgements = judge_table([_observe(group.seen) for group in several], judging)
    for group, judgement in zip(several, judgements, strict=True):
        if judgement is not None:
            group.reading = _make(group, judgement, settings)
    for group in groups:
        if group.may_be_another:
            warnings = sort_codes({*group.reading.warnings, "maybe_same"})
            group.reading = replace(group.reading, warnings=warnings)
    whole = [group for group in groups if len(group.views) > 1 or not _is_piece(group, several)]
    kingdoms = sorted(
        (group.reading for group in whole),
        key=lambda each: -sum(not square.is_empty for _, square in each.kingdom.items()),
    )
    seconds = Counter[str]()
    for _, each in read:
        seconds.update(each.seconds)
    warnings = sort_codes({code for _, each in read for code in each.warnings})
    first = read[0][1]
    return PhotoReading(tuple(kingdoms), first.width, first.height, dict(seconds), warnings)


def _is_again(one: PhotoReading, other: PhotoReading) -> bool:
    """Whether two readings are of the same picture, which says nothing new."""
    return (one.width, one.height) == (other.width, other.height) and all(
        a.squares == b.squares and np.array_equal(a.homography, b.homography)
        for a, b in zip(one.kingdoms, other.kingdoms, strict=False)
    )


def _observe(seen: _View) -> Observation:
    """What all views of a kingdom give to the judgement."""
    probabilities = {cell: seen.belief[cell] for cell in seen.extent.cells()}
    return Observation(
        probabilities,
        [
            cell
            for cell, found in probabilities.items()
            if found[EMPTY_AT] < BARE and seen.known[cell]
        ],
        hidden=[cell for cell in probabilities if not seen.known[cell]],
        extent=seen.extent,
    )


def _make(group: _Group, judgement: Judgement, settings: TogetherSettings) -> KingdomReading:
    """The reading of a kingdom that several photographs show, by the pixels of the first."""
    seen, squares = group.seen, judgement.squares.copy()
    for cell, judged in squares.items():
        unsure = judged.probability < settings.least or judged.settled_from is not None
        asked = unsure or not seen.unasked[cell]
        reason = str(seen.reasons[cell]) or None
        squares[cell] = replace(judged, doubtful=asked, reason=reason if asked else None)
    certain = judgement.certain and any(view.reading.lattice_certain for view, _ in group.views)
    if not certain and not any(square.doubtful for square in squares.values()):
        weakest = min(squares, key=lambda cell: squares[cell].probability)
        squares[weakest] = replace(squares[weakest], doubtful=True)
    shown = [cell for cell, each in squares.items() if each.label != EMPTY or each.doubtful]
    box = smallest_extent(shown) or judgement.extent
    rows = tuple(
        tuple(squares[r, c] for c in range(box.left, box.right)) for r in range(box.top, box.bottom)
    )
    moved = np.eye(3)
    moved[:2, 2] = box.left - MARGIN, box.top - MARGIN
    colours = _castle_colours(group)
    belief = seen.belief[box.top : box.bottom, box.left : box.right]
    reading = KingdomReading(
        kingdom_of(rows),
        rows,
        seen.reading.homography @ moved,
        castle_colour=colours.pop() if len(colours) == 1 else None,
        lattice_certain=certain,
        probabilities=belief,
        considered=belief[..., EMPTY_AT] < BARE,
        unpaired=frozenset((r - box.top, c - box.left) for r, c in judgement.unpaired),
        next_best=None if certain else seen.reading.next_best,
        warnings=_warnings(group, squares),
        photos=tuple(view.photo for view, _ in group.views),
    )
    return flag_missing_halves(reading)


def _warnings(group: _Group, squares: Mapping[Position, SquareReading]) -> tuple[str, ...]:
    """What makes all of the readings incomplete; a side that one picture shows is not cut off."""
    codes = set.intersection(*(set(view.reading.warnings) for view, _ in group.views))
    occupied = [cell for cell, square in squares.items() if square.label != EMPTY]
    if "cut_off" in codes and occupied:
        extent = Extent.of(occupied)
        unknown = [cell for cell in around(occupied) if not group.seen.known[cell]]
        most = size_limit(extent.longest)
        if not any(extent.with_cell(cell).longest <= most for cell in unknown):
            codes.discard("cut_off")
    return sort_codes(codes)


def _is_piece(group: _Group, several: Sequence[_Group]) -> bool:
    """Whether one view is a piece of a kingdom that other photographs show as a whole."""
    reading = group.seen.reading
    squares = [(c + 0.5, r + 0.5) for (r, c), s in reading.kingdom.items() if not s.is_empty]
    points = reading.points(squares)
    for other in several:
        for mine, pose in other.views:
            if mine.photo != group.seen.photo:
                continue
            inverse = np.asarray(np.linalg.inv(mine.reading.homography), np.float64)
            at = np.floor(project(points, inverse)).astype(int)[:, ::-1] + MARGIN
            counts = np.zeros(mine.known.shape)
            inside = ((at >= 0) & (at < counts.shape)).all(1)
            np.add.at(counts, tuple(at[inside].T), 1)
            belief = other.seen.belief
            on = pose.lay(counts, belief.shape, False)[belief[..., EMPTY_AT] < 0.5]
            if 2 * on.sum() > len(squares):
                return True
    return False
