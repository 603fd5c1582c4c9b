"""Whole readings where something goes from one search or settling to the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pip_dominoes import HandReading, Reader, read_dominoes, settle_hands
from vision.pip_dominoes.detect import LocateSettings, peaks_of
from vision.pip_dominoes.weights import CENTRE, LOCATOR_STRIDE, Weights

CLASSIC = Path(__file__).parents[3] / "sample_images" / "pip_dominoes" / "classic.jpg"


def picture() -> NDArray[np.uint8]:
    rgb = cv2.imread(str(CLASSIC), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    return np.asarray(rgb, np.uint8)


@pytest.fixture(scope="module")
def plain() -> HandReading:
    return read_dominoes(CLASSIC, 6)


class Overlooking:
    """A locator that does not see the domino farthest to the left until faces have been read."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.faces_were_read = weights, False

    def locator(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        maps = self.weights.locator(batch)
        centres, edges, _ = peaks_of(maps[0], LocateSettings())
        if self.faces_were_read or not len(centres):
            return maps
        leftmost = centres[:, 0].argmin()
        reach = np.linalg.norm(edges[leftmost, 0]) / 2 / LOCATOR_STRIDE
        x, y = (centres[leftmost] + 0.5) / LOCATOR_STRIDE - 0.5
        rows, columns = np.mgrid[0 : maps.shape[2], 0 : maps.shape[3]]
        maps = maps.copy()
        maps[0, CENTRE][np.hypot(columns - x, rows - y) < reach] = -9.0
        return maps

    def faces(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        self.faces_were_read = True
        return self.weights.faces(batch)

    def reader(self) -> Reader:
        networks: Any = {"locator": self.locator, "faces": self.faces}
        return Reader(replace(self.weights, **networks))


def test_a_domino_that_the_first_search_missed_is_found_by_another(plain: HandReading) -> None:
    reading = Overlooking(Weights.load()).reader().read(picture(), 6)
    assert Counter(reading.tiles) == Counter(plain.tiles)
    leftmost = min(plain.dominoes, key=lambda domino: float(domino.corners[:, 0].mean()))
    (found,) = [domino for domino in reading.dominoes if domino.tile == leftmost.tile]
    np.testing.assert_allclose(found.corners.mean(0), leftmost.corners.mean(0), atol=6)


def test_where_a_part_of_the_picture_is_searched_all_is_in_its_place(plain: HandReading) -> None:
    """Faces are compared with what was read in the pixels of that part, far from the corner."""
    small = cv2.resize(picture(), (420, 420), interpolation=cv2.INTER_AREA)
    around = cv2.copyMakeBorder(small, 500, 60, 640, 60, cv2.BORDER_REPLICATE)
    reading = read_dominoes(np.asarray(around, np.uint8), 6)
    assert Counter(reading.tiles) == Counter(plain.tiles)
    assert "unread" not in reading.warnings
    for domino in reading.dominoes:
        (same,) = [each for each in plain.dominoes if each.tile == domino.tile]
        back = ((domino.corners - (640, 500)) * (1200 / 420)).mean(0)
        np.testing.assert_allclose(back, same.corners.mean(0), atol=12)


def test_that_a_face_was_not_read_is_still_said_when_settled_again(plain: HandReading) -> None:
    assert "unread" not in plain.warnings
    told = replace(plain, warnings=("unread",))
    first, second = settle_hands([told, plain], set=6)
    assert "unread" in first.warnings
    assert first.doubtful
    assert "unread" not in second.warnings


def test_settling_again_without_corrections_changes_nothing(plain: HandReading) -> None:
    (again,) = settle_hands([plain], set=6)
    assert again.warnings == plain.warnings
    for before, after in zip(plain.dominoes, again.dominoes, strict=True):
        assert (after.tile, after.reasons, after.runner_up) == (
            before.tile,
            before.reasons,
            before.runner_up,
        )
        assert after.probability == pytest.approx(before.probability)


def test_a_closer_look_leaves_places_and_existence_as_they_were(plain: HandReading) -> None:
    """It is about numbers: every domino is unclear here, so all are looked at again."""
    shipped = Reader()
    strict = replace(shipped.settings.doubt, min_probability=1.1)
    closer = Reader(shipped.weights, replace(shipped.settings, doubt=strict)).read(picture(), 6)
    for before, after in zip(plain.dominoes, closer.dominoes, strict=True):
        assert after.tile == before.tile
        np.testing.assert_array_equal(after.corners, before.corners)
        assert after.existence == before.existence
        assert (after.likelihoods != before.likelihoods).any()
