"""Dim photographs: brighten, smoothed, and doubted."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from vision.kingdomino.judge.light import DimSettings, brighten, flag_unsure, is_dim, mark_dark
from vision.kingdomino.kingdoms.choose import Pass
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.photo import Photo

Image = NDArray[np.uint8]
SETTINGS = DimSettings()


def photo(gain: float, noise: float = 0.0, size: tuple[int, int] = (600, 800)) -> Photo:
    """A picture with patches of many colours, darker by ``gain`` and with grain."""
    rng = np.random.default_rng(4)
    coarse = rng.integers(20, 230, (6, 8, 3)).astype(np.float32)
    rgb = cv2.resize(coarse, size[::-1], interpolation=cv2.INTER_NEAREST) * gain
    rgb = rgb + rng.normal(0, 1, rgb.shape) * noise
    return Photo(np.clip(rgb, 0, 255).astype(np.uint8), size[1], size[0])


def flat_spread(rgb: Image) -> float:
    """The spread within one patch, as a share of its mean."""
    patch = rgb[20:60, 20:60].astype(np.float32)
    return float(patch.std((0, 1)).mean() / patch.mean())


def test_only_a_picture_without_any_light_is_dim() -> None:
    assert not is_dim(photo(1.0).rgb, SETTINGS)
    assert not is_dim(photo(0.6).rgb, SETTINGS)
    assert is_dim(photo(0.15).rgb, SETTINGS)


def test_a_dim_picture_becomes_as_bright_as_others_and_less_grainy() -> None:
    dim = photo(0.13, 6.0)
    lifted = brighten(dim, SETTINGS)
    assert not is_dim(lifted.rgb, SETTINGS)
    assert flat_spread(lifted.rgb) < 0.4 * flat_spread(dim.rgb)
    assert (lifted.width, lifted.height) == (dim.width, dim.height)


def test_a_large_picture_is_reduced_and_knows_its_scale() -> None:
    lifted = brighten(photo(0.13, 6.0, (1200, 1600)), SETTINGS)
    assert lifted.rgb.shape == (750, 1000, 3)
    assert lifted.scale == pytest.approx(1000 / 1600)


def test_the_tint_of_a_lamp_is_taken_out() -> None:
    white = Photo(np.full((120, 160, 3), (60, 50, 35), np.uint8), 160, 120)
    middle = brighten(white, SETTINGS).rgb[60, 80].astype(int)
    assert middle.max() - middle.min() <= 4


def test_a_dim_reading_says_so_and_doubts_what_is_not_quite_sure() -> None:
    squares = tuple(tuple(SquareReading(label, 0.99) for label in row) for row in ("cw", "fl"))
    kingdom = KingdomReading(Kingdom.parse("c w/f l"), squares, np.eye(3))
    (told,) = mark_dark(Pass((kingdom,))).kingdoms
    assert told.warnings == ("dark",)
    doubted = flag_unsure(told, SETTINGS)
    assert len(doubted.doubtful) == 4
    assert doubted.squares[0][1].reason == "dark"
    sure = flag_unsure(told, replace(SETTINGS, sure=0.9))
    assert not sure.doubtful


@pytest.mark.parametrize(("noise", "coarse"), [(0.8, False), (2.0, True)])
def test_fine_grain_is_blurred_a_little_and_coarse_grain_smoothed_at_length(
    noise: float, coarse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    smoothed: list[float] = []

    def smooth(picture: Image, _: None, strength: float, *others: float) -> Image:
        smoothed.append(strength)
        return picture

    monkeypatch.setattr(cv2, "fastNlMeansDenoisingColored", smooth)
    dim = photo(0.13, noise)
    lifted = brighten(dim, SETTINGS)
    assert bool(smoothed) is coarse
    if not coarse:
        assert flat_spread(lifted.rgb) < 0.6 * flat_spread(dim.rgb)
