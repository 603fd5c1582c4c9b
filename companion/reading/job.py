"""What is asked of the reading of one photo, and what became of it, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.photo.errors import PhotoError

__all__ = ["Isolation", "Job", "Outcome", "Reader"]

Image = NDArray[np.uint8]
Reading = TypeVar("Reading")


@dataclass(frozen=True)
class Job:
    """A photo to read and, where ``drawing`` is given, to draw the reading into.

    What is there already under the name of the drawing stays, unless ``overwrite`` is set.
    """

    photo: str
    drawing: str | None = None
    overwrite: bool = False


@dataclass(frozen=True)
class Isolation(Generic[Reading]):
    """How photos are read in worker processes that a photo may kill without harm.

    ``task`` is the module that carries out tasks there, see ``companion.reading.worker``;
    ``from_plain`` makes the reading again of what it answers; ``options`` go with each task.
    """

    task: str
    from_plain: Callable[[dict[str, Any]], Reading]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reader(Generic[Reading]):
    """How a game is read from a photo, given as bytes or path, and drawn on its RGB pixels.

    Both travel to other processes, so they are functions of a module, or parts of such.
    """

    read: Callable[[bytes | str], Reading]
    draw: Callable[[Image, Reading], Image]
    isolation: Isolation[Reading] | None = None


@dataclass(frozen=True)
class Outcome(Generic[Reading]):
    """What became of a photo: ``reading`` or ``error``, never both.

    ``trace`` is the stack of a fault of the program, "" where all went as it should, and
    ``not_drawn`` why the file ``drawing`` could not be written.
    """

    photo: str
    reading: Reading | None = None
    error: PhotoError | None = None
    trace: str = ""
    drawing: str | None = None
    not_drawn: str = ""

    def __post_init__(self) -> None:
        if (self.reading is None) == (self.error is None):
            raise ValueError("expected either a reading or an error")

    @property
    def refusal(self) -> PhotoError:
        """Why the photo was not read; ValueError for one that was."""
        if self.error is None:
            raise ValueError(f"expected a photo that was refused, {self.photo} was read")
        return self.error
