"""Find the squares of a photograph and the lattices that they lie on, and look closer at a part of
one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import Extent
from vision.common.network import FRAME_CHANNELS, Network, decode_frames, find_peaks
from vision.common.rectify import resize_by_halves
from vision.kingdomino.detect.lattice import (
    Detections,
    GroundMap,
    Lattice,
    LatticeSettings,
    align_all,
    find_lattices,
)
from vision.photo.decoding import Preview

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# What a pixel of the maps can lie on: no square, a terrain, a castle, a square that does not
# belong to this game, or a thing that lies on the table and hides it.
GROUNDS = (".", "w", "f", "l", "g", "s", "m", "c", "x", "?")
_BARE, _THING = GROUNDS.index("."), GROUNDS.index("?")
CENTRE = 0
_MOST_PEAKS = 400
CLASSES = slice(1, 1 + len(GROUNDS))
FRAMES = slice(CLASSES.stop, CLASSES.stop + FRAME_CHANNELS)
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
    is found, ``other_long_sides_px`` are tried in turn. Peaks of the
    centre map count from ``min_score`` on; two that are closer than ``same_square``, as a share
    of a square, are one; those on bare ground or a thing with more than ``max_bare`` are none.
    What was found quickly is not searched again where squares off the largest lattice are at most
    ``stray_share`` as many as those on it.
    """

    long_side_px: int = 512
    other_long_sides_px: tuple[int, ...] = (256, 128, 1024)
    small_square_px: float = 33.0
    zoomed_square_px: float = 40.0
    max_zoomed_side_px: int = 768
    max_enlargement: float = 1.6
    min_score: float = 0.25
    same_square: float = 0.45
    max_bare: float = 0.6
    stray_share: float = 0.2
    lattice: LatticeSettings = field(default_factory=LatticeSettings)


class Located(NamedTuple):
    """The squares of a picture and the lattices that they lie on, largest first."""

    detections: Detections
    lattices: list[Lattice]


def search_at(
    rgb: Image,
    network: Network,
    size: tuple[int, int],
    settings: LocateSettings,
    step: int = 1,
    corner: tuple[int, int] = (0, 0),
) -> Detections:
    """The squares of a picture searched at ``size`` (width, height), in pixels of the picture.

    Or in pixels of which each of the picture's takes ``step`` × ``step``, from ``corner`` on.
    """
    sized = [max(GRANULE_PX, round(side / GRANULE_PX) * GRANULE_PX) for side in size]
    shrunk = resize_by_halves(rgb, sized[0], sized[1])
    batch = shrunk.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255) - np.float32(0.5)
    maps = network(batch)[0]
    scale = step * np.array([rgb.shape[1] / sized[0], rgb.shape[0] / sized[1]])
    origin = np.array(corner, np.float64)
    detections = find_detections(maps, settings)
    classes = np.exp(maps[CLASSES] - maps[CLASSES].max(0))
    ground = GroundMap(classes[[_BARE, _THING]] / classes.sum(0), scale * STRIDE, origin)
    # The middle of a pixel, not its corner, has whole coordinates.
    centres = (detections.centres + 0.5) * scale - 0.5 + origin
    return Detections(
        centres, detections.edges * scale, detections.scores, detections.grounds, ground
    )


def locate_in_preview(preview: Preview, network: Network, settings: LocateSettings) -> Located:
    """What is found at the first size, seen in a photograph's preview, in the photo's pixels."""
    size = _first_size(*preview.size, settings)
    found = search_at(preview.rgb, network, size, settings, preview.step, preview.corner)
    return _with_lattices(found, settings)


def _first_size(width: int, height: int, settings: LocateSettings) -> tuple[int, int]:
    factor = settings.long_side_px / max(height, width)
    return round(width * factor), round(height * factor)


