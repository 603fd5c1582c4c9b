"""What a domino shows: its pips counted, and its halves recognised as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network, as_planes, softmax
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.result import HIGHEST
from vision.pip_dominoes.weights import (
    CLASSES,
    CORNER_UNIT_PX,
    CORNERS,
    FACE_MARGIN_PX,
    FACE_OTHERS,
    FACE_PX,
    HALF_CLASSES,
    HALF_MARGIN_PX,
    HALF_PX,
    KINDS,
    PIP_MAP_PX,
    PIP_STRIDE,
    cut,
    face_points,
    half_corners,
    patch_corners,
)

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

# Corners in another order turn a domino by half or mirror it; then how much larger the frame is.
_VIEWS = (
    ([2, 3, 0, 1], 1.0),
    ([1, 0, 3, 2], 1.03),
    ([3, 2, 1, 0], 0.97),
    ([0, 1, 2, 3], 1.06),
)


@dataclass(frozen=True)
class RecognitionSettings:
    """``moved_px``: where a corner moves farther than this, in pixels of the patch, the pips are
    counted again within the better corners. A peak of the map of pips is looked at from
    ``least_pip`` on. The temperatures divide logits; ``least_share`` is what a network gives at
    least to every number, since none is above error. The weights are exponents of what the pips
    and the halves say.
    """

    moved_px: float = 9.0
    least_pip: float = 0.2
    rim_share: float = 0.06
    pip_shift: float = 0.4
    pip_temperature: float = 0.2
    half_temperature: float = 0.8
    least_share: float = 2e-3
    pip_weight: float = 1.0
    half_weight: float = 1.0


def count_distribution(chances: Floats) -> Floats:
    """The probability of each count 0 to 18 of pips that are there with ``chances`` (n,).

    Each pip is there or not, independent of the others (the Poisson-binomial distribution).
    """
    counts = np.zeros(HIGHEST + 2)
    counts[0] = 1.0
    for chance in np.sort(chances)[::-1]:
        more = np.concatenate([[0.0], counts[:-1]])
        more[-1] += counts[-1]
        counts = counts * (1 - chance) + more * chance
    return np.asarray(counts[: HIGHEST + 1] / max(counts[: HIGHEST + 1].sum(), 1e-12))


def pips_of(
    maps: NDArray[np.float32], corners: Floats, settings: RecognitionSettings
) -> tuple[Floats, Floats]:
    """The chances of the pips of both halves.

    ``maps`` (n, h, w) are logits of pips, ``corners`` (4, 2) those of the domino in pixels of the
    patch. The network marks every pip in all maps, so their sum tells whether there is one; the
    place within the corners tells the half.
    """
    shares = (1 / (1 + np.exp(-maps.astype(np.float64)))).sum(0)
    highest = cv2.dilate(shares, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((shares == highest) & (shares > settings.least_pip))
    chances = np.clip(shares[rows, columns], 1e-6, 1 - 1e-6)
    cells = np.column_stack([columns, rows]).astype(np.float64)
    places = (cells + 0.5) * PIP_STRIDE - 0.5
    along, across = _within(corners, places).T
    rim = settings.rim_share
    inside = (along > -rim) & (along < 2 + rim) & (across > -rim) & (across < 1 + rim)
    odds = np.log(chances / (1 - chances))
    chances = 1 / (1 + np.exp(-(odds + settings.pip_shift) / settings.pip_temperature))
    return chances[inside & (along < 1)], chances[inside & (along >= 1)]


def _within(corners: Floats, points: Floats) -> Floats:
    """Points (n, 2) of the patch as places in a domino of 2 by 1."""
    flat = np.array([(0, 0), (2, 0), (2, 1), (0, 1)], np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    moved = np.column_stack([points, np.ones(len(points))]) @ view.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def _read_faces(
    rgb: Image, corners: Floats, network: Network
) -> tuple[Floats, NDArray[np.float32]]:
    """Better corners (n, 4, 2) in pixels of the patches, and the rows of the network."""
    patches = [cut(rgb, box, FACE_PX, FACE_MARGIN_PX) for box in corners]
    rows = network(as_planes(patches))
    off = rows[:, -FACE_OTHERS:][:, CORNERS].astype(np.float64).reshape(-1, 4, 2) * CORNER_UNIT_PX
    limit = 1.5 * FACE_MARGIN_PX
    return patch_corners(FACE_PX, FACE_MARGIN_PX) + np.clip(off, -limit, limit), rows


def _unflattened(corners: Floats, flat: Floats) -> Floats:
    """Corners (n, 4, 2) in pixels of patches back in pixels of the picture."""
    pairs = zip(corners, flat, strict=True)
    return np.stack([face_points(box, points, to_patch=False) for box, points in pairs])


def recognise(
    rgb: Image,
    corners: Floats,
    faces: Network,
    halves: Network,
    settings: RecognitionSettings | None = None,
    scores: Floats | None = None,
) -> Candidates:
    """What is seen at ``corners`` (n, 4, 2).

    The locator gave them ``scores`` (n,), without which they surely hold a domino.
    """
    settings = settings or RecognitionSettings()
    if not len(corners):
        return Candidates.nothing()
    scores = np.ones(len(corners)) if scores is None else scores
    flat, rows = _read_faces(rgb, corners, faces)
    better = _unflattened(corners, flat)
    moved = np.abs(flat - patch_corners(FACE_PX, FACE_MARGIN_PX)).max((1, 2))
    again = np.nonzero(moved > settings.moved_px)[0]
    if len(again):
        flat_again, rows[again] = _read_faces(rgb, better[again], faces)
        better[again] = _unflattened(better[again], flat_again)
        flat[again] = flat_again
    return _seen(rgb, better, scores, flat, rows, halves, settings)


def _seen(
    rgb: Image,
    corners: Floats,
    scores: Floats,
    flat: Floats,
    rows: NDArray[np.float32],
    halves: Network,
    settings: RecognitionSettings,
) -> Candidates:
    """What is seen; ``flat`` are the corners (n, 4, 2) in the patches of ``rows``."""
    maps = rows[:, :-FACE_OTHERS].reshape(len(rows), -1, *PIP_MAP_PX)
    counted = np.array(
        [
            [count_distribution(half) for half in pips_of(both, box, settings)]
            for both, box in zip(maps, flat, strict=True)
        ]
    )
    whole = rows[:, -FACE_OTHERS:].astype(np.float64)
    kinds = softmax(whole[:, CLASSES])
    patches = [
        cut(rgb, half, (HALF_PX, HALF_PX), HALF_MARGIN_PX)
        for box in corners
        for half in half_corners(box)
    ]
    logits = halves(as_planes(patches)).astype(np.float64) / settings.half_temperature
    classes = softmax(logits).reshape(-1, 2, HALF_CLASSES)
    numbers = classes[..., : HIGHEST + 1]
    return Candidates(
        corners=corners,
        scores=scores,
        counted=counted,
        recognised=numbers / numbers.sum(-1, keepdims=True),
        face=1 - kinds[:, KINDS.index("none")],
        figures=kinds[:, KINDS.index("figures")],
        rescored=scores,
        exists=np.ones(len(corners)),
    )


def recognise_closely(
    rgb: Image,
    candidates: Candidates,
    faces: Network,
    halves: Network,
    settings: RecognitionSettings | None = None,
) -> Candidates:
    """The same dominoes seen from both sides, mirrored, and in frames a little larger and smaller.

    Their numbers are the mean of these views and the first; where they lie and how likely they
    are dominoes stays.
    """
    settings = settings or RecognitionSettings()
    if not len(candidates):
        return candidates
    views = [candidates]
    for order, grown in _VIEWS:
        middle = candidates.corners.mean(1, keepdims=True)
        boxes = (middle + (candidates.corners - middle) * grown)[:, order]
        _, rows = _read_faces(rgb, boxes, faces)
        flat = np.broadcast_to(patch_corners(FACE_PX, FACE_MARGIN_PX), boxes.shape)
        view = _seen(rgb, boxes, candidates.scores, flat, rows, halves, settings)
        if order[0] in (1, 2):
            # The first half is at the other side there.
            view = replace(view, counted=view.counted[:, ::-1], recognised=view.recognised[:, ::-1])
        views.append(view)
    return replace(
        candidates,
        counted=np.mean([view.counted for view in views], axis=0),
        recognised=np.mean([view.recognised for view in views], axis=0),
        figures=np.mean([view.figures for view in views], axis=0),
    )
