"""Light and sharpness: told where they are poor, brightened, and what they explain."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from tests.vision.kingdomino.small_grids import lattice_at
from vision.common.geometry import Extent
from vision.kingdomino.passes import Pass
from vision.kingdomino.reader import mark_dark
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.kingdomino.settling import Judgement
from vision.kingdomino.warn import (
    DimSettings,
    Quality,
    QualitySettings,
    brighten,
    explain_by_light,
    is_dim,
    measure_quality,
    quality_codes,
)
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


def test_a_dim_reading_says_so_and_why_it_asks() -> None:
    asked = SquareReading("w", 0.9, doubtful=True)
    covered = replace(asked, reason="hidden")
    squares = ((SquareReading("c", 0.99), asked), (SquareReading("w", 0.99), covered))
    kingdom = KingdomReading(Kingdom.parse("c w/w w"), squares, np.eye(3))
    (told,) = mark_dark(Pass((kingdom,))).kingdoms
    assert told.warnings == ("dark",)
    assert told.squares == ((squares[0][0], replace(asked, reason="dark")), squares[1])


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


QUALITY_SETTINGS = QualitySettings()
SIDE = 80
CELLS = [(r, c) for r in range(4) for c in range(4)]


def textured() -> Image:
    """Tiles with structure of all sizes in many colours."""
    rng = np.random.default_rng(3)
    picture = np.full((600, 600, 3), 120, np.float32)
    for size in (300, 150, 75, 40):
        grain = rng.normal(0, 30, (size, size, 3)).astype(np.float32)
        picture += cv2.resize(grain, (600, 600), interpolation=cv2.INTER_CUBIC)
    return np.clip(picture, 0, 240).astype(np.uint8)


def measured(picture: Image) -> Quality:
    lattice = lattice_at((), 100, 100, SIDE)
    return measure_quality(picture, lattice, CELLS, QUALITY_SETTINGS)


def test_a_good_photograph_has_no_code() -> None:
    assert quality_codes(measured(textured()), QUALITY_SETTINGS) == ()


def test_blur_is_told() -> None:
    blurred = np.asarray(cv2.GaussianBlur(textured(), (0, 0), 6), np.uint8)
    assert quality_codes(measured(blurred), QUALITY_SETTINGS) == ("blurred",)


def test_darkness_is_told_and_no_blur_with_it() -> None:
    dark = (textured() * 0.15).astype(np.uint8)
    assert quality_codes(measured(dark), QUALITY_SETTINGS) == ("dark",)


@pytest.mark.parametrize("lamp", [(255, 255, 255), (255, 254, 150), (140, 254, 255)])
def test_a_mirrored_lamp_is_told_with_its_squares(lamp: tuple[int, int, int]) -> None:
    picture = textured()
    cv2.circle(picture, (100 + SIDE // 2, 100 + SIDE // 2), 30, lamp, -1)
    found = measured(picture)
    assert quality_codes(found, QUALITY_SETTINGS) == ("glare",)
    assert [cell for cell, share in found.blind_shares.items() if share > 0.1] == [(0, 0)]
    assert found.blind_shares[0, 0] == pytest.approx(np.pi * 30**2 / SIDE**2, abs=0.05)


def test_bright_wheat_is_no_lamp() -> None:
    picture = textured()
    cv2.circle(picture, (100 + SIDE // 2, 100 + SIDE // 2), 30, (255, 250, 120), -1)
    assert quality_codes(measured(picture), QUALITY_SETTINGS) == ()


def test_a_picture_without_colours_is_told() -> None:
    grey = cv2.cvtColor(cv2.cvtColor(textured(), cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    assert quality_codes(measured(np.asarray(grey, np.uint8)), QUALITY_SETTINGS) == ("grey",)


@pytest.mark.parametrize(
    ("quality", "reason"),
    [
        (Quality(0.8, 120, 80, 80, {(0, 0): 0.05}), None),
        (Quality(0.8, 30, 80, 80, {}), "dark"),
        (Quality(0.4, 120, 80, 80, {}), "blurred"),
        (Quality(0.8, 120, 80, 5, {}), "grey"),
        (Quality(0.8, 120, 80, 80, {(0, 0): 0.3}), "glare"),
        (Quality(0.4, 120, 80, 80, {(0, 0): 0.3}), "glare"),
    ],
)
def test_the_light_explains_flags_and_makes_none(quality: Quality, reason: str | None) -> None:
    cells = {
        (0, 0): SquareReading("w", 0.9, doubtful=True),
        (0, 1): SquareReading("f", 0.9),
        (0, 2): SquareReading(".", 0.9, doubtful=True, reason="hidden"),
    }
    before = Judgement(cells, Extent(0, 0, 1, 3), True)
    after = explain_by_light(before, quality, QUALITY_SETTINGS).squares
    assert after == {**cells, (0, 0): replace(cells[0, 0], reason=reason)}
