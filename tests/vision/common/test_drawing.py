"""Texts on coloured tags."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.kingdomino import Terrain
from vision.common.drawing import Lettering, _font, text_colour_on

RED = (220, 20, 40)


def red_box(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is red."""
    rows, columns = np.nonzero((picture == RED).all(axis=2))
    return columns.min(), rows.min(), columns.max(), rows.max()


def written(text: str, middle: tuple[float, float], height_px: float = 20) -> tuple[int, ...]:
    picture = np.full((120, 300, 3), 90, np.uint8)
    Lettering(picture, height_px).tag(text, np.array(middle), RED)
    return red_box(picture)


def test_a_tag_stands_about_its_middle() -> None:
    left, top, right, bottom = written("w1", (150, 60))
    assert (left + right) / 2 == pytest.approx(150, abs=2)
    assert (top + bottom) / 2 == pytest.approx(60, abs=2)


def test_longer_texts_and_larger_letters_take_more_room() -> None:
    short, long, large = (
        written("w", (150, 60)),
        written("w1!!", (150, 60)),
        written("w", (150, 60), 50),
    )
    assert long[2] - long[0] > short[2] - short[0] + 10
    assert large[3] - large[1] > 2 * (short[3] - short[1])


@pytest.mark.parametrize("middle", [(-50, -50), (400, 300), (5, 60)])
def test_a_tag_is_kept_inside_of_the_picture(middle: tuple[float, float]) -> None:
    left, top, right, bottom = written("12×3=36", middle)
    assert min(left, top) >= 0
    assert right < 300
    assert bottom < 120
    assert right - left > 60


def test_a_tag_stands_out_from_its_own_colour() -> None:
    """It has a rim of the colour of its letters."""
    picture = np.full((120, 300, 3), 90, np.uint8)
    Lettering(picture, 60).tag("w1", np.array((150, 60)), RED)
    left, top, right, bottom = red_box(picture)
    rows, columns = np.nonzero((picture == text_colour_on(RED)).all(axis=2))
    assert columns.min() < left
    assert columns.max() > right
    assert rows.min() < top
    assert rows.max() > bottom


def test_letters_never_get_too_small_to_be_read() -> None:
    assert written("w", (150, 60), 1) == written("w", (150, 60), 9)


def test_a_row_of_tags_stands_about_its_middle_and_does_not_overlap() -> None:
    picture = np.full((120, 300, 3), 90, np.uint8)
    Lettering(picture, 20).row_of_tags([("60", RED), ("?8", (20, 20, 220))], np.array([150, 60]))
    red_left, _, red_right, _ = red_box(picture)
    blue = np.nonzero((picture == (20, 20, 220)).all(axis=2))[1]
    assert red_right < blue.min()
    assert (red_left + blue.max()) / 2 == pytest.approx(150, abs=1)


@pytest.mark.parametrize("terrain", Terrain)
def test_the_text_is_in_contrast_with_the_colour_of_every_terrain(terrain: Terrain) -> None:
    """At least 3:1, what WCAG 2.2 asks of large and bold letters."""

    def luminance(colour: tuple[int, ...]) -> float:
        share = np.array(colour) / 255
        linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722))

    colour = tuple(bytes.fromhex(terrain.colour[1:]))
    red, green, blue = colour
    light, dark = sorted((luminance(colour), luminance(text_colour_on((red, green, blue)))))[::-1]
    assert (light + 0.05) / (dark + 0.05) > 3


def test_a_thread_has_one_font() -> None:
    """Making it anew for every word would take its glyphs along."""
    assert _font() is _font()
