"""The networks of the reader: weights, the patches that they see, what their numbers mean.

Training and reading agree here. The frame of a domino, its long and its short edge, is six smooth
numbers: a domino looks the same turned by half, so its edges u (long) and v (short), taken as
complex numbers, are known up to sign; their squares don't see the sign."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network, fitted_file, shipped_weights
from vision.pip_dominoes.candidates import Presence

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


Image = NDArray[np.uint8]

# A face: (width, height) of the patch and the margin about the domino, long edge along x.
FACE_PX = (160, 96)
FACE_MARGIN_PX = 16
# Corners are refined in this unit of pixels of the patch.
CORNER_UNIT_PX = 8.0
# A half: side of the patch and the margin; the bar at the right.
HALF_PX = 56
HALF_MARGIN_PX = 6
# Larger dominoes are cut at a multiple of the size and averaged, so that no detail flickers.
_MAX_OVERSAMPLING = 4


def patch_corners(size: tuple[int, int], margin: int, times: int = 1) -> Floats:
    """Where the corners (4, 2) lie in a patch of ``size``, drawn ``times`` as large, in pixels."""
    (w, h), m = size, margin
    corners = np.array([(m, m), (w - m, m), (w - m, h - m), (m, h - m)], np.float64)
    return corners * times - 0.5


def cut(rgb: Image, corners: Floats, size: tuple[int, int], margin: int) -> Image:
    """What ``corners`` (4, 2) enclose as a patch of ``size`` (width, height) with a margin.

    ``rgb`` is (h, w, 3); the corners are pixels (x, y), clockwise from the patch's top left.
    What lies beyond the picture repeats its edge.
    """
    seen = math.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0))
    shown = math.sqrt((size[0] - 2 * margin) * (size[1] - 2 * margin))
    times = min(max(math.ceil(seen / (1.3 * shown)), 1), _MAX_OVERSAMPLING)
    flat = patch_corners(size, margin, times).astype(np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    large = size[0] * times, size[1] * times
    patch = cv2.warpPerspective(rgb, view, large, borderMode=cv2.BORDER_REPLICATE)
    if times > 1:
        patch = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def face_points(corners: Floats, points: Floats, *, to_patch: bool) -> Floats:
    """Points (n, 2) of the photograph in the patch of a face, or the other way round."""
    flat = patch_corners(FACE_PX, FACE_MARGIN_PX).astype(np.float32)
    seen = corners.astype(np.float32)
    view = cv2.getPerspectiveTransform(*((seen, flat) if to_patch else (flat, seen)))
    moved = np.column_stack([points, np.ones(len(points))]) @ view.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def half_corners(corners: Floats) -> tuple[Floats, Floats]:
    """The corners of both halves of a domino, each with the bar at its right.

    ``corners`` (4, 2) are clockwise with the first edge along the domino; the first half is the
    one at the first corner. The bar lies in the middle as the camera sees it.
    """
    flat = np.array([(0, 0), (2, 0), (2, 1), (0, 1)], np.float32)
    view = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))

    def seen(x: float, y: float) -> Floats:
        point = view @ (x, y, 1.0)
        return np.asarray(point[:2] / point[2])

    first = np.array([seen(0, 0), seen(1, 0), seen(1, 1), seen(0, 1)])
    second = np.array([seen(2, 1), seen(1, 1), seen(1, 0), seen(2, 0)])
    return first, second


# The locator's maps: the middle of a face, whether any domino lies there, the frame of the face.
CENTRE = 0
BODY = 1
FRAMES = slice(2, 2 + FRAME_CHANNELS)
LOCATOR_CHANNELS = FRAMES.stop
LOCATOR_STRIDE = 4

# The face reader: a map of pips, (height, width); then how far the corners lie beside the patch's
# rectangle and what kind of thing it is.
PIP_STRIDE = 2
PIP_MAPS = 1
PIP_MAP_PX = (FACE_PX[1] // PIP_STRIDE, FACE_PX[0] // PIP_STRIDE)
CORNERS = slice(0, 8)
# No domino's face, one with pips, one with figures.
KINDS = ("none", "pips", "figures")
CLASSES = slice(8, 8 + len(KINDS))
FACE_OTHERS = CLASSES.stop

# The half reader: 0 to 18, and no half of a domino's face.
NO_HALF = 19
HALF_CLASSES = 20


@dataclass(frozen=True)
class Weights:
    """The locator, the reader of faces, which sees pips, the reader of halves, and the model of
    how likely a domino is there by what they say."""

    locator: Network
    faces: Network
    halves: Network
    presence: Presence

    @classmethod
    def load(cls, folder: Path | None = None) -> Weights:
        """The weights of a folder, by default the shipped ones.

        The folder holds ``pip_locator.onnx``, ``pip_faces.onnx`` and ``pip_halves.onnx``, and may
        hold ``pip_presence.json``, the shipped one otherwise. FileNotFoundError where one of them
        is missing.
        """
        folder = folder or shipped_weights()
        locator, faces, halves = (
            Network((folder / f"pip_{name}.onnx").read_bytes())
            for name in ("locator", "faces", "halves")
        )
        presence = Presence.load(fitted_file(folder, "pip_presence.json"))
        return cls(locator, faces, halves, presence)
