"""What the reader says of a photograph of a board: frozen results that check themselves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import Board, Piece


@dataclass(frozen=True)
class HollowReading:
    """What was read in one hollow.

    ``piece`` is None for an empty hollow. ``probability`` is in 0..1; ``runner_up`` is the next
    best reading. ``doubtful`` marks a hollow that a person should look at; ``settled_from`` is
    the plain reading in notation ("." for an empty hollow) where "each stone once" changed it.
    """

    hollow: str
    piece: Piece | None
    probability: float
    runner_up: Piece | None
    doubtful: bool = False
    settled_from: str | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.probability <= 1.0:
            raise ValueError(f"probability: expected 0..1, got {self.probability}")


@dataclass(frozen=True)
class BoardReading:
    """A board as it was read; ``tried_on`` says what the reader was ever measured on.

    ``hollows`` are in the order of the shape of ``position``. ``homography`` (3, 3) maps places
    of the lattice, in steps, to pixels (x, y) of the photograph of ``width`` × ``height``; half
    a turn of a symmetric board can't be told, so row a is the upper end. ``certain`` is False
    where the placing of the board itself is in doubt; then every hollow is doubtful.
    ``seconds`` is the time each step took.
    """

    position: Board
    hollows: tuple[HollowReading, ...]
    homography: NDArray[np.float64] = field(compare=False)
    width: int
    height: int
    certain: bool = True
    tried_on: str = "drawn pictures only"
    seconds: dict[str, float] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        expected = self.position.shape.hollows
        if tuple(each.hollow for each in self.hollows) != expected:
            raise ValueError(f"hollows: expected those of the board, got {len(self.hollows)}")

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The hollows that a person should look at."""
        return tuple(each.hollow for each in self.hollows if each.doubtful)

    @property
    def middles(self) -> NDArray[np.float64]:
        """Middles of the hollows (n, 2), pixels (x, y) of the photograph."""
        # They load OpenCV, which keeping a reading needs not.
        from vision.common.geometry import project
        from vision.domino_duell.detect import places_of

        return project(places_of(self.position.shape), self.homography)
