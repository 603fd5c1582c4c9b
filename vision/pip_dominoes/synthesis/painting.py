"""Dominoes painted into a picture: shadows, sides, faces, and which pixel belongs to which."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.synthesis.arrange import Place
from vision.pip_dominoes.synthesis.camera import Camera
from vision.pip_dominoes.synthesis.face import rounded_outline
from vision.pip_dominoes.synthesis.style import Style

__all__ = ["cast_shadows", "fill", "put_tile"]

Points = NDArray[np.float64]

_SHIFT = 4


def fill(picture: NDArray[np.float32], pixels: Points, colour: Sequence[float]) -> None:
    """Fill a polygon (n, 2) with a colour."""
    fixed = np.round(pixels * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(picture, [fixed], tuple(colour), cv2.LINE_AA, _SHIFT)


def cast_shadows(
    picture: NDArray[np.float32],
    camera: Camera,
    places: Sequence[Place],
    style: Style,
    rng: np.random.Generator,
) -> None:
    """Darken the table beside tiles."""
    size = picture.shape[0]
    shade = np.zeros((size, size), np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    throw = style.thickness * rng.uniform(0.1, 1.2) * np.array([np.cos(angle), np.sin(angle)])
    outline = rounded_outline(style.length, style.rounding)
    for place in places:
        for share in (0.0, 0.5, 1.0):
            fill(shade, camera.pixels(place.put(outline * 1.02) + share * throw), (1.0,))
    tile_px = float(np.linalg.norm(np.subtract(*camera.pixels(np.array([(0.0, 0.0), (1.0, 0.0)])))))
    soft = cv2.GaussianBlur(shade, (0, 0), max(tile_px * rng.uniform(0.02, 0.12), 0.5))
    picture *= 1 - np.float32(rng.uniform(0.15, 0.75)) * soft[..., None]


def put_tile(
    picture: NDArray[np.float32],
    owner: NDArray[np.int32],
    number: int,
    face: NDArray[np.float32],
    camera: Camera,
    place: Place,
    style: Style,
    light: float,
) -> Points:
    """Paint the sides and the face; the face's corners in pixels."""
    outline = rounded_outline(style.length, style.rounding)
    bottom, top = place.level * style.thickness, (place.level + 1) * style.thickness
    for share in np.linspace(0, 1, 5)[:-1]:
        colour = style.side if style.side and share < 0.5 else style.body
        tone = np.array(colour) * light * (0.5 + 0.35 * share)
        pixels = camera.pixels(place.put(outline), bottom + share * (top - bottom))
        fill(picture, pixels, tone)
        cv2.fillPoly(owner, [np.round(pixels).astype(np.int32)], 0)
    a = style.length / 2
    box = np.array([(-a, -0.5), (a, -0.5), (a, 0.5), (-a, 0.5)])
    corners = camera.pixels(place.put(box), top)
    rim = camera.pixels(place.put(outline), top)
    low = np.maximum(np.floor(rim.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(rim.max(0)).astype(int) + 2, picture.shape[0])
    if (high <= low).any():
        return corners
    width, height = (high - low).tolist()
    source = np.array([(0, 0), (face.shape[1], 0), face.shape[1::-1], (0, face.shape[0])])
    matrix = cv2.getPerspectiveTransform(
        (source - 0.5).astype(np.float32), (corners - low).astype(np.float32)
    )
    seen = cv2.warpPerspective(
        face * light,
        matrix,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round((rim - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    alpha = mask[..., None].astype(np.float32) / 255
    area = (slice(low[1], high[1]), slice(low[0], high[0]))
    picture[area] += (seen - picture[area]) * alpha
    owner[area][mask > 127] = number
    return corners
