"""Drawing with lengths in squares."""

from __future__ import annotations

import numpy as np
import pytest

from training.kingdomino.render.canvas import (
    Canvas,
    Style,
    smooth_noise,
    to_fixed_point,
    vary_colour,
)

WHITE = (255, 255, 255)


def drawn_box(canvas: Canvas) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is white."""
    rows, columns = np.nonzero(canvas.rgb[..., 0] > 127)
    return columns.min(), rows.min(), columns.max(), rows.max()


@pytest.mark.parametrize("px", [50, 200])
def test_lengths_are_squares_whatever_the_resolution(px: int) -> None:
    canvas = Canvas(2, 1, px)
    assert canvas.rgb.shape == (px, 2 * px, 3)
    canvas.polygon([(0.5, 0.2), (1.5, 0.2), (1.5, 0.8), (0.5, 0.8)], WHITE)
    expected = np.array([0.5, 0.2, 1.5, 0.8]) * px
    np.testing.assert_allclose(drawn_box(canvas), expected, atol=1)


def test_ellipses_and_lines() -> None:
    canvas = Canvas(1, 1, 100)
    canvas.ellipse((0.5, 0.5), (0.3, 0.1), WHITE)
    np.testing.assert_allclose(drawn_box(canvas), (20, 40, 80, 60), atol=1)
    canvas = Canvas(1, 1, 100)
    canvas.line([(0.2, 0.5), (0.8, 0.5)], WHITE, 0.1)
    left, top, right, bottom = drawn_box(canvas)
    assert bottom - top == pytest.approx(10, abs=2)
    assert right - left == pytest.approx(70, abs=12)


def test_zoomed_draws_larger_about_its_centre_into_the_same_picture() -> None:
    canvas = Canvas(1, 1, 100)
    canvas.zoomed((0.5, 0.4), 2).polygon([(0.4, 0.3), (0.6, 0.3), (0.6, 0.5), (0.4, 0.5)], WHITE)
    np.testing.assert_allclose(drawn_box(canvas), (30, 20, 70, 60), atol=1)


def test_a_shadow_darkens_its_middle_and_not_the_rest() -> None:
    canvas = Canvas(1, 1, 100, WHITE)
    canvas.shadow((0.5, 0.5), (0.1, 0.1), 0.6)
    assert canvas.rgb[50, 50, 0] == pytest.approx(102, abs=4)
    assert canvas.rgb[5, 5, 0] == 255
    canvas.shadow((-3, -3), (0.1, 0.1), 0.6)
    canvas.shadow((3, 3), (0.1, 0.1), 0.6)
    assert canvas.rgb[5, 5, 0] == 255


def test_the_plain_style_prints_what_was_drawn() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (20, 20, 3), np.uint8)
    np.testing.assert_allclose(Style().apply(rgb).astype(int), rgb, atol=8)


def test_styles() -> None:
    rgb = np.full((4, 4, 3), (200, 60, 60), np.uint8)
    assert Style(brightness=0.5).apply(rgb).mean() < 0.6 * rgb.mean()
    assert np.ptp(Style(vividness=0.3).apply(rgb)[0, 0]) < 60
    turned = Style(hue_deg=60).apply(rgb)[0, 0]
    assert turned[1] > 150
    assert Style.random(np.random.default_rng(1)) != Style.random(np.random.default_rng(2))


def test_noise_is_centred_and_varied_colours_stay_colours() -> None:
    rng = np.random.default_rng(0)
    noise = smooth_noise((200, 300), (40, 60), rng)
    assert noise.shape == (200, 300)
    assert abs(noise.mean()) < 0.1
    assert 0.4 < noise.std() < 1.2
    for _ in range(50):
        assert all(0 <= channel <= 255 for channel in vary_colour((250, 5, 128), 0.8, rng))


def test_fixed_points_count_from_the_middle_of_the_first_pixel() -> None:
    found = to_fixed_point(np.array([[0.5, 0.5], [1.0, 2.25]]), bits=3)
    np.testing.assert_array_equal(found, [[0, 0], [4, 14]])
