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

from vision.photo import PhotoError
from vision.pip_dominoes import (
    DominoReading,
    HandReading,
    Reader,
    read_dominoes,
    reader,
    settle_hands,
)
from vision.pip_dominoes.detect import LocateSettings, peaks_of
from vision.pip_dominoes.judge import DoubtSettings, SettleSettings
from vision.pip_dominoes.reader import ReadSettings
from vision.pip_dominoes.weights import CENTRE, LOCATOR_STRIDE, Weights, half_corners

CLASSIC = Path(__file__).parents[3] / "sample_images" / "pip_dominoes" / "classic.jpg"


def picture() -> NDArray[np.uint8]:
    rgb = cv2.imread(str(CLASSIC), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    return np.asarray(rgb, np.uint8)


@pytest.fixture(scope="module")
def plain() -> HandReading:
    return read_dominoes(CLASSIC, 6)


class Hesitating:
    """Networks of which the locator is less sure of the domino farthest to the left.

    By ``less`` in the logit of its middle; only until a face was read, if it is ``at_first``.
    """

    def __init__(self, less: float, *, at_first: bool) -> None:
        self.weights, self.less, self.at_first = Weights.load(), less, at_first
        self.faces_were_read = False

    def locator(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        maps = self.weights.locator(batch)
        centres, edges, _ = peaks_of(maps[0], LocateSettings())
        if not len(centres) or (self.at_first and self.faces_were_read):
            return maps
        leftmost = centres[:, 0].argmin()
        reach = np.linalg.norm(edges[leftmost, 0]) / 2 / LOCATOR_STRIDE
        x, y = (centres[leftmost] + 0.5) / LOCATOR_STRIDE - 0.5
        rows, columns = np.mgrid[0 : maps.shape[2], 0 : maps.shape[3]]
        maps = maps.copy()
        maps[0, CENTRE][np.hypot(columns - x, rows - y) < reach] -= self.less
        return maps

    def faces(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        self.faces_were_read = True
        return self.weights.faces(batch)

    def read(self) -> tuple[HandReading, DominoReading]:
        """The reading, and of it the domino farthest to the left."""
        networks: Any = {"locator": self.locator, "faces": self.faces}
        reading = Reader(replace(self.weights, **networks)).read(picture(), 6)
        return reading, leftmost_of(reading)


def leftmost_of(reading: HandReading) -> DominoReading:
    return min(reading.dominoes, key=lambda domino: float(domino.corners[:, 0].mean()))


def test_a_domino_that_the_first_search_missed_is_found_by_another(plain: HandReading) -> None:
    reading, found = Hesitating(20.0, at_first=True).read()
    assert Counter(reading.tiles) == Counter(plain.tiles)
    assert found.tile == leftmost_of(plain).tile
    np.testing.assert_allclose(found.corners.mean(0), leftmost_of(plain).corners.mean(0), atol=6)


def test_both_looks_and_all_readings_are_by_the_settings_of_the_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = ReadSettings(locate=LocateSettings(long_sides_px=(288,)))
    asked: list[object] = []
    for name in (
        "decode",
        "find_dominoes",
        "look_again",
        "recognise",
        "recognise_closely",
        "judge",
        "settle",
        "combine",
    ):
        call = getattr(reader, name)

        def noted(*given: object, call: Any = call, **named: object) -> object:
            asked.append([*given, *named.values()])
            return call(*given, **named)

        monkeypatch.setattr(reader, name, noted)
    own_reader = Reader(settings=settings)
    own_reader.resettle([own_reader.read(picture(), 6)], set=6)
    own = (
        settings.photo, settings.locate, settings.recognition, settings.doubt, settings.settle,
    )  # fmt: skip
    assert len(asked) >= 10
    assert all(any(each is mine for each in given for mine in own) for given in asked)  # type: ignore[attr-defined]


def test_how_the_table_lies_is_known_after_the_second_look() -> None:
    """What was missed is looked for in that plane."""
    plane = Reader().look(picture())[0].plane
    assert plane is not None
    assert np.median(plane.residuals) < 0.1


def test_how_sure_the_locator_is_counts_for_existence(plain: HandReading) -> None:
    reading, weak = Hesitating(2.0, at_first=False).read()
    assert Counter(reading.tiles) == Counter(plain.tiles)
    sure = leftmost_of(plain)
    odds = [domino.existence / (1 - domino.existence) for domino in (sure, weak)]
    # Both looks count.
    assert odds[0] / odds[1] > np.exp(1.0)


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


def test_all_that_is_told_of_a_large_photo_is_in_its_own_pixels() -> None:
    """It is reduced before it is searched; backs are told beside the dominoes."""
    path = CLASSIC.with_name("garden.jpg")
    rgb = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    own = read_dominoes(path)
    large = cv2.resize(rgb, None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR)
    found = read_dominoes(np.asarray(large, np.uint8))
    assert (found.width, found.height) == (3 * own.width, 3 * own.height)
    assert Counter(found.tiles) == Counter(own.tiles)
    for name in ("dominoes", "missed"):
        middles, there = (
            np.array([each.corners.mean(0) for each in getattr(reading, name)])
            for reading in (own, found)
        )
        away = np.linalg.norm(there[:, None] / 3 - middles[None], axis=2)
        assert len(there) == len(middles) > 0
        assert away.min(1).max() < 20


def test_what_may_be_a_domino_is_told_once_and_with_its_numbers(plain: HandReading) -> None:
    """And not as a body of which nothing was read, too."""
    doubtful, *sure = sorted(plain.dominoes, key=lambda domino: domino.existence)
    shipped = Reader()
    asked = doubtful.existence + 1e-4
    doubt = replace(shipped.settings.doubt, exists=asked)
    reading = Reader(shipped.weights, replace(shipped.settings, doubt=doubt)).read(picture(), 6)
    assert Counter(reading.tiles) == Counter(domino.tile for domino in sure)
    assert [each.tile for each in reading.missed] == [doubtful.tile]
    assert "unread" in reading.warnings


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


def test_a_blank_of_another_colour_than_the_others_may_be_a_back() -> None:
    plain = cv2.imread(str(CLASSIC.with_name("double-blank.jpg")), cv2.IMREAD_COLOR_RGB)
    assert plain is not None
    (blank,) = (d for d in read_dominoes(np.asarray(plain), 12).dominoes if d.halves == (0, 0))
    assert not blank.doubtful
    outline = blank.corners.mean(0) + (blank.corners - blank.corners.mean(0)) * 1.1
    light = np.ones(plain.shape, np.float32)
    cv2.fillConvexPoly(light, np.round(outline).astype(np.int32), (0.5, 1.0, 0.3))
    reading = read_dominoes((plain * light).astype(np.uint8), 12)
    assert [(d.tile, d.reasons) for d in reading.dominoes if d.doubtful] == [("0|0", ("colour",))]
    (settled,) = settle_hands([reading], set=12)
    assert settled.doubtful


def test_a_half_that_something_of_another_colour_covers_is_not_taken_for_a_blank() -> None:
    """Cards as large as half a domino lie on a half of the 6|6, and on the 2 of the 0|2."""
    rgb = picture()
    before = read_dominoes(rgb)
    covered = [next(d for d in before.dominoes if d.tile == tile) for tile in ("6|6", "0|2")]
    for domino in covered:
        six = half_corners(domino.corners)[domino.halves.index(max(domino.halves))]
        cv2.fillConvexPoly(rgb, np.round(six).astype(np.int32), (222, 170, 140))
    doubtful = [(d.tile, d.reasons) for d in read_dominoes(rgb).dominoes if d.doubtful]
    assert sorted(doubtful) == [("0|0", ("colour",)), ("0|6", ("colour",))]


def test_a_reader_infers_the_set_and_refuses_by_its_own_settings(plain: HandReading) -> None:
    nines = Reader(settings=ReadSettings(settle=SettleSettings(set_shares=((9, 1.0),))))
    assert nines.read(picture()).set == 9
    assert nines.resettle([plain])[0].set == 9
    near = Reader(settings=ReadSettings(doubt=DoubtSettings(least_px=1e4)))
    with pytest.raises(PhotoError, match="dominoes_too_small"):
        near.read(picture(), 6)


def test_nothing_is_looked_at_closer_where_that_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(reader, "find_unclear", lambda *_: looked.append(1))
    Reader(settings=ReadSettings(closer_look=False)).read(picture(), 6)
    assert not looked
