"""Reading a hand of dominoes from a photo: the one place that knows the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["DominoReading", "HandReading", "draw_hand", "read_hand", "settle_round"]

Image = NDArray[np.uint8]


class DominoReading(Protocol):
    """A domino in a photo: ``tile`` is its notation, ``corners`` (4, 2) are pixels (x, y).

    ``runner_up`` is what else it may be, "" if nothing; ``reasons`` are codes of the doubt.
    ``likelihoods`` (2, 19) say how well each number explains either half.
    """

    @property
    def tile(self) -> str: ...
    @property
    def corners(self) -> ArrayLike: ...
    @property
    def probability(self) -> float: ...
    @property
    def doubtful(self) -> bool: ...
    @property
    def runner_up(self) -> str: ...
    @property
    def reasons(self) -> Sequence[str]: ...
    @property
    def likelihoods(self) -> ArrayLike: ...


class HandReading(Protocol):
    """A hand in a photo, its pips in ``sum``; ``set`` is the highest half of the set.

    ``warnings`` are codes of what is odd about the whole photo.
    """

    @property
    def dominoes(self) -> Sequence[DominoReading]: ...
    @property
    def sum(self) -> int: ...
    @property
    def doubtful(self) -> bool: ...
    @property
    def set(self) -> int: ...
    @property
    def warnings(self) -> Sequence[str]: ...
    @property
    def seconds(self) -> Mapping[str, float]: ...


def read_hand(source: bytes | str, highest: int | None = None) -> HandReading:
    """The dominoes of a photo, given as bytes or path, of a set whose highest half may be known.

    PhotoError where the photo can't be read.
    """
    # Loads OpenCV and the weights: not before there is a photo to read.
    vision: Any = import_module("vision")
    return cast("HandReading", vision.read_dominoes(source, set=highest))


def settle_round(readings: list[HandReading], highest: int | None = None) -> list[HandReading]:
    """The hands of one round settled together: each domino is in one of them only."""
    vision: Any = import_module("vision")
    return cast("list[HandReading]", vision.settle_hands(readings, set=highest))


def draw_hand(photo_rgb: Image, reading: HandReading) -> Image:
    """The photo (h, w, 3) with every domino outlined and named."""
    drawing: Any = import_module("vision.pip_dominoes.annotate")
    return cast("Image", drawing.annotate(photo_rgb, reading))
