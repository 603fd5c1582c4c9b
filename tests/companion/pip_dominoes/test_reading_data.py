from __future__ import annotations

import json

import numpy as np

from companion.reading.pip_dominoes import hand_from_plain, hand_to_plain
from vision.pip_dominoes.result import DominoReading, HandReading


def test_a_reading_comes_back_to_the_last_bit() -> None:
    random = np.random.default_rng(3)
    domino = DominoReading(
        (5, 9), random.random((4, 2)) * 1000, 0.1 + 0.2, True, "5|8",
        random.random((2, 19)), 0.97, ("unlikely", "witnesses"),
    )  # fmt: skip
    reading = HandReading((domino,), 12, ("set_inferred",), 640, 480, {"decode": 0.1})
    back = hand_from_plain(json.loads(json.dumps(hand_to_plain(reading))))
    (again,) = back.dominoes
    assert (again.halves, again.probability, again.doubtful) == ((5, 9), 0.1 + 0.2, True)
    assert (again.runner_up, again.existence, again.reasons) == ("5|8", 0.97, domino.reasons)
    np.testing.assert_array_equal(again.corners, domino.corners)
    np.testing.assert_array_equal(again.likelihoods, domino.likelihoods)
    assert (back.set, back.warnings, back.width, back.height) == (12, ("set_inferred",), 640, 480)
    assert back.seconds == {"decode": 0.1}
