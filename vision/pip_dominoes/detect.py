"""Find the dominoes of a photograph, and choose which of the places found hold one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.detection import find_peaks
from vision.common.network import Network
from vision.pip_dominoes.recognise import Evidence
from vision.pip_dominoes.weights import (
    CENTRE,
    FACE,
    FRAMES,
    LOCATOR_STRIDE,
    corners_of,
    decode_frames,
)

__all__ = [
    "Detections",
    "LocateSettings",
    "beside",
    "best_disjoint",
    "find_dominoes",
    "keep_likely",
    "look_again",
    "overlap",
    "peaks_of",
]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# Sides of the network's input must divide by this.
_GRANULE_PX = 32
# No photograph shows as many dominoes.
_MOST_PEAKS = 300
_MOST = 96


@dataclass(frozen=True)
class LocateSettings:
    """``long_sides_px`` are the sizes at which a photograph is first searched, smallest first.
    Where a look is as good as ``clear_fit`` sure dominoes, and their median short side
    ``clear_px`` or more, larger looks are left out. The best of these looks tells how large the
    dominoes are. Unless their median short side was within ``good_px`` there, the part that
    holds them is searched again so that it becomes ``best_px``, at most ``max_side_px`` long
    and ``max_enlargement`` times as large. Peaks of the map of middles count from ``min_score``
    on and are sure from ``sure_score`` on; two closer than ``same_share`` of a short side are
    one. The second search counts if it finds ``as_good`` of the first. A further look, where
    something was missed, is ``other_share`` times as large or small.
    """

    long_sides_px: tuple[int, ...] = (64, 160, 288, 512)
    clear_px: float = 13.0
    clear_fit: float = 1.0
    good_px: tuple[float, float] = (17.0, 26.0)
    best_px: float = 21.0
    max_side_px: int = 1024
    max_enlargement: float = 1.5
    min_score: float = 0.18
    sure_score: float = 0.5
    as_good: float = 0.9
    other_share: float = 1.35
    same_share: float = 0.55


@dataclass(frozen=True, eq=False)
class Detections:
    """Dominoes found, in pixels of the picture searched.

    ``corners`` (n, 4, 2), clockwise, the first edge along the domino; ``scores`` (n,) 0..1.
    ``faces`` (h, w) is how likely each spot shows a face, and ``view`` (2, 3) takes pixels of
    the picture to it. ``factor`` is the size of the search over that of the picture.
    """

    corners: Floats
    scores: Floats
    faces: NDArray[np.float32]
    view: Floats
    factor: float

    @property
    def short_px(self) -> Floats:
        """The short side (n,) of each domino."""
        sides = np.linalg.norm(np.diff(self.corners, axis=1), axis=2)
        return np.asarray(sides[:, 1])

    def chosen(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Detections:
        """Some of the dominoes."""
        return Detections(self.corners[keep], self.scores[keep], self.faces, self.view, self.factor)


def _resized(rgb: Image, width: int, height: int) -> Image:
    """The picture at another size; halved first where it can be, which is much faster."""
    while rgb.shape[1] >= 2 * width and rgb.shape[0] >= 2 * height:
        half = (rgb.shape[1] // 2, rgb.shape[0] // 2)
        rgb = np.asarray(cv2.resize(rgb, half, interpolation=cv2.INTER_AREA), np.uint8)
    enlarged = rgb.shape[1] < width
    way = cv2.INTER_LINEAR if enlarged else cv2.INTER_AREA
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=way), np.uint8)


def _searched(rgb: Image, network: Network, factor: float, settings: LocateSettings) -> Detections:
    """The dominoes of a picture searched at ``factor`` times its size."""
    height, width = rgb.shape[:2]
    sized = [max(1, round(side * factor / _GRANULE_PX)) * _GRANULE_PX for side in (width, height)]
    shrunk = _resized(rgb, sized[0], sized[1])
    batch = shrunk.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255) - np.float32(0.5)
    maps = network(batch)[0]
    scale = np.array([width / sized[0], height / sized[1]])
    centres, edges, scores = peaks_of(maps, settings)
    # The middle of a pixel, not its corner, has whole coordinates.
    corners = (corners_of(centres, edges) + 0.5) * scale - 0.5
    faces = (1 / (1 + np.exp(-maps[FACE]))).astype(np.float32)
    shrink = 1 / (scale * LOCATOR_STRIDE)
    view = np.column_stack([np.diag(shrink), 0.5 * shrink - 0.5])
    found = Detections(corners, scores, faces, view, factor)
    return found.chosen(_suppress_close(found, settings))


def peaks_of(maps: NDArray[np.float32], settings: LocateSettings) -> tuple[Floats, Floats, Floats]:
    """Middles (n, 2), edges (n, 2, 2) and scores (n,) in pixels of the network's input."""
    peaks = find_peaks(maps, CENTRE, LOCATOR_STRIDE, settings.min_score, _MOST_PEAKS)
    return peaks.centres, decode_frames(peaks.mean[FRAMES].T), peaks.scores


