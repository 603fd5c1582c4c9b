"""Views from above: a steep grid becomes one of upright squares."""

from __future__ import annotations

import numpy as np
import pytest

from vision.common.rectify import project
from vision.kingdomino.detect.lattice import Lattice
from vision.kingdomino.detect.view import (
    ViewSettings,
    fit_flat_view,
    stretch_views,
    view_from_above,
)

SETTINGS = ViewSettings()
CELLS = {(r, c): 5 * r + c for r in range(5) for c in range(5)}
STEEP = np.array([[60.0, 10, 200], [0, 28, 200], [0, 0.004, 1]])


def test_a_steep_lattice_is_drawn_with_square_squares() -> None:
    flat = fit_flat_view(Lattice(STEEP, CELLS, 0.0), SETTINGS)
    assert flat is not None
    corners = project(np.array([(1.0, 1), (2, 1), (2, 2), (1, 2)]), STEEP)
    seen = project(corners, flat.view)
    side, margin = SETTINGS.square_px, SETTINGS.margin
    first = side * (margin + 1)
    expected = [(first, first), (first + side, first), (first + side, first + side),
                (first, first + side)]  # fmt: skip
    np.testing.assert_allclose(seen, expected, atol=1e-6)
    assert flat.size == (round(side * (5 + 2 * margin)),) * 2


def test_a_lattice_seen_from_above_needs_no_view() -> None:
    assert fit_flat_view(Lattice(np.diag([50.0, 45, 1]), CELLS, 0.0), SETTINGS) is None


@pytest.mark.parametrize(
    ("stretch", "is_plain", "is_drawn"),
    [(1.2, False, False), (1.4, False, True), (1.4, True, False), (1.7, True, True)],
)
def test_what_is_plain_needs_a_view_from_steeper_on(
    stretch: float, is_plain: bool, is_drawn: bool
) -> None:
    lattice = Lattice(np.diag([50.0 * stretch, 50, 1]), CELLS, 0.0)
    assert (fit_flat_view(lattice, SETTINGS, is_plain=is_plain) is not None) == is_drawn


def test_few_squares_tell_no_view() -> None:
    assert fit_flat_view(Lattice(STEEP, {(0, 0): 0, (0, 1): 1}, 0.0), SETTINGS) is None
    assert fit_flat_view(None, SETTINGS) is None


@pytest.mark.parametrize("number", range(6))
def test_stretched_views_hold_the_whole_picture(number: int) -> None:
    view = stretch_views((400, 300), SETTINGS)[number]
    corners = project(np.array([(0.0, 0), (400, 0), (400, 300), (0, 300)]), view.view)
    assert corners.min(0) == pytest.approx((0, 0), abs=1e-6)
    assert corners.max(0) == pytest.approx(view.size, abs=1)


def test_the_first_view_is_stretched_from_top_to_bottom() -> None:
    assert stretch_views((400, 300), SETTINGS)[0].size == (400, 510)


def test_beyond_the_picture_is_grey() -> None:
    flat = fit_flat_view(Lattice(STEEP, CELLS, 0.0), SETTINGS)
    assert flat is not None
    picture = view_from_above(np.full((500, 700, 3), 255, np.uint8), flat)
    assert picture.shape[:2] == flat.size[::-1]
    assert {114, 255} <= set(np.unique(picture))
