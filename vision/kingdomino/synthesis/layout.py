"""Random kingdoms as placed dominoes with their numbers and rotations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Layout", "PlacedDomino", "notation", "random_layout"]

# From the left half of a domino to its right half, (row, column), by quarter turns clockwise.
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
MAX_TRIES = 14
# How often a domino is placed beside its own terrain if one of the tries allows it.
MATCHING_SHARE = 0.7


@dataclass(frozen=True)
class PlacedDomino:
    """A domino with its left half at (row, column), rotated by ``turn`` quarter turns clockwise."""

    number: str
    row: int
    column: int
    turn: int

    @property
    def squares(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The (row, column) of the left and of the right half."""
        step = STEPS[self.turn]
        return (self.row, self.column), (self.row + step[0], self.column + step[1])


@dataclass(frozen=True)
class Layout:
    """A kingdom within ``height`` × ``width`` squares; ``labels`` are by (row, column)."""

    height: int
    width: int
    castle: tuple[int, int]
    laid: tuple[PlacedDomino, ...]
    labels: dict[tuple[int, int], str]


def random_layout(
    dominoes: dict[str, tuple[str, str]],
    rng: np.random.Generator,
    *,
    size: int,
    count: int,
) -> Layout:
    """A random kingdom of up to ``count`` dominoes within ``size`` × ``size`` squares.

    ``dominoes`` are the labels (left, right) by number. Neighbours match in terrain more often than
    at random, as in a real game; the placing rule is not enforced, because a reader must not rely
    on it.
    """
    castle = (int(rng.integers(size)), int(rng.integers(size)))
    if rng.random() < 0.5:
        castle = (size // 2, size // 2)
    labels = {castle: "c"}
    laid: list[PlacedDomino] = []
    for number in rng.permutation(list(dominoes)):
        if len(laid) == count:
            break
        halves = dominoes[str(number)]
        best: tuple[int, PlacedDomino] | None = None
        occupied = list(labels)
        for _ in range(MAX_TRIES):
            row, column = occupied[rng.integers(len(occupied))]
            step = STEPS[rng.integers(4)]
            placed = PlacedDomino(
                str(number), row + step[0], column + step[1], int(rng.integers(4))
            )
            if rng.random() < 0.5:
                # The right half touches instead of the left one.
                turn = STEPS[placed.turn]
                placed = PlacedDomino(
                    placed.number, placed.row - turn[0], placed.column - turn[1], placed.turn
                )
            if any(
                not (0 <= r < size and 0 <= c < size) or (r, c) in labels for r, c in placed.squares
            ):
                continue
            matches = sum(
                labels.get((r + dr, c + dc), ".")[0] == label[0]
                for (r, c), label in zip(placed.squares, halves, strict=True)
                for dr, dc in STEPS
            )
            if best is None or matches > best[0]:
                best = (matches, placed)
            if rng.random() > MATCHING_SHARE:
                break
        if best is not None:
            laid.append(best[1])
            labels.update(zip(best[1].squares, halves, strict=True))
    return Layout(size, size, castle, tuple(laid), labels)


def notation(layout: Layout) -> str:
    """The notation of the kingdom, without empty outer rows and columns."""
    rows, columns = zip(*layout.labels, strict=True)
    return "/".join(
        " ".join(layout.labels.get((r, c), ".") for c in range(min(columns), max(columns) + 1))
        for r in range(min(rows), max(rows) + 1)
    )
