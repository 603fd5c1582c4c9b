"""What makes a reading incomplete, told by codes; words are found where people read them.

What lies beside a kingdom or apart from it, light and sharpness, and pictures that are mirrored;
and a dim photograph made brighter.

All copies of the game have the same pictures on their dominoes, and most are unlike their mirror
images. A small network has seen them; what it makes of a square and of its mirror image differs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, cut_square, cut_squares, longest_side
from vision.common.network import Network, as_planes, map_in_threads
from vision.kingdomino.cells import Grid, cell_corners
from vision.kingdomino.lattice import (
    MAX_TURN_DEG,
    Detections,
    Lattice,
    LatticeSettings,
    measure_rotations,
)
from vision.kingdomino.result import (
    DOMINO,
    EMPTY,
    LIKELY,
    MIN_SQUARES,
    KingdomReading,
    SquareReading,
    merge_foreign,
    most_probable,
    size_limit,
)
from vision.kingdomino.settling import Judgement
from vision.photo import Photo

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


WARNINGS = (
    "cut_off", "hidden", "blurred", "dark", "glare", "grey", "beside", "other_squares", "mirrored",
    "maybe_same",
)  # fmt: skip
# Those of light in which any square may be read as another.
POOR_LIGHT = ("dark", "blurred", "grey")


@dataclass(frozen=True)
class WarnSettings:
    """When squares that belong to no kingdom are told; lengths are squares.

    A domino or more is, a single one only where it is more likely than not; a group lies beside a
    kingdom up to the distance ``beside`` between the middles of squares.
    """

    beside: float = 2.2


def find_beside(
    detections: Detections, found: Sequence[Grid], read: Sequence[Grid], settings: WarnSettings
) -> tuple[set[int], bool]:
    """The numbers of the kingdoms that were ``read`` beside which squares lie that may be theirs.

    And whether others lie elsewhere. ``found`` are the groups of squares of the picture, read or
    not. A kingdom without a castle beside another may be a part of it, and what lies beside that
    may be wrongly divided from it as well.
    """
    numbers, elsewhere = _find_doubtful_neighbours(detections, read, settings), False
    for middles in find_unread_groups(detections, found, read):
        near = {
            k for k, grid in enumerate(read) if _distances(middles, grid).min() <= settings.beside
        }
        numbers |= near
        elsewhere = elsewhere or not near
    return numbers, elsewhere


def _find_doubtful_neighbours(
    detections: Detections, read: Sequence[Grid], settings: WarnSettings
) -> set[int]:
    """The numbers of the kingdoms that one without a castle hangs together with, itself included.

    Step by step from one kingdom to the next that lies beside it.
    """
    middles = [detections.centres[list(grid.lattice.members.values())] for grid in read]
    beside = {
        number: {
            k
            for k, other in enumerate(read)
            if k != number and len(mine) and _distances(mine, other).min() <= settings.beside
        }
        for number, mine in enumerate(middles)
    }
    waiting = [k for k, grid in enumerate(read) if not grid.has_castle and beside[k]]
    found = set(waiting)
    while waiting:
        fresh = beside[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def sort_codes(codes: Collection[str]) -> tuple[str, ...]:
    """Codes in the order of ``WARNINGS``."""
    return tuple(code for code in WARNINGS if code in codes)


def find_unread_groups(
    detections: Detections,
    grids: Iterable[Grid],
    read: Sequence[Grid],
) -> list[Floats]:
    """The middles (n, 2) in pixels of the squares of each group that became part of no kingdom.

    What lies on a kingdom that was read, such as the top of a standing castle, is no group.
    """
    groups = []
    for grid in grids:
        cells = [cell for cell in grid.occupied if cell in grid.lattice.members]
        chosen = detections.chosen(np.array([grid.lattice.members[cell] for cell in cells], int))
        if not cells or (len(cells) < DOMINO and chosen.scores.max() <= LIKELY):
            continue
        middles = chosen.centres
        apart = [_distances(middles, kingdom) > 0.6 for kingdom in read]
        free = np.array(apart).reshape(-1, len(middles)).all(0)
        if 2 * free.sum() > len(middles):
            groups.append(middles)
    return groups


def _distances(middles: Floats, kingdom: Grid) -> Floats:
    """How far (n,) each of the points (n, 2) in pixels is from the next square of a kingdom.

    Between middles, in squares, the larger of across and down.
    """
    cells = np.array([(c + 0.5, r + 0.5) for r, c in kingdom.occupied])
    return np.asarray(np.abs(kingdom.lattice.places(middles)[:, None] - cells).max(2).min(1))


@dataclass(frozen=True)
class DetachedSettings:
    """When a group may be a part of a kingdom; lengths in squares.

    It is a domino at least, whose squares lie on the grid as those of its ``lattice`` do, and
    ``GridSettings.reach`` from the kingdom, which with them gets no wider or higher than a large
    one. A single domino may be one where the kingdom is not seen clearly; or where it touches it,
    and the kingdom gets no wider or higher than usual, if it is not so already. In poor light
    squares are found off their places, so any offset will do. Where something covers a part of the
    kingdom, squares no more than ``joined_offset`` off the grid, and turned by ``MAX_TURN_DEG``,
    are taken for squares of it.
    """

    joined_offset: float = 0.25
    lattice: LatticeSettings = field(default_factory=LatticeSettings)


class DetachedSquares(NamedTuple):
    """The labels of squares that are asked about, and what was seen of those that belong to it."""

    asked: dict[Position, str]
    joined: dict[Position, Floats]


def find_detached_squares(
    detections: Detections,
    grid: Grid,
    unread: Sequence[Grid],
    unclear: Collection[str],
    is_covered: bool,
    settings: DetachedSettings,
    reach: int,
) -> DetachedSquares:
    """The cells of a kingdom's lattice on which squares of ``unread`` groups lie.

    ``unclear`` are the warnings of what leaves the kingdom unclear, such as poor light; it
    ``is_covered`` where something lies on it.
    """
    found = DetachedSquares({}, {})
    is_vague = not set(POOR_LIGHT).isdisjoint(unclear)
    for other in unread:
        members = {cell: k for cell, k in other.lattice.members.items() if cell in other.occupied}
        if len(members) < 2:
            continue
        cells, offsets = grid.lattice.cells_at(detections.centres[list(members.values())])
        is_small = len(members) < MIN_SQUARES and not unclear and not is_covered
        off = np.abs(offsets).max()
        on_grid = off <= settings.lattice.max_offset or is_vague
        side = longest_side([*grid.occupied, *cells])
        if on_grid and _is_near(cells, grid.occupied, side, is_small, reach):
            laid = replace(grid.lattice, members=dict(zip(cells, members.values(), strict=True)))
            turns = [*measure_rotations(detections, laid).values()]
            belongs = (
                is_covered and off <= settings.joined_offset and abs(np.mean(turns)) <= MAX_TURN_DEG
            )
            for cell, seen in zip(cells, map(other.probabilities.get, members), strict=True):
                label = EMPTY if seen is None else most_probable(merge_foreign(seen))
                if label == EMPTY or seen is None:
                    continue
                if belongs:
                    found.joined[cell] = seen
                else:
                    found.asked[cell] = label
    return found


def _is_near(
    cells: Collection[Position],
    occupied: Collection[Position],
    side: int,
    is_small: bool,
    reach: int,
) -> bool:
    """Whether a kingdom of ``occupied`` cells could go on to the others, to be ``side`` long."""
    steps = [(abs(r - a), abs(c - b)) for r, c in cells for a, b in occupied]
    if (0, 0) in steps:
        return False
    if not is_small:
        return min(map(max, steps)) <= reach and side <= LARGE_GRID
    return min(map(sum, steps)) <= 1 and side <= size_limit(longest_side(occupied))


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

    ``sharp`` is fine structure as a share of coarse structure; ``dark_level`` is the luminance
    0..255 that a tenth of a square exceeds, of the brighter squares;
    ``glare_share`` the share of a square that is white. On photographs of real kingdoms the first
    is 0.73 at least, the second 109 at least, the third 0.02 at most. A flag on a square that is
    white by more than that is explained by it. A picture whose channels differ by less
    than ``least_colour`` is grey.
    """

    sharp: float = 0.66
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
    elif quality.sharpness < settings.sharp:
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


