"""Light, blur, paint with a shadow, and sheets before a camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from training.common.camera import Camera, moved
from training.common.synthetic import Light, filled, painted, take_picture

PLAIN = Light(glare=0, soft=0, strength=0, coded=0)


def brightness(light: Light) -> float:
    grey = np.full((60, 80, 3), 120, np.uint8)
    pictures = [take_picture(grey, 20, light, np.random.default_rng(k)) for k in range(20)]
    assert all(each.shape == grey.shape and each.dtype == np.uint8 for each in pictures)
    return float(np.mean(pictures))


def test_reflections_are_brighter_and_shadows_darker() -> None:
    plain = brightness(PLAIN)
    once = brightness(replace(PLAIN, glare=1.0))
    assert brightness(replace(PLAIN, shadow=1.0)) + 5 < plain < once - 3
    assert brightness(replace(PLAIN, glare=1.0, most_glares=4)) > once + 3


@pytest.mark.parametrize("light", [replace(PLAIN, soft=1, blur_px=6), replace(PLAIN, coded=1)])
def test_blur_and_compression_lose_detail(light: Light) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (60, 80, 3), np.uint8)

    def left(light: Light) -> float:
        taken = [take_picture(noise, 20, light, np.random.default_rng(k)) for k in range(12)]
        return float(np.mean([each.std() for each in taken]))

    assert left(light) < 0.93 * left(PLAIN)


def test_paint_covers_its_mask_and_darkens_what_is_beside_it() -> None:
    rgb = np.full((80, 80, 3), 200, np.float32)
    box = np.array([[20, 20], [40, 20], [40, 40], [20, 40]], np.float64)
    paint = np.zeros_like(rgb) + 50
    mask = painted(rgb, filled(rgb.shape, box), paint, 20, np.array([8.0, 0]), 0.5)
    np.testing.assert_allclose(rgb[25:35, 25:35], 50, atol=1)
    np.testing.assert_allclose(mask[25:35, 25:35], 1, atol=0.01)
    assert 95 < rgb[30, 43, 0] < 140
    np.testing.assert_allclose(rgb[:, :12], 200, atol=0.5)
    np.testing.assert_allclose(rgb[60:], 200, atol=0.5)


def test_a_sheet_is_turned_about_its_middle_with_what_stands_on_it() -> None:
    camera = Camera.above((0, 0), (100, 100), 30, tilt_deg=35, turn_deg=20)
    place = moved(90, (5, 2), middle=(1, 0.5))
    on_sheet = camera.on(place).pixels([(1, 0.5, 0), (2, 0.5, 0), (1, 1.5, 0.7)])
    np.testing.assert_allclose(on_sheet, camera.pixels([(5, 2, 0), (5, 3, 0), (4, 2, 0.7)]))
