"""What the reader says of a photograph, in the labels of squares; results check themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.kingdomino import Kingdom, Position, Square
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID

EMPTY = "."
# A foreign square: a tile of another game.
FOREIGN = "x"
LABELS = (
    EMPTY, "c", "w", "w1", "f", "f1", "l", "l1", "g", "g1", "g2",
    "s", "s1", "s2", "m", "m1", "m2", "m3", "w2", "f2", "l2", FOREIGN,
)  # fmt: skip
# What only Age of Giants has, each with the label of one crown less.
ONE_CROWN = {"w2": "w1", "f2": "f1", "l2": "l1"}
CASTLE_COLOURS = ("pink", "yellow", "green", "blue", "brown")
# The outputs of the network: the labels, with one castle for each colour at the end.
OUTPUTS = (*(n for n in LABELS if n != "c"), *(f"c:{colour}" for colour in CASTLE_COLOURS))

Floats = NDArray[np.float64]

EMPTY_AT = LABELS.index(EMPTY)
CASTLE_AT = LABELS.index("c")
FOREIGN_AT = LABELS.index(FOREIGN)
# Of the labels that only Age of Giants has.
TWO_CROWNS_AT = [LABELS.index(label) for label in ONE_CROWN]
# More likely than not; and so probable that it is sure.
LIKELY, SURE = 0.5, 0.95
# The squares of a domino, and the least that a kingdom has: its castle and a domino.
DOMINO, MIN_SQUARES = 2, 3
# An empty cell more, and a kingdom of its size is not full.
MAX_HOLES = 4
# Of free cells the distance to the third nearest counts, as one or two may hold something.
NEIGHBOUR = 3


def size_limit(side: int) -> int:
    """How wide and high a kingdom may be of which ``side`` squares lie in a row."""
    return SMALL_GRID if side <= SMALL_GRID else LARGE_GRID


BARE: Floats = np.array([float(label == EMPTY) for label in LABELS])
"""The probabilities of a cell without any evidence of a square."""


def merge_foreign(probabilities: Floats, *, giants: bool = True) -> Floats:
    """The probabilities (..., labels) with foreign squares, which never score, as "no square".

    Without ``giants`` what only Age of Giants has is merged with the same terrain with one crown.
    """
    merged = probabilities.astype(np.float64)
    for label, to in ({FOREIGN: EMPTY} | ({} if giants else ONE_CROWN)).items():
        merged[..., LABELS.index(to)] += merged[..., LABELS.index(label)]
        merged[..., LABELS.index(label)] = 0.0
    return merged


def most_probable(merged: Floats) -> str:
    """The label with the largest of the probabilities (labels,), foreign squares merged."""
    return LABELS[int(np.argmax(merged))]


REASONS = ("hidden", "cut_off", "loose", "glare", "dark", "blurred", "grey")
# Where anything may lie that was not seen.
UNSEEN = ("hidden", "cut_off")
# Of a square (x, y), clockwise from the top left.
_CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])


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
    coordinates (x = column, y = row, whole numbers at the corners of squares) to pixels (x, y) of
    the upright photograph. ``castle_colour`` is one of ``CASTLE_COLOURS``, None where it was not
    seen well enough. ``lattice_certain`` is False where the grid itself is in doubt.
    ``probabilities`` (rows, columns, labels) is what the classifier saw, ``considered`` (rows,
    columns) are the cells that were candidates for settling: all that settling again needs.
    ``unpaired`` are the squares that are half of no domino. ``next_best`` is another reading of the
    same photograph, offered where the grid is not certain. ``warnings`` are codes of
    ``vision.kingdomino.warn.WARNINGS``: what makes it incomplete. ``photos`` are the numbers of
    those that show it, of several read together; the homography belongs to the first of them.
    """

    kingdom: Kingdom
    squares: tuple[tuple[SquareReading, ...], ...]
    homography: Floats = field(compare=False)
    castle_colour: str | None = None
    lattice_certain: bool = True
    probabilities: Floats | None = field(default=None, compare=False, repr=False)
    considered: NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)
    unpaired: frozenset[Position] = field(default=frozenset(), compare=False, repr=False)
    next_best: KingdomReading | None = field(default=None, compare=False, repr=False)
    warnings: tuple[str, ...] = ()
    photos: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        expected = (self.kingdom.height, self.kingdom.width)
        shape = (len(self.squares), len(self.squares[0]) if self.squares else 0)
        if shape != expected:
            raise ValueError(f"squares: expected rows and columns {expected}, got {shape}")

    @property
    def corners(self) -> Floats:
        """Corners of the grid, shape (4, 2), pixels (x, y), clockwise from the top left."""
        return self.points(_CORNERS * (self.kingdom.width, self.kingdom.height))

    def square_corners(self, position: Position) -> Floats:
        """Corners of the square (row, column), shape (4, 2), pixels (x, y), clockwise."""
        return self.points(_CORNERS + position[::-1])

    def points(self, lattice_points: ArrayLike) -> Floats:
        """Photo pixels (x, y), shape (n, 2), of lattice points (column, row), shape (n, 2)."""
        from vision.common.geometry import project  # Loads OpenCV, unneeded to keep a reading.

        return project(np.asarray(lattice_points, np.float64), self.homography)

    @property
    def by_position(self) -> dict[Position, SquareReading]:
        """The squares by (row, column), row by row."""
        return {(r, c): read for r, row in enumerate(self.squares) for c, read in enumerate(row)}

    @property
    def occupied(self) -> list[SquareReading]:
        """The squares, the castle included, row by row, without empty places."""
        return [square for row in self.squares for square in row if square.label != EMPTY]

    def with_squares(self, changed: Mapping[Position, SquareReading]) -> KingdomReading:
        """The reading with some other squares, given by (row, column)."""
        squares, columns = {**self.by_position, **changed}, range(self.kingdom.width)
        rows = tuple(tuple(squares[r, c] for c in columns) for r in range(self.kingdom.height))
        return replace(self, kingdom=kingdom_of(rows), squares=rows)

    @property
    def doubtful(self) -> tuple[Position, ...]:
        """The (row, column) of every square that a person should look at."""
        return tuple(place for place, square in self.by_position.items() if square.doubtful)


