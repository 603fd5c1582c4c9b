"""The benchmark of photographs read together: what is kept, and pictures turned by quarters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.together import DIFFERENT, HEAD, Pair, Told, make_row, tell, turned
from scorer.kingdomino import Kingdom
from training.kingdomino.table.conditions import Photograph
from training.kingdomino.table.scenes import Truth
from vision import KingdomReading, SquareReading

TRUTH = Truth({(0, 0): "c", (0, 1): "w", (1, 0): "f", (1, 1): "l"}, np.diag([10.0, 10.0, 1.0]))


def read(notation: str, flagged: tuple[int, int] | None = None) -> KingdomReading:
    kingdom = Kingdom.parse(notation)
    squares = tuple(
        tuple(SquareReading(str(s), 0.99, None, (r, c) == flagged) for c, s in enumerate(row))
        for r, row in enumerate(kingdom.rows)
    )
    return KingdomReading(kingdom, squares, np.diag([10.0, 10.0, 1.0]))


def test_squares_are_right_wrong_or_asked_about() -> None:
    told = tell(TRUTH, read("c w f/f g l/. . m", flagged=(1, 0)))
    assert told.right == {(0, 0), (0, 1)}
    # One is read as something else, three lie where nothing does.
    assert told.unflagged == 4
    assert told.flags == 1
    assert tell(TRUTH, read("c w/f g", flagged=(1, 1))).unflagged == 0
    assert tell(TRUTH, read("c w")).unflagged == 0


def test_a_turned_picture_shows_its_squares_where_they_are_now() -> None:
    rgb = np.zeros((30, 40, 3), np.uint8)
    rgb[12:18, 2:8] = 200
    upright = Photograph(rgb, (replace(TRUTH, view=np.diag([10.0, 10.0, 1.0])),))
    for quarters in range(5):
        photograph = turned(upright, quarters)
        x, y = photograph.truths[0].middle((1, 0))
        assert photograph.rgb.shape == (rgb.shape if quarters % 2 == 0 else (40, 30, 3))
        assert photograph.rgb[int(y), int(x)].tolist() == [200, 200, 200]


def test_a_row_counts_what_both_photographs_together_keep() -> None:
    first = Told(frozenset({(0, 0), (0, 1)}), 0, 2)
    second = Told(frozenset({(0, 1), (1, 1)}), 1, 4)
    kept = Pair(first, second, Told(frozenset(TRUTH.labels), 0, 0), 1, False, 0)
    lost = replace(kept, together=Told(frozenset({(0, 0), (0, 1)}), 1, 1))
    apart = replace(lost, kingdoms=2, undecided=True)
    row = dict(zip(HEAD, make_row("hand over 2 squares", [kept, lost, apart, None]), strict=False))
    assert row["pairs"] == 3
    assert row["all kept"] == 1
    assert row["kept"] == "7 of 9"
    assert row["bar"] == "40 of 42"
    assert (row["one kingdom"], row["undecided"], row["refused"]) == (2, 1, 1)
    assert make_row(DIFFERENT, [apart])[2] == "–"
