"""A result or a row of Castle Rock as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.languages import Language, say
from companion.pip_dominoes.wording import count_of_dominoes, count_of_pips
from scorer.pip_dominoes import CastleRockResult, Row, best_clearing

__all__ = ["result_lines", "result_record", "row_lines", "row_record"]


def result_lines(result: CastleRockResult, language: Language) -> Iterator[str]:
    """What is left, and whether the game is won."""
    if result.is_won:
        yield say("domino_score.won", language)
        return
    count = count_of_dominoes(result.tiles_left, language)
    pips = count_of_pips(result.score, language)
    yield say("domino_score.left", language, count=count, pips=pips)


def result_record(result: CastleRockResult) -> dict[str, Any]:
    return {
        **result.to_dict(),
        "tiles_left": result.tiles_left,
        "score": result.score,
        "won": result.is_won,
    }


def row_lines(row: Row, language: Language) -> Iterator[str]:
    """What may or must go, and how far the row can be cleared without drawing."""
    removals = row.removals
    if not removals:
        yield say("domino_score.no_removal", language)
        return
    for removal in removals:
        tiles = " ".join(str(row.tiles[position]) for position in removal.positions)
        yield say("domino_score.may_remove", language, tiles=tiles)
    left = best_clearing(row).left
    count = count_of_dominoes(len(left), language)
    pips = count_of_pips(left.pips, language)
    yield say("domino_score.clearing", language, count=count, pips=pips)


def row_record(row: Row) -> dict[str, Any]:
    """The row, its removals with positions from 0, and the best way to clear it."""
    clearing = best_clearing(row)
    return {
        "row": str(row),
        "removals": [
            {"positions": list(each.positions), "option": each.option} for each in row.removals
        ],
        "clearing": [list(each.positions) for each in clearing.removals],
        "left": str(clearing.left),
        "is_best": clearing.is_best,
    }
