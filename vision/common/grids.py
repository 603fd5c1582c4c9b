"""Cells of a square grid: what lies beside them, what hangs together, and the extent of many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

Cell = tuple[int, int]
"""Row and column; they may be negative."""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""From a cell to its four neighbours: right, below, left, above."""

DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four neighbours of a cell, in the order of ``STEPS``."""
    row, column = cell
    return (row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)


def around(
    cells: Collection[Cell], *, edges: bool = True, corners: bool = False, reach: int = 1
) -> set[Cell]:
    """The cells beside the given ones, by ``edges``, ``corners`` or both, without themselves.

    Up to ``reach`` cells away, if by both.
    """
    if edges and corners:
        near = range(-reach, reach + 1)
        steps = tuple((dr, dc) for dr in near for dc in near)
    else:
        steps = (*(STEPS if edges else ()), *(DIAGONALS if corners else ()))
    return {(r + dr, c + dc) for r, c in cells for dr, dc in steps}.difference(cells)


def pairs_of(cells: Iterable[Cell], among: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Each of the ``cells`` with its neighbours to the right and below that are ``among`` them."""
    for row, column in cells:
        for other in ((row, column + 1), (row + 1, column)):
            if other in among:
                yield (row, column), other


def connect(cells: Collection[Cell], near: Iterable[tuple[Cell, Cell]]) -> list[set[Cell]]:
    """Groups of cells joined by pairs, largest first."""
    group = {cell: {cell} for cell in cells}
    for one, other in near:
        if group[one] is not group[other]:
            joined = group[one] | group[other]
            for cell in joined:
                group[cell] = joined
    distinct = {id(members): members for members in group.values()}
    return sorted(distinct.values(), key=lambda members: (-len(members), min(members)))


def hang_together(cells: Collection[Cell], *, corners: bool = False) -> list[set[Cell]]:
    """The cells by what hangs together, edge to edge or by ``corners`` too, largest first."""
    near = pairs_of(cells, cells)
    if not corners:
        return connect(cells, near)
    slanting = (((r, c), (r + 1, c + dc)) for r, c in cells for dc in (-1, 1))
    return connect(cells, [*near, *(pair for pair in slanting if pair[1] in cells)])


class Extent(NamedTuple):
    """A rectangle of cells: its first row and column, its height and width."""

    top: int
    left: int
    height: int
    width: int

    @classmethod
    def of(cls, cells: Collection[Cell]) -> Extent:
        """The smallest extent that holds all cells, of which there is one at least."""
        rows, columns = zip(*cells, strict=True)
        top, left = min(rows), min(columns)
        return cls(top, left, max(rows) - top + 1, max(columns) - left + 1)

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.top + self.height

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.left + self.width

    @property
    def longest(self) -> int:
        """The longer of both sides."""
        return max(self.height, self.width)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies in it."""
        return self.top <= cell[0] < self.bottom and self.left <= cell[1] < self.right

    def corners(self) -> tuple[tuple[int, int], ...]:
        """Its corners (x, y), clockwise from the top left."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        for row in range(self.top, self.bottom):
            for column in range(self.left, self.right):
                yield row, column

    def widened(self, by: int) -> Extent:
        """The extent and so many cells on each side."""
        return Extent(self.top - by, self.left - by, self.height + 2 * by, self.width + 2 * by)

    def with_cell(self, cell: Cell) -> Extent:
        """The extent that holds this one and a cell."""
        top, left = min(self.top, cell[0]), min(self.left, cell[1])
        bottom, right = max(self.bottom, cell[0] + 1), max(self.right, cell[1] + 1)
        return Extent(top, left, bottom - top, right - left)

    def windows(self, height: int, width: int) -> Iterator[Extent]:
        """The extents of that size within this one; where it is smaller, that from its corner."""
        for top in range(self.top, self.top + max(1, self.height - height + 1)):
            for left in range(self.left, self.left + max(1, self.width - width + 1)):
                yield Extent(top, left, height, width)


def smallest_extent(cells: Collection[Cell]) -> Extent | None:
    """The extent that holds all cells, None where there are none."""
    return Extent.of(cells) if cells else None


def longest_side(cells: Collection[Cell]) -> int:
    """How many cells wide or high these are, whichever is more; 0 for none."""
    extent = smallest_extent(cells)
    return extent.longest if extent else 0
