"""Compare a reading with the ground truth."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino import Kingdom, score
from vision.kingdomino.result import KingdomReading, SquareReading

__all__ = ["Comparison", "compare", "compare_unread"]

# A lattice counts as located if this share of its squares has the right terrain.
LOCATED_SHARE = 0.75


@dataclass(frozen=True)
class Comparison:
    """How much of a kingdom was read right.

    ``squares`` counts the cells that are occupied in the ground truth or in the reading, ``right``
    those with the same label in both. ``turned`` is the number of clockwise quarter turns that
    align the reading with the ground truth. ``confidences`` has for each cell the probability of
    its label and whether that is right.
    """

    located: bool
    squares: int
    right: int
    score_right: bool
    flagged: int
    wrong_flagged: int
    wrong_unflagged: int
    turned: int
    confidences: tuple[tuple[float, bool], ...]

    @property
    def kingdom_right(self) -> bool:
        """Whether every square is right."""
        return self.right == self.squares


def compare_unread(truth: Kingdom) -> Comparison:
    """The comparison for a kingdom that was not read at all."""
    squares = sum(not square.is_empty for _, square in truth.items())
    return Comparison(False, squares, 0, False, 0, 0, 0, 0, ())


def _turn_clockwise(
    rows: tuple[tuple[SquareReading, ...], ...],
) -> tuple[tuple[SquareReading, ...], ...]:
    return tuple(zip(*rows[::-1], strict=True))


def _terrain(label: str) -> str:
    return label[0]


def compare(truth: Kingdom, reading: KingdomReading) -> Comparison:
    """Compare at the quarter turn and offset at which reading and ground truth agree best."""
    labels = {
        (r, c): str(square)
        for r, row in enumerate(truth.rows)
        for c, square in enumerate(row)
        if not square.is_empty
    }
    best: tuple[int, int, dict[tuple[int, int], SquareReading]] | None = None
    rows = reading.squares
    for turn in range(4):
        height, width = len(rows), len(rows[0])
        for down in range(-height + 1, truth.height):
            for right in range(-width + 1, truth.width):
                placed = {
                    (r + down, c + right): square
                    for r, row in enumerate(rows)
                    for c, square in enumerate(row)
                }
                agree = sum(
                    2 * (square.label == labels.get(cell, "."))
                    + (_terrain(square.label) == _terrain(labels.get(cell, ".")))
                    for cell, square in placed.items()
                    if square.label != "." or cell in labels
                )
                if best is None or agree > best[0]:
                    best = (agree, turn, placed)
        rows = _turn_clockwise(rows)
    assert best is not None
    _, turn, placed = best
    places = set(labels) | {cell for cell, s in placed.items() if s.label != "." or s.doubtful}
    missing = SquareReading(".", 1.0)
    right = wrong_flagged = wrong_unflagged = counted = terrains = 0
    confidences = []
    for cell in places:
        square, label = placed.get(cell, missing), labels.get(cell, ".")
        terrains += cell in labels and _terrain(square.label) == _terrain(label)
        same = square.label == label
        confidences.append((square.probability, same))
        if label == "." and square.label == ".":
            continue
        counted += 1
        right += same
        wrong_flagged += not same and square.doubtful
        wrong_unflagged += not same and not square.doubtful
    return Comparison(
        located=terrains >= LOCATED_SHARE * len(labels),
        squares=counted,
        right=right,
        score_right=score(reading.kingdom).points == score(truth).points,
        flagged=len(reading.doubtful),
        wrong_flagged=wrong_flagged,
        wrong_unflagged=wrong_unflagged,
        turned=turn,
        confidences=tuple(confidences),
    )
