"""What the reader says of a photograph: frozen results that check themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Square

REASONS = ("hidden", "cut_off", "loose", "glare", "dark", "blurred", "grey")


@dataclass(frozen=True)
class SquareReading:
    """What was read on one square of the lattice.

    ``label`` is a square in notation ("." for no square), ``probability`` its calibrated
    probability in 0..1, ``runner_up`` the next best label, if there is one. ``doubtful`` marks a
    square that a person should look at; ``settled_from`` holds the plain reading where the
    knowledge of the box changed it. ``reason``, one of ``REASONS``, is a code for a doubt that is
    not about the label: "hidden" where something lies on the square, "cut_off" where it lies beyond
    the edge of the picture, "loose" where it may not belong to the kingdom, "glare", "dark",
    "blurred" or "grey" where the light leaves it unsure.
    """

    label: str
    probability: float
    runner_up: str | None = None
    doubtful: bool = False
    settled_from: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.probability <= 1.0:
            raise ValueError(f"probability: expected 0..1, got {self.probability}")


@dataclass(frozen=True)
class KingdomReading:
    """One kingdom of a photograph.

    ``squares`` has the rows and columns of ``kingdom``. ``homography`` (3, 3) maps lattice
    coordinates (x = column, y = row, whole numbers at the corners of squares) to pixels
    (x, y) of the upright photograph. ``castle_colour`` is one of pink, yellow, green, blue, brown
    or None where it was not seen well enough. ``lattice_certain`` is False where the grid itself
    is in doubt. ``probabilities`` (rows, columns, labels) is what the classifier saw, in the
    order of ``vision.kingdomino.labels.LABELS``; ``considered`` (rows, columns) are the cells
    that were candidates for settling, ``detection_scores`` (rows, columns) how sure the locator was
    of each square, 0..1, NaN where it found none, ``misfit`` how far the found squares lie from
    their cells, root mean square, as a share of a square: all that settling again needs.
    ``unpaired`` are the squares that are half of no domino.
    ``next_best`` is another reading of the same photograph, offered where the grid is not certain.
    ``warnings`` are codes of ``vision.kingdomino.judge.warn.WARNINGS``: what makes it incomplete.
    ``photos`` are the numbers of the photographs that show it, of several that were read together;
    the homography belongs to the first of them. It is empty where one was read for itself.
    """

    kingdom: Kingdom
    squares: tuple[tuple[SquareReading, ...], ...]
    homography: NDArray[np.float64] = field(compare=False)
    castle_colour: str | None = None
    lattice_certain: bool = True
    probabilities: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)
    considered: NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)
    detection_scores: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)
    misfit: float = field(default=0.0, compare=False)
    unpaired: frozenset[tuple[int, int]] = field(default=frozenset(), compare=False, repr=False)
    next_best: KingdomReading | None = field(default=None, compare=False, repr=False)
    warnings: tuple[str, ...] = ()
    photos: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.squares), len(self.squares[0]) if self.squares else 0)
        if shape != (self.kingdom.height, self.kingdom.width):
            expected = (self.kingdom.height, self.kingdom.width)
            raise ValueError(f"squares: expected rows and columns {expected}, got {shape}")

    @property
    def corners(self) -> NDArray[np.float64]:
        """Corners of the grid, shape (4, 2), pixels (x, y), clockwise from the top left."""
        width, height = self.kingdom.width, self.kingdom.height
        return self.points([(0, 0), (width, 0), (width, height), (0, height)])

    @property
    def doubtful(self) -> tuple[tuple[int, int], ...]:
        """The (row, column) of every square that a person should look at."""
        return tuple(
            (row, column)
            for row, squares in enumerate(self.squares)
            for column, square in enumerate(squares)
            if square.doubtful
        )

    def square_corners(self, position: tuple[int, int]) -> NDArray[np.float64]:
        """Corners of the square (row, column), shape (4, 2), pixels (x, y), clockwise."""
        row, column = position
        return self.points(
            [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        )

    def points(self, lattice_points: object) -> NDArray[np.float64]:
        """Photo pixels (x, y), shape (n, 2), of lattice points (column, row), shape (n, 2)."""
        from vision.common.rectify import (
            project,  # Loads OpenCV, which keeping a reading needs not.
        )

        lattice = np.asarray(lattice_points, dtype=np.float64).reshape(-1, 2)
        return project(lattice, self.homography)


@dataclass(frozen=True)
class PhotoReading:
    """All kingdoms of a photograph, or of several read together, largest first.

    ``width`` and ``height`` are pixels of the upright photograph, of several the first,
    ``seconds`` the time that each step took: decode, locate, classify, settle, warn. ``warnings``
    are codes of ``vision.kingdomino.judge.warn.WARNINGS`` that belong to no single kingdom.
    """

    kingdoms: tuple[KingdomReading, ...]
    width: int
    height: int
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    warnings: tuple[str, ...] = ()


def kingdom_of(squares: Sequence[Sequence[SquareReading]]) -> Kingdom:
    """The kingdom of rows of squares."""
    return Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in squares))
