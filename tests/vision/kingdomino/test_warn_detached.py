"""Squares that lie apart from a kingdom but on its grid are asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.kingdomino.small_grids import Places, block, laid_apart
from vision.kingdomino.cells import GridSettings
from vision.kingdomino.result import most_probable
from vision.kingdomino.warn import ApartSettings, find_detached_squares

SETTINGS, REACH = ApartSettings(), GridSettings().reach
KINGDOM = block(3, 3)
CASTLE = {(1, 1): "c"}


def asked(
    places: Places,
    labels: dict[tuple[int, int], str],
    *,
    light: tuple[str, ...] = (),
) -> dict[tuple[int, int], str]:
    detections, (kingdom, other) = laid_apart((KINGDOM, CASTLE), (places, labels))
    found, joined = find_detached_squares(
        detections, kingdom, [other], light, False, SETTINGS, REACH
    )
    assert not joined
    return found


def moved(places: Places, down: float = 0.0, right: float = 0.0) -> Places:
    return {cell: (r + down, c + right) for cell, (r, c) in places.items()}


THREE = block(3, 1, left=4)


def test_three_squares_a_step_away_on_the_grid_may_belong_to_it() -> None:
    assert asked(THREE, {(1, 4): "f1"}) == {(0, 4): "w", (1, 4): "f1", (2, 4): "w"}


@pytest.mark.parametrize(("off", "count"), [(0.35, 3), (0.37, 0)])
def test_what_lies_off_the_grid_does_not(off: float, count: int) -> None:
    assert len(asked(moved(THREE, down=off), {})) == count
    assert len(asked(moved(THREE, right=off), {})) == count


def test_one_square_farther_off_is_enough() -> None:
    crooked = {cell: (r, c + 0.25) for cell, (r, c) in THREE.items()}
    assert len(asked(crooked, {})) == 3
    assert (
        asked({cell: (r, c + 0.16 * (cell[0] == 0)) for cell, (r, c) in crooked.items()}, {}) == {}
    )


@pytest.mark.parametrize(("off", "belongs"), [(0.24, True), (0.26, False)])
def test_what_lies_exactly_on_the_grid_of_a_covered_kingdom_belongs_to_it(
    off: float, belongs: bool
) -> None:
    domino = moved(block(2, 1, left=4), right=off)
    detections, (kingdom, other) = laid_apart((KINGDOM, CASTLE), (domino, {(0, 4): "m1"}))
    found, joined = find_detached_squares(
        detections, kingdom, [other], ("hidden",), True, SETTINGS, REACH
    )
    assert joined.keys() == ({(0, 4), (1, 4)} if belongs else set())
    assert found.keys() == (set() if belongs else {(0, 4), (1, 4)})
    assert {cell: most_probable(seen) for cell, seen in joined.items()} == (
        {(0, 4): "m1", (1, 4): "w"} if belongs else {}
    )


def test_beyond_what_joins_a_covered_kingdom_another_domino_may() -> None:
    detections, (kingdom, *others) = laid_apart(
        (block(3, 1), {(1, 0): "c"}), (block(2, 1, left=4), {}), (block(2, 1, left=2), {})
    )
    how = ("hidden",), True, SETTINGS, REACH
    _, joined = find_detached_squares(detections, kingdom, others, *how)
    assert {column for _, column in joined} == {2, 4}
    _, joined = find_detached_squares(detections, kingdom, others[:1], *how)
    assert joined == {}


def test_a_domino_a_step_away_is_asked_about_only_where_the_kingdom_is_not_seen_clearly() -> None:
    domino = block(2, 1, left=4)
    assert asked(domino, {}) == {}
    assert len(asked(domino, {}, light=("glare",))) == 2
    assert asked(block(1, 1, left=4), {}, light=("glare",)) == {}


@pytest.mark.parametrize(("off", "count"), [(0.35, 2), (0.37, 0)])
def test_a_domino_directly_beside_the_kingdom_may_belong_to_it(off: float, count: int) -> None:
    assert len(asked(moved(block(2, 1, left=3), right=off), {})) == count


def test_a_domino_beside_a_kingdom_as_wide_as_usual_is_none_of_it() -> None:
    def count(columns: int) -> int:
        detections, (kingdom, other) = laid_apart(
            (block(3, columns), CASTLE), (block(2, 1, left=columns), {})
        )
        found, _ = find_detached_squares(detections, kingdom, [other], (), False, SETTINGS, REACH)
        return len(found)

    assert [count(columns) for columns in (4, 5, 6, 7)] == [2, 0, 2, 0]


def test_what_lies_farther_away_or_beyond_seven_squares_is_no_part() -> None:
    assert asked(block(3, 1, left=5), {}) == {}
    assert len(asked(block(1, 3, left=4), {})) == 3
    assert asked(block(1, 4, left=4), {}) == {}


def test_empty_cells_of_the_group_are_not_asked_about() -> None:
    assert set(asked(THREE, {(0, 4): "."}, light=("glare",))) == {(1, 4), (2, 4)}


def test_a_group_on_the_kingdom_is_no_part() -> None:
    detections, (kingdom, other) = laid_apart((KINGDOM, CASTLE), (block(3, 1, left=2), {}))
    free = replace(kingdom, occupied=kingdom.occupied - {(0, 2), (1, 2), (2, 2)})
    covered, uncovered = (
        find_detached_squares(detections, each, [other], (), False, SETTINGS, REACH)[0]
        for each in (kingdom, free)
    )
    assert (len(covered), len(uncovered)) == (0, 3)


@pytest.mark.parametrize(
    ("light", "count"), [("blurred", 3), ("dark", 3), ("grey", 3), ("glare", 0), (None, 0)]
)
def test_in_a_vague_picture_what_lies_off_the_grid_may_belong_to_it(
    light: str | None, count: int
) -> None:
    crooked = moved(THREE, down=0.45)
    assert len(asked(crooked, {}, light=(light,) if light else ())) == count


@pytest.mark.parametrize(("rows", "count"), [(3, 9), (4, 0)])
def test_in_a_vague_picture_another_castle_may_be_none_if_one_kingdom_holds_both(
    rows: int, count: int
) -> None:
    other = {cell: (r + 4.4, c + 0.45) for cell, (r, c) in block(rows, 3).items()}
    assert len(asked(other, {(0, 0): "c"}, light=("blurred",))) == count
    assert asked(other, {(0, 0): "c"}) == {}
