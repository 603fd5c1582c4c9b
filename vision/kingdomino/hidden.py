"""Places of a kingdom where something lies that is neither a square nor the table.

A hand, a card or a glass hides what lies under it, and the place then looks bare. But it does not
look like the table around the kingdom: places within the kingdom's extent that show no square are
compared with places all around.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.rectify import cut_square
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.judgement import Judgement
from vision.kingdomino.labels import EMPTY, LABELS
from vision.kingdomino.locate.lattice import Lattice
from vision.kingdomino.result import SquareReading

__all__ = ["HiddenSettings", "hidden_places", "spread", "table_distances", "with_missing_halves"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HiddenSettings:
    """When a place shows something other than the table.

    The table is seen on the places up to ``reach`` squares around the kingdom, ``min_table`` of
    them at least. A place is like the table when it resembles the nearest ``share`` of these, as
    well as they resemble each other: its distance is at most ``max_distance`` times theirs (that
    of all but a tenth of them), and ``slack`` more on a scale where black and white are 100 apart.
    A label below the probability ``unlikely`` that settling chose tells of a square not seen.
    """

    reach: int = 2
    min_table: int = 8
    share: float = 0.4
    max_distance: float = 1.5
    slack: float = 8.0
    border_share: float = 0.12
    unlikely: float = 0.1


def hidden_places(
    rgb: Image, lattice: Lattice, grid: Grid, settings: HiddenSettings
) -> frozenset[Position]:
    """The places within the extent of a kingdom that something seems to hide.

    ``lattice`` is that of the grid in pixels of the picture (h, w, 3).
    """
    rows, columns = zip(*grid.occupied, strict=True)
    top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
    reach = settings.reach
    inner, outer = [], []
    for r in range(top - reach, bottom + reach + 1):
        for c in range(left - reach, right + reach + 1):
            if top <= r <= bottom and left <= c <= right:
                if (r, c) not in grid.occupied:
                    inner.append((r, c))
            elif (r, c) not in grid.probabilities or (r, c) not in lattice.members:
                outer.append((r, c))
    if not inner:
        return frozenset()
    looks = {cell: _look(rgb, lattice, cell, settings) for cell in (*inner, *outer)}
    table = [look for cell in outer if (look := looks[cell]) is not None]
    places = [cell for cell in inner if looks[cell] is not None]
    if not places or len(table) < settings.min_table:
        return frozenset()
    own, apart = table_distances(
        np.array(table), np.array([looks[cell] for cell in places]), settings.share
    )
    most = settings.max_distance * float(np.percentile(own, 90)) + settings.slack
    return frozenset(cell for cell, far in zip(places, apart, strict=True) if far > most)


def with_missing_halves(
    judgement: Judgement, probabilities: Mapping[Position, Floats], settings: HiddenSettings
) -> tuple[Judgement, frozenset[Position]]:
    """The judgement where the box tells that squares of the kingdom are not seen, and their places.

    Every square but the castle is half of a domino. One without the other half, one that settling
    took away, or made something that was not seen at all, tells of a square that is hidden, but
    not of which: partners shift along a row. So any bare place beside squares within the extent
    may be it; where there is one, what settling changed for want of it is taken as it was seen.
    ``probabilities`` are those of the labels by position.
    """
    squares = judgement.squares
    changed = {
        position: square
        for position, square in squares.items()
        if square.settled_from not in (None, EMPTY, "c")
        and (square.label == EMPTY or square.probability < settings.unlikely)
    }
    if not judgement.unpaired and not changed:
        return judgement, frozenset()
    holes = frozenset(
        cell
        for cell, square in squares.items()
        if square.label == EMPTY and cell not in changed and _is_beside(cell, squares)
    )
    if not holes:
        return judgement, holes
    back = {}
    for position, square in changed.items():
        seen = str(square.settled_from)
        back[position] = replace(
            square,
            label=seen,
            probability=float(min(probabilities[position][LABELS.index(seen)], 1.0)),
            runner_up=square.label,
            doubtful=True,
            settled_from=None,
            reason="hidden",
        )
    return replace(judgement, squares={**squares, **back}), holes


def _is_beside(cell: Position, squares: Mapping[Position, SquareReading]) -> bool:
    """Whether a place lies beside a square that is half of a domino."""
    r, c = cell
    around = ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c))
    return any(near in squares and squares[near].label not in (EMPTY, "c") for near in around)


def spread(hidden: frozenset[Position], judgement: Judgement) -> frozenset[Position]:
    """Hidden places with all bare ones of the extent that hang together with them.

    What covers one place covers its neighbours too, more often than not.
    """
    found, waiting = set(hidden), list(hidden)
    while waiting:
        row, column = waiting.pop()
        for cell in ((row + dr, column + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)):
            square = judgement.squares.get(cell)
            if square is not None and square.label == EMPTY and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return frozenset(found)


def table_distances(table: Floats, places: Floats, share: float) -> tuple[Floats, Floats]:
    """How far the looks (n, k) of a table are from each other and those of places (m, k) from it.

    A distance is that to the farthest of the nearest ``share`` of the table.
    """
    near = max(1, round(share * len(table)))

    def distances(looks: Floats, skip: int) -> Floats:
        apart = np.linalg.norm(looks[:, None] - table[None], axis=2)
        return np.asarray(np.sort(apart, axis=1)[:, min(near + skip, len(table)) - 1])

    return distances(table, 1), distances(places, 0)


def _look(rgb: Image, lattice: Lattice, cell: Position, settings: HiddenSettings) -> Floats | None:
    """Mean colour in CIE L*a*b* and roughness of a place; None outside of the picture."""
    row, column = cell
    low, high = settings.border_share, 1 - settings.border_share
    corners = lattice.points(
        [(column + x, row + y) for x, y in ((low, low), (high, low), (high, high), (low, high))]
    )
    height, width = rgb.shape[:2]
    if (corners < 0).any() or (corners > (width - 1, height - 1)).any():
        return None
    patch = cut_square(rgb, corners).astype(np.float32) / 255
    lab = cv2.cvtColor(patch, cv2.COLOR_RGB2LAB).reshape(-1, 3)
    rough = cv2.Laplacian(cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY), cv2.CV_32F).std()
    return np.array([*lab.mean(0), 0.5 * lab[:, 0].std(), 60 * rough], np.float64)
