"""The frame of a square: the directions and lengths of its two edges as five smooth numbers.

A square has no first edge and no direction along it, so its edges u and v (complex numbers,
pixels) are defined only up to sign and order. The symmetric functions u² + v² and u²v² don't
depend on either, and u², v² are the roots of t² − (u² + v²)t + u²v². Divided by the area |uv| they
are two complex numbers that vary smoothly, so that a network can learn them at any angle and tilt.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FRAME_CHANNELS", "REFERENCE_PX", "decode_frames", "encode_frames"]

Floats = NDArray[np.float64]

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
