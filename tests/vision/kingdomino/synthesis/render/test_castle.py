"""The standing castle."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from training.kingdomino.render import CASTLE_RGB, Camera, CastleShape, draw_castle

SHAPE = CastleShape()


def drawn(tilt_deg: float, colour: str = "pink", shape: CastleShape = SHAPE) -> NDArray[np.uint8]:
    rgb = np.full((300, 300, 3), 250, np.uint8)
    camera = Camera.above((0.5, 0.5), (150, 180), 100, tilt_deg=tilt_deg, turn_deg=0)
    draw_castle(rgb, camera, (0, 0), colour, np.random.default_rng(1), shape)
    return rgb


def top_of(rgb: NDArray[np.uint8]) -> int:
    return int(np.nonzero((rgb < 200).any(axis=2))[0].min())


def test_the_more_the_camera_leans_the_more_it_hides_of_what_is_behind() -> None:
    heights = [top_of(drawn(tilt)) for tilt in (5, 25, 45)]
    assert heights[0] > heights[1] > heights[2]
    # The square itself ends at about 135 at that tilt.
    assert heights[2] < 110


def test_a_keep_is_higher_than_the_walls() -> None:
    assert top_of(drawn(40)) < top_of(drawn(40, shape=CastleShape(keep=0)))


@pytest.mark.parametrize("colour", CASTLE_RGB)
def test_roof_and_banners_have_the_colour_of_the_player(colour: str) -> None:
    def share(rgb: NDArray[np.uint8], name: str) -> float:
        """Of pixels with the hue of that player's colour."""
        wanted = np.array(CASTLE_RGB[name]) / sum(CASTLE_RGB[name])
        pixels = rgb.reshape(-1, 3).astype(float)
        pixels = pixels[np.ptp(pixels, axis=1) > 50]
        tint = pixels / pixels.sum(axis=1, keepdims=True)
        return float((np.abs(tint - wanted).max(axis=1) < 0.06).mean())

    rgb = drawn(30, colour)
    assert max(CASTLE_RGB, key=lambda name: share(rgb, name)) == colour


def test_what_lies_far_off_is_left_alone() -> None:
    rgb = drawn(30)
    np.testing.assert_array_equal(rgb[:20], 250)
    np.testing.assert_array_equal(rgb[:, :40], 250)


def test_random_shapes_differ_and_can_be_drawn() -> None:
    rng = np.random.default_rng(3)
    shapes = [CastleShape.random(rng) for _ in range(8)]
    assert len(set(shapes)) == 8
    assert {shape.keep > 0 for shape in shapes} == {True, False}
    for shape in shapes:
        assert top_of(drawn(30, shape=shape)) < 180
