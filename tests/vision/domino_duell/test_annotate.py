from __future__ import annotations

import numpy as np

from scorer.domino_duell import DEFAULT_SHAPE, STONES, Board
from vision.domino_duell import BoardReading, HollowReading
from vision.domino_duell.draw import DrawSettings, annotate


def test_stones_and_doubts_are_ringed_and_nothing_else() -> None:
    names = DEFAULT_SHAPE.hollows
    hollows = tuple(
        HollowReading(name, STONES[3] if name == "f6" else None, 0.9, None, doubtful=name == "a1")
        for name in names
    )
    place = np.array([[50.0, 0, 350], [0, 50.0, 60], [0, 0, 1]])
    position = Board(DEFAULT_SHAPE, tuple(each.piece for each in hollows))
    reading = BoardReading(position, hollows, place, 900, 700)
    photo = np.full((700, 900, 3), 127, np.uint8)
    drawn = annotate(photo, reading)
    assert (photo == 127).all()
    changed = (drawn != photo).any(2)
    ringed = [reading.middles[names.index(name)] for name in ("a1", "f6")]
    for x, y in reading.middles:
        box = changed[round(y) - 20 : round(y) + 20, round(x) - 20 : round(x) + 20]
        away = min(float(np.hypot(x - mx, y - my)) for mx, my in ringed)
        if away > 110:
            assert not box.any()
    settings = DrawSettings()
    for name, colour in (("f6", settings.sure), ("a1", settings.doubt)):
        x, y = reading.middles[names.index(name)]
        radius = settings.radius * 50
        assert tuple(drawn[round(y), round(x - radius)]) == colour, name
    half = annotate(np.full((350, 450, 3), 127, np.uint8), reading)
    assert half.shape == (350, 450, 3)
    assert (half != 127).any()
