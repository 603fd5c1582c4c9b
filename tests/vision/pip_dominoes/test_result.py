"""Results check themselves, add up, and are drawn on the photograph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.pip_dominoes.draw import DrawSettings, annotate
from vision.pip_dominoes.result import (
    SETS,
    DominoReading,
    HandReading,
    Missed,
    format_tile,
    parse_tile,
    tiles_of,
)


def domino(a: int, b: int, doubtful: bool = False) -> DominoReading:
    return DominoReading((a, b), np.zeros((4, 2)), 0.99, doubtful, "", np.ones((2, 19)))


def test_a_hand_adds_up() -> None:
    hand = HandReading((domino(9, 5), domino(0, 3)), 9, (), 100, 80)
    assert (hand.sum, hand.tiles, hand.to_check, hand.doubtful) == (17, ("5|9", "0|3"), (), False)


def test_a_hand_is_doubtful_with_a_domino_or_where_one_may_be_missing() -> None:
    assert HandReading((domino(1, 2, doubtful=True),), 6, (), 9, 9).to_check == (0,)
    assert HandReading((domino(1, 2, doubtful=True),), 6, (), 9, 9).doubtful
    for warning in ("unread", "cut_off"):
        assert HandReading((domino(1, 2),), 6, (warning,), 9, 9).doubtful
    assert not HandReading((domino(1, 2),), 6, ("set_inferred",), 9, 9).doubtful


@pytest.mark.parametrize(
    ("reasons", "bounds"),
    [
        ((), (3, 4)),
        (("unlikely",), (3, 4)),
        (("existence",), (0, 3)),
        (("twice", "existence"), (0, 3)),
        (("existence", "dissent"), (0, 4)),
    ],
)
def test_a_doubt_leaves_a_range(reasons: tuple[str, ...], bounds: tuple[int, int]) -> None:
    unsure = replace(domino(1, 2, doubtful=True), runner_up="1|3", reasons=reasons)
    assert unsure.pips_range == bounds
    assert replace(unsure, doubtful=False).pips_range == (3, 3)
    missed = (Missed(np.zeros((4, 2)), "4|4"), Missed(np.zeros((4, 2))))
    reading = HandReading((unsure, domino(5, 5)), 6, (), 9, 9, missed=missed)
    assert reading.sum_range == (bounds[0] + 10, bounds[1] + 18)


def test_what_was_missed_makes_a_hand_doubtful() -> None:
    missed = (Missed(np.zeros((4, 2))),)
    assert HandReading((domino(1, 2),), 6, (), 9, 9, missed=missed).doubtful
    with pytest.raises(ValueError, match="corners: expected"):
        Missed(np.zeros((3, 2)))


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="halves: expected"):
        domino(19, 0)
    with pytest.raises(ValueError, match="corners: expected"):
        DominoReading((1, 2), np.zeros((2, 2)), 0.5, False, "", np.ones((2, 19)))
    with pytest.raises(ValueError, match="likelihoods: expected"):
        DominoReading((1, 2), np.zeros((4, 2)), 0.5, False, "", np.ones((2, 7)))
    with pytest.raises(ValueError, match="probability: expected"):
        DominoReading((1, 2), np.zeros((4, 2)), 1.5, False, "", np.ones((2, 19)))
    with pytest.raises(ValueError, match="set: expected"):
        HandReading((), 7, (), 9, 9)
    with pytest.raises(ValueError, match="warnings: expected"):
        HandReading((), 6, ("odd",), 9, 9)


BOX = np.array([(100.0, 100.0), (260.0, 100.0), (260.0, 180.0), (100.0, 180.0)])
GREY = np.full((300, 400, 3), 128, np.uint8)


def hand(doubtful: bool, size: tuple[int, int] = (400, 300), scale: float = 1.0) -> HandReading:
    domino = DominoReading((5, 2), BOX * scale, 0.9, doubtful, "2|6", np.ones((2, 19)))
    return HandReading((domino,), 6, (), *size)


def test_nothing_is_missed_where_nobody_says_so() -> None:
    assert hand(doubtful=False).missed == ()
    assert not hand(doubtful=False).doubtful
    assert hand(doubtful=True).doubtful


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


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_the_frame_lies_about_the_domino_at_any_size(scale: float) -> None:
    reading = hand(doubtful=False)
    picture = np.full((int(300 * scale), int(400 * scale), 3), 200, np.uint8)
    frame = shown(annotate(picture, reading), DrawSettings().sure)
    middle = (reading.dominoes[0].corners.mean(0) + 0.5) * scale - 0.5
    np.testing.assert_allclose((frame.min(0) + frame.max(0)) / 2, middle, atol=0.51)


def test_a_doubtful_one_has_another_colour() -> None:
    picture = annotate(GREY, hand(doubtful=True))
    assert not len(shown(picture, DrawSettings().sure))
    assert len(shown(picture, DrawSettings().doubt)) > 200


def share_at(picture: np.ndarray, middle: tuple[int, int], colour: tuple[int, int, int]) -> float:
    """How much of the 24 pixels around a place (x, y) has a colour."""
    x, y = middle
    return float((picture[y - 12 : y + 12, x - 12 : x + 12] == colour).all(2).mean())


def test_numbers_stand_on_the_halves_what_else_it_may_be_between_and_the_sum_in_the_corner() -> (
    None
):
    black, doubt = (24, 22, 26), DrawSettings().doubt
    sure, unsure = annotate(GREY, hand(doubtful=False)), annotate(GREY, hand(doubtful=True))
    for half in ((140, 140), (220, 140)):
        assert share_at(sure, half, black) > 0.3
        assert share_at(unsure, half, doubt) > 0.3
    assert share_at(sure, (180, 140), black) == share_at(sure, (180, 140), doubt) == 0
    assert share_at(unsure, (180, 140), doubt) > 0.3
    for picture in (sure, unsure):
        assert share_at(picture, (25, 30), black) > 0.3
    assert not len(shown(sure[:60], doubt))
    assert len(shown(unsure[:60], doubt)) > 200


def test_each_number_stands_on_its_own_half() -> None:
    (lying,) = hand(doubtful=False).dominoes
    one, other = (
        annotate(GREY, replace(hand(doubtful=False), dominoes=(replace(lying, halves=halves),)))
        for halves in ((3, 3), (5, 3))
    )
    differs = (one != other).any(2)[100:180]
    assert differs[:, 100:180].any()
    assert not differs[:, 180:].any()


def test_beside_the_sum_no_dominoes_are_counted_where_none_is_doubtful() -> None:
    """But that a face was not read is said."""
    unread = replace(hand(doubtful=False), warnings=("unread",))
    asked, counted = (
        shown(annotate(GREY, reading)[:60], DrawSettings().doubt)
        for reading in (unread, hand(doubtful=True))
    )
    assert 0 < np.ptp(asked[:, 0]) < 0.8 * np.ptp(counted[:, 0])


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


@pytest.mark.parametrize(
    ("highest", "count", "pips"),
    [(6, 28, 168), (9, 55, 495), (12, 91, 1092), (15, 136, 2040), (18, 190, 3420)],
)
def test_a_set_has_each_domino_once(highest: int, count: int, pips: int) -> None:
    tiles = tiles_of(highest)
    assert highest in SETS
    assert len(set(tiles)) == len(tiles) == count
    assert sum(a + b for a, b in tiles) == pips


def test_text_goes_there_and_back() -> None:
    assert [parse_tile(format_tile(b, a)) for a, b in tiles_of(18)] == list(tiles_of(18))
    assert parse_tile("9|5") == (5, 9)


@pytest.mark.parametrize("text", ["", "5", "5|", "|5", "a|b", "5|19", "-1|4", "1|2|3", "5/9"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="tile: expected"):
        parse_tile(text)
