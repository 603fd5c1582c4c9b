from __future__ import annotations

import json

import numpy as np

from companion.reading.domino_duell import reading_from_plain, reading_to_plain
from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES, Board, Piece, Shape
from vision.domino_duell import BoardReading, HollowReading


def reading_on(shape: Shape) -> BoardReading:
    rng = np.random.default_rng(7)
    pieces: tuple[Piece | None, ...] = (STONES[5], JOKER, None)
    hollows = tuple(
        HollowReading(
            hollow,
            pieces[index] if index < 3 else None,
            float(rng.random()),
            (STONES[6], None, JOKER)[index % 3],
            doubtful=bool(rng.random() < 0.5),
            settled_from="rcw" if index == 0 else None,
        )
        for index, hollow in enumerate(shape.hollows)
    )
    position = Board(shape, tuple(each.piece for each in hollows))
    return BoardReading(
        position, hollows, rng.random((3, 3)), 400, 300, certain=False, seconds={"locate": 0.123}
    )


def test_a_reading_comes_back_to_the_last_bit() -> None:
    for shape in (DEFAULT_SHAPE, Shape.parse(" o o\no x o\n o o")):
        reading = reading_on(shape)
        back = reading_from_plain(json.loads(json.dumps(reading_to_plain(reading))))
        assert back == reading
        assert back.seconds == reading.seconds
        np.testing.assert_array_equal(back.homography, reading.homography)
