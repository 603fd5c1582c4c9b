"""Light and sharpness: told where they are poor, and doubted there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.kingdomino.detect.lattice import Lattice
from vision.kingdomino.judge.judgement import Judgement
from vision.kingdomino.judge.light import (
    Quality,
    QualitySettings,
    judge_by_light,
    measure_quality,
    quality_codes,
)
from vision.kingdomino.result import SquareReading

Image = NDArray[np.uint8]
SETTINGS = QualitySettings()
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
    lattice = Lattice(np.array([[SIDE, 0, 100], [0, SIDE, 100], [0, 0, 1.0]]), {}, 0.0)
    return measure_quality(picture, lattice, CELLS, SETTINGS)


def test_a_good_photograph_has_no_code() -> None:
    assert quality_codes(measured(textured()), SETTINGS) == ()


def test_blur_is_told() -> None:
    blurred = np.asarray(cv2.GaussianBlur(textured(), (0, 0), 6), np.uint8)
    assert quality_codes(measured(blurred), SETTINGS) == ("blurred",)


def test_darkness_is_told_and_no_blur_with_it() -> None:
    dark = (textured() * 0.15).astype(np.uint8)
    assert quality_codes(measured(dark), SETTINGS) == ("dark",)


def test_a_mirrored_lamp_is_told_with_its_squares() -> None:
    picture = textured()
    cv2.circle(picture, (100 + SIDE // 2, 100 + SIDE // 2), 30, (255, 255, 255), -1)
    found = measured(picture)
    assert quality_codes(found, SETTINGS) == ("glare",)
    assert [cell for cell, share in found.white_shares.items() if share > 0.1] == [(0, 0)]
    assert found.white_shares[0, 0] == pytest.approx(np.pi * 30**2 / SIDE**2, abs=0.05)


def test_a_picture_without_colours_is_told() -> None:
    grey = cv2.cvtColor(cv2.cvtColor(textured(), cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    assert quality_codes(measured(np.asarray(grey, np.uint8)), SETTINGS) == ("grey",)


def test_small_squares_are_not_called_blurred() -> None:
    assert quality_codes(Quality(0.4, 120, 30, 80, {}), SETTINGS) == ()


def judged(quality: Quality, probability: float) -> SquareReading:
    before = Judgement({(0, 0): SquareReading("w", probability)}, (0, 0, 1, 1), True)
    return judge_by_light(before, quality, SETTINGS).squares[0, 0]


@pytest.mark.parametrize(
    ("quality", "probability", "reason"),
    [
        (Quality(0.8, 120, 80, 80, {(0, 0): 0.0}), 0.95, None),
        (Quality(0.8, 30, 80, 80, {(0, 0): 0.0}), 0.95, "dark"),
        (Quality(0.8, 30, 80, 80, {(0, 0): 0.0}), 0.996, None),
        (Quality(0.4, 120, 80, 80, {(0, 0): 0.0}), 0.994, "blurred"),
        (Quality(0.8, 120, 80, 5, {(0, 0): 0.0}), 0.99, "grey"),
        (Quality(0.8, 120, 80, 5, {(0, 0): 0.0}), 1.0, "grey"),
        (Quality(0.8, 120, 80, 80, {(0, 0): 0.3}), 0.999, "glare"),
        (Quality(0.8, 120, 80, 80, {(0, 0): 0.1}), 0.999, None),
    ],
)
def test_poor_light_makes_squares_doubtful(
    quality: Quality, probability: float, reason: str | None
) -> None:
    square = judged(quality, probability)
    assert (square.doubtful, square.reason) == (reason is not None, reason)


@pytest.mark.parametrize(
    ("quality", "probability", "reason"),
    [
        (Quality(0.8, 30, 80, 80, {}), 0.95, "dark"),
        (Quality(0.8, 30, 80, 80, {}), 1.0, None),
        (Quality(0.4, 120, 80, 80, {}), 0.95, "blurred"),
        (Quality(0.8, 120, 80, 5, {}), 1.0, "grey"),
        (Quality(0.8, 120, 80, 80, {}), 0.95, None),
    ],
)
def test_poor_light_may_hide_a_square_on_an_empty_cell(
    quality: Quality, probability: float, reason: str | None
) -> None:
    cells = {(0, 0): SquareReading("w", 1.0), (0, 1): SquareReading(".", probability)}
    judged = judge_by_light(Judgement(cells, (0, 0, 1, 2), True), quality, SETTINGS)
    assert judged.squares[0, 1].reason == reason