@dataclass(frozen=True)
class PhotoReading:
    """All kingdoms of a photograph, or of several read together, largest first.

    ``width`` and ``height`` are pixels of the upright photograph, of several the first,
    ``seconds`` the time that each step took: decode, locate, classify, settle, warn. ``warnings``
    are codes of ``vision.kingdomino.warn.WARNINGS`` that belong to no single kingdom.
    """

    kingdoms: tuple[KingdomReading, ...]
    width: int
    height: int
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    warnings: tuple[str, ...] = ()


def kingdom_of(squares: Sequence[Sequence[SquareReading]]) -> Kingdom:
    """The kingdom of rows of squares."""
    return Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in squares))


ANY_SQUARE = tuple(Square.parse(n) for n in LABELS if n not in (FOREIGN, "c", *ONE_CROWN))
"""What may lie where nothing is known: any square of the base game, or none."""
# Labels of this probability or more are offered for a doubtful square.
OFFERED = 0.02


def alternatives(reading: KingdomReading) -> dict[Position, tuple[Square, ...]]:
    """Other squares that may lie on each doubtful one, the most likely first.

    They are the runner-up, what was seen where the box chose otherwise, and every label of some
    probability. What can't be seen may be any square of the base game; what is loose, none.
    """
    found = {}
    for row, column in reading.doubtful:
        read = reading.squares[row][column]
        labels = [read.runner_up, read.settled_from]
        if read.reason == "loose":
            labels.append(EMPTY)
        if reading.probabilities is not None:
            seen = merge_foreign(reading.probabilities[row, column])
            order = np.argsort(-seen, kind="stable")
            labels += [LABELS[k] for k in order if seen[k] >= OFFERED]
        if read.reason in UNSEEN:
            labels += map(str, ANY_SQUARE)
        others = [each for each in dict.fromkeys(labels) if each not in (FOREIGN, read.label)]
        found[row, column] = tuple(Square.parse(each) for each in others if each)
    return found
