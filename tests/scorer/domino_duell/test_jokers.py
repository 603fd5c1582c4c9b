from __future__ import annotations

from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    STONES,
    Board,
    Reason,
    Shape,
    joker_hollows,
    why_joker_illegal,
)


def surrounded(hollow: str) -> Board:
    """A stone with every hollow within two steps occupied, and nothing else."""
    index = DEFAULT_SHAPE.index[hollow]
    names = [DEFAULT_SHAPE.hollows[near] for near in (index, *DEFAULT_SHAPE.surroundings[index])]
    return Board.of(dict(zip(names, STONES, strict=False)))


def test_a_stone_with_two_rows_around_it_can_be_taken() -> None:
    position = surrounded("f6")
    assert len(position.stones) == 19
    assert why_joker_illegal(position, "f6") is None
    assert joker_hollows(position) == ("f6",)


def test_one_free_hollow_within_two_steps_forbids_it() -> None:
    position = surrounded("f6")
    for hollow, _ in position.items():
        if hollow != "f6":
            bare = position.with_piece(hollow, None)
            assert why_joker_illegal(bare, "f6") is Reason.TOO_NEAR_BORDER


def test_jokers_around_it_count_as_occupied() -> None:
    position = surrounded("f6").with_piece("f7", JOKER)
    assert why_joker_illegal(position, "f6") is None
    assert why_joker_illegal(position, "f7") is Reason.NO_STONE_TO_TAKE


def test_hollows_that_the_board_lacks_forbid_it() -> None:
    full = Board(DEFAULT_SHAPE, (*STONES, *(None,) * 38))
    assert why_joker_illegal(full, "b3") is Reason.TOO_NEAR_BORDER
    assert why_joker_illegal(full, "c1") is Reason.TOO_NEAR_BORDER
    assert why_joker_illegal(full, "c3") is None
    drawn = [list(row) for row in DEFAULT_SHAPE.rows]
    x, row = DEFAULT_SHAPE.places[DEFAULT_SHAPE.index["d4"]]
    drawn[row][x] = " "
    gap = Shape(tuple("".join(marks) for marks in drawn))
    assert why_joker_illegal(Board(gap, (*STONES, *(None,) * 37)), "c3") is (Reason.TOO_NEAR_BORDER)


def test_nothing_to_take() -> None:
    assert why_joker_illegal(surrounded("f6"), "a1") is Reason.NO_STONE_TO_TAKE
    assert why_joker_illegal(surrounded("f6"), "z9") is Reason.OFF_BOARD
