"""Find the places of a photograph that may hold a domino, at two looks.

The second is from straight above where the plane of the dominoes is known, else at another size.
What both looks show is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.geometry import Plane, fit_plane, halved, project, rectify_plane
from vision.common.network import Network, as_planes, find_peaks
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.weights import (
    BODY,
    CENTRE,
    FRAMES,
    LOCATOR_STRIDE,
    corners_of,
    decode_frames,
)

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# Sides of the network's input must divide by this.
_GRANULE_PX = 32
# No photograph shows as many dominoes.
_MOST_PEAKS = 300
_MOST = 96


@dataclass(frozen=True)
class LocateSettings:
    """``long_sides_px`` are the sizes at which a photograph is first searched. The best of these
    looks, the smaller one of equals, tells how large the dominoes are. Unless their median short
    side was within ``good_px`` there, the part that holds them is searched again so that it becomes
    ``best_px``, at most ``max_side_px`` long and ``max_enlargement`` times as large. Peaks of the
    map of middles count from ``min_score`` on and are sure from ``sure_score`` on; two closer than
    ``same_share`` of a short side are one. The second search counts if it finds ``as_good`` of the
    first. From ``plane_from`` dominoes on they tell how the table lies, and a further look is from
    straight above; with fewer it is ``other_share`` times as large or small.
    """

    long_sides_px: tuple[int, ...] = (64, 160, 288, 512)
    good_px: tuple[float, float] = (17.0, 26.0)
    best_px: float = 21.0
    max_side_px: int = 1024
    max_enlargement: float = 1.5
    min_score: float = 0.18
    sure_score: float = 0.5
    as_good: float = 0.9
    plane_from: int = 4
    other_share: float = 1.35
    same_share: float = 0.55


@dataclass(frozen=True, eq=False)
class Detections:
    """Dominoes found, in pixels of the picture searched.

    ``corners`` (n, 4, 2), clockwise, the first edge along the domino; ``scores`` (n,) 0..1.
    ``bodies`` (h, w) is how likely each spot is one of a domino, whatever side it shows, and the
    homography ``view`` (3, 3) takes pixels of the picture to it. ``factor`` is the size of the
    search over that of the picture searched, ``plane`` that of the dominoes, where it is known.
    """

    corners: Floats
    scores: Floats
    bodies: NDArray[np.float32]
    view: Floats
    factor: float
    plane: Plane | None = None

    @property
    def short_px(self) -> Floats:
        """The short side (n,) of each domino."""
        sides = np.linalg.norm(np.diff(self.corners, axis=1), axis=2)
        return np.asarray(sides[:, 1])

    def chosen(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Detections:
        """Some of the dominoes."""
        return replace(self, corners=self.corners[keep], scores=self.scores[keep])


def _resized(rgb: Image, width: int, height: int) -> Image:
    """The picture at another size; halved first where it can be, which is much faster."""
    rgb = halved(rgb, width, height)
    way = cv2.INTER_LINEAR if rgb.shape[1] < width else cv2.INTER_AREA
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=way), np.uint8)


def search(rgb: Image, network: Network, factor: float, settings: LocateSettings) -> Detections:
    """The dominoes of a picture searched at ``factor`` times its size."""
    height, width = rgb.shape[:2]
    sized = [max(1, round(side * factor / _GRANULE_PX)) * _GRANULE_PX for side in (width, height)]
    shrunk = _resized(rgb, sized[0], sized[1])
    maps = network(as_planes(shrunk[None]))[0]
    scale = np.array([width / sized[0], height / sized[1]])
    centres, edges, scores = peaks_of(maps, settings)
    # The middle of a pixel, not its corner, has whole coordinates.
    corners = (corners_of(centres, edges) + 0.5) * scale - 0.5
    bodies = (1 / (1 + np.exp(-maps[BODY]))).astype(np.float32)
    shrink = 1 / (scale * LOCATOR_STRIDE)
    view = np.diag([*shrink, 1.0])
    view[:2, 2] = 0.5 * shrink - 0.5
    found = Detections(corners, scores, bodies, view, factor)
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


def find_dominoes(
    rgb: Image, network: Network, settings: LocateSettings | None = None
) -> Detections:
    """The dominoes of a picture (h, w, 3), searched at the size that shows them best."""
    settings = settings or LocateSettings()
    longest = max(rgb.shape[:2])
    factors = sorted(
        {min(side / longest, settings.max_enlargement) for side in settings.long_sides_px}
    )
    best = max((search(rgb, network, factor, settings) for factor in factors), key=_fits)
    sure = best.scores > settings.sure_score
    if not sure.any():
        return best
    short = float(np.median(best.short_px[sure]))
    if not settings.good_px[0] < short * best.factor < settings.good_px[1]:
        again = search_part(rgb, best.corners[sure], short, network, settings)
        if _fits(again) > settings.as_good * _fits(best):
            best = again
    return best


def search_part(
    rgb: Image, corners: Floats, short: float, network: Network, settings: LocateSettings
) -> Detections:
    """The part of the picture that holds dominoes (n, 4, 2), so that ``short`` pixels become as
    many as are known best."""
    size = np.array(rgb.shape[1::-1])
    points = corners.reshape(-1, 2)
    low = np.clip(points.min(0) - 3 * short, 0, size - _GRANULE_PX).astype(int)
    high = np.clip(points.max(0) + 3 * short, low + _GRANULE_PX, size).astype(int)
    factor = min(settings.best_px / short, settings.max_enlargement)
    factor = min(factor, settings.max_side_px / float((high - low).max()))
    part = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
    again = search(part, network, factor, settings)
    shift = np.array([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1)])
    return replace(again, corners=again.corners + low, view=again.view @ shift)


# A domino whose shape or size is farther off, as a share, says nothing of the table.
_MOST_MISFIT = 0.3
# How much table beyond the dominoes is looked at, in short sides.
_MARGIN = 4.0
# The height of a domino over its width.
_ASPECT = 2.0
# From this share of both areas on two frames are one domino's.
_SAME = 0.55


def look_again(
    rgb: Image, sure: Candidates, network: Network, settings: LocateSettings | None = None
) -> Detections:
    """The picture searched again around the dominoes that are surely there, one at least."""
    settings = settings or LocateSettings()
    plane = _plane_of(sure, settings.plane_from)
    if plane is None:
        short = float(np.median(np.linalg.norm(sure.corners[:, 2] - sure.corners[:, 1], axis=1)))
        return search_part(rgb, sure.corners, short * settings.other_share, network, settings)
    flat = sure.corners[plane.residuals < _MOST_MISFIT]
    picture, view = rectify_plane(
        rgb, plane, settings.best_px, flat, margin=_MARGIN, max_side_px=settings.max_side_px
    )
    found = search(picture, network, 1.0, settings)
    back = np.asarray(np.linalg.inv(view), np.float64)
    corners = project(found.corners.reshape(-1, 2), back).reshape(-1, 4, 2)
    return replace(found, corners=corners, view=found.view @ view, plane=plane)


def both_looks(first: Detections, second: Detections) -> Detections:
    """The first look with the plane of the second, and bodies as likely as both say on average."""
    to_first = first.view @ np.linalg.inv(second.view)
    # Where the second shows nothing the first counts alone.
    there = cv2.warpPerspective(
        second.bodies, to_first, first.bodies.shape[::-1], first.bodies.copy(),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT,
    )  # fmt: skip
    bodies = np.asarray((first.bodies + there) / 2, np.float32)
    return replace(first, bodies=bodies, plane=second.plane)


def _plane_of(sure: Candidates, least: int) -> Plane | None:
    """The plane in which the dominoes lie, None where ``least`` of them don't tell."""
    if len(sure) < least:
        return None
    plane = fit_plane(sure.corners, _ASPECT, sure.exists)
    return plane if (plane.residuals < _MOST_MISFIT).sum() >= least else None


