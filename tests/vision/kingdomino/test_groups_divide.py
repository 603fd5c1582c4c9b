"""Dividing: two castles are two kingdoms, and a full kingdom takes no further domino."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import block, laid, seen
from vision.kingdomino.groups import RegroupSettings, divide_grid, drop_loose_domino
from vision.kingdomino.result import EMPTY_AT, LABELS

SETTINGS = RegroupSettings()
WHEAT = LABELS.index("w")
Floats = NDArray[np.float64]


def castles_at(cells: set[Position], castle: float = 0.99) -> dict[Position, Floats]:
    return {cell: seen(c=castle, w=1 - castle) for cell in cells}


def parts(
    places: dict[Position, tuple[float, float]], castles: set[Position], castle: float = 0.99
) -> list[set[Position]]:
    detections, grid = laid(places, castles_at(castles, castle))
    return [set(part.occupied) for part in divide_grid(detections, grid, SETTINGS)[0]]


def test_two_castles_with_a_gap_are_two_kingdoms() -> None:
    first, second = block(3, 3), block(3, 3, 3, gap=0.07)
    assert parts({**first, **second}, {(1, 1), (1, 4)}) == [set(first), set(second)]


@pytest.mark.parametrize("gap", [0.0, 0.06])
@pytest.mark.parametrize(("castle", "count"), [(0.96, 2), (0.94, 1)])
def test_what_fits_in_one_kingdom_is_divided_only_for_a_sure_castle(
    castle: float, count: int, gap: float
) -> None:
    small = {**block(4, 2), **block(4, 3, 2, gap=gap)}
    assert len(parts(small, {(1, 1), (2, 3)}, castle)) == count
    large = {**block(4, 3), **block(4, 3, 3, gap=0.06)}
    assert len(parts(large, {(1, 1), (2, 4)}, castle)) == 2


def test_what_hardly_looks_like_a_square_does_not_close_a_gap() -> None:
    # Another line lies three columns on, with a gap that is narrower than a square.
    whole = {**block(4, 3), (1, 3): (1.0, 3.0), **block(4, 2, 4), **block(4, 1, 6, gap=0.15)}
    detections, grid = laid(whole, castles_at({(1, 1), (1, 6)}))
    number = grid.lattice.members[1, 3]

    def last_of_first(score: float) -> int:
        scores = np.where(np.arange(len(detections)) == number, score, detections.scores)
        (first, _), _ = divide_grid(replace(detections, scores=scores), grid, SETTINGS)
        return max(column for _, column in first.occupied)

    assert last_of_first(0.9) == 5
    assert last_of_first(0.3) in (2, 3)


@pytest.mark.parametrize("second", [(1, 3), (2, 3), (0, 3)])
def test_a_castle_that_leans_over_the_next_square_is_no_second_one(second: Position) -> None:
    assert len(parts(block(5, 5), {(1, 2), second})) == 1
    assert len(parts(block(5, 5), {(1, 1), second})) == 2


def test_two_castles_that_touch_are_two_where_one_kingdom_would_be_too_wide() -> None:
    first, second = block(4, 4), block(4, 4, 4)
    assert parts({**first, **second}, {(1, 1), (1, 6)}) != [{**first, **second}.keys()]
    assert len(parts({**first, **second}, {(1, 1), (1, 6)})) == 2


def test_a_second_castle_that_is_unsure_divides_nothing_without_a_gap() -> None:
    whole = block(4, 8)
    assert len(parts(whole, {(1, 1), (1, 6)}, castle=0.7)) == 2  # too wide for any kingdom
    assert parts(block(4, 6), {(1, 1), (1, 4)}, castle=0.7) == [set(block(4, 6))]


def test_a_group_with_one_castle_and_no_wide_gap_is_one_kingdom_however_large() -> None:
    first, second = block(5, 5), block(5, 5, 5, gap=0.06)
    assert parts({**first, **second}, {(1, 1)}) == [{**first, **second}.keys()]
    assert parts({**first, **second}, {(1, 1), (1, 6)}) == [set(first), set(second)]


@pytest.mark.parametrize(("gap", "count"), [(0.08, 1), (0.09, 2)])
@pytest.mark.parametrize("castles", [{(1, 1)}, {(1, 4)}, set()])
def test_a_group_that_is_too_large_is_divided_at_a_wide_gap_though_a_castle_is_hidden(
    castles: set[Position], gap: float, count: int
) -> None:
    first, second = block(5, 4), block(5, 4, 4, gap=gap)
    found = parts({**first, **second}, castles)
    assert found == ([set(first), set(second)] if count == 2 else [{**first, **second}.keys()])
    assert len(parts({**block(5, 4), **block(5, 3, 4, gap=gap)}, castles)) == 1


@pytest.mark.parametrize(("other_gap", "contested"), [(0.055, 4), (0.03, 4), (0.0, 0)])
def test_a_row_that_may_belong_to_either_kingdom_is_contested(
    other_gap: float, contested: int
) -> None:
    # Two lines between the castles, a row apart, of which one is hardly the better.
    upper = {(r, c): (float(r), float(c)) for r in range(3) for c in range(4)}
    row = {(3, c): (3.06, float(c)) for c in range(4)}
    lower = {(r, c): (r + 0.06 + other_gap, float(c)) for r in range(4, 7) for c in range(4)}
    detections, grid = laid({**upper, **row, **lower}, castles_at({(1, 1), (5, 1)}))
    parts, numbers = divide_grid(detections, grid, SETTINGS)
    assert [len(part.occupied) for part in parts] == [12, 16]
    cells = {cell for cell, k in grid.lattice.members.items() if k in numbers}
    assert cells == (set(row) if contested else set())


@pytest.mark.parametrize(("gap", "contested"), [(0.05, True), (0.0, False)])
def test_squares_are_contested_where_a_wider_gap_parts_kingdoms_of_unlike_size(
    gap: float, contested: bool
) -> None:
    """The line that makes both as wide as usual wins; the gap is two columns before it."""
    whole = {**block(3, 3), **block(3, 7, 3, gap=gap)}
    detections, grid = laid(whole, castles_at({(1, 1), (1, 6)}))
    parts, numbers = divide_grid(detections, grid, SETTINGS)
    assert [len(part.occupied) for part in parts] == [15, 15]
    cells = {cell for cell, k in grid.lattice.members.items() if k in numbers}
    assert cells == (
        {(row, column) for row in range(3) for column in (3, 4)} if contested else set()
    )


DOMINO = {(2, 5): (2.0, 5.0), (2, 6): (2.0, 6.0)}


def test_a_full_kingdom_takes_no_further_domino() -> None:
    detections, grid = laid({**block(5, 5), **DOMINO}, castles_at({(2, 2)}))
    kept, loose = drop_loose_domino(detections, grid, SETTINGS)
    assert (set(kept.occupied), loose) == (set(block(5, 5)), frozenset())
    assert not set(kept.probabilities) & set(DOMINO)


@pytest.mark.parametrize(("empty", "left_out"), [(0.6, True), (0.4, False)])
def test_cells_that_are_most_likely_empty_make_no_domino_larger(
    empty: float, left_out: bool
) -> None:
    full, pattern = block(5, 5), {(4, 5): (4.0, 5.0)}
    detections, grid = laid({**full, **DOMINO, **pattern}, castles_at({(2, 2)}))
    seen = np.zeros(len(LABELS))
    seen[[EMPTY_AT, WHEAT]] = empty, 1 - empty
    grid = grid.with_probabilities({(4, 5): seen})
    kept, _ = drop_loose_domino(detections, grid, SETTINGS)
    assert (kept is not grid) == left_out
    assert (set(kept.occupied) == set(full)) == left_out


def test_a_group_without_any_square_that_was_seen_is_left_as_it_is() -> None:
    detections, grid = laid(block(5, 5), castles_at({(2, 2)}))
    seen = np.zeros(len(LABELS))
    seen[EMPTY_AT] = 1.0
    grid = grid.with_probabilities(dict.fromkeys(grid.probabilities, seen))
    assert drop_loose_domino(detections, grid, SETTINGS) == (grid, frozenset())


@pytest.mark.parametrize(("gap", "left_out"), [(0.0, False), (0.07, True)])
def test_a_domino_that_makes_a_kingdom_large_is_asked_about_or_left_out(
    gap: float, left_out: bool
) -> None:
    half = {cell: place for cell, place in block(5, 5).items() if cell[0] < 3}
    beside = {cell: (r, c + gap) for cell, (r, c) in DOMINO.items()}
    detections, grid = laid({**half, **beside}, castles_at({(1, 2)}))
    kept, loose = drop_loose_domino(detections, grid, SETTINGS)
    assert (kept is not grid) == left_out
    assert set(loose) == (set() if left_out else set(DOMINO))
    assert (set(kept.occupied) == set(half)) == left_out


def test_a_kingdom_of_a_large_game_keeps_its_dominoes() -> None:
    places = {**block(5, 5), **DOMINO, (3, 5): (3.0, 5.0), (3, 6): (3.0, 6.0)}
    detections, grid = laid(places, castles_at({(2, 2)}))
    assert drop_loose_domino(detections, grid, SETTINGS) == (grid, frozenset())


@pytest.mark.parametrize("is_above", [True, False])
def test_of_two_dominoes_beyond_seven_squares_the_one_with_the_wider_gap_is_left_out(
    is_above: bool,
) -> None:
    first, last = (0.07, 0.0) if is_above else (0.0, 0.07)
    domino = {(-1, 2): (-1 - first, 2.0), (-1, 3): (-1 - first, 3.0)}
    other = {(6, 2): (6 + last, 2.0), (6, 3): (6 + last, 3.0)}
    middle = {cell: place for cell, place in block(6, 6).items() if cell != (0, 0)}
    detections, grid = laid({**middle, **domino, **other}, castles_at({(2, 2)}))
    kept, loose = drop_loose_domino(detections, grid, SETTINGS)
    assert not loose
    assert set(grid.occupied - kept.occupied) == set(domino if is_above else other)


@pytest.mark.parametrize(
    ("more", "castle"),
    [
        (DOMINO, (2, 6)),
        ({(2, -1): (2.0, -1.0), (2, 5): (2.0, 5.0)}, (2, 2)),
    ],
    ids=["with the castle on it", "in two places"],
)
def test_two_squares_beyond_a_full_kingdom_that_are_no_loose_domino_stay(
    more: dict[Position, tuple[float, float]], castle: Position
) -> None:
    detections, grid = laid({**block(5, 5), **more}, castles_at({castle}))
    assert drop_loose_domino(detections, grid, SETTINGS) == (grid, frozenset())


@pytest.mark.parametrize("gap", [0.0, 0.07])
def test_a_single_square_that_makes_a_kingdom_large_is_no_loose_domino(gap: float) -> None:
    half = {cell: place for cell, place in block(5, 5).items() if cell[0] < 3}
    detections, grid = laid({**half, (2, 5): (2.0, 5.0 + gap)}, castles_at({(1, 2)}))
    assert drop_loose_domino(detections, grid, SETTINGS) == (grid, frozenset())


def test_what_is_contested_between_two_kingdoms_of_three_is_told() -> None:
    upper = {(r, c): (float(r), float(c)) for r in range(3) for c in range(4)}
    row = {(3, c): (3.06, float(c)) for c in range(4)}
    lower = {(r, c): (r + 0.1, float(c)) for r in range(4, 7) for c in range(4)}
    third = {(r, c): (float(r), c + 0.2) for r in range(3) for c in range(4, 7)}
    castles = {**castles_at({(1, 1), (1, 5)}), **castles_at({(5, 1)}, 0.97)}
    detections, grid = laid({**upper, **row, **lower, **third}, castles)
    parts, numbers = divide_grid(detections, grid, SETTINGS)
    assert sorted(len(part.occupied) for part in parts) == [9, 12, 16]
    assert {cell for cell, k in grid.lattice.members.items() if k in numbers} == set(row)
