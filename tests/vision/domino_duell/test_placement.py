from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, Shape
from vision.common.rectify import project
from vision.domino_duell.detect import Lattice, grow_lattices, place_board, places_of

Floats = NDArray[np.float64]
SIZE = (900, 700)


def board_at(turn_deg: float, shape: Shape = DEFAULT_SHAPE) -> Floats:
    """A homography of a board turned about the middle of the picture."""
    angle = math.radians(turn_deg)
    cos, sin = 42 * math.cos(angle), 42 * math.sin(angle)
    turned = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    places = places_of(shape)
    middle = project((places.min(0) + places.max(0))[None] / 2, turned)[0]
    turned[:2, 2] = np.array(SIZE) / 2 - middle
    return turned


def seen_by(board: Floats, shape: Shape, lattice: Lattice) -> Callable[[Floats], Floats]:
    """A classifier that is fairly sure where the hollows are."""
    middles = project(places_of(shape), board)

    def nothing(places: Floats) -> Floats:
        points = project(places, lattice.homography)
        near = np.linalg.norm(points[:, None] - middles[None], axis=2).min(1) < 12
        return np.where(near, 0.1, 0.9)

    return nothing


@pytest.mark.parametrize("turn_deg", [0, 17, 75, 140, 200, 290])
def test_the_board_is_placed_whichever_way_it_lies(turn_deg: float) -> None:
    board = board_at(turn_deg)
    middles = project(places_of(DEFAULT_SHAPE), board)
    # Round things beside the board go on with the lattice.
    beside = project(places_of(DEFAULT_SHAPE)[:13] - (0.0, math.sqrt(3)), board)
    lattice = grow_lattices(np.concatenate([middles, beside]))[0]
    found = place_board(
        lattice, middles, DEFAULT_SHAPE, SIZE, seen_by(board, DEFAULT_SHAPE, lattice)
    )
    assert found is not None
    assert found.seen == 1.0
    assert found.margin > 12
    seen = project(places_of(DEFAULT_SHAPE), found.homography)
    distances = np.linalg.norm(seen[:, None] - middles[None], axis=2).min(1)
    assert distances.max() < 1.0
    assert seen[0, 1] <= seen[-1, 1]


def test_a_board_that_half_a_turn_changes_is_not_turned() -> None:
    shape = Shape.parse("o o o o o o\n o x x o o\no o o o o\n o o o o\no o o\n o o")
    board = board_at(180, shape)
    middles = project(places_of(shape), board)
    lattice = grow_lattices(middles)[0]
    found = place_board(lattice, middles, shape, SIZE, seen_by(board, shape, lattice))
    assert found is not None
    np.testing.assert_allclose(project(places_of(shape), found.homography), middles, atol=1.0)


def test_a_board_that_does_not_fit_into_the_picture() -> None:
    board = board_at(0)
    middles = project(places_of(DEFAULT_SHAPE), board)
    lattice = grow_lattices(middles)[0]
    nothing = seen_by(board, DEFAULT_SHAPE, lattice)
    assert place_board(lattice, middles, DEFAULT_SHAPE, (500, 400), nothing) is None
