from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from companion.reading.kingdomino import reading_from_plain, reading_to_plain
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading


def test_a_reading_comes_back_to_the_last_bit() -> None:
    seen = np.random.default_rng(3).random((2, 2, 5))
    other = kingdom_reading("c w", lattice_certain=False)
    kingdom = replace(
        kingdom_reading("w1 w/c f", {(1, 1): "f1"}),
        probabilities=seen,
        next_best=other,
        castle_colour="pink",
        homography=np.random.default_rng(4).random((3, 3)),
    )
    reading = photo_reading(kingdom, other)
    back = reading_from_plain(json.loads(json.dumps(reading_to_plain(reading))))
    assert back == reading
    assert back.kingdoms[0].next_best == other
    assert back.kingdoms[0].probabilities is not None
    np.testing.assert_array_equal(back.kingdoms[0].probabilities, seen)
    np.testing.assert_array_equal(back.kingdoms[0].homography, kingdom.homography)


def test_warnings_and_reasons_come_back() -> None:
    kingdom = kingdom_reading("w1 w/c f")
    (row, *rows) = kingdom.squares
    hidden = replace(row[0], doubtful=True, reason="hidden")
    scores = np.array([[0.9, np.nan], [0.8, 0.7]])
    told = replace(
        kingdom,
        squares=((hidden, *row[1:]), *rows),
        warnings=("cut_off", "hidden"),
        considered=np.array([[True, False], [True, True]]),
        detection_scores=scores,
        misfit=0.07,
    )
    reading = replace(photo_reading(told), warnings=("other_squares",))
    back = reading_from_plain(json.loads(json.dumps(reading_to_plain(reading))))
    assert back == reading
    assert back.kingdoms[0].misfit == 0.07
    assert back.kingdoms[0].considered is not None
    np.testing.assert_array_equal(back.kingdoms[0].considered, told.considered)
    assert back.kingdoms[0].detection_scores is not None
    np.testing.assert_array_equal(back.kingdoms[0].detection_scores, scores)
