from __future__ import annotations

import pytest

from companion.games.kingdomino.editing import MAX_SIDE, EditedKingdom, Side
from scorer.kingdomino import Kingdom, Square
from tests.companion.kingdomino.readings import kingdom_reading

READING = kingdom_reading("w1 w/c f", {(0, 1): "f1", (1, 1): "f1"})


def test_a_set_square_is_no_longer_in_doubt() -> None:
    edited = EditedKingdom.of_reading(READING).with_square((0, 1), Square.parse("f1"))
    assert str(edited.kingdom) == "w1 f1/c f"
    assert edited.doubtful == {(1, 1)}
    assert edited.corrected == {(0, 1)}


def test_a_confirmed_square_stays_as_it_was_read() -> None:
    edited = EditedKingdom.of_reading(READING).confirmed((1, 1))
    assert edited.kingdom == READING.kingdom
    assert edited.doubtful == {(0, 1)}


def test_offers_are_the_other_readings() -> None:
    edited = EditedKingdom.of_reading(READING)
    assert edited.offers((0, 1)) == (Square.parse("f1"),)
    assert edited.with_square((0, 1), Square.parse("f1")).offers((0, 1)) == (Square.parse("w"),)
    assert edited.offers((0, 0)) == ()
    foreign = EditedKingdom.of_reading(kingdom_reading("w c", {(0, 0): "x"}))
    assert foreign.offers((0, 0)) == ()


@pytest.mark.parametrize(
    ("side", "kingdom", "doubtful", "place"),
    [
        (Side.TOP, ". ./w1 w/c f", {(1, 1), (2, 1)}, (1, 0)),
        (Side.BOTTOM, "w1 w/c f/. .", {(0, 1), (1, 1)}, (0, 0)),
        (Side.LEFT, ". w1 w/. c f", {(0, 2), (1, 2)}, (0, 1)),
        (Side.RIGHT, "w1 w ./c f .", {(0, 1), (1, 1)}, (0, 0)),
    ],
)
def test_a_new_line_moves_the_marks_with_their_squares(
    side: Side, kingdom: str, doubtful: set[tuple[int, int]], place: tuple[int, int]
) -> None:
    edited = EditedKingdom.of_reading(READING).with_line(side)
    assert str(edited.kingdom) == kingdom
    assert edited.doubtful == doubtful
    read = edited.read_at(place)
    assert read is not None
    assert read.label == "w1"


def test_the_grid_does_not_grow_without_end() -> None:
    edited = EditedKingdom.empty(5)
    for _ in range(20):
        edited = edited.with_line(Side.LEFT)
    assert (edited.kingdom.height, edited.kingdom.width) == (5, MAX_SIDE)


def test_trimming_takes_back_what_lines_added() -> None:
    edited = EditedKingdom.of_reading(READING)
    grown = edited.with_line(Side.TOP).with_line(Side.LEFT).with_line(Side.RIGHT)
    assert grown.trimmed() == edited
    assert EditedKingdom.empty(5).trimmed() == EditedKingdom.empty(5)


def test_trimming_forgets_marks_outside() -> None:
    edited = EditedKingdom.of_reading(READING).with_square((0, 0), Square())
    edited = edited.with_square((0, 1), Square()).trimmed()
    assert str(edited.kingdom) == "c f"
    assert edited.doubtful == {(0, 1)}
    assert edited.corrected == frozenset()
    assert edited.origin == (-1, 0)


def test_nothing_was_read_beside_the_photo_grid() -> None:
    edited = EditedKingdom.of_reading(READING).with_line(Side.TOP)
    assert edited.read_at((0, 0)) is None
    assert EditedKingdom.empty(5).read_at((0, 0)) is None


def test_the_drawn_reading_follows_corrections() -> None:
    edited = EditedKingdom.of_reading(READING).with_line(Side.TOP)
    drawn = edited.with_square((1, 1), Square.parse("f1")).as_reading()
    assert drawn is not None
    assert drawn.kingdom == Kingdom.parse("w1 f1/c f")
    assert drawn.doubtful == ((1, 1),)
    assert EditedKingdom.empty(5).as_reading() is None


def test_a_trimmed_line_is_drawn_empty() -> None:
    edited = EditedKingdom.of_reading(kingdom_reading("w/c"))
    drawn = edited.with_square((0, 0), Square()).trimmed().as_reading()
    assert drawn is not None
    assert str(drawn.kingdom) == "./c"
