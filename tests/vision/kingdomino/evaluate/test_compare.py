"""Readings compared with the ground truth."""

import numpy as np

from benchmarks.kingdomino_photos.comparison import compare
from scorer.kingdomino import Kingdom
from vision.kingdomino.result import KingdomReading, SquareReading

TRUTH = Kingdom.parse("w w1 f/. c l/g g2 l1")


def reading(text: str, doubtful: tuple[tuple[int, int], ...] = ()) -> KingdomReading:
    kingdom = Kingdom.parse(text)
    squares = tuple(
        tuple(
            SquareReading(str(square), 0.9, doubtful=(r, c) in doubtful)
            for c, square in enumerate(row)
        )
        for r, row in enumerate(kingdom.rows)
    )
    return KingdomReading(kingdom, squares, np.eye(3))


def test_the_truth_is_right() -> None:
    result = compare(TRUTH, reading(str(TRUTH)))
    assert (result.located, result.kingdom_right, result.score_right) == (True, True, True)
    assert (result.squares, result.right, result.turned) == (8, 8, 0)


def test_a_wrong_crown_is_counted_flagged_or_not() -> None:
    silent = compare(TRUTH, reading("w w f/. c l/g g2 l1"))
    assert (silent.right, silent.wrong_flagged, silent.wrong_unflagged) == (7, 0, 1)
    assert silent.located
    assert not silent.kingdom_right
    told = compare(TRUTH, reading("w w f/. c l/g g2 l1", doubtful=((0, 1),)))
    assert (told.wrong_flagged, told.wrong_unflagged, told.flagged) == (1, 0, 1)


def test_a_turned_reading_is_right_and_says_its_turn() -> None:
    result = compare(TRUTH, reading("g . w/g2 c w1/l1 l f"))
    assert result.kingdom_right
    assert result.turned == 3


def test_a_missing_column_leaves_its_squares_wrong() -> None:
    result = compare(TRUTH, reading("w w1/. c/g g2"))
    assert (result.squares, result.right) == (8, 5)
    assert not result.located


def test_an_invented_square_is_wrong() -> None:
    result = compare(TRUTH, reading("w w1 f/m c l/g g2 l1"))
    assert (result.squares, result.right, result.wrong_unflagged) == (9, 8, 1)
