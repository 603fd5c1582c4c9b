"""What makes a reading incomplete, told by codes: what lies beside a kingdom or apart from it,
light and sharpness, mirrored pictures; and a dim photograph made brighter.

All copies of the game have the same pictures on their dominoes, and most are unlike their mirror
images. A small network has seen them; what it makes of a square and of its mirror image differs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import PATCH_PX, Extent, around, cut_square, cut_squares, longest_side
from vision.common.network import Network, as_planes, map_in_threads
from vision.kingdomino import result
from vision.kingdomino.cells import Grid
from vision.kingdomino.lattice import Detections, Lattice, LatticeSettings, middles_of
from vision.kingdomino.result import Floats, KingdomReading
from vision.kingdomino.settling import Judgement
from vision.photo import Photo

Image = NDArray[np.uint8]

WARNINGS = (
    "cut_off", "hidden", "blurred", "dark", "glare", "grey", "beside", "other_squares", "mirrored",
    "maybe_same",
)  # fmt: skip
# Those of light in which any square may be read as another.
POOR_LIGHT = ("dark", "blurred", "grey")


def sort_codes(codes: Collection[str]) -> tuple[str, ...]:
    """Codes in the order of ``WARNINGS``."""
    return tuple(code for code in WARNINGS if code in codes)


@dataclass(frozen=True)
class ApartSettings:
    """What is told of squares that belong to no kingdom; lengths are squares.

    A domino or more is told, a single one only where it is more likely than not; a group lies
    beside a kingdom up to the distance ``beside`` between the middles of squares.

    A domino or more may be a part of the kingdom if its squares lie on the grid but for
    ``max_offset``, and ``GridSettings.reach`` from the kingdom, which with them gets no larger than
    a large one. A single domino may where the kingdom is not seen clearly, or it touches it and
    makes it no larger than usual. In poor light squares are found off their places, so any offset
    will do. Where something covers a part of the kingdom, squares no more than ``joined_offset``
    off the grid are taken for squares of it.
    """

    beside: float = 2.2
    max_offset: float = LatticeSettings.max_offset
    joined_offset: float = 0.25


def find_beside(
    detections: Detections, found: Sequence[Grid], read: Sequence[Grid], settings: ApartSettings
) -> tuple[set[int], bool]:
    """The numbers of the kingdoms ``read`` beside which squares lie that may be theirs.

    And whether others lie elsewhere. ``found`` are all groups of squares of the picture. A kingdom
    without a castle beside another may be a part of it, and what lies beside that may be wrongly
    divided from it as well, and so on.
    """

    def near(squares: Iterable[int]) -> set[int]:
        apart = (_distances(detections, squares, grid) for grid in read)
        return {k for k, distances in enumerate(apart) if (distances <= settings.beside).any()}

    neighbours = [near(grid.lattice.members.values()) - {k} for k, grid in enumerate(read)]
    numbers = {k for k, grid in enumerate(read) if not grid.has_castle and neighbours[k]}
    for _ in read:
        numbers = numbers.union(*(neighbours[k] for k in numbers))
    unread = find_unread_groups(detections, found, read)
    beside = [near(_squares_of(group).values()) for group in unread]
    return numbers.union(*beside), not all(beside)


def find_unread_groups(
    detections: Detections, grids: Iterable[Grid], read: Sequence[Grid]
) -> list[Grid]:
    """The groups of squares that became part of no kingdom that was ``read``.

    What lies on one, such as the top of a standing castle, is no group.
    """
    groups = []
    for grid in grids:
        squares = [*_squares_of(grid).values()]
        sure = detections.scores[squares].max(initial=0) > result.LIKELY
        on_one = np.any([_distances(detections, squares, each) <= 0.6 for each in read], axis=0)
        if (len(squares) >= result.DOMINO or sure) and 2 * np.sum(on_one) < len(squares):
            groups.append(grid)
    return groups


def _squares_of(grid: Grid) -> dict[Position, int]:
    """The numbers of the detections on occupied cells."""
    return {cell: k for cell, k in grid.lattice.members.items() if cell in grid.occupied}


def _distances(detections: Detections, squares: Iterable[int], kingdom: Grid) -> Floats:
    """How far (n,), in squares, middles are from the next of a kingdom, across or down."""
    places = kingdom.lattice.places(detections.centres[[*squares]])
    return np.asarray(np.abs(places[:, None] - middles_of(kingdom.occupied)).max(2).min(1))


def find_detached_squares(
    detections: Detections,
    grid: Grid,
    groups: Iterable[Grid],
    unclear: Collection[str],
    may_join: bool,
    settings: ApartSettings,
    reach: int,
) -> tuple[dict[Position, str], dict[Position, Floats]]:
    """The cells of a kingdom's lattice on which squares of other ``groups`` lie, if near enough.

    The labels of those that are asked about, and the probabilities of those that join it. They
    ``may_join`` where something covers a part of the kingdom; ``unclear`` are the warnings of what
    leaves it unclear, such as poor light.
    """
    asked: dict[Position, str] = {}
    joined: dict[Position, Floats] = {}
    is_vague = not set(POOR_LIGHT).isdisjoint(unclear)
    parts = [
        (group, found) for group in groups if len(found := _squares_of(group)) >= result.DOMINO
    ]
    # Beyond what joins another part may.
    parts.sort(key=lambda part: _distances(detections, part[1].values(), grid).min())
    for other, squares in parts:
        own = grid.occupied | joined.keys()
        cells, offsets = grid.lattice.cells_at(detections.centres[[*squares.values()]])
        off, most = np.abs(offsets).max(), LARGE_GRID
        near = around(cells, corners=True, reach=reach)
        if len(squares) < result.MIN_SQUARES and not unclear:
            near, most = around(cells), result.size_limit(longest_side(own))
        fits = off <= settings.max_offset or is_vague
        is_small = longest_side([*own, *cells]) <= most
        if not (fits and is_small and near & own) or not own.isdisjoint(cells):
            continue
        joins = may_join and off <= settings.joined_offset
        for cell, theirs in zip(cells, squares, strict=True):
            seen = other.probabilities[theirs]
            label = result.most_probable(result.merge_foreign(seen))
            if label != result.EMPTY and joins:
                joined[cell] = seen
            elif label != result.EMPTY:
                asked[cell] = label
    return asked, joined


# Pixels of a patch at its edge that show neighbours and gaps.
BORDER_PX = 6
# Blurs, in pixels of a patch, between which fine and coarse structure lie.
BLURS_PX = 1.5, 3.0, 6.0
# Points across a square where it is looked at for mirrored lamps.
POINTS = 16
# So many squares of a kingdom tell its sharpness and light.
SAMPLES = 9


@dataclass(frozen=True)
class QualitySettings:
    """When light and sharpness are told.

    ``sharp`` is fine structure as a share of coarse structure; ``dark_level`` is the luminance
    0..255 that a tenth of a square exceeds, of the brighter squares; ``glare_share`` the share of a
    square that a lamp blinds, so that two channels are beyond ``full_level``: yellow looks so
    before it is white. On photographs of real kingdoms the first is 0.73 at least, the second 109
    at least, the third 0.06 at most. A picture whose channels differ by less than ``least_colour``
    is grey.
    """

    sharp: float = 0.66
    dark_level: float = 75.0
    full_level: int = 252
    glare_share: float = 0.08
    least_colour: float = 12.0


@dataclass(frozen=True)
class Quality:
    """What was measured on the squares of one kingdom, see ``QualitySettings``."""

    sharpness: float
    level: float
    side_px: float
    colour: float
    blind_shares: dict[Position, float]


def measure_quality(
    rgb: Image, lattice: Lattice, occupied: Iterable[Position], settings: QualitySettings
) -> Quality:
    """Measure the squares of a kingdom in the picture (h, w, 3)."""
    cells = list(occupied)
    squares = list(lattice.spots(cells[:: math.ceil(len(cells) / SAMPLES)]))
    sides = [np.sqrt(cv2.contourArea(corners.astype(np.float32))) for corners in squares]
    patches = cut_squares(rgb, squares).reshape(-1, PATCH_PX, 3)
    # Over a short last axis NumPy takes fifty times as long.
    colours = np.ptp(cv2.split(patches), axis=0).reshape(len(squares), -1).mean(1)
    greys = np.reshape(cv2.cvtColor(patches, cv2.COLOR_RGB2GRAY), (-1, PATCH_PX, PATCH_PX))
    greys = greys[:, BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX]
    levels = np.percentile(greys.reshape(len(greys), -1), 90, axis=1)
    # As channels of one picture they are blurred at once.
    layers = np.ascontiguousarray(greys.transpose(1, 2, 0), np.float32)
    fine, middle, coarse = (
        cv2.GaussianBlur(layers, (0, 0), sigma).reshape(layers.shape) for sigma in BLURS_PX
    )
    sharpness = (fine - middle).std((0, 1)) / ((middle - coarse).std((0, 1)) + 1)
    # What is blinding is told by some points of each square.
    top, left, height, width = Extent.of(cells)
    step, size = 1 / POINTS, (POINTS * width, POINTS * height)
    spots = np.array([[step, 0, left + step / 2], [0, step, top + step / 2], [0, 0, 1.0]])
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    upright = np.asarray(cv2.warpPerspective(rgb, lattice.homography @ spots, size, flags=way))
    is_blind = (np.array(cv2.split(upright)) > settings.full_level).sum(0) > 1
    shares = is_blind.reshape(height, POINTS, width, POINTS).mean((1, 3))
    return Quality(
        float(np.percentile(sharpness, 75)),
        float(np.percentile(levels, 75)),
        float(np.median(sides)),
        float(np.median(colours)),
        {(row, column): float(shares[row - top, column - left]) for row, column in cells},
    )


def quality_codes(quality: Quality, settings: QualitySettings) -> tuple[str, ...]:
    """The warnings dark, blurred, glare and grey as far as they are due."""
    is_dark = quality.level < settings.dark_level
    due = {
        "dark": is_dark,
        "blurred": not is_dark and quality.sharpness < settings.sharp,
        "glare": max(quality.blind_shares.values(), default=0.0) > settings.glare_share,
        "grey": quality.colour < settings.least_colour,
    }
    return tuple(code for code, is_due in due.items() if is_due)


def explain_by_light(judged: Judgement, quality: Quality, settings: QualitySettings) -> Judgement:
    """The judgement where flags without a reason have that of the light: a lamp, or poor light."""
    poor = next((code for code in quality_codes(quality, settings) if code in POOR_LIGHT), None)
    squares = dict(judged.squares)
    for place, square in squares.items():
        if square.doubtful and not square.reason:
            is_blind = quality.blind_shares.get(place, 0.0) > settings.glare_share
            squares[place] = replace(square, reason="glare" if is_blind else poor)
    return replace(judged, squares=squares)


# Size at which the light of a whole photograph is measured.
SMALL_PX = (160, 120)
# The sigma of the Gaussian blur; the windows of non-local means.
BLUR_PX, TEMPLATE_AND_SEARCH_PX = 0.8, (5, 11)
# Of the short side so many pixels at least are looked at.
SAMPLED_PX = 360


@dataclass(frozen=True)
class DimSettings:
    """When a photograph is brightened, and how.

    ``dim_level`` is the least that the brightest hundredth of a picture has, 0..255; photographs
    of real kingdoms have 127 at least. It is brightened to ``bright_level``, reduced to
    ``long_side_px``, and, where its noise, once brightened, is below ``coarse_grain`` on a scale of
    255, smoothed by a Gaussian blur; else, at ``grainy_share`` of that size, by non-local means of
    ``strength`` times the noise. The tint of the light goes, as if the brightest parts were white.
    """

    dim_level: float = 100.0
    bright_level: float = 190.0
    long_side_px: int = 1000
    coarse_grain: float = 6.0
    strength: float = 1.5
    grainy_share: float = 0.7


def is_dim(rgb: Image, settings: DimSettings) -> bool:
    """Whether even the brightest hundredth of a picture (h, w, 3) is dark in all channels."""
    step = max(1, min(rgb.shape[:2]) // SAMPLED_PX)
    size = rgb.shape[1] // step, rgb.shape[0] // step
    some = cv2.resize(rgb, size, interpolation=cv2.INTER_NEAREST)
    small = cv2.resize(some, SMALL_PX, interpolation=cv2.INTER_AREA)
    return float(np.percentile(np.max(cv2.split(small), axis=0), 99)) < settings.dim_level


def brighten(photo: Photo, settings: DimSettings) -> Photo:
    """The photograph with normal exposure and less noise, reduced where it is large."""
    factor = min(1.0, settings.long_side_px / max(photo.rgb.shape[:2]))
    size = [max(1, round(side * factor)) for side in photo.rgb.shape[1::-1]]
    rgb = cv2.resize(photo.rgb.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    tiny = cv2.resize(rgb, SMALL_PX, interpolation=cv2.INTER_AREA)
    white = np.percentile(tiny, 99, axis=(0, 1))
    gain = settings.bright_level / np.maximum(white, 1.0)
    # The standard deviation of the grain (Immerkær, Fast noise variance estimation, 1996).
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    noise = 1.4826 * np.median(np.abs(cv2.filter2D(rgb, cv2.CV_32F, kernel))) / 6
    grain = float(gain.min()) * float(noise)
    lifted = np.clip(rgb * gain.astype(np.float32), 0, 255).astype(np.uint8)
    if grain < settings.coarse_grain:
        smooth = cv2.GaussianBlur(lifted, (0, 0), BLUR_PX)
    else:
        share, strength = settings.grainy_share, settings.strength * grain
        less = cv2.resize(lifted, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        smooth = cv2.fastNlMeansDenoisingColored(
            less, None, strength, 1.5 * strength, *TEMPLATE_AND_SEARCH_PX
        )
        smooth = cv2.resize(smooth, size, interpolation=cv2.INTER_CUBIC)
    return replace(photo, rgb=np.ascontiguousarray(smooth, np.uint8))


# Patches are coarser than the classifier's, to be quick: their side, and how far apart samples of
# the picture lie at most, as long as there are not too many.
MIRROR_PX, MAX_STEP_PX = 48, 2.2
# The labels of squares, those first that are least like their mirror images.
TELLING = (
    "l1", "f1", "w1", "f", "m", "l", "g", "g2", "s2", "s1", "c", "s", "m2", "g1", "m3", "m1", "w",
)  # fmt: skip


@dataclass(frozen=True)
class MirrorSettings:
    """When a kingdom is called mirrored.

    Looked at are ``most_squares`` that are not flagged, the most ``TELLING`` ones first; none in
    poor light. Each counts for no more than ``most`` either way, in natural log-odds, and from the
    sum ``mirrored_from`` on the kingdom is mirrored.
    """

    most_squares: int = 12
    most: float = 2.0
    mirrored_from: float = 10.0


def warn_mirrored(
    reading: KingdomReading, photo: Photo, network: Network | None, settings: MirrorSettings
) -> KingdomReading:
    """The reading with the warning mirrored where its squares in the photograph look so."""
    if network is None or sum_evidence(reading, photo, network, settings) < settings.mirrored_from:
        return reading
    return replace(reading, warnings=sort_codes({*reading.warnings, "mirrored"}))


def sum_evidence(
    reading: KingdomReading, photo: Photo, network: Network, settings: MirrorSettings
) -> float:
    """The natural log-odds that a kingdom is mirrored, by its squares; 0 where too few are seen."""
    telling = sorted(
        (TELLING.index(square.label), place)
        for place, square in reading.by_position.items()
        if square.label in TELLING and not square.doubtful
    )[: settings.most_squares]
    too_few = settings.most * len(telling) < settings.mirrored_from
    if too_few or not set(POOR_LIGHT).isdisjoint(reading.warnings):
        return 0.0
    corners = np.array([reading.square_corners(place) for _, place in telling])
    each = judge_squares(photo.rgb, (corners + 0.5) * photo.scale - 0.5, network)
    return float(np.clip(each, -settings.most, settings.most).sum())


def judge_squares(rgb: Image, squares: Floats, network: Network) -> Floats:
    """For squares with these corners (n, 4, 2), in pixels, the log-odds (n,) of being mirrored."""
    size = MIRROR_PX, MAX_STEP_PX, MIRROR_PX // 2
    upright = as_planes(map_in_threads(lambda each: cut_square(rgb, each, *size), list(squares)))
    outputs = network(np.concatenate([upright, upright[..., ::-1]]))[:, 0].astype(np.float64)
    return outputs[: len(squares)] - outputs[len(squares) :]