def _suppress_close(found: Detections, settings: LocateSettings) -> NDArray[np.intp]:
    """The best of those that lie on one another."""
    keep: list[int] = []
    middles, short = found.corners.mean(1), found.short_px
    for k in np.argsort(-found.scores, kind="stable"):
        gaps = np.linalg.norm(middles[keep] - middles[k], axis=1)
        if (gaps > settings.same_share * np.minimum(short[keep], short[k])).all():
            keep.append(int(k))
    return np.array(keep[:_MOST], np.intp)


def _fits(found: Detections) -> float:
    """How many dominoes were found; one that is as likely as not counts nothing."""
    return float(np.clip(2 * found.scores - 1, 0, None).sum())


def _is_clear(found: Detections, sure: NDArray[np.bool_], settings: LocateSettings) -> bool:
    return float(np.median(found.short_px[sure])) * found.factor > settings.clear_px


def find_dominoes(
    rgb: Image, network: Network, settings: LocateSettings | None = None
) -> Detections:
    """The dominoes of a picture (h, w, 3), searched at the size that shows them best."""
    settings = settings or LocateSettings()
    longest = max(rgb.shape[:2])
    factors = sorted(
        {min(side / longest, settings.max_enlargement) for side in settings.long_sides_px}
    )
    best, sure = None, np.zeros(0, bool)
    for factor in factors:
        look = _searched(rgb, network, factor, settings)
        if best is None or _fits(look) > _fits(best):
            best, sure = look, look.scores > settings.sure_score
            if _fits(best) > settings.clear_fit and _is_clear(best, sure, settings):
                break
    assert best is not None
    if not sure.any():
        return best
    short = float(np.median(best.short_px[sure]))
    if not settings.good_px[0] < short * best.factor < settings.good_px[1]:
        again = _searched_again(rgb, best.chosen(sure), short, network, settings)
        if _fits(again) > settings.as_good * _fits(best):
            best = again
    return best


def look_again(
    rgb: Image, found: Detections, network: Network, settings: LocateSettings | None = None
) -> Detections:
    """The dominoes of a picture searched at another size than that of ``found``."""
    settings = settings or LocateSettings()
    short = float(np.median(found.short_px))
    share = settings.other_share
    nearer = found.factor * short < settings.best_px
    wanted = found.factor * short * (share if nearer else 1 / share)
    return _searched_again(rgb, found, short, network, replace(settings, best_px=wanted))


def _searched_again(
    rgb: Image, found: Detections, short: float, network: Network, settings: LocateSettings
) -> Detections:
    """The part of the picture that holds dominoes, searched at the best size."""
    size = np.array(rgb.shape[1::-1])
    points = found.corners.reshape(-1, 2)
    low = np.clip(points.min(0) - 3 * short, 0, size - _GRANULE_PX).astype(int)
    high = np.clip(points.max(0) + 3 * short, low + _GRANULE_PX, size).astype(int)
    factor = min(settings.best_px / short, settings.max_enlargement)
    factor = min(factor, settings.max_side_px / float((high - low).max()))
    part = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
    again = _searched(part, network, factor, settings)
    view = again.view.copy()
    view[:, 2] -= view[:, :2] @ low
    return Detections(again.corners + low, again.scores, again.faces, view, again.factor)


