"""The squares of a photograph: at one size, closer at a part, and from straight above.

All squares of a photograph lie in one plane and have one size. So the frames of those that were
found tell the plane, near and far, steep and flat become one case, and what is of another size is
a picture of a kingdom.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.common import geometry, network
from vision.common.geometry import Plane, project
from vision.common.network import Network
from vision.kingdomino.lattice import (
    Detections,
    GroundMap,
    Lattice,
    LatticeSettings,
    find_lattices,
    middles_of,
    sides_of,
)
from vision.kingdomino.result import MIN_SQUARES, Floats
from vision.photo.decoding import Preview

Image = NDArray[np.uint8]

# What a pixel of the maps can lie on: no square, a terrain, a castle, a square that does not
# belong to this game, or a thing that lies on the table and hides it.
GROUNDS = (".", "w", "f", "l", "g", "s", "m", "c", "x", "?")
_BARE, _THING = GROUNDS.index("."), GROUNDS.index("?")
CENTRE = 0
_MOST_PEAKS = 400
CLASSES = slice(1, 1 + len(GROUNDS))
FRAMES = slice(CLASSES.stop, CLASSES.stop + network.FRAME_CHANNELS)
MAP_CHANNELS = FRAMES.stop
STRIDE = 4
# From this score on a square is sure.
SURE_SCORE = 0.4
# What one square counts of which the locator is certain, see ``_fits``.
MIN_FITS = 1.0
# So many lattices, largest first, are looked at; further ones are scraps.
MAX_LATTICES = 12
# Sides of the network's input must divide by this.
GRANULE_PX = 32


@dataclass(frozen=True)
class LocateSettings:
    """``long_side_px`` is the size at which a photograph is first searched.

    Squares smaller than ``small_square_px`` there are searched again larger; where no sure square
    is found, ``other_long_sides_px`` are tried in turn. Peaks of the centre map count from
    ``min_score`` on; two closer than ``same_square``, as a share of a square, are one; those on
    bare ground or a thing with more than ``max_bare`` are none. What was found quickly is not
    searched again where squares off the largest lattice are at most ``stray_share`` of those on it.

    Where a reading leaves doubts, the photograph is searched again ``closer_factor`` times larger,
    or as much smaller where squares were wider than ``zoomed_square_px``; if that does not help, at
    ``far_factor`` of the size. No picture is enlarged by more than ``closer_factor``.
    """

    long_side_px: int = 512
    other_long_sides_px: tuple[int, ...] = (256, 128, 1024)
    small_square_px: float = 33.0
    zoomed_square_px: float = 40.0
    max_zoomed_side_px: int = 768
    closer_factor: float = 1.5
    far_factor: float = 0.4
    min_score: float = 0.25
    same_square: float = 0.45
    max_bare: float = 0.6
    stray_share: float = 0.2
    lattice: LatticeSettings = field(default_factory=LatticeSettings)


class Locator(NamedTuple):
    """The network that finds squares, and how it is used."""

    network: Network
    settings: LocateSettings = LocateSettings()


class Located(NamedTuple):
    """The squares of a picture and the lattices that they lie on, largest first."""

    detections: Detections
    lattices: list[Lattice]

    @property
    def sure(self) -> Detections:
        """The squares that are sure."""
        return self.detections.chosen(self.detections.scores > SURE_SCORE)


def search_at(
    rgb: Image, locator: Locator, size: Iterable[float], step: int = 1, corner: ArrayLike = (0, 0)
) -> Detections:
    """The squares of a picture searched at ``size`` (width, height), in pixels of the picture.

    Or in pixels of which each of the picture's takes ``step`` × ``step``, from ``corner`` on.
    """
    width, height = (max(GRANULE_PX, round(side / GRANULE_PX) * GRANULE_PX) for side in size)
    small = geometry.resize_by_halves(rgb, width, height)
    maps = locator.network(network.as_planes(small[None]))[0]
    scale = step * np.array([rgb.shape[1] / width, rgb.shape[0] / height])
    origin = np.array(corner, np.float64)
    found = find_detections(maps, locator.settings)
    classes = np.exp(maps[CLASSES] - maps[CLASSES].max(0))
    ground = GroundMap(classes[[_BARE, _THING]] / classes.sum(0), scale * STRIDE, origin)
    # The middle of a pixel, not its corner, has whole coordinates.
    centres = (found.centres + 0.5) * scale - 0.5 + origin
    return replace(found, centres=centres, edges=found.edges * scale, ground=ground)


def locate_in_preview(preview: Preview, locator: Locator) -> Located:
    """What is found at the first size, seen in a photograph's preview, in the photo's pixels."""
    factor = locator.settings.long_side_px / max(preview.size)
    size = [round(side * factor) for side in preview.size]
    found = search_at(preview.rgb, locator, size, preview.step, preview.corner)
    return Located(found, find_lattices(found, locator.settings.lattice)[:MAX_LATTICES])


def find_detections(maps: NDArray[np.float32], settings: LocateSettings) -> Detections:
    """The squares in the maps (channels, h, w) of the network, in pixels of its input."""
    peaks = network.find_peaks(maps, CENTRE, STRIDE, settings.min_score, _MOST_PEAKS)
    edges = network.decode_frames(peaks.mean[FRAMES].T)
    grounds = network.softmax(peaks.mean[CLASSES].T)
    apart = np.linalg.norm(peaks.centres[:, None] - peaks.centres[None], axis=2)
    sides = sides_of(edges)
    same = apart <= settings.same_square * np.minimum(sides[:, None], sides[None])
    keep: list[int] = []
    for k in range(len(sides)):
        if not same[k, keep].any():
            keep.append(k)
    found = Detections(peaks.centres, edges, peaks.scores, grounds).chosen(keep)
    return found.chosen(found.grounds[:, [_BARE, _THING]].sum(1) <= settings.max_bare)


def _fits(detections: Detections) -> float:
    """How many squares were found; one that is as likely as not counts nothing."""
    return float(np.clip(2 * detections.scores - 1, 0, None).sum())


def locate(rgb: Image, locator: Locator, first: Located | None = None) -> Located:
    """All squares of a photograph (h, w, 3) and the lattices that they lie on, largest first.

    What was found at the ``first`` size already is not searched again.
    """
    size, longest, settings = np.array(rgb.shape[1::-1]), max(rgb.shape[:2]), locator.settings

    def at(factor: float) -> Detections:
        return search_at(rgb, locator, np.round(size * factor))

    factor = settings.long_side_px / longest
    found = first.detections if first else at(factor)
    if _fits(found) < MIN_FITS:
        factors = [side / longest for side in settings.other_long_sides_px]
        tried = [(at(each), each) for each in factors if each <= settings.closer_factor]
        best = max(tried, key=lambda each: _fits(each[0]), default=(found, factor))
        found, factor = best if _fits(best[0]) > MIN_FITS else (found, factor)
    sure = found.chosen(found.scores > SURE_SCORE)
    side = float(np.median(sides_of(sure.edges))) if len(sure) else np.inf
    if side * factor < settings.small_square_px:
        low = np.maximum(sure.centres.min(0) - 3 * side, 0).astype(int)
        high = np.minimum(sure.centres.max(0) + 3 * side, size).astype(int)
        zoom = min(settings.zoomed_square_px / side, settings.closer_factor,
                   settings.max_zoomed_side_px / float((high - low).max()))  # fmt: skip
        if zoom > 1.2 * factor:
            part = rgb[low[1] : high[1], low[0] : high[0]]
            closer = search_at(part, locator, np.round((high - low) * zoom), corner=low)
            if _fits(closer) > 0.8 * _fits(found):
                found = closer
    if first and found is first.detections:
        return first
    return Located(found, find_lattices(found, settings.lattice)[:MAX_LATTICES])


# By how much of its size the frame of a square is off, as a rule.
TOLERANCE = 0.15
# The squared misfit of what lies beyond the horizon.
FAR = 1e6
# A frame with an edge of no length has the size 0 in every plane, and its logarithm none.
_WITH_FLAT_FRAMES = np.errstate(divide="ignore", invalid="ignore")
# Lattices whose own planes are tried, and the least squares on one.
MOST_LATTICES, MIN_TO_SPAN = 3, 7
# From some 70 degrees it takes up to six looks until squares look square.
MOST_LOOKS = 6


@dataclass(frozen=True)
class ViewSettings:
    """When and how a table is seen from above.

    Where it is seen at a slant of ``min_slant``, as of ``measure_slant``, it is drawn flat, with
    squares just large enough to find all of them, and looked at again until the slant is below
    that; then with squares as large as the classifier takes. Where two groups are as large as the
    smallest kingdom, one is off the scale whose squares are smaller than ``least_size`` of the
    others, in the photograph too unless they are smaller than the square of that; or larger by it.
    """

    min_slant: float = 1.25
    least_size: float = 0.65


class FlatView(NamedTuple):
    """A ``picture`` (h, w, 3) of the table; ``view`` (3, 3) maps the photograph's pixels to it."""

    view: Floats
    picture: Image


