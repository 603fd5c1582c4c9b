"""What a doubtful square may be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scorer.kingdomino import Kingdom, Square
from vision.kingdomino.result import LABELS, KingdomReading, SquareReading, alternatives


def reading(read: SquareReading) -> KingdomReading:
    squares = ((read, SquareReading("c", 1.0)),)
    return KingdomReading(Kingdom.parse(f"{read.label} c"), squares, np.eye(3))


def labels_of(read: KingdomReading) -> list[str]:
    (others,) = alternatives(read).values()
    return list(map(str, others))


def test_a_sure_square_has_none() -> None:
    assert alternatives(reading(SquareReading("w", 0.99, "f"))) == {}


def test_the_runner_up_and_what_was_seen_before_the_box_was_asked() -> None:
    read = reading(SquareReading("w", 0.6, "f", True, "l"))
    assert labels_of(read) == ["f", "l"]
    assert labels_of(reading(SquareReading("w", 0.6, "x", True))) == []


def test_every_label_of_some_probability() -> None:
    seen = np.zeros((1, 2, len(LABELS)))
    for label, share in (("w", 0.6), ("f", 0.2), ("g1", 0.1), ("x", 0.095), ("s", 0.005)):
        seen[0, 0, LABELS.index(label)] = share
    read = replace(reading(SquareReading("w", 0.6, "f", True)), probabilities=seen)
    assert labels_of(read) == ["f", "g1", "."]


def test_what_is_hidden_may_be_anything_and_what_is_loose_may_be_nothing() -> None:
    hidden = labels_of(reading(SquareReading(".", 0.6, "f", True, reason="hidden")))
    assert {str(Square.parse(each)) for each in hidden} == set(hidden)
    assert set(hidden) == set(LABELS) - {".", "c", "x", "w2", "f2", "l2"}
    assert labels_of(reading(SquareReading("w", 0.9, None, True, reason="loose"))) == ["."]