def find_detections(maps: NDArray[np.float32], settings: LocateSettings) -> Detections:
    """The squares in the maps (channels, h, w) of the network, in pixels of its input."""
    peaks = find_peaks(maps, CENTRE, STRIDE, settings.min_score, _MOST_PEAKS)
    centres, scores = peaks.centres, peaks.scores
    edges = decode_frames(peaks.mean[FRAMES].T)
    classes = peaks.mean[CLASSES].T
    grounds = np.exp(classes - classes.max(1, keepdims=True, initial=-np.inf))
    grounds = grounds / grounds.sum(1, keepdims=True)
    sides = _sides(edges)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    same = apart <= settings.same_square * np.minimum(sides[:, None], sides[None])
    keep: list[int] = []
    for k in range(len(scores)):
        if not same[k, keep].any():
            keep.append(k)
    detections = Detections(centres, edges, scores, grounds).chosen(np.array(keep, np.intp))
    return detections.chosen(detections.grounds[:, [_BARE, _THING]].sum(1) <= settings.max_bare)


def _sides(edges: Floats) -> Floats:
    u, v = edges[:, 0], edges[:, 1]
    return np.asarray(np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])))


def _fits(detections: Detections) -> float:
    """How many squares were found; one that is as likely as not counts nothing."""
    return float(np.clip(2 * detections.scores - 1, 0, None).sum())


def _search(
    rgb: Image, network: Network, settings: LocateSettings, first: Detections | None
) -> Detections:
    """The squares of the photograph at the size that shows them best."""
    height, width = rgb.shape[:2]

    def at(factor: float) -> Detections:
        return search_at(rgb, network, (round(width * factor), round(height * factor)), settings)

    factor = settings.long_side_px / max(height, width)
    detections = at(factor) if first is None else first
    if _fits(detections) < MIN_FITS:
        for long_side in settings.other_long_sides_px:
            other_factor = long_side / max(height, width)
            if other_factor > settings.max_enlargement:
                continue
            other = at(other_factor)
            if _fits(other) > max(_fits(detections), MIN_FITS):
                detections, factor = other, other_factor
    sure = detections.scores > SURE_SCORE
    if not sure.any():
        return detections
    side = float(np.median(_sides(detections.edges)[sure]))
    if side * factor < settings.small_square_px:
        zoom = min(settings.zoomed_square_px / side, settings.max_enlargement)
        low = np.maximum(detections.centres[sure].min(0) - 3 * side, 0).astype(int)
        high = np.minimum(detections.centres[sure].max(0) + 3 * side, (width, height)).astype(int)
        zoom = min(zoom, settings.max_zoomed_side_px / float((high - low).max()))
        if zoom > 1.2 * factor:
            part = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
            size = np.round((high - low) * zoom).astype(int)
            closer = search_at(part, network, (int(size[0]), int(size[1])), settings)
            if _fits(closer) > 0.8 * _fits(detections):
                assert closer.ground is not None
                ground = replace(closer.ground, origin=low.astype(np.float64))
                detections = replace(closer, centres=closer.centres + low, ground=ground)
    return detections


def locate(
    rgb: Image, network: Network, settings: LocateSettings, first: Located | None = None
) -> Located:
    """All squares of a photograph (h, w, 3) and the lattices that they lie on, largest first.

    What was found at the ``first`` size already is not searched again. Loose dominoes make lattices
    of their own; which lattice is a kingdom is for the classifier to say, since it is the castle
    that makes one.
    """
    detections = _search(rgb, network, settings, first.detections if first else None)
    if first and detections is first.detections:
        return first
    return _with_lattices(detections, settings)


def _with_lattices(detections: Detections, settings: LocateSettings) -> Located:
    lattices = find_lattices(detections, settings.lattice)
    return Located(detections, lattices[:MAX_LATTICES])


