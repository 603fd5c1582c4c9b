"""What a fully convolutional locator gives: peaks in its map of middles, and frames of squares.

A frame is the directions and lengths of the two edges of a square as five smooth numbers. A square
has no first edge and no direction along it, so its edges u and v (complex numbers, pixels) are
defined only up to sign and order. The symmetric functions u² + v² and u²v² don't depend on either,
and u², v² are the roots of t² − (u² + v²)t + u²v². Divided by the area |uv| they are two complex
numbers that vary smoothly, so that a network can learn them at any angle and tilt."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Peaks:
    """``centres`` (n, 2) are x and y in pixels of the network's input, ``scores`` (n,) 0..1.

    ``mean`` (channels, n) is the mean of all maps over the 3 × 3 cells around each peak.
    """

    centres: Floats
    scores: Floats
    mean: Floats


def find_peaks(
    maps: NDArray[np.float32], channel: int, stride: int, min_score: float, most: int
) -> Peaks:
    """The ``most`` highest peaks of the logits in a ``channel`` of the maps (channels, h, w).

    A cell of the maps is ``stride`` pixels of the input wide. The place of a peak between cells is
    the top of a parabola.
    """
    logits = maps[channel]
    highest = cv2.dilate(logits, np.ones((3, 3), np.uint8))
    threshold = np.log(min_score / (1 - min_score))
    rows, columns = np.nonzero((logits == highest) & (logits > threshold))
    order = np.argsort(-logits[rows, columns], kind="stable")[:most]
    rows, columns = rows[order], columns[order]
    # Beyond the edge lies what lies at the edge.
    last_row, last_column = logits.shape[0] - 1, logits.shape[1] - 1
    above_to_below = [np.clip(rows + dy, 0, last_row) for dy in (-1, 0, 1)]
    left_to_right = [np.clip(columns + dx, 0, last_column) for dx in (-1, 0, 1)]
    around = [maps[:, y, x].astype(np.float64) for y in above_to_below for x in left_to_right]
    # The logarithm of a Gaussian bump is a parabola: three values tell its top.
    heat = np.stack([-np.logaddexp(0, -a[channel]) for a in around])
    x = columns + _top(heat[3], heat[4], heat[5])
    y = rows + _top(heat[1], heat[4], heat[7])
    centres = (np.stack([x, y], 1) + 0.5) * stride - 0.5
    scores = 1 / (1 + np.exp(-around[4][channel]))
    return Peaks(centres, scores, np.asarray(np.mean(around, axis=0)))


def _top(before: Floats, at: Floats, after: Floats) -> Floats:
    bend = before - 2 * at + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0)
    return np.asarray(np.clip(shift, -0.5, 0.5))


FRAME_CHANNELS = 5
# The side of a square, in pixels, whose size is encoded as 0.
REFERENCE_PX = 32.0


def encode_frames(edges: Floats) -> Floats:
    """Codes (n, 5) of edges (n, 2, 2): for each square u and v as (x, y) in pixels."""
    u = edges[:, 0, 0] + 1j * edges[:, 0, 1]
    v = edges[:, 1, 0] + 1j * edges[:, 1, 1]
    area = np.maximum(np.abs(u * v), 1e-6)
    total = (u * u + v * v) / area
    product = u * u * v * v / area**2
    size = 0.5 * np.log2(area) - np.log2(REFERENCE_PX)
    return np.stack([size, product.real, product.imag, total.real, total.imag], axis=1)


def decode_frames(codes: Floats) -> Floats:
    """Edges (n, 2, 2) in pixels from codes (n, 5); v is clockwise of u on the screen."""
    area = 4.0 ** (codes[:, 0] + np.log2(REFERENCE_PX))
    product = codes[:, 1] + 1j * codes[:, 2]
    product = product / np.maximum(np.abs(product), 1e-6)
    total = codes[:, 3] + 1j * codes[:, 4]
    root = np.sqrt(total * total / 4 - product)
    u = np.sqrt((total / 2 + root) * area)
    v = np.sqrt((total / 2 - root) * area)
    v = np.where((np.conj(u) * v).imag < 0, -v, v)
    return np.stack([np.stack([u.real, u.imag], 1), np.stack([v.real, v.imag], 1)], axis=1)
