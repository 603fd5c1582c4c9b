"""The table in the seam between a domino and a kingdom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Lattice
from vision.kingdomino.kingdoms.hanging import SeamSettings, measure_seam
from vision.kingdomino.kingdoms.table_likeness import CellLooks

SIDE = 60
ORIGIN = 180
TABLE, WHEAT, LAKE = (150, 140, 120), (220, 190, 30), (40, 90, 200)
LATTICE = Lattice(np.array([[SIDE, 0, ORIGIN], [0, SIDE, ORIGIN], [0, 0, 1.0]]), {}, 0.0)
CELLS = {(r, c) for r in range(3) for c in range(3)}
DOMINO: tuple[Position, ...] = ((0, 3), (1, 3))
GRID = Grid(LATTICE, {}, {}, frozenset(CELLS | set(DOMINO)), {})
TO_THE_LEFT = (0, -1)


def photo(
    gap: float, between: tuple[int, int, int] = TABLE, rest: tuple[int, int, int] = WHEAT
) -> NDArray[np.uint8]:
    """Nine squares and a domino beside them, so far off, on a table with some grain."""
    rng = np.random.default_rng(0)
    picture = np.full((600, 660, 3), TABLE, np.float32)
    for r, c in CELLS:
        picture[ORIGIN + SIDE * r : ORIGIN + SIDE * (r + 1),
                ORIGIN + SIDE * c : ORIGIN + SIDE * (c + 1)] = rest  # fmt: skip
    left, off = ORIGIN + 3 * SIDE, round(gap * SIDE)
    picture[ORIGIN : ORIGIN + 2 * SIDE, left : left + off] = between
    picture[ORIGIN : ORIGIN + 2 * SIDE, left + off : left + off + SIDE] = LAKE
    picture += rng.normal(0, 4, (*picture.shape[:2], 1))
    return np.clip(picture, 0, 255).astype(np.uint8)


def seam(picture: NDArray[np.uint8], settings: SeamSettings | None = None) -> float | None:
    settings = settings or SeamSettings()
    return measure_seam(CellLooks(picture), GRID, DOMINO, TO_THE_LEFT, (), settings)


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.2, 0.3])
def test_the_table_shows_as_wide_as_the_gap(gap: float) -> None:
    assert seam(photo(gap)) == pytest.approx(gap, abs=0.02)


def test_a_seam_is_looked_at_along_every_side_and_in_a_turned_picture() -> None:
    turned = np.ascontiguousarray(np.rot90(photo(0.15)))
    # A quarter turn to the left: the domino lies above, its lower side touches.
    height = photo(0).shape[1]
    view = np.array([[0, 1, 0], [-1, 0, height], [0, 0, 1.0]]) @ LATTICE.homography
    grid = replace(GRID, lattice=replace(LATTICE, homography=view))
    width = measure_seam(CellLooks(turned), grid, DOMINO, TO_THE_LEFT, (), SeamSettings())
    assert width == pytest.approx(0.15, abs=0.03)


def test_one_square_along_which_the_table_shows_is_enough() -> None:
    picture = photo(0.1)
    picture[ORIGIN + SIDE : ORIGIN + 2 * SIDE, ORIGIN + 3 * SIDE :][:, :7] = LAKE
    assert seam(picture) == pytest.approx(0.1, abs=0.02)


def test_what_is_shaded_counts_as_the_table_and_deep_shadow_as_nothing() -> None:
    shaded = tuple(round(0.85 * value) for value in TABLE)
    assert seam(photo(0.15, (shaded[0], shaded[1], shaded[2]))) == pytest.approx(0.15, abs=0.02)
    assert seam(photo(0.15, (40, 40, 40))) is None
    # A line of shadow is what dominoes that touch show.
    assert seam(photo(0.03, (40, 40, 40))) == pytest.approx(0.0, abs=0.02)


def test_squares_that_look_like_the_table_tell_nothing() -> None:
    assert seam(photo(0.1, rest=TABLE)) is None


def test_where_the_table_is_hardly_seen_nobody_can_tell() -> None:
    assert seam(photo(0.1), SeamSettings(min_table=60)) is None