# From so many dominoes on their sizes can be compared.
_SEVERAL = 3
# Beyond so many trials the likeliest are taken one after the other.
_TRIALS = 4000


def overlap(first: Floats, second: Floats) -> float:
    """The share of the smaller of two quadrilaterals (4, 2) that the other covers."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(min(cv2.contourArea(a), cv2.contourArea(b)), 1.0)


def beside(corners: Floats, others: Floats, most: float) -> NDArray[np.bool_]:
    """Which of ``corners`` (n, 4, 2) overlap none of ``others`` (m, 4, 2) by ``most``."""
    return np.array([all(overlap(box, other) < most for other in others) for box in corners], bool)


def best_disjoint(worth: Sequence[float], clashes: Sequence[set[int]]) -> list[int]:
    """The places worth most together of which no two clash.

    ``worth`` are positive, ``clashes`` names for each place the others that it clashes with. Exact
    by branching (a maximum-weight independent set) unless that takes too many trials; then the
    places are taken by their own worth.
    """
    trials = 0

    def solve(left: frozenset[int]) -> tuple[float, tuple[int, ...]]:
        nonlocal trials
        trials += 1
        total, taken = 0.0, list[int]()
        while left:
            group = _group(left, clashes)
            left -= group
            k = max(group, key=lambda each: (len(clashes[each] & group), worth[each]))
            if len(group) == 1:
                total, taken = total + worth[k], [*taken, k]
                continue
            if trials > _TRIALS:
                raise _TooMany
            with_k, others = solve(group - clashes[k] - {k})
            without, instead = solve(group - {k})
            if with_k + worth[k] >= without:
                total, taken = total + with_k + worth[k], [*taken, k, *others]
            else:
                total, taken = total + without, [*taken, *instead]
        return total, tuple(taken)

    try:
        return sorted(solve(frozenset(range(len(worth))))[1])
    except _TooMany:
        kept: set[int] = set()
        for k in sorted(range(len(worth)), key=lambda each: -worth[each]):
            if not clashes[k] & kept:
                kept.add(k)
        return sorted(kept)


class _TooMany(Exception):
    """Too many trials."""


def _group(left: frozenset[int], clashes: Sequence[set[int]]) -> frozenset[int]:
    """One of those left and all that it clashes with, directly or by way of others."""
    open_, seen = [min(left)], {min(left)}
    while open_:
        new = (clashes[open_.pop()] & left) - seen
        seen |= new
        open_ += new
    return frozenset(seen)


def keep_likely(
    evidence: Evidence, exists: Floats, *, least: float, most_overlap: float, least_size: float
) -> NDArray[np.intp]:
    """Which of the places found hold a domino.

    Those at least as likely as ``least`` that are worth most together, while none overlaps another
    by ``most_overlap``: two likely dominoes are worth more than a likelier one across both. A set
    bears pips or figures: among dominoes with pips, figures are writing. Its dominoes are of one
    size: what is smaller than ``least_size`` of the median, or larger by as much, is none.
    """
    corners = evidence.corners
    likely = np.nonzero(exists >= least)[0]
    clashes: list[set[int]] = [set() for _ in likely]
    reach = np.linalg.norm(corners[likely] - corners[likely].mean(1, keepdims=True), axis=2).max(1)
    middles = corners[likely].mean(1)
    for a in range(len(likely)):
        near = np.linalg.norm(middles[:a] - middles[a], axis=1) < reach[:a] + reach[a]
        for b in np.nonzero(near)[0].tolist():
            if overlap(corners[likely[a]], corners[likely[b]]) >= most_overlap:
                clashes[a].add(b)
                clashes[b].add(a)
    chosen = likely[best_disjoint(exists[likely].tolist(), clashes)]
    figures = evidence.figures[chosen] > 0.5
    if figures.sum() < (~figures).sum():
        chosen = chosen[~figures]
    if len(chosen) < _SEVERAL:
        return chosen
    sizes = np.array([np.sqrt(cv2.contourArea(box.astype(np.float32))) for box in corners[chosen]])
    share = sizes / np.median(sizes)
    return np.asarray(chosen[(share > least_size) & (share < 1 / least_size)], np.intp)