def fit_table(located: Located) -> Plane | None:
    """The plane of the table in pixels of the picture; None without ``MIN_SQUARES`` sure ones.

    In it most and the largest squares are of one size. It is that of one of the lattices, by the
    centres on it, which say more than the frames do where a camera leans far; without a large one
    it is fitted to all squares.
    """
    sure = located.sure
    if len(sure) < MIN_SQUARES:
        return None
    quads, weights, centres = sure.quads(), _weigh(sure), located.detections.centres

    @_WITH_FLAT_FRAMES
    def cost(plane: Plane) -> float:
        """How far the quads are from squares of one size in a plane."""
        a, b, c, d = project(quads, plane.homography).swapaxes(0, 1)
        u, v = b - a + c - d, d - a + c - b
        long, short = np.linalg.norm(u, axis=1) + 1e-9, np.linalg.norm(v, axis=1) + 1e-9
        sizes = np.log(plane.sizes(quads))
        off = [np.log(long / short), (u * v).sum(1) / (long * short), sizes - np.nanmedian(sizes)]
        misfits = np.nan_to_num((np.array(off) ** 2).sum(0) / TOLERANCE**2, nan=FAR)
        return float((weights * np.log1p(misfits)).sum())

    # On three rows and columns or more.
    large = [each for each in located.lattices if len(each.members) >= MIN_TO_SPAN
             and all(len({*axis}) > 2 for axis in zip(*each.members, strict=True))]  # fmt: skip
    planes = []
    for each in large[:MOST_LATTICES]:
        view = geometry.fit_homography(centres[[*each.members.values()]], middles_of(each.members))
        # In front of most of the quads.
        depths = np.c_[quads.mean(1), np.ones(len(quads))] @ view[2]
        planes.append(Plane(view * np.sign(np.median(depths)), np.zeros(0)))
    return min(planes or [_fit_to_all(sure)], key=cost)


