"""Squares with two crowns made from pictures of squares with one, for what no photograph shows.

Age of Giants has wheat, forest and lake with two crowns; the box has them with one. In all copies
of the game the same crown is printed, a second one beside the first towards the middle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Crown", "CrownStamp"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# The crown on a scan, in shares of a square: its box with a margin, and how far the next one lies.
_BOX = (0.03, 0.02, 0.35, 0.305)
_NEXT = np.array([0.289, 0.008])
# A crown is looked for at these sizes and angles, relative to the scan, after quarter turns.
_SCALES = (0.82, 0.89, 0.96, 1.03, 1.1, 1.18)
_ANGLES_DEG = (-6.0, 0.0, 6.0)
# Crowns lie in the upper part of an upright square, their middles so far from its sides.
_STRIP = 0.5
_FROM_SIDE = (0.1, 0.4)
_LEAST_SCORE = 0.6
# The edge around the crown that is copied with it, and how soft it is, in shares of a square.
_EDGE, _SOFT = 0.012, 0.006


@dataclass(frozen=True)
class Crown:
    """Where a crown lies on a square (side, side, 3) after ``turns`` quarter turns.

    ``centre`` (x, y) in pixels of the turned square; ``scale`` relative to the scans; ``score`` is
    the correlation of what is seen with the crown, at most 1.
    """

    turns: int
    centre: tuple[float, float]
    scale: float
    angle_deg: float
    score: float


class CrownStamp:
    """The printed crown, learnt from upright scans (h, w, 3) of lakes with one crown.

    Pictures are square, with a side of ``side`` pixels.
    """

    def __init__(self, lakes: Iterable[Image], side: int) -> None:
        self.side = side
        whole = np.mean([_resized(lake, 256).astype(np.float64) for lake in lakes], axis=0)
        left, top, right, bottom = (round(share * 256) for share in _BOX)
        crop = whole[top:bottom, left:right].astype(np.uint8)
        self._crown = _whiteness(crop)
        hue, saturation, _ = cv2.split(cv2.cvtColor(crop, cv2.COLOR_RGB2HSV))
        water = (np.abs(hue.astype(int) - 104) < 14) & (saturation > 110)
        outlines, _ = cv2.findContours(
            (~water).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        mask = np.zeros(crop.shape[:2], np.uint8)
        cv2.drawContours(mask, [max(outlines, key=cv2.contourArea)], -1, 255, cv2.FILLED)
        self._mask = mask.astype(np.float32) / np.float32(255)

    def find(self, picture: Image) -> Crown | None:
        """The one crown on a square, None where none is found for certain."""
        best: Crown | None = None
        for turns in range(4):
            seen = _whiteness(np.rot90(picture, turns)[: round(self.side * _STRIP)])
            for scale in _SCALES:
                for angle in _ANGLES_DEG:
                    crown = self._warped(self._crown, scale, angle)
                    scores = cv2.matchTemplate(seen, crown, cv2.TM_CCOEFF_NORMED)
                    _, score, _, (x, y) = cv2.minMaxLoc(scores)
                    if best is None or score > best.score:
                        centre = x + (crown.shape[1] - 1) / 2, y + (crown.shape[0] - 1) / 2
                        best = Crown(turns, centre, scale, angle, score)
        if best is None or best.score < _LEAST_SCORE:
            return None
        from_side = min(best.centre[0], self.side - 1 - best.centre[0]) / self.side
        return best if _FROM_SIDE[0] <= from_side <= _FROM_SIDE[1] else None

    def add(self, picture: Image, crown: Crown) -> Image:
        """The square with the crown printed once more, beside itself."""
        turned = np.rot90(picture, crown.turns)
        return self._pasted(turned, turned, crown, self._step(crown))

    def move(self, picture: Image, crown: Crown) -> Image:
        """The square with its crown in the other corner, as on the right half of a domino."""
        turned = np.rot90(picture, crown.turns)
        mask = self._placed(crown, np.zeros(2)) > 0.05
        bare = cv2.inpaint(
            np.ascontiguousarray(turned), mask.astype(np.uint8), 3, cv2.INPAINT_TELEA
        )
        across = self.side - 1 - 2 * crown.centre[0]
        return self._pasted(np.asarray(bare, np.uint8), turned, crown, np.array([across, 0.0]))

    def add_decoy(self, picture: Image, crown: Crown, rng: np.random.Generator) -> Image:
        """The square with what is no crown where a second one would be: a piece of it, or glare."""
        turned = np.rot90(picture, crown.turns)
        step = self._step(crown)
        if rng.random() < 0.5:
            away = rng.uniform(0.25, 0.6, 2) * self.side
            other = np.roll(turned, np.round(-away).astype(int)[::-1], (0, 1))
            return self._pasted(turned, other, crown, step)
        x, y = crown.centre + step + rng.normal(0, 0.04, 2) * self.side
        columns, rows = np.meshgrid(np.arange(self.side), np.arange(self.side))
        width, height = rng.uniform(0.04, 0.13, 2) * self.side
        distance = ((columns - x) / width) ** 2 + ((rows - y) / height) ** 2
        light = np.exp(-(distance ** float(rng.uniform(1, 3))))[..., None] * rng.uniform(0.5, 1)
        lit = turned + (255.0 - turned) * light
        return np.rot90(lit.astype(np.uint8), -crown.turns).copy()

    def _step(self, crown: Crown) -> Floats:
        """From the crown to the next one (x, y): towards the middle of the square."""
        side = 1 if crown.centre[0] < self.side / 2 else -1
        angle = np.deg2rad(crown.angle_deg)
        x, y = _NEXT * (side, 1) * crown.scale * self.side
        turned = (x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle))
        return np.array(turned)

    def _pasted(self, onto: Image, source: Image, crown: Crown, step: Floats) -> Image:
        """``onto`` with the crown of ``source`` moved by ``step``, turned back."""
        moving = np.array([[1, 0, step[0]], [0, 1, step[1]]])
        size = (self.side, self.side)
        moved = cv2.warpAffine(
            np.ascontiguousarray(source), moving, size,
            flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        share = self._placed(crown, step)[..., None]
        mixed = np.clip(onto * (1 - share) + moved * share + 0.5, 0, 255).astype(np.uint8)
        return np.rot90(mixed, -crown.turns).copy()

    def _placed(self, crown: Crown, step: Floats) -> NDArray[np.float32]:
        """How much of each pixel (side, side) the crown moved by ``step`` takes."""
        shape = self._warped(self._mask, crown.scale, crown.angle_deg)
        x, y = np.array(crown.centre) + step - (np.array(shape.shape[::-1]) - 1) / 2
        placed = cv2.warpAffine(
            shape, np.array([[1, 0, x], [0, 1, y]]), (self.side, self.side), flags=cv2.INTER_LINEAR
        )
        wide = 2 * max(round(_EDGE * self.side), 1) + 1
        placed = cv2.dilate(placed, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)))
        return np.asarray(cv2.GaussianBlur(placed, (0, 0), _SOFT * self.side), np.float32)

    def _warped(
        self, stamp: NDArray[np.float32], scale: float, angle_deg: float
    ) -> NDArray[np.float32]:
        """The stamp, cut from a scan of 256 pixels, as large and aslant as on a picture."""
        factor = scale * self.side / 256
        height, width = (round(n * factor) for n in stamp.shape)
        about = cv2.getRotationMatrix2D((0, 0), -angle_deg, factor)
        middle = (np.array(stamp.shape[::-1]) - 1) / 2
        about[:, 2] = (np.array([width, height]) - 1) / 2 - about[:, :2] @ middle
        fine = cv2.GaussianBlur(stamp, (0, 0), 0.4 / factor)
        border = cv2.BORDER_REPLICATE
        warped = cv2.warpAffine(fine, about, (width, height), borderMode=border)
        return np.asarray(warped, np.float32)


def _whiteness(picture: Image) -> NDArray[np.float32]:
    """The least of the channels: large on the white outline of a crown, small on all terrains."""
    return np.ascontiguousarray(picture.min(2)).astype(np.float32)


def _resized(picture: Image, side: int) -> Image:
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
