"""A hand read from a photo as `dominoes read` writes it: as lines of text, and as the line of
JSON, a stable format.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.pip_dominoes.texts import count_of_dominoes, count_of_pips, count_of_points
from companion.languages import Language, say
from scorer.pip_dominoes import DOUBLE_BLANK, Tile
from scorer.pip_dominoes.round_game import DOUBLE_BLANK_POINTS
from vision.pip_dominoes.result import DominoReading, HandReading


def hand_record(photo: str, reading: HandReading) -> dict[str, Any]:
    """A photo that was read: its dominoes, their pips in all, and seconds by step.

    ``doubtful`` is true where the sum may be wrong, ``sum_range`` the lowest and the highest that
    the doubts leave. ``missed`` is what looks like a domino and was not read, ``tile`` null where
    its numbers were not seen. ``runner_up`` is null where nothing else comes into question.
    """
    return {
        "photo": photo,
        "dominoes": [_domino_record(domino) for domino in reading.dominoes],
        "sum": int(reading.sum),
        "doubtful": bool(reading.doubtful),
        "set": int(reading.set),
        "warnings": list(reading.warnings),
        "seconds": {step: round(seconds, 4) for step, seconds in reading.seconds.items()},
        "sum_range": [int(bound) for bound in reading.sum_range],
        "missed": [
            {"corners": _corners_record(each.corners), "tile": each.tile or None}
            for each in reading.missed
        ],
    }


def _domino_record(domino: DominoReading) -> dict[str, Any]:
    return {
        "tile": str(domino.tile),
        "corners": _corners_record(domino.corners),
        "probability": round(float(domino.probability), 4),
        "doubtful": bool(domino.doubtful),
        "runner_up": str(domino.runner_up) if domino.runner_up else None,
    }


def _corners_record(corners: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]


NOTES = frozenset(("set_inferred", "set_never_photographed"))
"""Warnings about the set: nothing in the photo can be checked for them."""


def hand_lines(reading: HandReading, language: Language) -> Iterator[str]:
    """Everything about a photo that was read."""
    tiles = " ".join(f"{each.tile}{'?' * each.doubtful}" for each in reading.dominoes)
    count = count_of_dominoes(len(reading.dominoes), language)
    yield say("count.dominoes", language, count=count, tiles=tiles)
    pips = count_of_pips(reading.sum, language)
    yield say(
        "count.sum_doubtful" if reading.doubtful else "count.sum",
        language,
        pips=pips,
        set=reading.set,
    )
    if line := range_line(reading, language):
        yield line
    if any(Tile.parse(each.tile) == DOUBLE_BLANK for each in reading.dominoes):
        points = count_of_points(reading.sum + DOUBLE_BLANK_POINTS, language)
        yield say("count.double_blank", language, points=points)
    for warning in reading.warnings:
        if warning in NOTES:
            yield say(f"count.warning.{warning}", language, set=reading.set)
    to_check = list(_check_lines(reading, language))
    if to_check:
        yield say("read.check", language)
        yield from (f"  {line}" for line in to_check)
    else:
        yield say("read.nothing_to_check", language)
    yield say("read.seconds", language, seconds=sum(reading.seconds.values()))


def range_line(reading: HandReading, language: Language) -> str:
    """The range of sums that the doubts leave; "" where they leave one."""
    low, high = reading.sum_range
    if low == high:
        return ""
    return say("count.range", language, low=low, high=high)


def _check_lines(reading: HandReading, language: Language) -> Iterator[str]:
    for domino in reading.dominoes:
        if domino.doubtful:
            yield _doubt(domino, language)
    for warning in reading.warnings:
        if warning not in NOTES:
            yield say(f"count.warning.{warning}", language, set=reading.set)
    if reading.missed:
        likely = [each.tile for each in reading.missed if each.tile]
        count = count_of_dominoes(len(reading.missed), language)
        line = say("count.missed", language, count=count)
        yield (
            say("count.missed_likely", language, line=line, tiles=" ".join(likely))
            if likely
            else line
        )


def _doubt(domino: DominoReading, language: Language) -> str:
    percent = round(100 * domino.probability)
    line = say("count.doubtful", language, tile=domino.tile, percent=percent)
    if domino.runner_up:
        line += say("read.runner_up", language, label=domino.runner_up)
    if not domino.reasons:
        return line
    reasons = "; ".join(say(f"count.reason.{each}", language) for each in domino.reasons)
    return say("count.reasons", language, line=line, reasons=reasons)
