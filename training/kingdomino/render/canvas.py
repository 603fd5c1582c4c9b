"""What is drawn on: a canvas with lengths in squares, and a style of print."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from training.common.arrays import Image, Matrix, Rng
from training.common.camera import rotation

Colour = tuple[int, int, int]
Point = tuple[float, float]
Points = Iterable[Point] | Matrix

_SHIFT = 6


@dataclass(frozen=True)
class Style:
    """A print run of tiles: a shift of all hues, factors on saturation, value and number of small
    details, and the darkness of contours, 0..1.
    """

    hue_deg: float = 0.0
    vividness: float = 1.0
    brightness: float = 1.0
    ornaments: float = 1.0
    outline: float = 0.6

    @classmethod
    def random(cls, rng: Rng) -> Style:
        """A random print run, within what occurs."""
        hue_deg = float(np.clip(rng.normal(0, 5), -12, 12))
        return cls(hue_deg, *rng.uniform((0.65, 0.75, 0.3, 0.2), (1.15, 1.15, 1.6, 0.9)).tolist())

    def apply(self, rgb: Image) -> Image:
        """The picture (h, w, 3) in the colours of this print run."""
        hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + self.hue_deg / 2) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * self.vividness, 0, 255)
        hsv[..., 2] = np.clip(hsv[..., 2] * self.brightness, 0, 255)
        return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB), np.uint8)


def shaded(colour: ArrayLike, share: ArrayLike) -> Colour:
    """The colour times a share, or one for each channel."""
    red, green, blue = np.minimum(np.multiply(colour, share), 255).astype(int).tolist()
    return red, green, blue


def vary_colour(colour: Colour, amount: float, rng: Rng) -> Colour:
    """The colour with its lightness changed by about ``amount`` and its tint a little."""
    light = np.exp(rng.normal(0, amount))
    return shaded(np.maximum(np.multiply(colour, light) + rng.normal(0, 40 * amount, 3), 0), 1)


def to_fixed_point(pixels: Matrix, bits: int) -> NDArray[np.int32]:
    """Points (n, 2) for OpenCV's drawing functions with ``shift=bits``.

    The origin of ``pixels`` is the corner of the picture, that of OpenCV the middle of a pixel.
    """
    return np.round((pixels - 0.5) * (1 << bits)).astype(np.int32)


class Canvas:
    """A picture to draw on with lengths in squares; (0, 0) is the top left corner, y points down.

    ``rgb`` has shape (height * px, width * px, 3); ``px`` is the number of pixels per square.
    """

    def __init__(self, width: int, height: int, px: int, colour: Colour = (0, 0, 0)) -> None:
        self.px: float = px
        self.rgb = np.empty((height * px, width * px, 3), np.uint8)
        self.rgb[:] = colour
        self._offset, self._axes = np.zeros(2), np.eye(2)

    def at(
        self, place: Point, factor: float = 1.0, *, turn: float = 0.0, mirrored: bool = False
    ) -> Canvas:
        """A view of the same picture with its origin at ``place``, where all is larger.

        Polygons and lines are ``mirrored`` there and turned by ``turn`` in radians as well.
        """
        view = copy(self)
        (view._offset,) = self._pixels([place])
        view.px = self.px * factor
        view._axes = np.diag([-1.0 if mirrored else 1.0, 1.0]) @ rotation(turn).T @ self._axes
        return view

    def polygon(self, points: Points, colour: Colour) -> None:
        """Fill a polygon, convex or not."""
        cv2.fillPoly(self.rgb, [self._fixed(points)], colour, cv2.LINE_AA, shift=_SHIFT)

    def line(self, points: Points, colour: Colour, width: float, *, closed: bool = False) -> None:
        """Draw a line of ``width`` squares through the points."""
        fixed, wide = self._fixed(points), max(1, round(width * self.px))
        cv2.polylines(self.rgb, [fixed], closed, colour, wide, cv2.LINE_AA, shift=_SHIFT)

    def ellipse(self, centre: Point, radii: Point, colour: Colour, turn_deg: float = 0.0) -> None:
        """Fill an ellipse."""
        (at,) = self._fixed([centre]).tolist()
        axes = [max(1, round(radius * self.px * (1 << _SHIFT))) for radius in radii]
        cv2.ellipse(self.rgb, at, axes, turn_deg, 0, 360, colour, -1, cv2.LINE_AA, _SHIFT)

    def shadow(self, centre: Point, radii: Point, darkness: float) -> None:
        """Darken the ground in a soft ellipse."""
        (middle,), reach = self._pixels([centre]), np.multiply(radii, self.px)
        left, top = np.maximum(np.round(middle - 1.8 * reach), 0).astype(int)
        right, bottom = np.maximum(np.round(middle + 1.8 * reach), 0).astype(int)
        area = self.rgb[top:bottom, left:right]
        x = (np.arange(left, left + area.shape[1]) - middle[0]) / reach[0]
        y = (np.arange(top, top + area.shape[0]) - middle[1]) / reach[1]
        factor = 1 - darkness * np.exp(-(x[None] ** 2) - y[:, None] ** 2)
        area[:] = (area * factor[..., None]).astype(np.uint8)

    def _pixels(self, points: Points) -> Matrix:
        return np.asarray(np.asarray([*points]) @ self._axes * self.px + self._offset, np.float64)

    def _fixed(self, points: Points) -> NDArray[np.int32]:
        return to_fixed_point(self._pixels(points), _SHIFT)
