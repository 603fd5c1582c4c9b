"""Readings compared with the ground truth, and the reports of a measurement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.kingdomino_photos.__main__ import worst
from benchmarks.kingdomino_photos.comparison import (
    PhotoResult,
    SquareResult,
    compare,
    kingdoms_report,
    read_photos,
    squares_report,
)
from scorer.kingdomino import Kingdom
from training.kingdomino.corpus import LabelledKingdom, LabelledSquare
from vision import PhotoError, ReadSettings
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

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


REPORT_TRUTH = "c w1/f w1"
READ_AS = {
    "right.jpg": ("c w1/f w1", ()),
    "flagged.jpg": ("c w1/f w", ((1, 1),)),
    "silent.jpg": ("c w/f w1", ()),
    "much.jpg": ("c w1/f w1", ((0, 1), (1, 0))),
}


def report_reading(notation: str, doubtful: tuple[tuple[int, int], ...]) -> PhotoReading:
    kingdom = Kingdom.parse(notation)
    squares = tuple(
        tuple(
            SquareReading(str(square), 0.9, doubtful=(r, c) in doubtful)
            for c, square in enumerate(row)
        )
        for r, row in enumerate(kingdom.rows)
    )
    one = KingdomReading(kingdom, squares, np.eye(3), castle_colour="blue")
    return PhotoReading((one,), 100, 100, {"decode": 0.01, "locate": 0.02})


def reader() -> Callable[[Path], PhotoReading]:
    def read(path: Path) -> PhotoReading:
        if path.name not in READ_AS:
            raise PhotoError("no_kingdom")
        return report_reading(*READ_AS[path.name])

    return read


def results() -> list[PhotoResult]:
    kingdom = Kingdom.parse(REPORT_TRUTH)
    pictures = [
        LabelledKingdom(Path(name), kingdom, "den", "blue" if name != "silent.jpg" else "green")
        for name in [*READ_AS, "lost.jpg"]
    ]
    pictures.append(LabelledKingdom(Path("table.jpg"), None, "none"))
    return read_photos(pictures, reader())


def test_each_photograph_has_its_line_and_failures_are_named() -> None:
    text = kingdoms_report(results())
    assert "| right.jpg | yes |  | 4/4 | yes | yes | 0 | 0 | 0 | 0 | 1 | 10 20 0 0 |" in text
    assert "| flagged.jpg | yes |  | 3/4 | **no** | **no** | 1 | 1 | 0 | 0 | 1 |" in text
    assert "| lost.jpg | **no** | no_kingdom | 0/4 |" in text
    assert "| **all** | 5 | 4 | 14/20 = 70.00 % | 2 | 2 | 0.60 | 1 | 2 |" in text
    assert "Without a kingdom: 1 pictures, 0 read in silence." in text


def test_castles_named_wrongly_are_listed() -> None:
    text = kingdoms_report(results())
    assert "3 of 4 named rightly, 0 left open; named wrongly: green as blue 1." in text


def test_the_worst_is_the_lost_one_then_what_is_wrong_in_silence() -> None:
    names = [result.picture.path.name for result in worst(results(), 4)]
    assert names == ["lost.jpg", "silent.jpg", "flagged.jpg", "much.jpg"]


def test_squares_are_counted_by_label_and_by_session() -> None:
    squares = [
        SquareResult(LabelledSquare(Path("a"), "w1", "s1"), SquareReading("w1", 0.99)),
        SquareResult(LabelledSquare(Path("b"), "w1", "s2"), SquareReading("w", 0.8, "w1")),
        SquareResult(
            LabelledSquare(Path("k"), "c", "s2", "pink"), SquareReading("c", 0.9), {"pink": 0.5}
        ),
    ]
    text = squares_report(squares, ReadSettings())
    assert "| w1 | 2 | 1 | 50.00 % |" in text
    assert "| s2 | 2 | 1 | 50.00 % |" in text
    assert "| b | w1 | w | 0.800 | w1 |" in text
    assert "0 of 1 named rightly, 1 left open; named wrongly: none." in text
