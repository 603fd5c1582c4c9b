"""A dim photograph, made brighter and smoother so that it can be read a second time.

Averaging to a smaller size takes away much of the sensor's grain, which otherwise grows with the
light; where it is coarse, non-local means (Buades et al., A non-local algorithm for image
denoising, 2005) take away most of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.choose import Pass
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.warn import sort_codes
from vision.photo import Photo

__all__ = ["DimSettings", "brighten", "flag_unsure", "is_dim", "mark_dark"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Size at which the light of a whole photograph is measured.
SMALL_PX = (160, 120)
# The strongest smoothing by non-local means.
MAX_STRENGTH = 60.0
# Of the short side so many pixels at least are looked at.
SAMPLED_PX = 360


@dataclass(frozen=True)
class DimSettings:
    """When a photograph is brightened, and how.

    ``dim_level`` is the least that the brightest hundredth of a picture has, 0..255; photographs
    of real kingdoms have 127 at least. It is brightened to ``bright_level``, reduced to
    ``long_side_px``, and, where its noise, once brightened, is below ``coarse_grain`` on a scale of
    255, smoothed by a Gaussian blur of ``blur_px``; else by non-local means of ``strength`` times
    the noise, which takes most of a second. ``balance_share`` is how much of the tint of the light
    is taken out, as if the brightest parts were white. A square of it needs the probability
    ``sure`` to go without a flag.
    """

    dim_level: float = 100.0
    bright_level: float = 190.0
    long_side_px: int = 1000
    coarse_grain: float = 6.0
    blur_px: float = 0.8
    strength: float = 2.0
    balance_share: float = 1.0
    template_px: int = 5
    search_px: int = 15
    sure: float = 0.995


def is_dim(rgb: Image, settings: DimSettings) -> bool:
    """Whether even the brightest parts of a picture (h, w, 3) are dark."""
    return _level(rgb) < settings.dim_level


def brighten(photo: Photo, settings: DimSettings) -> Photo:
    """The photograph with normal exposure and less noise, reduced where it is large."""
    rgb = photo.rgb
    factor = min(1.0, settings.long_side_px / max(rgb.shape[:2]))
    size = max(1, round(rgb.shape[1] * factor)), max(1, round(rgb.shape[0] * factor))
    small = cv2.resize(rgb.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    tiny = cv2.resize(small, SMALL_PX, interpolation=cv2.INTER_AREA)
    white = np.percentile(tiny, 99, axis=(0, 1))
    white = white.max() * (white / max(white.max(), 1.0)) ** settings.balance_share
    gain = settings.bright_level / np.maximum(white, 1.0)
    grain = float(gain.min()) * _noise(np.asarray(small, np.float32))
    lifted = np.clip(small * gain.astype(np.float32), 0, 255).astype(np.uint8)
    if grain < settings.coarse_grain:
        smooth = cv2.GaussianBlur(lifted, (0, 0), settings.blur_px)
    else:
        strength = min(settings.strength * grain, MAX_STRENGTH)
        smooth = cv2.fastNlMeansDenoisingColored(
            lifted, None, strength, 1.5 * strength, settings.template_px, settings.search_px
        )
    return replace(photo, rgb=np.ascontiguousarray(smooth, np.uint8))


def _level(rgb: Image) -> float:
    """What a hundredth of the picture exceeds in its brightest channel."""
    step = max(1, min(rgb.shape[:2]) // SAMPLED_PX)
    size = rgb.shape[1] // step, rgb.shape[0] // step
    some = cv2.resize(rgb, size, interpolation=cv2.INTER_NEAREST)
    small = cv2.resize(some, SMALL_PX, interpolation=cv2.INTER_AREA)
    return float(np.percentile(cv2.max(cv2.max(*cv2.split(small)[:2]), small[..., 2]), 99))


def _noise(rgb: Floats) -> float:
    """The standard deviation of the grain (Immerkær, Fast noise variance estimation, 1996)."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    edges = np.abs(cv2.filter2D(rgb, cv2.CV_32F, kernel))
    return float(1.4826 * np.median(edges) / 6)


def mark_dark(one: Pass) -> Pass:
    """The pass with the warning dark on each of its kingdoms."""
    kingdoms = (replace(k, warnings=sort_codes({*k.warnings, "dark"})) for k in one.kingdoms)
    return replace(one, kingdoms=tuple(kingdoms))


def flag_unsure(reading: KingdomReading, settings: DimSettings) -> KingdomReading:
    """The reading with every square flagged that is not sure enough for so little light."""
    squares = tuple(
        tuple(
            replace(square, doubtful=True, reason=square.reason or "dark")
            if square.label != EMPTY and square.probability < settings.sure
            else square
            for square in row
        )
        for row in reading.squares
    )
    return replace(reading, squares=squares)
