"""Whether a kingdom is mirrored, as front cameras mirror, told by the pictures on its squares.

All copies of the game have the same pictures on their dominoes, and most are unlike their mirror
images. A small network has seen them; what it makes of a square and of its mirror image differs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network
from vision.common.runtime import map_in_threads
from vision.kingdomino.judge.warn import POOR_LIGHT, sort_codes
from vision.kingdomino.result import KingdomReading
from vision.photo import Photo

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

PATCH_PX = 48
# How far apart samples of the picture lie, as long as they are not averaged.
MAX_STEP_PX = 2.2
OUTLINE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


@dataclass(frozen=True)
class MirrorSettings:
    """When a kingdom is called mirrored.

    Looked at are ``most_squares`` that are not flagged, first those of the labels that come first
    in ``telling``, which has the most telling ones first; none in a kingdom with one of the
    warnings ``untold``, nor one smaller than ``min_side_px`` in the reduced picture. Each counts
    for no more than ``most`` either way, in natural log-odds, and from the sum ``told`` on the
    kingdom is mirrored.
    """

    most_squares: int = 12
    telling: tuple[str, ...] = (
        "l1", "f1", "w1", "f", "m", "l", "g", "g2", "s2", "s1", "c", "s", "m2", "g1", "m3", "m1",
        "w",
    )  # fmt: skip
    untold: frozenset[str] = frozenset(POOR_LIGHT)
    min_side_px: float = 16.0
    most: float = 2.0
    told: float = 10.0


def warn_mirrored(
    reading: KingdomReading, photo: Photo, network: Network | None, settings: MirrorSettings
) -> KingdomReading:
    """The reading with the warning mirrored where its squares in the photograph look so."""
    if network is None or sum_evidence(reading, photo, network, settings) < settings.told:
        return reading
    return replace(reading, warnings=sort_codes({*reading.warnings, "mirrored"}))


def sum_evidence(
    reading: KingdomReading, photo: Photo, network: Network, settings: MirrorSettings
) -> float:
    """What the squares of a kingdom say together, in natural log-odds: mirrored where positive.

    0 where too few can be looked at.
    """
    if settings.untold & set(reading.warnings):
        return 0.0
    squares = _choose_squares(reading, photo.scale, settings)
    if settings.most * len(squares) < settings.told:
        return 0.0
    each = judge_squares(photo.rgb, squares, network)
    return float(np.clip(each, -settings.most, settings.most).sum())


def _choose_squares(reading: KingdomReading, scale: float, settings: MirrorSettings) -> Floats:
    """The corners (n, 4, 2) of the most telling squares, pixels of the reduced picture."""
    ranks = {label: rank for rank, label in enumerate(settings.telling)}
    sure = [
        (ranks[square.label], row, column)
        for row, squares in enumerate(reading.squares)
        for column, square in enumerate(squares)
        if square.label in ranks and not square.doubtful
    ]
    cells = [(column, row) for _, row, column in sorted(sure)[: settings.most_squares]]
    outlines = np.array(cells, np.float64).reshape(-1, 1, 2) + OUTLINE
    corners = ((reading.points(outlines) + 0.5) * scale - 0.5).reshape(-1, 4, 2)
    return corners[_sides(corners) >= settings.min_side_px]


def _sides(squares: Floats) -> Floats:
    """The side (n,) of a square of the same area, of quadrangles (n, 4, 2)."""
    (x0, y0), (x1, y1) = (squares[:, 2:] - squares[:, :2]).transpose(1, 2, 0)
    return np.asarray(np.sqrt(np.abs(x0 * y1 - x1 * y0) / 2))


def judge_squares(rgb: Image, squares: Floats, network: Network) -> Floats:
    """For squares with these corners (n, 4, 2) the log-odds (n,) that each is mirrored."""
    seen = _cut(rgb, squares).astype(np.float32) / np.float32(255) - np.float32(0.5)
    upright = np.ascontiguousarray(seen.transpose(0, 3, 1, 2))
    outputs = network(np.concatenate([upright, upright[..., ::-1]]))[:, 0].astype(np.float64)
    return outputs[: len(squares)] - outputs[len(squares) :]


def _cut(rgb: Image, squares: Floats) -> Image:
    """The squares rectified to patches (n, 48, 48, 3), coarser than the classifier's, to be quick.

    Large ones are sampled up to twice as finely and averaged.
    """

    def cut_one(square: tuple[Floats, float]) -> Image:
        corners, side = square
        halves = min(max(math.ceil(2 * side / (MAX_STEP_PX * PATCH_PX)), 2), 4)
        size = halves * PATCH_PX // 2
        flat = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
        view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat.astype(np.float32))
        flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
        patch = cv2.warpPerspective(rgb, view, (size, size), flags=flags, borderMode=border)
        if size > PATCH_PX:
            patch = cv2.resize(patch, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
        return np.asarray(patch, np.uint8)

    patches = np.empty((len(squares), PATCH_PX, PATCH_PX, 3), np.uint8)
    cut = map_in_threads(cut_one, list(zip(squares, _sides(squares), strict=True)))
    for place, patch in zip(patches, cut, strict=True):
        place[:] = patch
    return patches
