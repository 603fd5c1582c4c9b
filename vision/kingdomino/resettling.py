"""Settling again with what people have corrected, so that a correction changes nothing but what is
in doubt.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from scorer.kingdomino import Position, Square
from vision.common.geometry import Extent
from vision.kingdomino.cells import GridSettings
from vision.kingdomino.result import (
    EMPTY_AT,
    LABELS,
    KingdomReading,
    SquareReading,
    kingdom_of,
    merge_foreign,
)
from vision.kingdomino.settling import Judgement, JudgeSettings, Observation, judge

Squares = dict[Position, SquareReading]

BELIEVED = 0.99
"""How likely a correction is taken to be while it is asked what else may be wrong."""


def resettle(
    readings: Sequence[KingdomReading],
    corrections: Sequence[Mapping[Position, str]],
    settings: JudgeSettings,
) -> list[KingdomReading]:
    """The readings with corrections; see ``Reader.resettle``."""
    given = [
        dict(corrections[number]) if number < len(corrections) else {}
        for number in range(len(readings))
    ]
    seen = [_observed(number, reading) for number, reading in enumerate(readings)]
    for reading, corrected in zip(readings, given, strict=True):
        _check(reading, corrected)
    squares = [
        _followed(reading, observation, corrected, settings)
        for reading, observation, corrected in zip(readings, seen, given, strict=True)
    ]
    before = _judged(seen, [{} for _ in seen], settings)
    after = _judged(seen, given, settings) if any(given) else before
    against: list[dict[Position, str]] = [{} for _ in readings]
    if _disagreements(squares, given, after) > _disagreements(squares, given, before):
        against = [
            _asked(reading, one, corrected, old, new)
            for reading, one, corrected, old, new in zip(
                readings, squares, given, before, after, strict=True
            )
        ]
    if any(against):
        _ask_of_corrections(readings, seen, squares, given, against, settings)
    return [
        _made(reading, one, corrected, judgement)
        for reading, one, corrected, judgement in zip(readings, squares, given, after, strict=True)
    ]


def _check(reading: KingdomReading, corrected: Mapping[Position, str]) -> None:
    shape = (reading.kingdom.height, reading.kingdom.width)
    for (row, column), label in corrected.items():
        if row not in range(shape[0]) or column not in range(shape[1]):
            where = f"correction at {(row, column)}"
            raise ValueError(f"{where}: expected a position within {shape}")
        Square.parse(label)


def _followed(
    reading: KingdomReading,
    observation: Observation,
    corrected: Mapping[Position, str],
    settings: JudgeSettings,
) -> Squares:
    """The squares of one kingdom with its corrections, and its doubts as far as these move them.

    What is not in doubt stands. A doubt follows where the kingdom alone is settled otherwise with
    the corrections than without them, so that it is theirs and nothing else that moves it.
    """
    found = {place: reading.squares[place[0]][place[1]] for place, _ in reading.kingdom.items()}
    doubts = [place for place in reading.doubtful if place not in corrected]
    if corrected and doubts:
        stands = {place: read.label for place, read in found.items() if not read.doubtful}
        without, with_them = (
            _judged([observation], [{**stands, **more}], settings)[0] for more in ({}, corrected)
        )
        for place in doubts:
            now = with_them.squares[place].label
            if now not in (without.squares[place].label, found[place].label):
                old = found[place]
                found[place] = replace(
                    with_them.squares[place],
                    runner_up=old.label,
                    doubtful=True,
                    settled_from=old.label,
                    reason=old.reason,
                )
    found.update((place, SquareReading(label, 1.0)) for place, label in corrected.items())
    return found


def _disagreements(
    squares: Sequence[Squares],
    given: Sequence[Mapping[Position, str]],
    judgements: Sequence[Judgement],
) -> int:
    """On how many squares the box says otherwise than what stands, or finds no partner.

    Where a table can't be of the box, which squares these are may be arbitrary, but not how many.
    """
    return sum(
        judgement.squares[place].label != square.label or place in judgement.unpaired
        for one, corrected, judgement in zip(squares, given, judgements, strict=True)
        for place, square in one.items()
        if place not in corrected
    )


def _asked(
    reading: KingdomReading,
    squares: Squares,
    corrected: Collection[Position],
    before: Judgement,
    after: Judgement,
) -> dict[Position, str]:
    """Flag where the box of all kingdoms says otherwise because of the corrections.

    Gives what stood there, of squares that were not in doubt.
    """
    against = {}
    for place, square in squares.items():
        if place in corrected:
            continue
        says = after.squares[place].label
        otherwise = says not in (square.label, before.squares[place].label)
        alone = place in after.unpaired - before.unpaired
        if not (otherwise or alone):
            continue
        runner_up = says if says != square.label else square.runner_up
        squares[place] = replace(square, doubtful=True, runner_up=runner_up)
        if otherwise and not reading.squares[place[0]][place[1]].doubtful:
            against[place] = square.label
    return against


def _ask_of_corrections(
    readings: Sequence[KingdomReading],
    seen: Sequence[Observation],
    squares: Sequence[Squares],
    given: Sequence[Mapping[Position, str]],
    against: Sequence[Mapping[Position, str]],
    settings: JudgeSettings,
) -> None:
    """Flag the corrections without which the squares that stand against them could stay."""
    believed = [
        replace(
            observation,
            probabilities={**observation.probabilities}
            | {place: _belief(observation, place, label) for place, label in corrected.items()},
            considered=[*{*observation.considered, *corrected}],
        )
        for observation, corrected in zip(seen, given, strict=True)
    ]
    judged = _judged(believed, against, settings)
    for reading, one, corrected, judgement in zip(readings, squares, given, judged, strict=True):
        for (row, column), label in corrected.items():
            says = judgement.squares[row, column].label
            if says == label and (row, column) in judgement.unpaired:
                says = reading.squares[row][column].label
            if says != label:
                asked = replace(one[row, column], doubtful=True, runner_up=says)
                one[row, column] = asked


def _belief(observation: Observation, place: Position, label: str) -> np.ndarray:
    """What is seen on a square if a person is believed: the label most of all."""
    seen = merge_foreign(observation.probabilities[place]) * (1 - BELIEVED)
    if label in LABELS:
        seen[LABELS.index(label)] += BELIEVED
    return np.asarray(seen / seen.sum())


def _judged(
    seen: Sequence[Observation],
    given: Sequence[Mapping[Position, str]],
    settings: JudgeSettings,
) -> list[Judgement]:
    corrected = [
        replace(observation, corrections=dict(labels))
        for observation, labels in zip(seen, given, strict=True)
    ]
    return [judgement for judgement in judge(corrected, settings) if judgement is not None]


def _made(
    reading: KingdomReading,
    squares: Squares,
    corrected: Mapping[Position, str],
    judgement: Judgement,
) -> KingdomReading:
    """The reading with its squares of now; a grid in doubt has at least one square flagged."""
    if not judgement.certain and not any(
        square.doubtful for place, square in squares.items() if place not in corrected
    ):
        flagged = [p for p, s in judgement.squares.items() if s.doubtful and p not in corrected]
        for place in flagged:
            squares[place] = replace(squares[place], doubtful=True)
    rows = tuple(
        tuple(squares[row, column] for column in range(reading.kingdom.width))
        for row in range(reading.kingdom.height)
    )
    moved = any(
        (label == "c") != (reading.squares[row][column].label == "c")
        for (row, column), label in corrected.items()
    )
    return replace(
        reading,
        kingdom=kingdom_of(rows),
        squares=rows,
        lattice_certain=judgement.certain,
        castle_colour=None if moved else reading.castle_colour,
    )


_SLIGHT_DOUBT = GridSettings().min_candidate


def _observed(number: int, reading: KingdomReading) -> Observation:
    """The observation behind a reading.

    In a reading made without the record of its candidates every position with the least doubt is
    taken for one.
    """
    if reading.probabilities is None:
        raise ValueError(f"reading {number}: expected one with probabilities")
    rows, columns = reading.probabilities.shape[:2]
    positions = [(r, c) for r in range(rows) for c in range(columns)]
    probabilities = {p: reading.probabilities[p] for p in positions}
    if reading.considered is None:
        considered = [p for p in positions if probabilities[p][EMPTY_AT] < 1 - _SLIGHT_DOUBT]
    else:
        considered = [p for p in positions if reading.considered[p]]
    unseen = ("hidden", "cut_off")
    hidden = [(r, c) for r, c in positions if reading.squares[r][c].reason in unseen]
    return Observation(probabilities, considered, hidden=hidden, extent=Extent(0, 0, rows, columns))
