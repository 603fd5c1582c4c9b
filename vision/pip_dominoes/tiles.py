"""The dominoes of the double-6, -9, -12, -15 and -18 sets, in text and in order."""

from __future__ import annotations

from functools import cache

__all__ = ["HIGHEST", "NEVER_PHOTOGRAPHED", "SETS", "Tile", "format_tile", "parse_tile", "tiles_of"]

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
