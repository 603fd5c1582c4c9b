"""Settling again with what people have corrected, which changes nothing but what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.kingdomino import Position, Square
from vision.common.geometry import Extent
from vision.kingdomino import result
from vision.kingdomino.cells import GridSettings
from vision.kingdomino.result import LABELS, KingdomReading, SquareReading
from vision.kingdomino.settling import Judgement, JudgeSettings, Observation, judge

Corrections = Sequence[Mapping[Position, str]]
"""For each reading squares in notation by (row, column)."""
BELIEVED = 0.99
"""How likely a correction is taken to be while it is asked what else may be wrong."""


@dataclass
class _Case:
    """A reading that is settled again, what was seen for it and corrected, its squares of now."""

    reading: KingdomReading
    seen: Observation
    squares: dict[Position, SquareReading]

    @property
    def others(self) -> list[Position]:
        """The squares that nobody corrected."""
        return [place for place in self.squares if place not in self.seen.corrections]

    def flag(self, place: Position, runner_up: str | None) -> None:
        """Ask about a square."""
        self.squares[place] = replace(self.squares[place], doubtful=True, runner_up=runner_up)


def settle_together(
    readings: Sequence[KingdomReading],
    corrections: Corrections = (),
    settings: JudgeSettings | None = None,
    *,
    giants: bool = False,
) -> list[KingdomReading]:
    """Settle the kingdoms of one game anew, see ``Reader.resettle``; no weights are needed for it.

    With ``giants`` the dominoes of Age of Giants are in the box.
    """
    settings = settings or JudgeSettings()
    settings = settings.with_giants() if giants else settings
    if len(corrections) > len(readings):
        expected, found = len(readings), len(corrections)
        raise ValueError(f"corrections: expected those of {expected} readings, got {found}")
    given = [*corrections, *({} for _ in readings[len(corrections) :])]
    cases = [_case(k, *each) for k, each in enumerate(zip(readings, given, strict=True))]
    for case in cases:
        _follow(case, settings)
    seen = [case.seen for case in cases]
    before = judge([replace(each, corrections={}) for each in seen], settings)
    after = judge(seen, settings) if any(given) else before

    def disagreements(judgements: Sequence[Judgement]) -> int:
        """On how many squares the box says otherwise than what stands, or finds no partner.

        Where a table can't be of the box, which these are may be arbitrary, but not how many.
        """
        return sum(
            says.squares[place].label != case.squares[place].label or place in says.unpaired
            for case, says in zip(cases, judgements, strict=True)
            for place in case.others
        )

    if disagreements(after) > disagreements(before):
        against = [_ask(*each) for each in zip(cases, before, after, strict=True)]
        if any(against):
            _ask_of_corrections(cases, against, settings)
    return [_made(case, judgement) for case, judgement in zip(cases, after, strict=True)]


def _case(number: int, reading: KingdomReading, given: Mapping[Position, str]) -> _Case:
    """The case of a reading; with no record of candidates they are the cells of the least doubt."""
    if reading.probabilities is None:
        raise ValueError(f"reading {number}: expected one with probabilities")
    considered = reading.considered
    if considered is None:
        emptiest = 1 - GridSettings().min_candidate
        considered = reading.probabilities[..., result.EMPTY_AT] < emptiest
    squares, shape = reading.by_position, (reading.kingdom.height, reading.kingdom.width)
    for place, label in given.items():
        if place not in squares:
            raise ValueError(f"correction at {place}: expected a position within {shape}")
        Square.parse(label)
    seen = Observation(
        {place: reading.probabilities[place] for place in squares},
        [place for place in squares if considered[place]],
        hidden=[place for place, read in squares.items() if read.reason in result.UNSEEN],
        corrections=given,
        extent=Extent(0, 0, *shape),
    )
    return _Case(reading, seen, squares)


def _follow(case: _Case, settings: JudgeSettings) -> None:
    """Put the corrections into the squares, and move the doubts as far as these move them.

    What is not in doubt stands. A doubt follows where the kingdom alone is settled otherwise with
    the corrections than without them, so that it is theirs and nothing else that moves it.
    """
    squares, given = case.squares, case.seen.corrections
    doubts = [place for place in case.reading.doubtful if place not in given]
    if given and doubts:
        stands = {place: read.label for place, read in squares.items() if not read.doubtful}
        without, with_them = (
            judge([replace(case.seen, corrections={**stands, **more})], settings)[0].squares
            for more in ({}, given)
        )
        for place in doubts:
            now, old = with_them[place], squares[place]
            if now.label not in (without[place].label, old.label):
                squares[place] = replace(now, settled_from=old.label, reason=old.reason)
                case.flag(place, old.label)
    squares.update((place, SquareReading(label, 1.0)) for place, label in given.items())


def _ask(case: _Case, before: Judgement, after: Judgement) -> dict[Position, str]:
    """Flag where the box says otherwise by the corrections; gives what stood there and was sure."""
    against = {}
    for place in case.others:
        square, says = case.squares[place], after.squares[place].label
        otherwise = says not in (square.label, before.squares[place].label)
        if otherwise or place in after.unpaired - before.unpaired:
            case.flag(place, says if says != square.label else square.runner_up)
        if otherwise and place not in case.reading.doubtful:
            against[place] = square.label
    return against


def _ask_of_corrections(
    cases: Sequence[_Case], against: Corrections, settings: JudgeSettings
) -> None:
    """Flag the corrections without which the squares that stand against them could stay."""
    # Given now are the squares that stood, but what is in the box is told by the corrections.
    settings = settings.for_corrections([case.seen for case in cases])
    believed = []
    for case, stood in zip(cases, against, strict=True):
        given, probabilities = case.seen.corrections, dict(case.seen.probabilities)
        for place, label in given.items():
            # What is seen if a person is believed: the label most of all.
            shares = result.merge_foreign(probabilities[place]) * (1 - BELIEVED)
            shares += BELIEVED * (np.array(LABELS) == label)
            probabilities[place] = np.asarray(shares / shares.sum())
        considered = {*case.seen.considered, *given}
        seen = replace(case.seen, probabilities=probabilities, considered=considered)
        believed.append(replace(seen, corrections=stood))
    for case, judgement in zip(cases, judge(believed, settings), strict=True):
        for place, label in case.seen.corrections.items():
            says = judgement.squares[place].label
            if says == label and place in judgement.unpaired:
                says = case.reading.by_position[place].label
            if says != label:
                case.flag(place, says)


def _made(case: _Case, judgement: Judgement) -> KingdomReading:
    """The reading with its squares of now; a grid in doubt has at least one square flagged."""
    squares, before = case.squares, case.reading.by_position
    if not judgement.certain and not any(squares[place].doubtful for place in case.others):
        for place in case.others:
            doubtful = judgement.squares[place].doubtful
            squares[place] = replace(squares[place], doubtful=doubtful)
    given = case.seen.corrections.items()
    moved = any((label == "c") != (before[place].label == "c") for place, label in given)
    colour = None if moved else case.reading.castle_colour
    reading = case.reading.with_squares(squares)
    return replace(reading, lattice_certain=judgement.certain, castle_colour=colour)
