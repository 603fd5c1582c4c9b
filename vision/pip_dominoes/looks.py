"""A second look at the same table: from straight above where the plane of the dominoes is known,
else at another size. What both looks show is there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network
from vision.common.plane import Plane, fit_plane, rectify_plane
from vision.common.rectify import project
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.detect import LocateSettings, search, search_part

__all__ = ["Match", "SecondLook", "look_again", "match"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# A domino whose shape or size is farther off, as a share, says nothing of the table.
_MOST_MISFIT = 0.3
# How much table beyond the dominoes is looked at, in short sides.
_MARGIN = 4.0
# The height of a domino over its width.
_ASPECT = 2.0
# From this share of both areas on two frames are one domino's.
_SAME = 0.55


@dataclass(frozen=True, eq=False)
class SecondLook:
    """What was found the second time, in pixels of the picture: ``corners`` (n, 4, 2), ``scores``
    (n,) 0..1; ``plane`` is that of the dominoes, where it is known."""

    corners: Floats
    scores: Floats
    plane: Plane | None = None


def look_again(
    rgb: Image, sure: Candidates, network: Network, settings: LocateSettings | None = None
) -> SecondLook:
    """The picture searched again around the dominoes that are surely there, one at least."""
    settings = settings or LocateSettings()
    plane = _plane_of(sure, settings.plane_from)
    if plane is None:
        short = float(np.median(np.linalg.norm(sure.corners[:, 2] - sure.corners[:, 1], axis=1)))
        found = search_part(rgb, sure.corners, short * settings.other_share, network, settings)
        return SecondLook(found.corners, found.scores)
    flat = sure.corners[plane.residuals < _MOST_MISFIT]
    picture, view = rectify_plane(
        rgb, plane, settings.best_px, flat, margin=_MARGIN, max_side_px=settings.max_side_px
    )
    found = search(picture, network, 1.0, settings)
    back = np.asarray(np.linalg.inv(view), np.float64)
    corners = project(found.corners.reshape(-1, 2), back).reshape(-1, 4, 2)
    return SecondLook(corners, found.scores, plane)


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


def match(first: Candidates, second: SecondLook, surely: float) -> Match:
    """Compare two looks; frames of candidates that are ``surely`` dominoes are good enough."""
    rescored, agreed = np.zeros(len(first)), np.zeros(len(first))
    rows, scores = [], []
    for row, (corners, score) in enumerate(zip(second.corners, second.scores, strict=True)):
        shares = [_shared(corners, each) for each in first.corners]
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


def _shared(first: Floats, second: Floats) -> float:
    """The area that two quadrilaterals (4, 2) share over that of both together."""
    reach = np.linalg.norm(first[0] - first[2])
    if np.linalg.norm(first.mean(0) - second.mean(0)) > reach:
        return 0.0
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(cv2.contourArea(a) + cv2.contourArea(b) - float(shared), 1.0)
