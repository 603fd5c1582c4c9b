"""Settle kingdoms again after corrections, which may change the other squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.kingdomino.editing import EditedKingdom
from companion.kingdomino.own_head import use_own_head
from scorer.kingdomino import Position, Square
from vision.kingdomino.reader import settle_together
from vision.kingdomino.result import SquareReading

__all__ = ["settled"]


def settled(kingdoms: Sequence[EditedKingdom], *, giants: bool = False) -> list[EditedKingdom]:
    """Settle the kingdoms of one photo again, jointly, with their corrections as certain.

    Corrected and confirmed squares never change. Another square changes only if the box now
    requires it, and is doubtful from then on. Kingdoms without a photo are unchanged.
    With ``giants`` the dominoes of Age of Giants are in the box.
    """
    read = [k for k in kingdoms if k.reading is not None and k.reading.probabilities is not None]
    if not any(kingdom.corrected for kingdom in read):
        return list(kingdoms)
    readings = [kingdom.reading for kingdom in read if kingdom.reading is not None]
    use_own_head()
    together = settle_together(readings, [_corrections(kingdom) for kingdom in read], giants=giants)
    changed = {
        id(kingdom): _changed(kingdom, new.squares)
        for kingdom, new in zip(read, together, strict=True)
    }
    return [changed.get(id(kingdom), kingdom) for kingdom in kingdoms]


def _corrections(kingdom: EditedKingdom) -> dict[Position, str]:
    """Labels of the corrected squares by their cell in the reading, without giants."""
    labels = {}
    for position in kingdom.corrected:
        if kingdom.read_at(position) is not None:
            row, column = position[0] - kingdom.origin[0], position[1] - kingdom.origin[1]
            labels[row, column] = str(replace(kingdom.kingdom[position], giants=0))
    return labels


def _changed(kingdom: EditedKingdom, squares: Sequence[Sequence[SquareReading]]) -> EditedKingdom:
    """The kingdom with the squares that settling changed."""
    assert kingdom.reading is not None
    fresh: dict[Position, Square] = {}
    for row, line in enumerate(kingdom.reading.squares):
        for column, _ in enumerate(line):
            position = (row + kingdom.origin[0], column + kingdom.origin[1])
            if position in kingdom.corrected or not kingdom.holds(position):
                continue
            label = squares[row][column].label
            if label != str(kingdom.kingdom[position]):
                fresh[position] = Square.parse(label)
    if not fresh:
        return kingdom
    return replace(
        kingdom,
        kingdom=kingdom.kingdom.replace(fresh),
        doubtful=kingdom.doubtful | frozenset(fresh),
    )
