"""A hand read from a photo as lines of text: each domino, the sum, and what to check."""

from __future__ import annotations

from collections.abc import Iterator

from companion.languages import Language, say
from companion.pip_dominoes.hand_reading import DominoReading, HandReading
from companion.pip_dominoes.wording import count_of_dominoes, count_of_pips, count_of_points
from scorer.pip_dominoes import DOUBLE_BLANK, Tile
from scorer.pip_dominoes.rounds import DOUBLE_BLANK_POINTS

__all__ = ["hand_lines"]

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


def _check_lines(reading: HandReading, language: Language) -> Iterator[str]:
    for domino in reading.dominoes:
        if domino.doubtful:
            yield _doubt(domino, language)
    for warning in reading.warnings:
        if warning not in NOTES:
            yield say(f"count.warning.{warning}", language, set=reading.set)


def _doubt(domino: DominoReading, language: Language) -> str:
    percent = round(100 * domino.probability)
    line = say("count.doubtful", language, tile=domino.tile, percent=percent)
    if domino.runner_up:
        line += say("read.runner_up", language, label=domino.runner_up)
    if not domino.reasons:
        return line
    reasons = "; ".join(say(f"count.reason.{each}", language) for each in domino.reasons)
    return say("count.reasons", language, line=line, reasons=reasons)
