"""What several photographs show of the same kingdoms, put together: what a hand, a lamp or the edge
of the picture hides in one may be seen in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, around, longest_side, smallest_extent
from vision.kingdomino import result
from vision.kingdomino.cells import keep_within
from vision.kingdomino.lattice import Lattice
from vision.kingdomino.result import (
    EMPTY,
    EMPTY_AT,
    LABELS,
    LIKELY,
    Floats,
    KingdomReading,
    PhotoReading,
)
from vision.kingdomino.settling import (
    Judgement,
    JudgeSettings,
    Observation,
    find_holes,
    judge_table,
)
from vision.kingdomino.warn import sort_codes

Cells = NDArray[np.void]

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


# What is known of a cell: ``belief`` (labels,) what is likely to lie there, ``unasked`` whether it
# is seen and not asked about, ``known`` whether anything of it is, ``within`` whether it is a cell
# of the reading, ``reason`` why it is asked about, "" where none is given.
_CELL = np.dtype(
    [("belief", float, len(LABELS)), ("reason", object)]
    + [(name, bool) for name in ("unasked", "known", "within")]
)
_UNKNOWN = np.array((USUAL, "", False, False, False), _CELL)


def _view(reading: KingdomReading, photo: PhotoReading, settings: TogetherSettings) -> _Group:
    """The group of a single view, a kingdom of a photograph."""
    height, width = reading.kingdom.height + 2 * MARGIN, reading.kingdom.width + 2 * MARGIN
    places = np.indices((height + 1, width + 1)).reshape(2, -1).T[:, ::-1] - MARGIN
    points = reading.points(places)
    # Beyond the horizon a point comes back on the other side.
    ahead = np.c_[places, np.ones(len(places))] @ reading.homography[2] > 1e-9
    inside = ((points >= 0) & (points <= (photo.width - 1, photo.height - 1))).all(1) & ahead
    corners = sliding_window_view(inside.reshape(height + 1, width + 1), (2, 2))
    bare = settings.asked if INCOMPLETE & set(reading.warnings) else settings.bare
    cells = np.full((height, width), _UNKNOWN)
    cells[corners.all((2, 3))] = _believe(EMPTY, bare, USUAL), "", True, True, False
    for (row, column), square in reading.by_position.items():
        hides = square.doubtful and square.reason in result.UNSEEN
        known, belief = not (hides and square.label == EMPTY), USUAL
        if known and square.label in LABELS:
            found = USUAL if reading.probabilities is None else reading.probabilities[row, column]
            asked = settings.half_seen if hides else settings.asked
            belief = _believe(square.label, asked if square.doubtful else settings.sure, found)
        told = belief, square.reason or "", not square.doubtful, known, True
        cells[row + MARGIN, column + MARGIN] = told
    return _Group(cells, reading, [(reading, _Pose())], may_be_another=False)


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
        """What a view says of its cells, by those of the first, which has a ``shape``.

        Where they don't meet it is ``beyond``.
        """
        laid = np.full(shape, beyond, cells.dtype)
        here, there = self.shared(laid, cells)
        here[:] = there
        return laid


@dataclass(eq=False)
class _Group:
    """The views of one kingdom.

    ``cells`` (rows, columns) are what they say together of those of the first reading and of the
    table around it up to ``MARGIN`` cells away: ``unasked``, ``known`` and ``within`` if they are
    so in one of them, the ``reason`` of the first that has any. ``views`` are their readings, each
    with how it lies on the first; ``reading`` is what is said of the kingdom.
    """

    cells: Cells
    reading: KingdomReading
    views: list[tuple[KingdomReading, _Pose]]
    may_be_another: bool

    def add(self, view: _Group, pose: _Pose) -> None:
        """One more view: what each of them saw is multiplied (Bayes, with ``USUAL`` before)."""
        cells, more = self.cells, pose.lay(view.cells, self.cells.shape, _UNKNOWN)
        product = cells["belief"] * more["belief"] / USUAL
        cells["belief"] = product / product.sum(-1, keepdims=True)
        cells["reason"] = np.where(cells["reason"] == "", more["reason"], cells["reason"])
        for name in ("unasked", "known", "within"):
            cells[name] |= more[name]
        self.views.append((view.reading, pose))

    @property
    def extent(self) -> Extent:
        """That of all readings that were put together."""
        return Extent.of([(r, c) for r, c in np.argwhere(self.cells["within"]).tolist()])

    @property
    def colours(self) -> set[str]:
        """Those of its castle."""
        return {colour for reading, _ in self.views if (colour := reading.castle_colour)}


def _compare(group: _Group, view: _Group, settings: TogetherSettings) -> tuple[float, float, _Pose]:
    """The logarithm of the odds that a view is of the kingdom of a group, and how it lies on it.

    Between them stands that of the next best way. What both see of a cell is compared with what
    two kingdoms that have nothing to do with each other show; that both are bare says nothing.
    """
    first, extent, found = group.cells["belief"], group.extent, []
    for turns in range(4):
        height, width = (n - 2 * MARGIN for n in np.rot90(view.cells, turns).shape)
        for down in range(extent.top - MARGIN - height + 1, extent.bottom - MARGIN):
            for right in range(extent.left - MARGIN - width + 1, extent.right - MARGIN):
                pose = _Pose(turns, down, right)
                one, other = pose.shared(first, view.cells["belief"])
                odds = np.log((one * other / USUAL).sum(-1))
                both_bare = (one[..., EMPTY_AT] > 0.5) & (other[..., EMPTY_AT] > 0.5)
                found.append((float(odds[~both_bare].sum()), pose))
    (best, pose), (second, _), *_ = sorted(found, key=lambda each: each[0], reverse=True)
    ours, colour = group.colours, view.reading.castle_colour
    if ours and colour:
        best += settings.same_colour if colour in ours else settings.other_colour
    return best, second, pose


def _group(photos: Sequence[Sequence[_Group]], settings: TogetherSettings) -> list[_Group]:
    """The views of each photograph by the kingdom that they show; no two of one are the same."""
    groups: list[_Group] = []
    for views in photos:
        known = list(groups)
        compared = [[_compare(group, view, settings) for view in views] for group in known]
        odds = np.reshape([[r[0] for r in row] for row in compared], (len(known), len(views)))
        for j, view in enumerate(views):
            for i, group in enumerate(known):
                best, second, pose = compared[i][j]
                others = [*np.delete(odds[i], j), *np.delete(odds[:, j], i), second]
                if best >= settings.same and best >= max(others) + settings.lead:
                    group.add(view, pose)
                    break
            else:
                maybe = [group for group, row in zip(known, odds, strict=True) if row[j] > 0]
                for group in maybe:
                    group.may_be_another = view.may_be_another = True
                groups.append(view)
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
        [_view(replace(kingdom, photos=(number,)), each, settings) for kingdom in each.kingdoms]
        for number, each in read.items()
    ]
    groups = _group(views, settings)
    several = [group for group in groups if len(group.views) > 1]
    judgements = judge_table([*map(_observe, several)], judging)
    for group, judgement in zip(several, judgements, strict=True):
        group.reading = _make(group, judgement, settings)
    for group in groups:
        if group.may_be_another:
            warnings = sort_codes({*group.reading.warnings, "maybe_same"})
            group.reading = replace(group.reading, warnings=warnings)
    kingdoms = sorted(
        (g.reading for g in groups if len(g.views) > 1 or not _is_piece(g.reading, several)),
        key=lambda each: -len(each.occupied),
    )
    seconds = Counter[str]()
    for each in read.values():
        seconds.update(each.seconds)
    warnings = sort_codes({code for each in read.values() for code in each.warnings})
    first, *_ = read.values()
    return PhotoReading(tuple(kingdoms), first.width, first.height, dict(seconds), warnings)


def _is_again(one: PhotoReading, other: PhotoReading) -> bool:
    """Whether two readings are of the same picture, which says nothing new.

    Of one of them only some kingdoms may be left.
    """
    return (one.width, one.height) == (other.width, other.height) and any(
        a.squares == b.squares and np.array_equal(a.homography, b.homography)
        for a, b in product(one.kingdoms, other.kingdoms)
    )


def _observe(group: _Group) -> Observation:
    """What all views of a kingdom give to the judgement."""
    extent, known = group.extent, group.cells["known"]
    found = {cell: group.cells["belief"][cell] for cell in extent.cells()}
    hidden = [cell for cell in found if not known[cell]]
    considered = [cell for cell in found if found[cell][EMPTY_AT] < BARE and known[cell]]
    occupied = [cell for cell in considered if found[cell][EMPTY_AT] < LIKELY]
    return Observation(found, considered, hidden, extent=extent, holes=find_holes(occupied, hidden))


def _make(group: _Group, judgement: Judgement, settings: TogetherSettings) -> KingdomReading:
    """The reading of a kingdom that several photographs show, by the pixels of the first."""
    squares, cells = judgement.squares.copy(), group.cells
    readings = [reading for reading, _ in group.views]
    for cell, judged in squares.items():
        unsure = judged.probability < settings.least or judged.settled_from is not None
        # A half needs it as its other half, though no photograph shows that it is hidden.
        is_missing = cell in judgement.hidden and cells["known"][cell]
        asked = unsure or is_missing or not cells["unasked"][cell]
        reason = "hidden" if is_missing else cells["reason"][cell] or None
        squares[cell] = replace(judged, doubtful=asked, reason=reason if asked else None)
    certain = judgement.certain and any(reading.lattice_certain for reading in readings)
    if not certain and not any(square.doubtful for square in squares.values()):
        weakest = min(squares, key=lambda cell: squares[cell].probability)
        squares[weakest] = replace(squares[weakest], doubtful=True)
    # What makes all of the readings incomplete; a side that one picture shows is not cut off.
    codes = set.intersection(*(set(reading.warnings) for reading in readings))
    occupied = [cell for cell, square in squares.items() if square.label != EMPTY]
    if "cut_off" in codes and occupied:
        unseen = [cell for cell in around(occupied) if not cells["known"][cell]]
        if not keep_within(unseen, occupied, result.size_limit(longest_side(occupied))):
            codes.discard("cut_off")
    is_hidden = any(square.reason == "hidden" for square in squares.values())
    if is_hidden or (judgement.unpaired and "cut_off" not in codes):
        codes.add("hidden")
    shown = [cell for cell, each in squares.items() if each.label != EMPTY or each.doubtful]
    box, first = smallest_extent(shown) or judgement.extent, group.reading
    found = {cell: cells["belief"][cell] for cell in box.cells()}
    seen = Observation(found, [cell for cell in found if found[cell][EMPTY_AT] < BARE])
    told = replace(judgement, squares=squares, extent=box, certain=certain)
    lattice = Lattice(first.homography, {}, 0.0).moved(box.top - MARGIN, box.left - MARGIN)
    colour = group.colours.pop() if len(group.colours) == 1 else None
    return replace(
        told.reading(seen, lattice.homography, colour),
        next_best=None if certain else first.next_best,
        warnings=sort_codes(codes),
        photos=tuple(reading.photos[0] for reading in readings),
    )


def _is_piece(one: KingdomReading, several: Sequence[_Group]) -> bool:
    """Whether the kingdom of one view is a piece of one that other photographs show as a whole."""
    squares = [(c + 0.5, r + 0.5) for (r, c), s in one.kingdom.items() if not s.is_empty]
    points = one.points(squares)
    for group in several:
        is_on = group.cells["belief"][..., EMPTY_AT] < 0.5
        for mine, pose in group.views:
            if mine.photos == one.photos:
                (x, y) = Lattice(mine.homography, {}, 0.0).places(points).T + MARGIN
                shape = mine.kingdom.height + 2 * MARGIN, mine.kingdom.width + 2 * MARGIN
                counts, *_ = np.histogram2d(y, x, shape, [(0, cells) for cells in shape])
                if 2 * pose.lay(counts, is_on.shape, 0)[is_on].sum() > len(squares):
                    return True
    return False
