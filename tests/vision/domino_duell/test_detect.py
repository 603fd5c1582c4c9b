"""Circles become a lattice, and the lattice is placed on the board."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, Shape
from vision.common.geometry import project
from vision.domino_duell.detect import (
    Lattice,
    find_middles,
    grow_lattices,
    place,
    place_board,
    places_of,
)


def test_middles_of_discs_bright_and_dark() -> None:
    picture = np.full((480, 640, 3), 120, np.uint8)
    middles = [(100, 90), (220, 90), (340, 200), (500, 380)]
    for number, (x, y) in enumerate(middles):
        colour = (250, 80, 40) if number % 2 else (20, 40, 60)
        cv2.circle(picture, (x, y), 15, colour, -1, cv2.LINE_AA)
    points, rounds = find_middles(picture)
    assert (np.diff(rounds) <= 0).all()
    first = points[: len(middles)]
    for middle in middles:
        assert np.linalg.norm(first - middle, axis=1).min() < 1.5


def test_an_even_picture_has_none() -> None:
    points, rounds = find_middles(np.full((480, 640, 3), 90, np.uint8))
    assert points.shape == (0, 2)
    assert rounds.shape == (0,)


TILTED = np.array([[38.0, 9.0, 240.0], [-7.0, 33.0, 150.0], [0.004, -0.006, 1.0]])


def points(seed: int, noise_px: float = 0.0, strangers: int = 0) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    seen = project(places_of(DEFAULT_SHAPE), TILTED)
    seen = seen + rng.normal(0, noise_px, seen.shape)
    return np.concatenate([seen, rng.uniform(0, 900, (strangers, 2))])


def test_neighbours_are_one_step_apart() -> None:
    places = places_of(DEFAULT_SHAPE)
    for index, near in enumerate(DEFAULT_SHAPE.neighbours):
        steps = np.linalg.norm(places[list(near)] - places[index], axis=1)
        np.testing.assert_allclose(steps, 1.0)
    np.testing.assert_allclose(np.linalg.norm(place([(1, 0), (0, 1), (-1, 1)]), axis=1), 1.0)


@pytest.mark.parametrize(("noise_px", "strangers"), [(0.0, 0), (1.5, 40)])
def test_the_lattice_of_a_tilted_board_is_found(noise_px: float, strangers: int) -> None:
    found = grow_lattices(points(1, noise_px, strangers))
    assert len(found[0]) >= 98
    seen = project(place(found[0].nodes), found[0].homography)
    assert np.median(np.linalg.norm(seen - found[0].points, axis=1)) < 2 * noise_px + 0.1


def test_a_cloth_that_bends_comes_after_the_board() -> None:
    """Its lattice has more points, but they do not lie on one plane."""
    across, down = np.meshgrid(np.arange(14.0), np.arange(14.0))
    cloth = np.stack([26 * across + 13 * (down % 2), 22 * down], -1).reshape(-1, 2)
    cloth = cloth + 9 * np.sin(cloth[:, ::-1] / 45) + (900.0, 700.0)
    board = points(1)
    both = np.random.default_rng(0).permutation(np.concatenate([cloth, board]))
    first, second = grow_lattices(both)
    assert len(first) == first.agreeing == len(board)
    assert len(second) > len(first)


def test_points_at_random_are_no_lattice() -> None:
    assert grow_lattices(np.random.default_rng(0).uniform(0, 900, (60, 2))) == []
    assert grow_lattices(np.full((40, 2), 300.0)) == []
    assert grow_lattices(np.zeros((0, 2))) == []


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


def test_points_that_lie_near_mend_the_homography() -> None:
    """The lattice is a tenth of a step off, as where a few of its points are wrong."""
    places, board = places_of(DEFAULT_SHAPE), board_at(20)
    middles = project(places, board)
    lattice = grow_lattices(middles)[0]
    off = np.array([[1.0, 0, 4.0], [0, 1.0, -3.0], [0, 0, 1.0]]) @ lattice.homography
    nothing = seen_by(board, DEFAULT_SHAPE, lattice)
    found = place_board(replace(lattice, homography=off), middles, DEFAULT_SHAPE, SIZE, nothing)
    assert found is not None
    seen = project(places, found.homography)
    gaps = np.linalg.norm(seen[:, None] - middles[None], axis=2).min(1)
    assert gaps.max() < 0.05


def test_a_board_that_does_not_fit_into_the_picture() -> None:
    board = board_at(0)
    middles = project(places_of(DEFAULT_SHAPE), board)
    lattice = grow_lattices(middles)[0]
    nothing = seen_by(board, DEFAULT_SHAPE, lattice)
    assert place_board(lattice, middles, DEFAULT_SHAPE, (500, 400), nothing) is None
