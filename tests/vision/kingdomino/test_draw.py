"""Readings drawn on photographs: looked at through the colours that only they bring in."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Terrain
from vision.kingdomino.draw import DOUBT, draw_reading
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

Image = NDArray[np.uint8]
SQUARE_PX = 60
BLACK = (24, 22, 26)


def grey_photo(height: int = 400, width: int = 500) -> Image:
    return np.full((height, width, 3), 128, np.uint8)


def reading(
    text: str,
    doubtful: frozenset[tuple[int, int]] = frozenset(),
    *,
    left: float = 60,
    top: float = 80,
    certain: bool = True,
    runner_up: str | None = "g2",
) -> KingdomReading:
    kingdom = Kingdom.parse(text)
    squares = tuple(
        tuple(
            SquareReading(str(square), 0.9, runner_up, doubtful=(row, column) in doubtful)
            for column, square in enumerate(squares)
        )
        for row, squares in enumerate(kingdom.rows)
    )
    homography = np.array([[SQUARE_PX, 0, left], [0, SQUARE_PX, top], [0, 0, 1.0]])
    return KingdomReading(kingdom, squares, homography, lattice_certain=certain)


def drawn(*kingdoms: KingdomReading, photo: Image | None = None) -> Image:
    photo = grey_photo() if photo is None else photo
    return draw_reading(photo, PhotoReading(kingdoms, 500, 400))


def square_of(picture: Image, row: int, column: int, left: int = 60, top: int = 80) -> Image:
    y, x = top + SQUARE_PX * row, left + SQUARE_PX * column
    return picture[y : y + SQUARE_PX, x : x + SQUARE_PX]


def share_of(picture: Image, colour: tuple[int, int, int], tolerance: int = 30) -> float:
    return float((np.abs(picture.astype(int) - colour).max(axis=2) <= tolerance).mean())


def test_the_photo_itself_is_left_alone_and_the_size_is_kept() -> None:
    photo = grey_photo()
    picture = drawn(reading("w w/c f"), photo=photo)
    np.testing.assert_array_equal(photo, grey_photo())
    assert picture.shape == photo.shape
    assert picture.dtype == np.uint8


def test_without_a_kingdom_nothing_is_drawn() -> None:
    np.testing.assert_array_equal(drawn(), grey_photo())


def test_doubtful_squares_and_no_others_are_framed() -> None:
    picture = drawn(reading("w w l/c f f", frozenset({(0, 1), (1, 2)})))
    for row in range(2):
        for column in range(3):
            share = share_of(square_of(picture, row, column), DOUBT)
            if (row, column) in {(0, 1), (1, 2)}:
                assert share > 0.2
            else:
                assert share < 0.02


def test_a_missing_square_in_doubt_is_framed_too() -> None:
    picture = drawn(reading("w .", frozenset({(0, 1)})))
    assert share_of(square_of(picture, 0, 1), DOUBT) > 0.2


def test_the_runner_up_is_written() -> None:
    doubtful = frozenset({(0, 0)})
    with_, without = (
        square_of(drawn(reading("w c", doubtful, runner_up=other)), 0, 0) for other in ("g2", None)
    )
    assert share_of(with_, DOUBT) > share_of(without, DOUBT) + 0.02


def test_each_square_is_tinted_by_its_terrain() -> None:
    picture = drawn(reading("w f/l g"))
    corner = (slice(12, 18), slice(12, 18))
    wheat, forest, lake, grass = (
        square_of(picture, row, column)[corner].reshape(-1, 3).mean(axis=0)
        for row in range(2)
        for column in range(2)
    )
    assert wheat[0] > wheat[2] + 20
    assert forest[1] > forest[0] + 10
    assert lake[2] > lake[0] + 20
    assert grass[1] > grass[2] + 20


def test_the_table_is_darkened_and_holes_count_as_table() -> None:
    picture = drawn(reading("w w w/w . w/w w c"))
    assert picture[380, 480].tolist() == [70, 70, 70]
    assert square_of(picture, 1, 1)[30, 30].tolist() == [70, 70, 70]


def test_labels_and_points_change_with_what_was_read() -> None:
    """Same tints and lines, so the difference is the writing on the squares concerned."""
    plain, crowned = drawn(reading("w w/c f")), drawn(reading("w w1/c f"))
    differs = np.abs(plain.astype(int) - crowned).max(axis=2) > 40
    assert differs[80:140, 60:180].mean() > 0.02
    assert not differs[150:].any()
    assert differs[:80].any()  # the total


def test_the_count_of_doubts_stands_beside_the_total() -> None:
    sure, unsure = drawn(reading("w c")), drawn(reading("w c", frozenset({(0, 0)})))
    assert share_of(sure[:74], DOUBT) == 0
    assert share_of(unsure[:74], DOUBT) > 0.002


def test_a_territory_has_its_edges_and_no_line_within() -> None:
    """Between rows of the text, which stands in the middle of the squares."""
    picture = drawn(reading("w w f/c w f"))
    red, green, blue = bytes.fromhex(Terrain.WHEAT.colour.removeprefix("#"))
    paint = (red + 255) // 2, (green + 255) // 2, (blue + 255) // 2
    outer, within = (picture[90:100, x - 4 : x + 4] for x in (60, 120))
    assert share_of(outer, paint, 20) > 0.1
    assert share_of(within, paint, 20) == 0
    assert share_of(square_of(picture, 1, 1)[35:58, 8:54], paint, 20) == 0


def test_points_stand_on_a_square_that_is_sure() -> None:
    picture = drawn(reading("w w1 w/c . .", frozenset({(0, 1)})))
    first, last = (share_of(square_of(picture, 0, column), BLACK) for column in (0, 2))
    assert first > last + 0.05


def test_an_uncertain_lattice_shows_in_its_lines() -> None:
    sure, unsure = (drawn(reading("w w/c f", certain=certain)) for certain in (True, False))
    assert share_of(sure, DOUBT) == 0
    assert share_of(square_of(unsure, 0, 0), DOUBT) > 0.01
    assert share_of(unsure[:74], DOUBT) > 0.001


def test_on_a_reduced_photo_it_is_drawn_at_the_reduced_place() -> None:
    kingdom = reading("w c", frozenset({(0, 0)}))
    half = draw_reading(grey_photo(200, 250), PhotoReading((kingdom,), 500, 400))
    assert share_of(half[40:70, 30:60], DOUBT) > 0.2
    assert share_of(half[80:], DOUBT) == 0


def test_a_kingdom_in_the_middle_of_the_photo_is_drawn_there() -> None:
    """The middles of pixels have whole coordinates."""
    kingdom = reading("c")
    kingdom.homography[:] = np.array([[60.5, 0, 219.25], [0, 60.5, 169.25], [0, 0, 1]])
    drawn_on = (drawn(kingdom) != 70).any(2)
    # Beside the total, which stands above the kingdom.
    for line in (drawn_on[200], drawn_on[:, 225]):
        assert line.any()
        np.testing.assert_array_equal(line, line[::-1])


def test_two_kingdoms() -> None:
    first = reading("w c", frozenset({(0, 0)}))
    second = reading("c l", frozenset({(0, 1)}), left=300, top=250)
    picture = drawn(first, second)
    assert share_of(square_of(picture, 0, 0), DOUBT) > 0.2
    assert share_of(square_of(picture, 0, 1, 300, 250), DOUBT) > 0.2


@pytest.mark.parametrize(("left", "top"), [(-30, -30), (460, 380), (900, 900)])
def test_a_kingdom_that_leaves_the_picture(left: float, top: float) -> None:
    """The total stays in sight, since a person must not miss it."""
    picture = drawn(reading("w1 c", frozenset({(0, 0)}), left=left, top=top))
    assert share_of(picture, DOUBT) > 0.0005


def test_a_tilted_kingdom() -> None:
    kingdom = reading("w w1/c f", frozenset({(1, 1)}))
    kingdom.homography[:] = np.array([[60, -25, 200], [20, 40, 80], [0.01, 0.03, 1]])
    assert share_of(drawn(kingdom), DOUBT) > 0.001


def test_a_lattice_that_runs_to_the_horizon_does_not_break_it() -> None:
    kingdom = reading("w w1/c f", frozenset({(1, 1)}))
    kingdom.homography[:] = np.array([[60, 0, 200], [0, 60, 80], [0, -0.4999999999, 1]])
    assert drawn(kingdom).shape == (400, 500, 3)


def test_a_kingdom_of_nothing_has_no_total() -> None:
    picture = drawn(reading(". ./. ."))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 1


def test_the_same_reading_is_always_drawn_alike() -> None:
    kingdom = reading("w1 l/c f", frozenset({(0, 1)}))
    np.testing.assert_array_equal(drawn(kingdom), drawn(kingdom))
