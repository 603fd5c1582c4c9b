from __future__ import annotations

import cv2
import numpy as np

from vision.domino_duell.detect import find_middles


def test_middles_of_discs_bright_and_dark() -> None:
    picture = np.full((480, 640, 3), 120, np.uint8)
    middles = [(100, 90), (220, 90), (340, 200), (500, 380)]
    for number, (x, y) in enumerate(middles):
        colour = (250, 80, 40) if number % 2 else (20, 40, 60)
        cv2.circle(picture, (x, y), 15, colour, -1, cv2.LINE_AA)
    points, rounds = find_middles(picture)
    assert (np.diff(rounds) <= 0).all()
    first = points[: len(middles)]
    for middle in middles:
        assert np.linalg.norm(first - middle, axis=1).min() < 1.5


def test_an_even_picture_has_none() -> None:
    points, rounds = find_middles(np.full((480, 640, 3), 90, np.uint8))
    assert points.shape == (0, 2)
    assert rounds.shape == (0,)
