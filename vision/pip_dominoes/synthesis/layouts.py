"""Where the pips of 0 to 18 lie on a half, as commonly printed and as some makers vary them.

A half is the square -1..1 in x (across the tile) and y (along it); the outermost pips lie at ±1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["HIGHEST", "common_layout", "varied_layout"]

Floats = NDArray[np.float64]

HIGHEST = 18

# Rows from the top; three columns, "o" is a pip. A row between two others is marked by its share.
_ROWS: dict[int, tuple[str, ...]] = {
    0: (),
    1: ("...", ".o.", "..."),
    2: ("..o", "...", "o.."),
    3: ("..o", ".o.", "o.."),
    4: ("o.o", "...", "o.o"),
    5: ("o.o", ".o.", "o.o"),
    6: ("o.o", "o.o", "o.o"),
    7: ("o.o", "ooo", "o.o"),
    8: ("ooo", "o.o", "ooo"),
    9: ("ooo", "ooo", "ooo"),
    10: ("ooo", "o.o", "o.o", "ooo"),
    12: ("ooo", "ooo", "ooo", "ooo"),
    13: ("ooo", "o.o", "ooo", "o.o", "ooo"),
    14: ("ooo", "ooo", "o.o", "ooo", "ooo"),
    15: ("ooo", "ooo", "ooo", "ooo", "ooo"),
    16: ("ooo", "o.o", "ooo", "ooo", "o.o", "ooo"),
    18: ("ooo", "ooo", "ooo", "ooo", "ooo", "ooo"),
}
# Left, middle and right column where the middle one lies between the rows of the others.
_COLUMNS: dict[int, tuple[int, tuple[float, ...]]] = {
    11: (4, (-1.0, 0.0, 1.0)),
    17: (6, (-1.0, -0.6, 0.0, 0.6, 1.0)),
}
# Other printings: outer columns of so many pips, and the middle one of so many evenly spread.
_OTHER: dict[int, tuple[tuple[int, int], ...]] = {
    10: ((3, 4), (4, 2)),
    11: ((4, 3),),
    13: ((4, 5), (5, 3)),
    14: ((5, 4),),
    16: ((5, 6), (6, 4)),
    17: ((6, 5),),
}


def _of_columns(outer: int, middle: NDArray[np.float64] | tuple[float, ...]) -> Floats:
    sides = np.linspace(-1, 1, outer)
    return np.array(
        [(x, y) for x in (-1.0, 1.0) for y in sides] + [(0.0, y) for y in middle], np.float64
    )


def common_layout(number: int) -> Floats:
    """The places (number, 2) of the pips as most sets print them, 0 to 18."""
    if number in _COLUMNS:
        return _of_columns(*_COLUMNS[number])
    rows = _ROWS[number]
    heights = np.linspace(-1, 1, len(rows)) if rows else np.zeros(0)
    places = [
        (column - 1.0, height)
        for row, height in zip(rows, heights, strict=True)
        for column, mark in enumerate(row)
        if mark == "o"
    ]
    return np.array(places, np.float64).reshape(-1, 2)


def varied_layout(number: int, turned: bool, mirrored: bool, other: int) -> Floats:
    """A layout as some maker prints it.

    ``turned`` by a quarter, ``mirrored``, or of the ``other``-th kind of columns (0 is common).
    """
    kinds = _OTHER.get(number, ())
    if other and kinds:
        outer, middle = kinds[(other - 1) % len(kinds)]
        spread = np.linspace(-1, 1, middle) if middle > 2 else np.linspace(-0.35, 0.35, middle)
        places = _of_columns(outer, spread)
    else:
        places = common_layout(number)
    if mirrored:
        places = places * (-1, 1)
    if turned:
        places = places[:, ::-1] * (1, -1)
    return np.asarray(places, np.float64)