@dataclass(frozen=True, eq=False)
class Match:
    """The first look's candidates with what the second says of them, and the second's frames that
    are worth a look themselves: which ``rows`` (n,) of it, and the first's ``scores`` (n,) there.
    """

    first: Candidates
    rows: NDArray[np.intp]
    scores: Floats


def match(first: Candidates, second: Detections, surely: float) -> Match:
    """Compare two looks; frames of candidates that are ``surely`` dominoes are good enough."""
    rescored, agreed = np.zeros(len(first)), np.zeros(len(first))
    rows, scores = [], []
    for row, (corners, score) in enumerate(zip(second.corners, second.scores, strict=True)):
        shares = [shared_area(corners, each) for each in first.corners]
        best = int(np.argmax(shares)) if shares else 0
        if not shares or shares[best] < _SAME:
            rows.append(row)
            scores.append(0.0)
            continue
        if first.exists[best] < surely:
            rows.append(row)
            scores.append(float(first.scores[best]))
        if shares[best] > agreed[best]:
            rescored[best], agreed[best] = score, shares[best]
    return Match(replace(first, rescored=rescored), np.array(rows, np.intp), np.array(scores))


def shared_area(first: Floats, second: Floats) -> float:
    """The area that two quadrilaterals (4, 2) share over that of both together."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(cv2.contourArea(a) + cv2.contourArea(b) - float(shared), 1.0)
