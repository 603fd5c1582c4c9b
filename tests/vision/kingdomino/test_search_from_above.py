"""The table from straight above: its plane, what is off its scale, and how it is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.geometry import project
from vision.kingdomino import search
from vision.kingdomino.lattice import Detections, Lattice
from vision.kingdomino.search import (
    Located,
    LocateSettings,
    Locator,
    ViewSettings,
    drop_off_scale,
    fit_table,
    measure_slant,
    view_from_above,
)
from vision.kingdomino.weights import Weights

Floats = NDArray[np.float64]

SETTINGS = ViewSettings()
# From squares of the table to pixels: from above, and by a camera that leans.
ABOVE = np.array([[40.0, 0, 300], [0, 40, 300], [0, 0, 1]])
LEANING = np.array([[60.0, 10, 200], [0, 28, 200], [0, 0.02, 1]])
STEEP = np.array([[60.0, 10, 200], [0, 28, 200], [0, 0.05, 1]])


def squares(view: Floats, left: float, top: float, rows: int, columns: int, side: float) -> Floats:
    """The corners (n, 4, 2) in pixels of squares of a ``side`` that lie beside each other."""
    spots = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    at = [(left + side * (spots + (c, r)) + (0, top)) for r in range(rows) for c in range(columns)]
    return project(np.concatenate(at), view).reshape(-1, 4, 2)


def located(view: Floats, *groups: tuple[float, float, int, int, float]) -> Located:
    """What is found of groups (left, top, rows, columns, side), each on a lattice of its own."""
    quads, lattices, first = [], [], 0
    for left, top, rows, columns, side in groups:
        quads.append(squares(view, left, top, rows, columns, side))
        cells: list[Position] = [(r, c) for r in range(rows) for c in range(columns)]
        to_table = np.array([[side, 0, left], [0, side, left + top], [0, 0, 1]])
        members = {cell: first + k for k, cell in enumerate(cells)}
        lattices.append(Lattice(view @ to_table, members, 0.0))
        first += len(cells)
    corners = np.concatenate(quads)
    middles = (corners[:, 0] + corners[:, 2]) / 2
    edges = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], 1)
    count = len(corners)
    detections = Detections(middles, edges, np.full(count, 0.9), np.zeros((count, 10)))
    return Located(detections, sorted(lattices, key=lambda each: -len(each.members)))


KINGDOM = (0.0, 0.0, 5, 5, 1.0)


@pytest.mark.parametrize(("view", "least", "most"), [(ABOVE, 0.99, 1.05), (LEANING, 2.0, 8.0)])
def test_how_far_a_camera_leans_is_told_by_what_it_saw(
    view: Floats, least: float, most: float
) -> None:
    found = located(view, KINGDOM)
    plane = fit_table(found)
    assert plane is not None
    assert least <= measure_slant(found, plane, SETTINGS) <= most


def test_frames_that_lean_too_little_do_not_bend_the_plane_of_a_lattice() -> None:
    found = located(LEANING, KINGDOM)
    upright = np.tile(np.diag([50.0, 40.0]), (25, 1, 1))
    biased = Located(replace(found.detections, edges=upright), found.lattices)
    plane = fit_table(biased)
    assert plane is not None
    sizes = plane.sizes(squares(LEANING, 0, 0, 5, 5, 1.0))
    np.testing.assert_allclose(sizes, 1.0, rtol=1e-3)


def test_the_nearest_squares_against_the_farthest_tell_a_slant_too() -> None:
    """As of a long table, seen so that most of its squares look nearly square."""
    along = np.array([[60.0, 0, 0], [0, 60, 0], [0, 0.1, 1]])
    found = located(along, (-1.5, -3.5, 10, 3, 1.0))
    plane = fit_table(found)
    assert plane is not None
    assert measure_slant(found, plane, SETTINGS) == pytest.approx(2.08, abs=0.05)


def test_few_squares_tell_no_plane() -> None:
    assert fit_table(located(LEANING, (0, 0, 1, 2, 1.0))) is None


@pytest.mark.parametrize("count", [1, 13])
def test_frames_with_an_edge_of_no_length_are_off_the_scale(count: int) -> None:
    found = located(LEANING, KINGDOM)
    edges = found.detections.edges.copy()
    edges[:count, 0] = 0
    flat = Located(replace(found.detections, edges=edges), found.lattices)
    plane = fit_table(flat)
    assert plane is not None
    expected = 1.0 if count == 13 else measure_slant(found, plane, SETTINGS)
    assert measure_slant(flat, plane, SETTINGS) == pytest.approx(expected, rel=0.1)


def test_small_squares_are_a_picture_of_a_kingdom() -> None:
    found = located(LEANING, KINGDOM, (7.0, -7.0, 5, 5, 0.35))
    kept = drop_off_scale(found, SETTINGS)
    assert [each is found.lattices[0] for each in kept.lattices] == [True]
    assert kept.detections is found.detections


@pytest.mark.parametrize(("side", "kept"), [(1.0, [25, 2]), (0.35, [25])])
def test_a_piece_of_a_picture_goes_with_it(side: float, kept: list[int]) -> None:
    """Else it would grow to the kingdom that the picture shows."""
    found = located(LEANING, KINGDOM, (7.0, -7.0, 3, 3, 0.35), (9.0, -5.0, 1, 2, side))
    assert [len(each.members) for each in drop_off_scale(found, SETTINGS).lattices] == kept


def test_a_domino_beside_a_single_kingdom_tells_no_scale() -> None:
    found = located(LEANING, KINGDOM, (9.0, -5.0, 1, 2, 0.35))
    assert drop_off_scale(found, SETTINGS) is found


@pytest.mark.parametrize("side", [0.8, 1.25])
def test_kingdoms_near_and_far_are_of_one_size(side: float) -> None:
    found = located(LEANING, KINGDOM, (7.0, -7.0, 4, 4, side))
    assert len(drop_off_scale(found, SETTINGS).lattices) == 2


@pytest.mark.parametrize(
    ("side", "top", "kept"),
    [(0.6, -14.0, 2), (0.6, -7.0, 1), (0.68, 7.0, 2), (0.64, 7.0, 1), (0.35, -14.0, 1)],
)
def test_what_is_a_little_smaller_stays_unless_it_looks_so(
    side: float, top: float, kept: int
) -> None:
    """What lies nearer looks as large as the rest: of a panorama, which is no plane, all may be."""
    found = located(STEEP, KINGDOM, (7.0, top, 5, 5, side))
    assert len(drop_off_scale(found, SETTINGS).lattices) == kept


def bent(found: Located, radius: float) -> Located:
    """What is found where a panorama shows it: rolled off a cylinder about the camera."""
    quads = found.detections.quads()
    off = quads - quads.mean((0, 1))
    turn = np.arctan(off[..., 0] / radius)
    corners = np.stack([radius * turn, off[..., 1] * np.cos(turn)], -1)
    edges = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], 1)
    return Located(replace(found.detections, centres=corners.mean(1), edges=edges), found.lattices)


@pytest.mark.parametrize(("radius", "side", "kept"), [(800, 1.0, 3), (1e6, 1.0, 3), (800, 0.4, 2)])
def test_no_kingdom_of_a_panorama_is_a_picture_by_the_plane_of_another(
    radius: float, side: float, kept: int
) -> None:
    groups = [KINGDOM, (13.0, 3.0, 4, 4, 1.0), (27.0, 0.0, 4, 4, side)]
    found = bent(located(ABOVE, *groups), radius)
    assert len(drop_off_scale(found, SETTINGS).lattices) == kept


def test_many_small_pictures_do_not_make_the_kingdom_one() -> None:
    shown = [(7.0, -7.0 + 2.5 * k, 5, 5, 0.4) for k in range(4)]
    found = located(ABOVE, (0.0, 0.0, 3, 3, 1.0), *shown)
    assert [len(each.members) for each in drop_off_scale(found, SETTINGS).lattices] == [9]


def test_a_table_is_drawn_with_square_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    found = located(LEANING, KINGDOM)
    monkeypatch.setattr(search, "locate", lambda *_: located(ABOVE, KINGDOM))
    picture = np.full((600, 700, 3), 255, np.uint8)
    weights = Weights.load()
    how = Locator(weights.locator), SETTINGS
    flat = view_from_above(picture, found, *how, 1.6, 2, 1600)
    assert flat is not None
    assert view_from_above(picture, found, *how, 9.0, 2, 1600) is None
    assert {114, 255} <= set(np.unique(flat.picture))
    (corners,) = project(squares(LEANING, 2, 2, 1, 1, 1.0).reshape(-1, 2), flat.view)[None]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert sides == pytest.approx(sides.mean(), rel=0.02)


@pytest.mark.parametrize(("looks", "is_drawn"), [(1, True), (6, True), (7, False)])
def test_a_table_is_looked_at_again_until_its_squares_look_square(
    looks: int, is_drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From so low that the first pictures from above are still askew."""
    found = located(LEANING, KINGDOM)
    seen = iter([found] * (looks - 1) + [located(ABOVE, KINGDOM)])
    monkeypatch.setattr(search, "locate", lambda *_: next(seen))
    picture, locator = np.full((600, 700, 3), 255, np.uint8), Locator(Weights.load().locator)
    flat = view_from_above(picture, found, locator, SETTINGS, 1.6, 2, 1600)
    assert (flat is not None) == is_drawn


@pytest.mark.parametrize(
    ("reach", "most_px", "side_px"), [(1, 1600, 512), (3, 1600, 768), (3, 400, 400)]
)
def test_a_picture_from_above_shows_the_table_around_and_is_searched_as_it_is(
    reach: int, most_px: int, side_px: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is seen so already, as where the edge of the photo cuts a kingdom off."""
    looked: list[LocateSettings] = []

    def look(picture: NDArray[np.uint8], locator: Locator) -> Located:
        assert locator.settings.long_side_px == max(picture.shape)
        looked.append(locator.settings)
        margin = reach + 0.5
        side = len(picture) / (5 + 2 * margin)
        seen = np.array([[side, 0, side * margin], [0, side, side * margin], [0, 0, 1]])
        return located(seen, KINGDOM)

    monkeypatch.setattr(search, "locate", look)
    photo, locator = np.full((800, 800, 3), 255, np.uint8), Locator(Weights.load().locator)
    flat = view_from_above(photo, located(ABOVE, KINGDOM), locator, SETTINGS, 1.0, reach, most_px)
    assert flat
    assert max(flat.picture.shape) == pytest.approx(side_px, abs=2)
    assert {(each.other_long_sides_px, each.small_square_px) for each in looked} == {((), 0.0)}
