"""Middles of round things in a photograph: hollows, stones, and whatever else is round."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["CircleSettings", "find_middles"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CircleSettings:
    """``long_side_px`` is that of the picture searched, the radii are pixels in it.

    Edges are measured against the mean of those within ``around_px``, to which ``floor`` of the
    whole picture's mean is added. ``edge_share`` of the pixels, those with the steepest colours,
    vote; ``apart_px`` is the least distance between two middles, of which ``most`` are kept.
    """

    long_side_px: int = 640
    radii_px: tuple[float, ...] = (7.0, 8.5, 10.0, 12.0, 14.0, 16.5, 19.5, 23.0)
    around_px: float = 14.0
    floor: float = 0.15
    edge_share: float = 0.22
    apart_px: int = 9
    most: int = 320


def find_middles(rgb: Image, settings: CircleSettings | None = None) -> tuple[Floats, Floats]:
    """Points (n, 2), pixels (x, y) of ``rgb``, and how round each is, the roundest first.

    Every steep pixel votes for the points at each radius along its gradient, both ways. Source:
    Loy and Zelinsky, Fast Radial Symmetry for Detecting Points of Interest, 2003.
    """
    settings = settings or CircleSettings()
    scale = min(1.0, settings.long_side_px / max(rgb.shape[:2]))
    small = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    votes = _votes(np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8), settings)
    size = 2 * settings.apart_px + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    peaks = (votes >= cv2.dilate(votes, kernel)) & (votes > 0)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-votes[rows, columns], kind="stable")[: settings.most]
    rows, columns = rows[order], columns[order]
    points = np.stack([columns, rows], 1) + _subpixel(votes, rows, columns)
    return (points + 0.5) / scale - 0.5, votes[rows, columns].astype(np.float64)


def _votes(picture: Image, settings: CircleSettings) -> NDArray[np.float32]:
    height, width = picture.shape[:2]
    across = cv2.Scharr(picture, cv2.CV_32F, 1, 0)
    down = cv2.Scharr(picture, cv2.CV_32F, 0, 1)
    steep = across**2 + down**2
    channel = steep.argmax(2)[..., None]
    across = np.take_along_axis(across, channel, 2)[..., 0]
    down = np.take_along_axis(down, channel, 2)[..., 0]
    steep = np.sqrt(np.take_along_axis(steep, channel, 2)[..., 0])
    # Faint hollows on plain wood count beside a loud cloth: each edge against those around it.
    around = cv2.GaussianBlur(steep, (0, 0), settings.around_px)
    loud = steep / (around + max(settings.floor * float(around.mean()), 1e-3))
    least = max(float(np.quantile(loud[::2, ::2], 1 - settings.edge_share)), 1e-3)
    rows, columns = np.nonzero(loud > least)
    length = steep[rows, columns]
    x_way, y_way = across[rows, columns] / length, down[rows, columns] / length
    weight = np.minimum(loud[rows, columns] / least, 4.0)
    votes = np.zeros((height, width), np.float32)
    for radius in settings.radii_px:
        mine = np.zeros(height * width, np.float64)
        for way in (radius, -radius):
            x = np.rint(columns + way * x_way).astype(np.int64)
            y = np.rint(rows + way * y_way).astype(np.int64)
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            places = y[inside] * width + x[inside]
            mine += np.bincount(places, weight[inside], minlength=height * width)
        soft = cv2.GaussianBlur(mine.reshape(height, width), (0, 0), 0.18 * radius)
        votes += (soft / radius).astype(np.float32)
    return votes


def _subpixel(
    votes: NDArray[np.float32], rows: NDArray[np.integer], columns: NDArray[np.integer]
) -> Floats:
    """Where between the pixels each peak lies (n, 2), from a parabola along each axis."""
    padded = np.pad(votes, 1, mode="edge").astype(np.float64)
    here = padded[rows + 1, columns + 1]
    shifts = []
    for before, after in (
        (padded[rows + 1, columns], padded[rows + 1, columns + 2]),
        (padded[rows, columns + 1], padded[rows + 2, columns + 1]),
    ):
        curve = 2 * here - before - after
        shifts.append(np.clip((after - before) / np.maximum(2 * curve, 1e-9), -0.5, 0.5))
    return np.stack(shifts, 1)