def _weigh(squares: Detections) -> Floats:
    """What squares count (n,), 1 at most: their areas."""
    sides = sides_of(squares.edges) + 1e-9
    return np.asarray((sides / sides.max()) ** 2)


def _fit_to_all(squares: Detections) -> Plane:
    return geometry.fit_plane(squares.quads(), weights=_weigh(squares))


@_WITH_FLAT_FRAMES
def measure_slant(located: Located, plane: Plane, settings: ViewSettings) -> float:
    """How many times longer than wide squares look, 1 at least; those off the scale are left out.

    Or the root of how many times longer the nearest ones look than the farthest, if that is more.
    """
    sure = located.sure
    sizes = plane.sizes(sure.quads())
    usual = np.abs(np.log(sizes / np.nanmedian(sizes))) < -np.log(settings.least_size)
    middles = sure.centres[usual]
    if not len(middles):
        return 1.0
    steps = geometry.project_steps(middles, plane.homography)
    long, short = np.linalg.svd(steps, compute_uv=False).T
    grown = np.sqrt(long * short)
    return float(max(np.median(long / short), np.sqrt(grown.max() / grown.min())))


def view_from_above(
    rgb: Image,
    located: Located,
    locator: Locator,
    settings: ViewSettings,
    least: float,
    reach: int,
    most_px: int,
) -> FlatView | None:
    """The picture (h, w, 3) from above, looked at until squares look square there.

    It shows the table ``reach`` squares around what was found, and is at most ``most_px`` long.
    None where they never do, or where the slant is below ``least`` as it is. The frames of squares
    that look more than twice as long as wide lean too little, so that one look is not enough.
    """
    view, searching = np.eye(3), locator.settings

    def draw(plane: Plane, side_px: float) -> FlatView | None:
        """The picture of the plane, which was seen with its squares in the view."""
        quads = located.sure.quads()
        sizes = plane.sizes(quads)
        known = np.isfinite(sizes)
        if not known.any():
            return None
        grown = 1 / float(np.median(sizes[known]))
        flat = Plane(np.diag([grown, grown, 1]) @ plane.homography @ view, plane.residuals)
        seen = project(quads[known], np.asarray(np.linalg.inv(view)))
        try:
            picture, drawn = geometry.rectify_plane(
                rgb, flat, side_px, seen, margin=reach + 0.5, max_side_px=most_px
            )
        except ValueError:
            return None
        return FlatView(drawn, picture)

    for looks in range(MOST_LOOKS + 1):
        plane = fit_table(located)
        if plane and measure_slant(located, plane, settings) < least:
            return draw(plane, geometry.PATCH_PX) if looks else None
        drawn = draw(plane, searching.small_square_px) if plane and looks < MOST_LOOKS else None
        if drawn is None:
            return None
        longest = max(drawn.picture.shape[:2])
        look = replace(searching, long_side_px=longest, other_long_sides_px=(), small_square_px=0.0)
        located, view = locate(drawn.picture, locator._replace(settings=look)), drawn.view
        least = settings.min_slant
    return None


