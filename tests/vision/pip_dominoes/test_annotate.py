"""Readings drawn on photographs."""

from __future__ import annotations

import numpy as np

from vision.pip_dominoes.draw import DrawSettings, annotate
from vision.pip_dominoes.result import DominoReading, HandReading

BOX = np.array([(100.0, 100.0), (260.0, 100.0), (260.0, 180.0), (100.0, 180.0)])
GREY = np.full((300, 400, 3), 128, np.uint8)


def hand(doubtful: bool, size: tuple[int, int] = (400, 300), scale: float = 1.0) -> HandReading:
    domino = DominoReading((5, 2), BOX * scale, 0.9, doubtful, "2|6", np.ones((2, 19)))
    return HandReading((domino,), 6, (), *size)


def shown(picture: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """Where a colour is seen, (n, 2) as (x, y)."""
    return np.argwhere((picture == colour).all(2))[:, ::-1]


def test_a_sure_domino_is_framed_where_it_lies() -> None:
    picture = annotate(GREY, hand(doubtful=False))
    frame = shown(picture, DrawSettings().sure)
    np.testing.assert_allclose(frame.min(0), BOX[0], atol=5)
    np.testing.assert_allclose(frame.max(0), BOX[2], atol=5)
    assert not len(shown(picture, DrawSettings().doubt))
    np.testing.assert_array_equal(GREY, 128)


def test_a_doubtful_one_has_another_colour() -> None:
    picture = annotate(GREY, hand(doubtful=True))
    assert not len(shown(picture, DrawSettings().sure))
    assert len(shown(picture, DrawSettings().doubt)) > 200


def test_corners_are_pixels_of_the_full_photograph() -> None:
    small = annotate(GREY, hand(doubtful=False, size=(1600, 1200), scale=4.0))
    frame = shown(small, DrawSettings().sure)
    np.testing.assert_allclose(frame.min(0), BOX[0], atol=5)


def test_the_table_is_darkened_and_the_domino_is_not() -> None:
    picture = annotate(GREY, hand(doubtful=False))
    assert picture[280, 380].max() < 90
    np.testing.assert_array_equal(picture[112, 112], 128)


def test_no_domino_no_drawing() -> None:
    np.testing.assert_array_equal(annotate(GREY, HandReading((), 6, (), 400, 300)), GREY)
