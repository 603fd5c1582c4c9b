"""Dominoes of which no face was read, whatever side they show: where the locator sees a body, and
where something has the colour, the shape and the size of those that were read.

The locator knows bodies by what it was trained on; a plain back it may take for part of the table.
The second way knows nothing but the dominoes at hand, seen from straight above.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.geometry import Plane, project, rectify_plane
from vision.pip_dominoes.candidates import beside
from vision.pip_dominoes.detect import Detections
from vision.pip_dominoes.judge import DoubtSettings
from vision.pip_dominoes.weights import half_corners

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

# As far as this from its middle, in its own size, what looks like a body is that domino's.
_BESIDE = 1.3
# What overlaps by so much was told already.
_SAME = 0.3

# Seen from above a short side has so many pixels; so many short sides of table are looked at.
_SHORT_PX, _MARGIN, _MOST_PX = 14.0, 4.0, 640
# Light differs over a table more than colour does.
_LIGHTNESS_WEIGHT = 0.5
# As far as this from its middle, in its own size, is a face's own colour, and is its rim.
_FACE, _RIM = 0.85, 1.1
# So many pixels tell the colour of a face.
_ENOUGH = 500
# So many times as far from the colour of a face as its pixels usually are, a pixel may be.
_SPREADS = 2.5
# How much of its rectangle a domino fills at least.
_FILLED = 0.7
# Where more of the table has the colour of the faces, colour tells nothing.
_MOST_ALIKE = 0.2


def unread_bodies(
    rgb: Image, found: Detections, corners: Floats, settings: DoubtSettings
) -> list[Floats]:
    """What seems to be a domino and was not read, (4, 2) each in pixels of the picture ``rgb``.

    ``corners`` (n, 4, 2) are what was read.
    """
    seen = seen_bodies(found, corners, settings.body)
    alike = alike_bodies(rgb, found.plane, corners, settings.misfit)
    new = beside(np.array(alike).reshape(-1, 4, 2), np.array(seen).reshape(-1, 4, 2), _SAME)
    return seen + [box for box, alone in zip(alike, new, strict=True) if alone]


def blanks_off(rgb: Image, corners: Floats, numbers: NDArray[np.int64]) -> Floats:
    """How far the colour of a blank half of each domino (n,) is from the nearest of the halves
    with pips, in CIE L*a*b* with half the lightness; 0 where there is no such half.

    ``corners`` (n, 4, 2) are pixels of ``rgb``, ``numbers`` (n, 2) those of both halves.
    """
    blank = numbers == 0
    if blank.all() or not blank.any():
        return np.zeros(len(corners))
    colours = np.array([[_colour(rgb, half) for half in half_corners(box)] for box in corners])
    apart = np.linalg.norm(colours[:, :, None] - colours[~blank], axis=-1)
    return np.asarray((apart.min(-1) * blank).max(1))


def _colour(rgb: Image, box: Floats) -> Floats:
    """The median colour within a quadrilateral (4, 2), of which pips cover less than half."""
    first = np.clip(np.floor(box.min(0)), 0, np.array(rgb.shape[1::-1]) - 1).astype(int)
    last = np.maximum(np.ceil(box.max(0)).astype(int) + 1, first + 1)
    part = np.ascontiguousarray(rgb[first[1] : last[1], first[0] : last[0]])
    covered = _filled(_grown(box, _FACE) - first, part)
    seen = part[covered] if covered.any() else part.reshape(-1, 3)
    some = seen[:: max(len(seen) // _ENOUGH, 1)]
    return np.asarray(np.median(_weighed_lab(some[None])[0], axis=0), np.float64)


def _weighed_lab(rgb: Image) -> NDArray[np.float32]:
    lab = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB).astype(np.float32)
    return np.asarray(lab * np.array((_LIGHTNESS_WEIGHT, 1, 1), np.float32))


def seen_bodies(found: Detections, corners: Floats, least: float) -> list[Floats]:
    """Where half the area of a domino is on average ``least`` likely to be one's body that was not
    read, as rectangles (4, 2) in pixels of the picture; ``corners`` (n, 4, 2) are what was read.
    """
    if not len(corners):
        return []
    bodies, areas = found.bodies.copy(), []
    for box in corners:
        seen, grown = (project(_grown(box, size), found.view) for size in (1.0, _BESIDE))
        areas.append(cv2.contourArea(seen.astype(np.float32)))
        cv2.fillConvexPoly(bodies, np.round(grown * 16).astype(np.int32), 0, shift=4)
    side = max(round(float(np.sqrt(np.median(areas) / 2))), 1)
    # What lies beyond the picture is as what lies at its edge, so that half a domino is enough.
    shares = cv2.blur(bodies, (side, side), borderType=cv2.BORDER_REFLECT)
    spots, _ = cv2.findContours(
        (shares > least).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    back = np.asarray(np.linalg.inv(found.view), np.float64)
    # So much wider than a body is where the share is as high, since its window has a width.
    wider = (1 - 2 * least) * side
    boxes = []
    for at, size, turn in map(cv2.minAreaRect, spots):
        wide, high = np.maximum(np.array(size) + 1 - wider, side).tolist()
        box = cv2.boxPoints((at, (wide, high), turn))
        boxes.append(project(np.asarray(box, np.float64), back))
    return boxes


def alike_bodies(rgb: Image, plane: Plane | None, corners: Floats, misfit: float) -> list[Floats]:
    """What looks like a domino turned over, as rectangles in the plane, (4, 2) each in pixels of
    the picture ``rgb`` (h, w, 3): a spot of the faces' colour, of a domino's shape and size.

    Backs are mostly of the faces' colour. ``corners`` (n, 4, 2) are what was read; without a
    ``plane`` the picture is taken to be one. The logarithm of each side may be off by ``misfit``.
    """
    plane = plane or _picture_as_plane(corners)
    corners = corners[np.isfinite(plane.sizes(corners))]
    if not len(corners):
        return []
    flat, view = rectify_plane(rgb, plane, _SHORT_PX, corners, margin=_MARGIN, max_side_px=_MOST_PX)
    frames = project(corners.reshape(-1, 2), view).reshape(-1, 4, 2)
    short = math.sqrt(
        np.median([cv2.contourArea(frame.astype(np.float32)) for frame in frames]) / 2
    )
    back = np.asarray(np.linalg.inv(view), np.float64)
    boxes = []
    for spot in _spots_alike(flat, frames):
        at, between, turn = cv2.minAreaRect(spot)
        # Contours run through the middles of pixels.
        sides = np.array(between) + 1
        area = cv2.contourArea(spot) + len(spot) / 2 + 1
        off = np.abs(np.log(np.sort(sides) / (short, 2 * short)))
        if off.max() < misfit and area > _FILLED * sides.prod():
            box = cv2.boxPoints((at, sides.tolist(), turn))
            boxes.append(project(np.asarray(box, np.float64), back))
    return boxes


def _spots_alike(flat: Image, frames: Floats) -> list[NDArray[np.int32]]:
    """The outlines (m, 1, 2) of what has the colour of a face, beside the ``frames`` (n, 4, 2)."""
    lab = _weighed_lab(np.asarray(cv2.GaussianBlur(flat, (0, 0), 0.7), np.uint8))
    shown = [_filled(_grown(frame, _FACE), flat) for frame in frames]
    shown = [face for face in shown if face.any()]
    if not shown:
        return []
    # Pips cover less than half of a face.
    colours = np.array([np.median(lab[face], axis=0) for face in shown], np.float32)
    nearest, _ = cv2.batchDistance(
        lab.reshape(-1, 3), colours, cv2.CV_32F, normType=cv2.NORM_L2SQR, K=1
    )
    off = nearest.reshape(lab.shape[:2])
    alike = off <= _SPREADS**2 * np.median(off[np.any(shown, axis=0)])
    for frame in frames:
        alike &= ~_filled(_grown(frame, _RIM), flat)
    # The rims of the dominoes are lines, which may lead from one spot to the next.
    parted = cv2.morphologyEx(alike.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if parted.mean() > _MOST_ALIKE:
        return []
    spots, order = cv2.findContours(parted, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    holes = np.zeros(0) if order is None else order[0, :, 3] >= 0
    return [np.asarray(s, np.int32) for s, hole in zip(spots, holes, strict=True) if not hole]


def _picture_as_plane(corners: Floats) -> Plane:
    """The plane of a picture seen from straight above."""
    short = float(np.median(np.linalg.norm(corners[:, 2] - corners[:, 1], axis=1)))
    return Plane(np.diag([1 / short, 1 / short, 1.0]), np.zeros(len(corners)))


def _grown(box: Floats, size: float) -> Floats:
    """A quadrilateral (4, 2) that is ``size`` times as large."""
    return np.asarray(box.mean(0) + (box - box.mean(0)) * size)


def _filled(box: Floats, picture: Image) -> NDArray[np.bool_]:
    """Which pixels (h, w) of a picture a quadrilateral (4, 2) covers."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    return np.asarray(cv2.fillConvexPoly(mask, np.round(box * 16).astype(np.int32), 1, shift=4) > 0)
