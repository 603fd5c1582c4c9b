"""A canvas measured in squares, smooth noise, and the style of a print run."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Canvas", "Colour", "Point", "Style", "smooth_noise", "varied"]

Colour = tuple[int, int, int]
Point = tuple[float, float]

_SHIFT = 6


@dataclass(frozen=True)
class Style:
    """How a set of tiles is printed: turn of all hues, vividness, brightness, much or little art.

    ``vividness`` and ``brightness`` are factors, ``ornaments`` scales the number of small things,
    ``outline`` the darkness of contours in 0..1.
    """

    hue_deg: float = 0.0
    vividness: float = 1.0
    brightness: float = 1.0
    ornaments: float = 1.0
    outline: float = 0.6

    @classmethod
    def random(cls, rng: np.random.Generator) -> Style:
        """Any print run a reader might meet."""
        return cls(
            hue_deg=float(np.clip(rng.normal(0, 5), -12, 12)),
            vividness=float(rng.uniform(0.65, 1.15)),
            brightness=float(rng.uniform(0.75, 1.15)),
            ornaments=float(rng.uniform(0.3, 1.6)),
            outline=float(rng.uniform(0.2, 0.9)),
        )

    def printed(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The drawn picture (h, w, 3) in the colours of this print run."""
        hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + self.hue_deg / 2) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * self.vividness, 0, 255)
        hsv[..., 2] = np.clip(hsv[..., 2] * self.brightness, 0, 255)
        return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB), np.uint8)


def smooth_noise(
    shape: tuple[int, int], cells: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Clouds of mean 0 and deviation about 1: random values on (rows, columns), interpolated."""
    coarse = rng.standard_normal(cells).astype(np.float32)
    fine = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine, np.float32)


def varied(colour: Colour, amount: float, rng: np.random.Generator) -> Colour:
    """The colour with its lightness changed by about ``amount`` and a little of its tint."""
    light = float(np.exp(rng.normal(0, amount)))
    red, green, blue = (
        int(np.clip(value * light + rng.normal(0, 40 * amount), 0, 255)) for value in colour
    )
    return red, green, blue


class Canvas:
    """A picture to draw on, in squares: (0, 0) is the top left corner, x to the right, y down.

    ``rgb`` has shape (height * px, width * px, 3), ``px`` are pixels a square.
    """

    def __init__(self, width: int, height: int, px: int, colour: Colour = (0, 0, 0)) -> None:
        self.px: float = px
        self.rgb = np.empty((height * px, width * px, 3), np.uint8)
        self.rgb[:] = colour
        self._offset = np.zeros(2)

    def zoomed(self, centre: Point, factor: float) -> Canvas:
        """The same picture, but what is drawn through this canvas is larger about ``centre``."""
        view = copy(self)
        view.px = self.px * factor
        view._offset = self._offset + np.array(centre) * (self.px - view.px)
        return view

    def polygon(self, points: Iterable[Point], colour: Colour) -> None:
        """Fill a polygon, convex or not."""
        cv2.fillPoly(self.rgb, [self._fixed(points)], colour, cv2.LINE_AA, shift=_SHIFT)

    def line(
        self, points: Iterable[Point], colour: Colour, width: float, *, closed: bool = False
    ) -> None:
        """Draw a line of ``width`` squares through the points."""
        cv2.polylines(
            self.rgb,
            [self._fixed(points)],
            closed,
            colour,
            max(1, round(width * self.px)),
            cv2.LINE_AA,
            shift=_SHIFT,
        )

    def ellipse(
        self, centre: Point, radii: tuple[float, float], colour: Colour, turn_deg: float = 0.0
    ) -> None:
        """Fill an ellipse."""
        (fixed,) = self._fixed([centre])
        axes = [max(1, round(radius * self.px * (1 << _SHIFT))) for radius in radii]
        cv2.ellipse(
            self.rgb,
            (int(fixed[0]), int(fixed[1])),
            (axes[0], axes[1]),
            turn_deg,
            0,
            360,
            colour,
            -1,
            cv2.LINE_AA,
            shift=_SHIFT,
        )

    def shadow(self, centre: Point, radii: tuple[float, float], darkness: float) -> None:
        """Darken the ground in a soft ellipse."""
        middle_x, middle_y = np.array(centre) * self.px + self._offset
        reach_x, reach_y = (radius * self.px for radius in radii)
        left, top = max(0, round(middle_x - 1.8 * reach_x)), max(0, round(middle_y - 1.8 * reach_y))
        right, bottom = round(middle_x + 1.8 * reach_x), round(middle_y + 1.8 * reach_y)
        if right <= 0 or bottom <= 0:
            return
        area = self.rgb[top:bottom, left:right]
        x = (np.arange(left, left + area.shape[1]) - middle_x) / reach_x
        y = (np.arange(top, top + area.shape[0]) - middle_y) / reach_y
        factor = 1 - darkness * np.exp(-(x[None] ** 2) - y[:, None] ** 2)
        area[:] = (area * factor[..., None]).astype(np.uint8)

    def _fixed(self, points: Iterable[Point]) -> NDArray[np.int32]:
        places = np.asarray(list(points), np.float64) * self.px + self._offset - 0.5
        return np.round(places * (1 << _SHIFT)).astype(np.int32)