@_WITH_FLAT_FRAMES
def drop_off_scale(located: Located, settings: ViewSettings) -> Located:
    """What was found without the lattices of squares of another size in the plane of the table.

    That is the size of the most and largest squares, told by groups most of whose squares are sure:
    mistaken ones far off would be the largest. Those of a picture of a kingdom are smaller. What is
    so by little, and not in the photograph, may be as large: a panorama is no plane. So may what is
    by far, but not in the plane fitted to all squares, which lies between those of a panorama.
    """
    detections, lattices = located
    counts = np.array([len(each.members) for each in lattices])
    # A single square or domino says little of the size of all.
    is_group = counts >= MIN_SQUARES
    plane = fit_table(located) if is_group.sum() > 1 else None
    if plane is None:
        return located
    found = [detections.chosen([*each.members.values()]) for each in lattices]
    seen = np.array([np.median(sides_of(each.edges)) for each in found])
    sure = np.array([np.median(each.scores) > SURE_SCORE for each in found])

    def sizes_in(plane: Plane) -> Floats:
        return np.array([np.median(np.nan_to_num(plane.sizes(each.quads()))) for each in found])

    sizes, least = sizes_in(plane), settings.least_size
    usual = np.argmax(counts * is_group * (sure | ~sure[is_group].any()) * sizes**3)
    shares, is_large = sizes / sizes[usual], seen / seen[usual] > least
    kept = (shares > np.where(is_large, least**2, least)) & (shares < 1 / least)
    if (is_large & ~kept).any():
        of_all = sizes_in(_fit_to_all(located.sure))
        kept |= is_large & (shares < 1) & (of_all / of_all[usual] > least**2)
    return Located(detections, [*compress(lattices, kept)])
