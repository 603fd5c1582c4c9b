"""Parts of stored scenes as another camera in another light would see them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.synthesis.light import develop, glare, jpeg, shadow_edge, soften

__all__ = ["patchy", "recoloured", "relit"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_GLARE_SHARE, _SHADOW_SHARE, _PATCHY_SHARE, _JPEG_SHARE = 0.2, 0.15, 0.2, 0.4


def relit(rgb: Image, tile_px: float, blur_px: float, rng: np.random.Generator) -> Image:
    """The picture in other light, with glare, shadow, blur and the loss of a JPEG.

    ``tile_px`` is about the short side of a domino, ``blur_px`` the strongest blur.
    """
    picture = recoloured(rgb, rng).astype(np.float32)
    if rng.random() < _SHADOW_SHARE:
        picture = shadow_edge(picture, rng)
    if rng.random() < _PATCHY_SHARE:
        picture = patchy(picture, rng)
    if rng.random() < _GLARE_SHARE:
        picture = glare(picture, rng, tile_px * float(rng.uniform(0.3, 2.5)))
    soft = soften(np.clip(picture, 0, 255).astype(np.uint8), rng, blur_px)
    out = develop(soft.astype(np.float32), rng, 0.9)
    if rng.random() < _JPEG_SHARE:
        out = jpeg(out, int(rng.integers(35, 95)))
    return out


def patchy(picture: Floats, rng: np.random.Generator) -> Floats:
    """The picture (h, w, 3) in light that is uneven in patches, as through leaves or of a flash."""
    height, width = picture.shape[:2]
    coarse = rng.standard_normal(rng.integers(3, 7, 2)).astype(np.float32)
    light = np.exp(np.float32(rng.uniform(0.1, 0.45)) * coarse)
    fine = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(picture * fine[..., None], np.float32)


def recoloured(rgb: Image, rng: np.random.Generator) -> Image:
    """Now and then with channels exchanged, in grey or in negative, which the truth survives."""
    chance = rng.random()
    if chance < 0.12:
        rgb = rgb[..., rng.permutation(3)]
    elif chance < 0.22:
        grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        rgb = np.repeat(grey[..., None], 3, axis=2)
    if rng.random() < 0.06:
        rgb = 255 - rgb
    return np.ascontiguousarray(rgb)
