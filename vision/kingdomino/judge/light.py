"""Light and sharpness: what they explain, and a dim photograph made brighter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import Extent
from vision.common.rectify import cut_squares
from vision.kingdomino.detect.grid import cell_corners
from vision.kingdomino.detect.lattice import Lattice
from vision.kingdomino.judge.judgement import Judgement
from vision.kingdomino.judge.warn import POOR_LIGHT, sort_codes
from vision.kingdomino.kingdoms.choose import Pass
from vision.kingdomino.result import SquareReading
from vision.photo import Photo

Image = NDArray[np.uint8]

# Pixels of a patch at its edge that show neighbours and gaps.
BORDER_PX = 6
# Blurs, in pixels of a patch, between which fine and coarse structure lie.
FINE_PX, MIDDLE_PX, COARSE_PX = 1.5, 3.0, 6.0
# Points across a square where it is looked at for mirrored lamps.
POINTS = 16
# So many squares of a kingdom tell its sharpness and light.
SAMPLES = 9


@dataclass(frozen=True)
class QualitySettings:
    """When light and sharpness are told.

    ``sharp`` is fine structure as a share of coarse
    structure, and counts from squares of ``min_side_px`` on; ``dark_level`` is the luminance
    0..255 that a tenth of a square exceeds, of the brighter squares;
    ``glare_share`` the share of a square that is white. On photographs of real kingdoms the first
    is 0.73 at least, the second 109 at least, the third 0.02 at most. A flag on a square that is
    white by more than that is explained by it. A picture whose channels differ by less
    than ``least_colour`` is grey.
    """

    sharp: float = 0.66
    min_side_px: float = 45.0
    dark_level: float = 75.0
    white_level: int = 245
    glare_share: float = 0.08
    least_colour: float = 12.0


@dataclass(frozen=True)
class Quality:
    """What was measured on the squares of one kingdom, see ``QualitySettings``.

    ``white_shares`` is by position.
    """

    sharpness: float
    level: float
    side_px: float
    colour: float
    white_shares: dict[Position, float]


def measure_quality(
    rgb: Image, lattice: Lattice, occupied: Iterable[Position], settings: QualitySettings
) -> Quality:
    """Measure the squares of a kingdom in the picture (h, w, 3)."""
    cells = list(occupied)
    squares = list(cell_corners(lattice, cells[:: math.ceil(len(cells) / SAMPLES)]))
    inner = slice(BORDER_PX, -BORDER_PX)
    patches = cut_squares(rgb, squares)
    inside = np.ascontiguousarray(patches[:, inner, inner])
    flat = cv2.cvtColor(inside.reshape(-1, inside.shape[2], 3), cv2.COLOR_RGB2GRAY)
    greys = np.asarray(flat, np.uint8).reshape(inside.shape[:3])
    colour = (_brightest(patches) - _darkest(patches)).mean((1, 2))
    return Quality(
        float(np.percentile(_sharpness(greys), 75)),
        float(np.percentile(np.percentile(greys.reshape(len(greys), -1), 90, axis=1), 75)),
        float(np.median([np.sqrt(cv2.contourArea(s.astype(np.float32))) for s in squares])),
        float(np.median(colour)),
        _white_shares(rgb, lattice, cells, settings),
    )


def _sharpness(greys: Image) -> NDArray[np.float32]:
    """Fine structure as a share of coarse structure, (n,), of grey pictures (n, h, w)."""
    # As channels of one picture they are blurred at once.
    grey = np.ascontiguousarray(greys.transpose(1, 2, 0), np.float32)
    fine, middle, coarse = (
        cv2.GaussianBlur(grey, (0, 0), sigma).reshape(grey.shape)
        for sigma in (FINE_PX, MIDDLE_PX, COARSE_PX)
    )
    return np.asarray((fine - middle).std((0, 1)) / ((middle - coarse).std((0, 1)) + 1))


def _brightest(rgb: Image) -> Image:
    """The largest of the channels, faster than NumPy over a short last axis."""
    return np.maximum(np.maximum(rgb[..., 0], rgb[..., 1]), rgb[..., 2])


def _darkest(rgb: Image) -> Image:
    return np.minimum(np.minimum(rgb[..., 0], rgb[..., 1]), rgb[..., 2])


def _white_shares(
    rgb: Image, lattice: Lattice, cells: Sequence[Position], settings: QualitySettings
) -> dict[Position, float]:
    """The share of each square that is white, by some points of it."""
    top, left, height, width = Extent.of(cells)
    size = POINTS * width, POINTS * height
    step = 1 / POINTS
    spots = np.array([[step, 0, left + step / 2], [0, step, top + step / 2], [0, 0, 1.0]])
    flat = cv2.warpPerspective(
        rgb,
        lattice.homography @ spots,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )
    is_white = _darkest(np.asarray(flat)) > settings.white_level
    shares = is_white.reshape(size[1] // POINTS, POINTS, size[0] // POINTS, POINTS).mean((1, 3))
    return {(row, column): float(shares[row - top, column - left]) for row, column in cells}


def quality_codes(quality: Quality, settings: QualitySettings) -> tuple[str, ...]:
    """The warnings dark, blurred, glare and grey as far as they are due."""
    codes = []
    if quality.level < settings.dark_level:
        codes.append("dark")
    elif quality.sharpness < settings.sharp and quality.side_px >= settings.min_side_px:
        codes.append("blurred")
    if any(share > settings.glare_share for share in quality.white_shares.values()):
        codes.append("glare")
    if quality.colour < settings.least_colour:
        codes.append("grey")
    return tuple(codes)


def explain_by_light(
    judgement: Judgement, quality: Quality, settings: QualitySettings
) -> Judgement:
    """The judgement where flags without a reason have that of the light: a lamp, or poor light."""
    poor = next((code for code in quality_codes(quality, settings) if code in POOR_LIGHT), None)

    def explained(position: Position, square: SquareReading) -> SquareReading:
        if not square.doubtful or square.reason:
            return square
        is_blind = quality.white_shares.get(position, 0.0) > settings.glare_share
        return replace(square, reason="glare" if is_blind else poor)

    squares = {place: explained(place, square) for place, square in judgement.squares.items()}
    return replace(judgement, squares=squares)


Floats = NDArray[np.float32]

# Size at which the light of a whole photograph is measured.
SMALL_PX = (160, 120)
# The sigma of the Gaussian blur; the strongest smoothing by non-local means, and its windows.
BLUR_PX, MAX_STRENGTH, TEMPLATE_AND_SEARCH_PX = 0.8, 60.0, (5, 15)
# Of the short side so many pixels at least are looked at.
SAMPLED_PX = 360


@dataclass(frozen=True)
class DimSettings:
    """When a photograph is brightened, and how.

    ``dim_level`` is the least that the brightest hundredth of a picture has, 0..255; photographs
    of real kingdoms have 127 at least. It is brightened to ``bright_level``, reduced to
    ``long_side_px``, and, where its noise, once brightened, is below ``coarse_grain`` on a scale of
    255, smoothed by a Gaussian blur; else by non-local means of ``strength`` times
    the noise, which takes most of a second. The tint of the light
    is taken out, as if the brightest parts were white.
    """

    dim_level: float = 100.0
    bright_level: float = 190.0
    long_side_px: int = 1000
    coarse_grain: float = 6.0
    strength: float = 2.0


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
    gain = settings.bright_level / np.maximum(white, 1.0)
    grain = float(gain.min()) * _noise(np.asarray(small, np.float32))
    lifted = np.clip(small * gain.astype(np.float32), 0, 255).astype(np.uint8)
    if grain < settings.coarse_grain:
        smooth = cv2.GaussianBlur(lifted, (0, 0), BLUR_PX)
    else:
        strength = min(settings.strength * grain, MAX_STRENGTH)
        smooth = cv2.fastNlMeansDenoisingColored(
            lifted, None, strength, 1.5 * strength, *TEMPLATE_AND_SEARCH_PX
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
    """The pass with the warning dark on each of its kingdoms, which explains their flags."""

    def dark(square: SquareReading) -> SquareReading:
        return replace(square, reason=square.reason or ("dark" if square.doubtful else None))

    kingdoms = tuple(
        replace(
            kingdom,
            squares=tuple(tuple(dark(square) for square in row) for row in kingdom.squares),
            warnings=sort_codes({*kingdom.warnings, "dark"}),
        )
        for kingdom in one.kingdoms
    )
    return replace(one, kingdoms=kingdoms)