ITERATIONS = 4
# The middle of a square and its corners, in squares from the middle.
_SPOTS = np.array([(0, 0), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
# Squares around a part that are looked at closer with it, and their side in pixels.
REACH, CLOSE_PX = 1, 72.0
SAME_PLACE = 0.3
# Of the depth in the middle of a kingdom; nearer to the horizon no square is found.
MIN_DEPTH = 0.05


def measure_offset(detections: Detections, lattice: Lattice, part: Collection[Position]) -> Floats:
    """How far the squares of ``part`` lie from where the others say, (x, y) in squares.

    (0, 0) where the lattice reaches its horizon, so that nothing can be measured.
    """
    cells = list(lattice.members)
    middles = np.array([(column + 0.5, row + 0.5) for row, column in cells])
    ends = lattice.points(middles[:, None] + np.array([(1, 0), (0, 1), (0, 0)])).reshape(-1, 3, 2)
    index = list(lattice.members.values())
    edges = align_all(detections.edges[index], ends[:, :2] - ends[:, 2:])
    found = (
        detections.centres[index][:, None]
        + _SPOTS[:, :1] * edges[:, None, 0]
        + _SPOTS[:, 1:] * edges[:, None, 1]
    ).reshape(-1, 2)
    middle = middles.mean(0)
    flat = (middles[:, None] + _SPOTS - middle).reshape(-1, 2)
    moves = np.repeat([float(cell in part) for cell in cells], len(_SPOTS))[:, None]
    start = lattice.homography @ np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1.0]])
    view = (start / start[2, 2]).ravel()[:8]
    offset = np.zeros(2)
    for _ in range(ITERATIONS):
        places = flat + moves * offset
        depth = places @ view[6:] + 1
        if depth.min() < MIN_DEPTH:
            return np.zeros(2)
        seen = (places @ view[:6].reshape(2, 3)[:, :2].T + view[[2, 5]]) / depth[:, None]
        slopes = np.zeros((len(places), 2, 10))
        along = np.c_[places, np.ones(len(places))] / depth[:, None]
        slopes[:, 0, 0:3] = slopes[:, 1, 3:6] = along
        slopes[:, :, 6:8] = -seen[:, :, None] * along[:, None, :2]
        to_pixels = view[:6].reshape(2, 3)[:, :2] - seen[:, :, None] * view[6:]
        slopes[:, :, 8:] = to_pixels * (moves / depth[:, None])[:, :, None]
        flat_slopes = slopes.reshape(-1, 10)
        scale = np.linalg.norm(flat_slopes, axis=0) + 1e-12
        step, *_ = np.linalg.lstsq(flat_slopes / scale, (found - seen).ravel())
        view, offset = view + (step / scale)[:8], offset + (step / scale)[8:]
    return offset


def look_closer(
    rgb: Image,
    network: Network,
    lattice: Lattice,
    part: Collection[Position],
    settings: LocateSettings,
) -> tuple[Detections, Lattice] | None:
    """The squares of a lattice around a part of it, found anew in a larger picture.

    None where that shows none of the part, or of the rest, on its place.
    """
    cells = Extent.of(part).widened(REACH)
    xs, ys = (cells.left, cells.right), (cells.top, cells.bottom)
    corners = lattice.points([(x, y) for x in xs for y in ys])
    low = np.maximum(np.floor(corners.min(0)), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(0)), rgb.shape[1::-1]).astype(int)
    if (high - low < CLOSE_PX / 4).any():
        return None
    # Even sides are halved exactly, which is much faster.
    high -= (high - low) % 2
    ends = lattice.points([(xs[0], ys[0]), (xs[1], ys[0]), (xs[0], ys[1])])
    sides = np.linalg.norm(ends[1:] - ends[0], axis=1) / (xs[1] - xs[0], ys[1] - ys[0])
    if sides.min() < 1:
        return None
    size = np.minimum((high - low) * CLOSE_PX / sides.mean(), settings.max_zoomed_side_px)
    cut = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
    closer = search_at(cut, network, (int(size[0]), int(size[1])), settings)
    closer = replace(closer, centres=closer.centres + low, ground=None)
    members: dict[Position, int] = {}
    for k, (x, y) in enumerate(lattice.places(closer.centres)):
        cell = int(np.floor(y)), int(np.floor(x))
        off = max(abs(x - cell[1] - 0.5), abs(y - cell[0] - 0.5))
        if cell in lattice.members and cell not in members and off < SAME_PLACE:
            members[cell] = k
    if not members.keys() & set(part) or not members.keys() - set(part):
        return None
    return closer, Lattice(lattice.homography, members, lattice.misfit)
