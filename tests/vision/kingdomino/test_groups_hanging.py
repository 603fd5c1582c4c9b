"""Dominoes that hang on a kingdom by one side, and the table in the seam."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import SIDE, Places, block, laid, lattice_at
from vision.kingdomino import groups
from vision.kingdomino.cells import (
    CellLooks,
    Grid,
    GridSettings,
    HangingSettings,
    Seam,
    measure_seam,
)
from vision.kingdomino.groups import (
    RegroupSettings,
    find_doubtful_dominoes,
    find_hanging_dominoes,
)
from vision.kingdomino.lattice import LatticeSettings, fit_lattice, measure_offset
from vision.kingdomino.result import LABELS

CASTLE: dict[Position, str] = {(1, 1): "c"}
PICTURE = np.zeros((10, 10, 3), np.uint8)
DOMINO = [(1, 3), (2, 3)]


def beside(gap: float) -> Places:
    """Three by three squares and an upright domino to their right."""
    return {**block(3, 3), (1, 3): (1.0, 3 + gap), (2, 3): (2.0, 3 + gap)}


def doubted(
    places: Places, monkeypatch: pytest.MonkeyPatch, seam: Seam | None = None
) -> list[Position]:
    """The squares asked about; the table shows as in the ``seam``, or nobody can tell."""
    detections, grid = laid(places, CASTLE)
    monkeypatch.setattr(groups, "measure_seam", lambda *_: seam)
    looks, settings = CellLooks(PICTURE), RegroupSettings()
    return sorted(find_doubtful_dominoes(looks, detections, grid, (), settings))


@pytest.mark.parametrize("gap", [0.03, 0.08, 0.15, 0.3])
def test_the_offset_is_measured_with_the_lattice_and_not_against_it(gap: float) -> None:
    detections, grid = laid(beside(gap), CASTLE)
    fitted = fit_lattice(detections, grid.lattice.members, LatticeSettings())
    np.testing.assert_allclose(measure_offset(detections, fitted, DOMINO), (gap, 0), atol=0.005)


def test_the_offset_is_measured_in_a_tilted_view_too() -> None:
    detections, grid = laid(beside(0.1), CASTLE)
    corners = np.array([(0, 0), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * SIDE
    view = np.array([[0.9, 0.1, 20], [-0.05, 0.5, 40], [0.0001, 0.0009, 1.0]])

    def seen(points: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
        flat = np.c_[points, np.ones(len(points))] @ view.T
        return flat[:, :2] / flat[:, 2:]

    centres = seen(detections.centres)
    ends = [seen(detections.centres + corners[k]) for k in range(1, 5)]
    edges = np.stack([(ends[1] + ends[2] - ends[0] - ends[3]) / 2,
                      (ends[2] + ends[3] - ends[0] - ends[1]) / 2], 1)  # fmt: skip
    tilted = type(detections)(centres, edges, detections.scores, detections.grounds)
    fitted = fit_lattice(tilted, grid.lattice.members, LatticeSettings())
    np.testing.assert_allclose(measure_offset(tilted, fitted, DOMINO), (0.1, 0), atol=0.02)


@pytest.mark.parametrize(
    ("gap", "is_asked"), [(0.0, False), (0.04, False), (0.08, False), (0.09, True), (0.12, True)]
)
def test_a_domino_apart_is_asked_about(
    gap: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doubted(beside(gap), monkeypatch) == (DOMINO if is_asked else [])


@pytest.mark.parametrize(
    ("gap", "seam", "is_asked"),
    [
        (0.02, 0.0, False),
        (0.04, 0.04, False),
        (0.12, 0.0, False),  # asked about where nobody can tell
        (0.0, 0.05, True),
        (0.04, 0.1, True),
        (0.02, 0.2, False),  # so wide a seam without a gap is no table
        (0.07, 0.2, True),
    ],
)
def test_the_table_in_the_seam_tells_more_than_the_gap(
    gap: float, seam: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = doubted(beside(gap), monkeypatch, Seam(seam, seam))
    assert found == (DOMINO if is_asked else [])


@pytest.mark.parametrize(("gap", "is_asked"), [(0.02, False), (0.08, False), (0.09, True)])
def test_table_along_one_half_alone_tells_only_of_what_lies_off(
    gap: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doubted(beside(gap), monkeypatch, Seam(0.09, 0.02)) == (DOMINO if is_asked else [])


def test_a_crooked_domino_of_which_one_square_overlaps_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = {**block(3, 3), (1, 3): (1.0, 2.98), (2, 3): (2.0, 3.22)}
    assert doubted(places, monkeypatch) == DOMINO


def test_what_touches_by_two_sides_hangs_not() -> None:
    nook = {cell: place for cell, place in block(4, 4, gap=0.0).items() if cell != (0, 3)}
    _, grid = laid({**nook, (0, 3): (0.0, 3.2)}, CASTLE)
    parts = [set(part) for part, _ in find_hanging_dominoes(grid)]
    assert {(0, 3), (1, 3)} not in parts


def test_what_leaves_the_rest_in_parts_or_without_a_castle_hangs_not() -> None:
    chain = {(0, column): (0.0, column * 1.1) for column in range(7)}
    _, grid = laid(chain, {(0, 0): "c"})
    found = [sorted(part) for part, _ in find_hanging_dominoes(grid)]
    assert found == [[(0, 5), (0, 6)]]


def test_a_domino_beside_the_castle_alone_is_the_kingdom_and_hangs_not() -> None:
    _, grid = laid(block(1, 3), {(0, 0): "c"})
    assert find_hanging_dominoes(grid) == []


def test_a_castle_that_is_hardly_seen_tells_which_part_is_the_kingdom() -> None:
    _, grid = laid(beside(0.1), {(1, 1): "w"})
    unsure = grid.probabilities[1, 1].copy()
    unsure[[LABELS.index("w"), LABELS.index("c")]] = 0.9, 0.1
    seen = grid.with_probabilities({(1, 1): unsure})
    found = [sorted(part) for part, _ in find_hanging_dominoes(seen)]
    assert found == [sorted(DOMINO)]


def test_nothing_is_measured_on_a_lattice_that_reaches_its_horizon() -> None:
    detections, grid = laid(beside(0.1), CASTLE)
    horizon = np.array([[SIDE, 0, 0], [0, SIDE, 0], [-0.3, 0, 1.0]])
    lattice = replace(grid.lattice, homography=horizon)
    np.testing.assert_array_equal(measure_offset(detections, lattice, DOMINO), (0, 0))


SEAM_SIDE = 60
ORIGIN = 180
TABLE, WHEAT, LAKE = (150, 140, 120), (220, 190, 30), (40, 90, 200)
LATTICE = lattice_at((), ORIGIN, ORIGIN, SEAM_SIDE)
CELLS = {(r, c) for r in range(3) for c in range(3)}
SEAM_DOMINO: tuple[Position, ...] = ((0, 3), (1, 3))
GRID = Grid(LATTICE, {}, frozenset(CELLS | set(SEAM_DOMINO)))
TO_THE_LEFT = (0, -1)


def photo(
    gap: float, between: tuple[int, int, int] = TABLE, rest: tuple[int, int, int] = WHEAT
) -> NDArray[np.uint8]:
    """Nine squares and a domino beside them, so far off, on a table with some grain."""
    rng = np.random.default_rng(0)
    picture = np.full((600, 660, 3), TABLE, np.float32)
    for r, c in CELLS:
        picture[ORIGIN + SEAM_SIDE * r : ORIGIN + SEAM_SIDE * (r + 1),
                ORIGIN + SEAM_SIDE * c : ORIGIN + SEAM_SIDE * (c + 1)] = rest  # fmt: skip
    left, off = ORIGIN + 3 * SEAM_SIDE, round(gap * SEAM_SIDE)
    picture[ORIGIN : ORIGIN + 2 * SEAM_SIDE, left : left + off] = between
    picture[ORIGIN : ORIGIN + 2 * SEAM_SIDE, left + off : left + off + SEAM_SIDE] = LAKE
    picture += rng.normal(0, 4, (*picture.shape[:2], 1))
    return np.clip(picture, 0, 255).astype(np.uint8)


def both_halves(picture: NDArray[np.uint8], table: GridSettings | None = None) -> Seam | None:
    looks = CellLooks(picture, table)
    return measure_seam(looks, GRID, SEAM_DOMINO, TO_THE_LEFT, (), HangingSettings())


def seam(picture: NDArray[np.uint8], table: GridSettings | None = None) -> float | None:
    found = both_halves(picture, table)
    return None if found is None else found.widest


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.2, 0.3])
def test_the_table_shows_as_wide_as_the_gap(gap: float) -> None:
    assert seam(photo(gap)) == pytest.approx(gap, abs=0.02)


def test_a_seam_is_looked_at_along_every_side_and_in_a_turned_picture() -> None:
    turned = np.ascontiguousarray(np.rot90(photo(0.15)))
    # A quarter turn to the left: the domino lies above, its lower side touches.
    height = photo(0).shape[1]
    view = np.array([[0, 1, 0], [-1, 0, height], [0, 0, 1.0]]) @ LATTICE.homography
    grid = replace(GRID, lattice=replace(LATTICE, homography=view))
    found = measure_seam(CellLooks(turned), grid, SEAM_DOMINO, TO_THE_LEFT, (), HangingSettings())
    assert found == pytest.approx((0.15, 0.15), abs=0.03)


def test_each_half_is_looked_along() -> None:
    picture = photo(0.1)
    lower = picture[ORIGIN + SEAM_SIDE : ORIGIN + 2 * SEAM_SIDE, ORIGIN + 3 * SEAM_SIDE :]
    lower[:, :7] = LAKE
    assert both_halves(picture) == pytest.approx((0.1, 0.0), abs=0.02)
    # As dark as deep shadow, and as wide: nobody can tell, and what the other half shows counts.
    lower[:, :12] = 40
    assert both_halves(picture) == pytest.approx((0.1, 0.1), abs=0.02)
    # A dark square is no shadow.
    lower[:, :22] = 40
    assert both_halves(picture) == pytest.approx((0.1, 0.0), abs=0.02)


def test_the_seam_of_a_domino_at_its_end_is_not_that_between_its_halves() -> None:
    picture, part = photo(0.1), ((0, 3), (0, 4))
    below, left = ORIGIN + SEAM_SIDE, ORIGIN + 3 * SEAM_SIDE
    picture[below : below + SEAM_SIDE, left:] = picture[:SEAM_SIDE, left:]
    picture[ORIGIN:below, left + 6 + SEAM_SIDE : left + 6 + 2 * SEAM_SIDE] = LAKE
    grid = replace(GRID, occupied=frozenset(CELLS.union(part)))
    found = measure_seam(CellLooks(picture), grid, part, TO_THE_LEFT, (), HangingSettings())
    assert found == pytest.approx((0.1, 0.1), abs=0.02)


def test_what_is_shaded_counts_as_the_table_and_deep_shadow_as_nothing() -> None:
    shaded = tuple(round(0.85 * value) for value in TABLE)
    assert seam(photo(0.15, (shaded[0], shaded[1], shaded[2]))) == pytest.approx(0.15, abs=0.02)
    assert seam(photo(0.15, (40, 40, 40))) is None
    # A line of shadow is what dominoes that touch show.
    assert seam(photo(0.03, (40, 40, 40))) == pytest.approx(0.0, abs=0.02)


def test_squares_that_look_like_the_table_tell_nothing() -> None:
    assert seam(photo(0.1, rest=TABLE)) is None


def test_where_the_table_is_hardly_seen_nobody_can_tell() -> None:
    assert seam(photo(0.1), GridSettings(min_table=60)) is None