def _noise(rgb: NDArray[np.float32]) -> float:
    """The standard deviation of the grain (Immerkær, Fast noise variance estimation, 1996)."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    edges = np.abs(cv2.filter2D(rgb, cv2.CV_32F, kernel))
    return float(1.4826 * np.median(edges) / 6)


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
    """What the squares of a kingdom say together, in natural log-odds: mirrored where positive.

    0 where too few can be looked at.
    """
    if not set(POOR_LIGHT).isdisjoint(reading.warnings):
        return 0.0
    squares = _choose_squares(reading, photo.scale, settings)
    if settings.most * len(squares) < settings.mirrored_from:
        return 0.0
    each = judge_squares(photo.rgb, squares, network)
    return float(np.clip(each, -settings.most, settings.most).sum())


def _choose_squares(reading: KingdomReading, scale: float, settings: MirrorSettings) -> Floats:
    """The corners (n, 4, 2) of the most telling squares, pixels of the reduced picture."""
    ranks = {label: rank for rank, label in enumerate(TELLING)}
    sure = [
        (ranks[square.label], place)
        for place, square in reading.by_position.items()
        if square.label in ranks and not square.doubtful
    ]
    chosen = [reading.square_corners(place) for _, place in sorted(sure)[: settings.most_squares]]
    return (np.array(chosen).reshape(-1, 4, 2) + 0.5) * scale - 0.5


def judge_squares(rgb: Image, squares: Floats, network: Network) -> Floats:
    """For squares with these corners (n, 4, 2) the log-odds (n,) that each is mirrored."""

    def cut(corners: Floats) -> Image:
        return cut_square(rgb, corners, MIRROR_PX, MAX_STEP_PX, MIRROR_PX // 2)

    upright = as_planes(map_in_threads(cut, list(squares)))
    outputs = network(np.concatenate([upright, upright[..., ::-1]]))[:, 0].astype(np.float64)
    return outputs[: len(squares)] - outputs[len(squares) :]
