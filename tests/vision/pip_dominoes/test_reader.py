"""The samples, read end to end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from training.pip_dominoes.corpus import LabelledPhoto, read_photo_labels
from vision.photo import PhotoError
from vision.pip_dominoes import HandReading, Reader, ReadSettings, read_dominoes, settle_hands

FOLDER = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
SAMPLES = {photo.path.stem: photo for photo in read_photo_labels(FOLDER)}
HANDS = {name: photo for name, photo in SAMPLES.items() if photo.tiles}
READINGS: dict[str, HandReading] = {}


def reading_of(name: str) -> HandReading:
    if name not in READINGS:
        READINGS[name] = read_dominoes(HANDS[name].path, HANDS[name].set)
    return READINGS[name]


def names(photo: LabelledPhoto) -> Counter[str]:
    return Counter(f"{a}|{b}" for a, b in photo.tiles)


# Dots of the cloth look like pips there; the reading must say that it is unsure.
HARD = {"dotted-cloth"}


@pytest.mark.parametrize("name", sorted(HANDS.keys() - HARD))
def test_every_domino_of_a_sample_is_read(name: str) -> None:
    reading = reading_of(name)
    assert Counter(reading.tiles) == names(HANDS[name])
    assert reading.sum == HANDS[name].pips
    assert (reading.width, reading.height) == (1200, 1200)
    assert len(reading.to_check) <= 1
    assert set(reading.seconds) == {"decode", "locate", "recognise", "settle"}


@pytest.mark.parametrize("name", sorted(HARD))
def test_where_a_pattern_deceives_the_sum_is_called_doubtful(name: str) -> None:
    reading = reading_of(name)
    assert reading.doubtful
    assert not names(HANDS[name]) - Counter(reading.tiles)


def test_dominoes_that_lie_face_down_are_told() -> None:
    reading = reading_of("garden")
    assert "unread" in reading.warnings
    assert [each.tile for each in reading.missed] == ["", ""]
    middles = np.array([domino.corners.mean(0) for domino in reading.dominoes])
    for back in reading.missed:
        away = np.linalg.norm(middles - back.corners.mean(0), axis=1)
        assert away.min() > reading.dominoes[0].short_px
    for settings, told in (
        ({"body": 1.1}, 2),
        ({"misfit": 0.0}, 2),
        ({"body": 1.1, "misfit": 0.0}, 0),
    ):
        doubt = replace(ReadSettings().doubt, **settings)
        found = Reader(settings=ReadSettings(doubt=doubt)).read(HANDS["garden"].path)
        assert len(found.missed) == told


def test_corners_enclose_the_domino() -> None:
    for domino in reading_of("classic").dominoes:
        long, short = domino.corners[1] - domino.corners[0], domino.corners[3] - domino.corners[0]
        assert 1.6 < np.linalg.norm(long) / np.linalg.norm(short) < 2.4
        assert long[0] * short[1] - long[1] * short[0] > 0
        assert ((domino.corners > 0) & (domino.corners < 1200)).all()


def test_the_double_blank_is_read_as_any_other_domino() -> None:
    (blank,) = [d for d in reading_of("double-blank").dominoes if d.tile == "0|0"]
    assert not blank.doubtful


def test_sets_that_nobody_photographed_are_told() -> None:
    assert "set_never_photographed" in reading_of("eighteens").warnings
    assert "set_never_photographed" not in reading_of("fifteen").warnings


def test_the_set_is_inferred_and_told() -> None:
    reading = read_dominoes(HANDS["fifteen"].path)
    assert reading.set == 12
    assert "set_inferred" in reading.warnings
    assert "set_inferred" not in reading_of("fifteen").warnings


def test_bytes_path_and_pixels_read_alike() -> None:
    path = HANDS["classic"].path
    rgb = np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR_RGB), np.uint8)
    for source in (path.read_bytes(), str(path), rgb):
        assert Counter(read_dominoes(source, 6).tiles) == names(HANDS["classic"])


def test_a_picture_without_dominoes_is_refused() -> None:
    with pytest.raises(PhotoError) as caught:
        read_dominoes(SAMPLES["no-dominoes"].path)
    assert caught.value.code == "no_dominoes"
    with pytest.raises(PhotoError) as caught:
        read_dominoes(np.full((600, 800, 3), 90, np.uint8))
    assert caught.value.code == "no_dominoes"


def shrunk(name: str, side: int) -> np.ndarray:
    """A sample as small as that in the middle of a larger picture."""
    rgb = cv2.imread(str(HANDS[name].path), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    small = cv2.resize(rgb, (side, side), interpolation=cv2.INTER_AREA)
    around = cv2.copyMakeBorder(small, 200, 200, 200, 200, cv2.BORDER_REPLICATE)
    return np.asarray(around, np.uint8)


def test_dominoes_that_are_too_small_to_be_told_are_refused() -> None:
    with pytest.raises(PhotoError) as caught:
        read_dominoes(shrunk("classic", 105), 6)
    assert caught.value.code == "dominoes_too_small"


def test_small_dominoes_are_read() -> None:
    reading = read_dominoes(shrunk("classic", 168), 6)
    assert np.median([domino.short_px for domino in reading.dominoes]) < 15
    assert Counter(reading.tiles) == names(HANDS["classic"])


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(ValueError, match="set: expected"):
        read_dominoes(HANDS["classic"].path, 7)


def test_a_correction_is_certain_and_settles_the_rest() -> None:
    hand = reading_of("classic")
    taken = hand.tiles[1]
    (settled,) = settle_hands([hand], [{0: taken}], set=6)
    assert settled.tiles[0] == taken
    assert settled.dominoes[0].probability == 1
    assert not settled.dominoes[0].doubtful
    # A person does not say how it lies.
    swapped = "|".join(map(str, taken_halves := tuple(reversed(hand.dominoes[1].halves))))
    (same,) = settle_hands([hand], [{1: swapped}], set=6)
    assert same.dominoes[1].halves == hand.dominoes[1].halves != taken_halves
    # What was surely read there is there a second time now, and that is told.
    assert settled.dominoes[1].doubtful
    # What a person saw tells the set, which has such a domino.
    assert settle_hands([hand], [{0: "7|9"}])[0].set == 9
    with pytest.raises(IndexError, match="no domino 99"):
        settle_hands([hand], [{99: "1|2"}])


def test_no_domino_is_in_two_hands_of_a_round_untold() -> None:
    hand = reading_of("classic")
    first, second = settle_hands([hand, hand], set=6)
    pairs = zip(first.dominoes, second.dominoes, strict=True)
    assert all(one.doubtful or other.doubtful for one, other in pairs)
    alone = settle_hands([hand], set=6)[0]
    assert alone.tiles == hand.tiles
    assert alone.to_check == hand.to_check
