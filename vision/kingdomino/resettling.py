"""Settling again with what people have corrected, so that a correction changes nothing but what is
in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.kingdomino import Position, Square
from vision.common.geometry import Extent
from vision.kingdomino.cells import GridSettings
from vision.kingdomino.result import (
    EMPTY_AT,
    LABELS,
    KingdomReading,
    SquareReading,
    merge_foreign,
)
from vision.kingdomino.settling import Judgement, JudgeSettings, Observation, judge

BELIEVED = 0.99
"""How likely a correction is taken to be while it is asked what else may be wrong."""


@dataclass
class _Case:
    """A reading that is settled again, what was seen for it, and what is ``given`` of its squares.

    ``squares`` are those of now.
    """

    reading: KingdomReading
    seen: Observation
    given: Mapping[Position, str]
    squares: dict[Position, SquareReading]


def resettle(
    readings: Sequence[KingdomReading],
    corrections: Sequence[Mapping[Position, str]],
    settings: JudgeSettings,
) -> list[KingdomReading]:
    """The readings with corrections; see ``Reader.resettle``."""
    cases = [
        _Case(
            reading,
            _observed(number, reading),
            corrections[number] if number < len(corrections) else {},
            reading.by_position,
        )
        for number, reading in enumerate(readings)
    ]
    for case in cases:
        _check(case)
    for case in cases:
        _follow(case, settings)
    seen, given = [case.seen for case in cases], [case.given for case in cases]
    before = _judged(seen, [{} for _ in cases], settings)
    after = _judged(seen, given, settings) if any(given) else before
    if _disagreements(cases, after) > _disagreements(cases, before):
        against = [_ask(*each) for each in zip(cases, before, after, strict=True)]
        if any(against):
            _ask_of_corrections(cases, against, settings)
    return [_made(case, judgement) for case, judgement in zip(cases, after, strict=True)]


def _check(case: _Case) -> None:
    shape = (case.reading.kingdom.height, case.reading.kingdom.width)
    for place, label in case.given.items():
        if place not in case.squares:
            raise ValueError(f"correction at {place}: expected a position within {shape}")
        Square.parse(label)


def _follow(case: _Case, settings: JudgeSettings) -> None:
    """Put the corrections into the squares, and move the doubts as far as these move them.

    What is not in doubt stands. A doubt follows where the kingdom alone is settled otherwise with
    the corrections than without them, so that it is theirs and nothing else that moves it.
    """
    squares, given = case.squares, case.given
    doubts = [place for place in case.reading.doubtful if place not in given]
    if given and doubts:
        stands = {place: read.label for place, read in squares.items() if not read.doubtful}
        without, with_them = (
            _judged([case.seen], [{**stands, **more}], settings)[0] for more in ({}, given)
        )
        for place in doubts:
            now, old = with_them.squares[place], squares[place]
            if now.label not in (without.squares[place].label, old.label):
                squares[place] = replace(
                    now,
                    runner_up=old.label,
                    doubtful=True,
                    settled_from=old.label,
                    reason=old.reason,
                )
    squares.update((place, SquareReading(label, 1.0)) for place, label in given.items())


def _disagreements(cases: Sequence[_Case], judgements: Sequence[Judgement]) -> int:
    """On how many squares the box says otherwise than what stands, or finds no partner.

    Where a table can't be of the box, which squares these are may be arbitrary, but not how many.
    """
    return sum(
        judgement.squares[place].label != square.label or place in judgement.unpaired
        for case, judgement in zip(cases, judgements, strict=True)
        for place, square in case.squares.items()
        if place not in case.given
    )


def _ask(case: _Case, before: Judgement, after: Judgement) -> dict[Position, str]:
    """Flag where the box of all kingdoms says otherwise because of the corrections.

    Gives what stood there, of squares that were not in doubt.
    """
    against = {}
    for place, square in case.squares.items():
        if place in case.given:
            continue
        says = after.squares[place].label
        otherwise = says not in (square.label, before.squares[place].label)
        alone = place in after.unpaired - before.unpaired
        if not (otherwise or alone):
            continue
        runner_up = says if says != square.label else square.runner_up
        case.squares[place] = replace(square, doubtful=True, runner_up=runner_up)
        if otherwise and not case.reading.squares[place[0]][place[1]].doubtful:
            against[place] = square.label
    return against


def _ask_of_corrections(
    cases: Sequence[_Case], against: Sequence[Mapping[Position, str]], settings: JudgeSettings
) -> None:
    """Flag the corrections without which the squares that stand against them could stay."""
    believed = [
        replace(
            case.seen,
            probabilities={**case.seen.probabilities}
            | {place: _belief(case.seen, place, label) for place, label in case.given.items()},
            considered=[*{*case.seen.considered, *case.given}],
        )
        for case in cases
    ]
    for case, judgement in zip(cases, _judged(believed, against, settings), strict=True):
        for place, label in case.given.items():
            says = judgement.squares[place].label
            if says == label and place in judgement.unpaired:
                says = case.reading.squares[place[0]][place[1]].label
            if says != label:
                asked = replace(case.squares[place], doubtful=True, runner_up=says)
                case.squares[place] = asked


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


def _made(case: _Case, judgement: Judgement) -> KingdomReading:
    """The reading with its squares of now; a grid in doubt has at least one square flagged."""
    reading, squares, given = case.reading, case.squares, case.given
    if not judgement.certain and not any(
        square.doubtful for place, square in squares.items() if place not in given
    ):
        for place, square in judgement.squares.items():
            if square.doubtful and place not in given:
                squares[place] = replace(squares[place], doubtful=True)
    moved = any(
        (label == "c") != (reading.squares[row][column].label == "c")
        for (row, column), label in given.items()
    )
    return replace(
        reading.with_squares(squares),
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
