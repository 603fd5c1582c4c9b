"""The frame of a domino, its long and its short edge, as six smooth numbers.

A domino looks the same turned by half, so its edges u (long) and v (short), taken as complex
numbers, are known up to sign; their squares don't see the sign.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FRAME_CHANNELS", "REFERENCE_PX", "corners_of", "decode_frames", "encode_frames"]

Floats = NDArray[np.float64]

FRAME_CHANNELS = 6
# The side of a square as large as a domino, in pixels, that is coded as 0.
REFERENCE_PX = 40.0


def encode_frames(edges: Floats) -> Floats:
    """Six numbers, shape (n, 6), for edges (n, 2, 2): per domino u and v as (x, y) in pixels."""
    u = edges[:, 0, 0] + 1j * edges[:, 0, 1]
    v = edges[:, 1, 0] + 1j * edges[:, 1, 1]
    long, short = np.maximum(np.abs(u), 1e-6), np.maximum(np.abs(v), 1e-6)
    size = 0.5 * np.log2(long * short) - np.log2(REFERENCE_PX)
    ratio = np.log2(long / short) - 1
    u2, v2 = (u / long) ** 2, (v / short) ** 2
    return np.stack([size, ratio, u2.real, u2.imag, v2.real, v2.imag], axis=1)


def decode_frames(codes: Floats) -> Floats:
    """Edges (n, 2, 2) in pixels from codes (n, 6); v lies clockwise of u as seen on the screen."""
    middle = codes[:, 0] + np.log2(REFERENCE_PX)
    long, short = 2 ** (middle + (codes[:, 1] + 1) / 2), 2 ** (middle - (codes[:, 1] + 1) / 2)
    u = np.exp(0.5j * np.angle(codes[:, 2] + 1j * codes[:, 3])) * long
    v = np.exp(0.5j * np.angle(codes[:, 4] + 1j * codes[:, 5])) * short
    v = np.where((np.conj(u) * v).imag < 0, -v, v)
    return np.stack([np.stack([u.real, u.imag], 1), np.stack([v.real, v.imag], 1)], axis=1)


def corners_of(centres: Floats, edges: Floats) -> Floats:
    """Corners (n, 4, 2), clockwise, the first edge along u."""
    u, v = edges[:, 0], edges[:, 1]
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.stack([centres + (a * u + b * v) / 2 for a, b in signs], axis=1)
