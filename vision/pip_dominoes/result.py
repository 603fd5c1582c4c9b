"""What the reader says of a photograph of dominoes: frozen results that check themselves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

# A domino, its lower number first.
Tile = tuple[int, int]

SETS = (6, 9, 12, 15, 18)
HIGHEST = SETS[-1]
# Of these sets the reader has seen drawings only.
NEVER_PHOTOGRAPHED = (15, 18)


@cache
def tiles_of(highest: int) -> tuple[Tile, ...]:
    """All dominoes of the double-``highest`` set, each once: (N+1)(N+2)/2 of them."""
    return tuple((a, b) for a in range(highest + 1) for b in range(a, highest + 1))


def format_tile(first: int, second: int) -> str:
    """A domino in text, the lower number first: "5|9"."""
    return f"{min(first, second)}|{max(first, second)}"


def parse_tile(text: str) -> Tile:
    """The domino of a text such as "9|5", in either order. ValueError for anything else."""
    first, bar, second = text.partition("|")
    if not (bar and first.isdecimal() and second.isdecimal()):
        raise ValueError(f"tile: expected two numbers such as 5|9, got {text!r}")
    a, b = sorted((int(first), int(second)))
    if b > HIGHEST:
        raise ValueError(f"tile: expected numbers up to {HIGHEST}, got {text!r}")
    return a, b


Floats = NDArray[np.float64]

WARNINGS = (
    "cut_off",
    "figures",
    "set_inferred",
    "set_never_photographed",
    "tile_twice",
    "unread",
)
"""What can be odd about a whole photograph.

cut_off: one reaches beyond the picture; figures: a
domino bears figures, not pips; set_inferred: the set was not given; set_never_photographed: nobody
has checked the reader on photographs of this set; tile_twice: a domino of which there is one seems
to be there again; unread: something looks like a domino, whatever side it shows, that was not read.
"""


# With these reasons a domino may not be there, or be there once less.
_MAY_NOT_BE_THERE = frozenset(("existence", "twice"))


def possible_tiles(tile: str, runner_up: str, reasons: Collection[str]) -> tuple[str, ...]:
    """What a domino in doubt can be: as read, the runner-up, or "" where it may be none."""
    found = [tile]
    # Readings that were kept long ago have no reasons.
    if runner_up and not (reasons and {*reasons} <= _MAY_NOT_BE_THERE):
        found.append(runner_up)
    if _MAY_NOT_BE_THERE & {*reasons}:
        found.append("")
    return tuple(found)


@dataclass(frozen=True, eq=False)
class DominoReading:
    """One domino as it was read.

    ``halves`` are its numbers as they lie: the first at the side of the first corner, the edge
    from the first to the second corner running along the domino. ``corners`` (4, 2) are pixels
    (x, y) of the upright photograph at full size. ``probability`` (0..1) is that of both numbers
    being right, ``runner_up`` what else it may be, "" if nothing. ``likelihoods`` (2, 19) tell
    for each half how well each number explains what was seen; they are what is settled.
    ``existence`` (0..1) is how likely a domino's face is there at all, ``reasons`` are codes of
    why it is doubtful: unlikely, dissent (of pips and halves), existence, cut_off, figures,
    colour (of a blank half unlike those with pips), changed (by what the set allows), twice.
    """

    halves: tuple[int, int]
    corners: Floats
    probability: float
    doubtful: bool
    runner_up: str
    likelihoods: Floats = field(repr=False)
    existence: float = 1.0
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not all(0 <= number <= HIGHEST for number in self.halves):
            raise ValueError(f"halves: expected numbers 0 to {HIGHEST}, got {self.halves}")
        if self.corners.shape != (4, 2):
            raise ValueError(f"corners: expected shape (4, 2), got {self.corners.shape}")
        if self.likelihoods.shape != (2, HIGHEST + 1):
            expected = (2, HIGHEST + 1)
            raise ValueError(f"likelihoods: expected {expected}, got {self.likelihoods.shape}")
        if not 0 <= self.probability <= 1:
            raise ValueError(f"probability: expected 0 to 1, got {self.probability}")

    @property
    def tile(self) -> str:
        """The domino in text, the lower number first."""
        return format_tile(*self.halves)

    @property
    def short_px(self) -> float:
        """The short side in pixels of the photograph."""
        return float(np.linalg.norm(self.corners[2] - self.corners[1]))

    @property
    def pips(self) -> int:
        """Both numbers together."""
        return sum(self.halves)

    @property
    def pips_range(self) -> tuple[int, int]:
        """The fewest and the most pips that the doubts leave."""
        if not self.doubtful:
            return self.pips, self.pips
        possible = possible_tiles(self.tile, self.runner_up, self.reasons)
        counts = [sum(parse_tile(tile)) if tile else 0 for tile in possible]
        return min(counts), max(counts)


@dataclass(frozen=True, eq=False)
class Missed:
    """Something that looks like a domino and was not read.

    ``corners`` (4, 2) are pixels (x, y) of the upright photograph; ``tile`` is what it would be if
    it is one, "" where its numbers were not seen.
    """

    corners: Floats
    tile: str = ""

    def __post_init__(self) -> None:
        if self.corners.shape != (4, 2):
            raise ValueError(f"corners: expected shape (4, 2), got {self.corners.shape}")

    @property
    def pips(self) -> int:
        """Both numbers together, 0 where they were not seen."""
        return sum(parse_tile(self.tile)) if self.tile else 0


@dataclass(frozen=True, eq=False)
class HandReading:
    """All dominoes whose faces a photograph shows, row by row.

    ``set`` is the largest double of the set that they were settled by, ``warnings`` are codes
    of ``WARNINGS``, ``width`` and ``height`` pixels of the upright photograph, ``seconds`` the
    time by step, ``missed`` what looks like a domino and was not read.
    """

    dominoes: tuple[DominoReading, ...]
    set: int
    warnings: tuple[str, ...]
    width: int
    height: int
    seconds: dict[str, float] = field(default_factory=dict)
    missed: tuple[Missed, ...] = ()

    def __post_init__(self) -> None:
        if self.set not in SETS:
            raise ValueError(f"set: expected one of {SETS}, got {self.set}")
        if unknown := [code for code in self.warnings if code not in WARNINGS]:
            raise ValueError(f"warnings: expected codes of WARNINGS, got {unknown}")

    @property
    def sum(self) -> int:
        """The pips of all dominoes; what a double blank counts is for the rules to say."""
        return sum(domino.pips for domino in self.dominoes)

    @property
    def sum_range(self) -> tuple[int, int]:
        """The lowest and the highest sum that the doubts leave.

        Of what was ``missed`` only the likely numbers count; a body whose numbers nobody saw adds
        nothing, and the warnings say that it is there.
        """
        ranges = [domino.pips_range for domino in self.dominoes]
        more = sum(each.pips for each in self.missed)
        return sum(low for low, _ in ranges), sum(high for _, high in ranges) + more

    @property
    def tiles(self) -> tuple[str, ...]:
        """The dominoes in text, in the order of ``dominoes``."""
        return tuple(domino.tile for domino in self.dominoes)

    @property
    def to_check(self) -> tuple[int, ...]:
        """Which dominoes a person should look at."""
        return tuple(k for k, domino in enumerate(self.dominoes) if domino.doubtful)

    @property
    def doubtful(self) -> bool:
        """Whether the sum may be wrong: a domino is doubtful, or one may be missing."""
        return bool(self.to_check or self.missed) or bool({"cut_off", "unread"} & {*self.warnings})
