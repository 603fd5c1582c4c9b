from __future__ import annotations

import pickle
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vision
from companion.reading.pip_dominoes import hand_reader
from tests.companion.pip_dominoes.hands import hand_of
from vision.pip_dominoes import HandReading


def test_the_reader_is_told_the_set(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, object]] = []

    def read(source: bytes | str, set: int | None = None) -> HandReading:
        asked.append((source, set))
        return hand_of("1|2")

    monkeypatch.setattr(vision, "read_dominoes", read, raising=False)
    assert hand_reader(9).read("a.jpg").sum == 3
    assert hand_reader().read(b"bytes").sum == 3
    assert asked == [("a.jpg", 9), (b"bytes", None)]


def test_the_reading_is_drawn_on_the_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    def annotate(photo_rgb: Any, reading: HandReading) -> Any:
        return photo_rgb + len(reading.dominoes)

    module = SimpleNamespace(annotate=annotate)
    monkeypatch.setitem(sys.modules, "vision.pip_dominoes.draw", module)
    photo = np.zeros((2, 3, 3), np.uint8)
    np.testing.assert_array_equal(hand_reader().draw(photo, hand_of("1|2 3|4")), photo + 2)


def test_the_reader_travels_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(hand_reader(12)))  # noqa: S301  # our own bytes
    assert again.draw is hand_reader(12).draw
    assert again.read.keywords == {"highest": 12}
