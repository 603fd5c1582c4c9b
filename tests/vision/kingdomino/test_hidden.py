"""Hidden places: what looks like neither a square nor the table around."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.observed import sure_of
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.hidden import (
    HiddenSettings,
    hidden_places,
    spread,
    table_distances,
    with_missing_halves,
)
from vision.kingdomino.judgement import Judgement
from vision.kingdomino.locate.lattice import Lattice
from vision.kingdomino.result import SquareReading

SIDE = 40
HOLES = {(1, 2), (3, 3)}
OCCUPIED = {(r, c) for r in range(5) for c in range(5)} - HOLES
LATTICE = Lattice(np.array([[SIDE, 0, 160.0], [0, SIDE, 160.0], [0, 0, 1]]), {}, 0.0)
GRID = Grid(LATTICE, {}, {}, frozenset(OCCUPIED), {})


def photo(table: tuple[int, int, int] = (150, 140, 120)) -> NDArray[np.uint8]:
    """A table with some grain and red squares on it."""
    rng = np.random.default_rng(0)
    picture = np.full((520, 520, 3), table, np.float32) + rng.normal(0, 6, (520, 520, 1))
    for r, c in OCCUPIED:
        painted(picture, (r, c), (200, 60, 40))
    return np.clip(picture, 0, 255).astype(np.uint8)


def painted(
    picture: NDArray[np.floating] | NDArray[np.uint8], cell: Position, colour: tuple[int, int, int]
) -> None:
    top, left = 160 + SIDE * cell[0], 160 + SIDE * cell[1]
    picture[top : top + SIDE, left : left + SIDE] = colour


def test_a_hole_that_shows_the_table_is_not_hidden() -> None:
    assert hidden_places(photo(), LATTICE, GRID, HiddenSettings()) == set()


def test_a_hole_that_shows_something_else_is() -> None:
    picture = photo()
    painted(picture, (1, 2), (225, 180, 150))
    assert hidden_places(picture, LATTICE, GRID, HiddenSettings()) == {(1, 2)}


def test_an_arm_over_the_table_does_not_make_a_hand_look_like_the_table() -> None:
    picture = photo()
    painted(picture, (1, 2), (225, 180, 150))
    for column in (5, 6):
        painted(picture, (1, column), (225, 180, 150))
    assert hidden_places(picture, LATTICE, GRID, HiddenSettings()) == {(1, 2)}


def test_a_chequered_table_hides_nothing() -> None:
    picture = photo()
    for r in range(-3, 8):
        for c in range(-3, 8):
            if (r, c) not in OCCUPIED and (r + c) % 2:
                painted(picture, (r, c), (60, 60, 70))
    assert hidden_places(picture, LATTICE, GRID, HiddenSettings()) == set()


def test_where_no_table_is_seen_nobody_can_say() -> None:
    picture = photo()[160 : 160 + 5 * SIDE, 160 : 160 + 5 * SIDE]
    painted(picture, (1, 2), (225, 180, 150))
    lattice = Lattice(np.diag([SIDE, SIDE, 1.0]), {}, 0.0)
    grid = Grid(lattice, {}, {}, frozenset(OCCUPIED), {})
    assert hidden_places(np.ascontiguousarray(picture), lattice, grid, HiddenSettings()) == set()


def test_a_distance_is_to_the_farthest_of_the_nearest_share() -> None:
    table = np.array([[0.0], [1.0], [2.0], [10.0]])
    own, apart = table_distances(table, np.array([[0.0]]), 0.5)
    assert list(own) == [2.0, 1.0, 2.0, 9.0]
    assert list(apart) == [1.0]


def judged(rows: str, **changes: SquareReading) -> Judgement:
    """A judgement of sure squares in notation; ``changes`` by place, such as r1c2."""
    squares = {
        (r, c): changes.get(f"r{r}c{c}", SquareReading(label, 0.99))
        for r, row in enumerate(rows.split("/"))
        for c, label in enumerate(row.split())
    }
    return Judgement(squares, (0, 0, rows.count("/") + 1, len(rows.split("/")[0].split())), True)


def test_a_square_without_its_other_half_makes_bare_places_beside_squares_doubtful() -> None:
    whole = judged("c w ./w w .")
    assert with_missing_halves(whole, {}, HiddenSettings()) == (whole, frozenset())
    odd = replace(whole, unpaired=frozenset({(0, 1)}))
    assert with_missing_halves(odd, {}, HiddenSettings())[1] == {(0, 2), (1, 2)}


def test_what_settling_took_away_for_want_of_a_half_is_there_again() -> None:
    taken = SquareReading(".", 0.03, "l1", True, settled_from="l1")
    settled = judged("c w ./w l .", r1c1=taken)
    found, missing = with_missing_halves(settled, {(1, 1): sure_of("l1", 0.9)}, HiddenSettings())
    assert missing == {(0, 2)}
    again = found.squares[1, 1]
    assert (again.label, again.doubtful, again.reason) == ("l1", True, "hidden")
    assert again.probability == 0.9


def test_without_any_bare_place_settling_has_its_way() -> None:
    taken = SquareReading("f", 0.001, "l1", True, settled_from="l1")
    settled = judged("c w/w l", r1c1=taken)
    assert with_missing_halves(settled, {}, HiddenSettings()) == (settled, frozenset())


def test_a_cover_spreads_over_bare_places_that_hang_together() -> None:
    judgement = judged("c w . ./w w w ./. w w w")
    assert spread(frozenset({(0, 2)}), judgement) == {(0, 2), (0, 3), (1, 3)}
    assert spread(frozenset(), judgement) == frozenset()
