"""Settle readings again: what was observed, with what people have corrected, judged anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scorer.kingdomino import Position, Square
from vision.kingdomino.classify.cells import GridSettings
from vision.kingdomino.judgement import Judgement, add_reason
from vision.kingdomino.observation import Observation
from vision.kingdomino.passes import kingdom_of
from vision.kingdomino.probabilities import EMPTY_AT
from vision.kingdomino.result import KingdomReading

__all__ = ["observe_again", "rejudge"]

_SLIGHT_DOUBT = GridSettings().min_candidate


def observe_again(
    number: int, reading: KingdomReading, corrected: Mapping[Position, str]
) -> Observation:
    """The observation behind a reading, with corrections.

    A reading made without the record of its detections and candidates is taken as if every
    square had been detected, and every position with the least doubt had been considered.
    """
    if reading.probabilities is None:
        raise ValueError(f"reading {number}: expected one with probabilities")
    rows, columns = reading.probabilities.shape[:2]
    positions = [(r, c) for r in range(rows) for c in range(columns)]
    for position, label in corrected.items():
        if position not in positions:
            shape = (rows, columns)
            raise ValueError(f"correction at {position}: expected a position within {shape}")
        Square.parse(label)
    probabilities = {p: reading.probabilities[p] for p in positions}
    if reading.considered is None:
        considered = [p for p in positions if probabilities[p][EMPTY_AT] < 1 - _SLIGHT_DOUBT]
    else:
        considered = [p for p in positions if reading.considered[p]]
    if reading.detection_scores is None:
        scores = dict.fromkeys(positions, 0.0)
    else:
        scores = {
            p: float(reading.detection_scores[p])
            for p in positions
            if not np.isnan(reading.detection_scores[p])
        }
    unseen = ("hidden", "cut_off")
    hidden = [(r, c) for r, c in positions if reading.squares[r][c].reason in unseen]
    extent = (0, 0, rows, columns)
    return Observation(
        probabilities,
        considered,
        scores,
        reading.misfit,
        hidden,
        corrections=corrected,
        extent=extent,
    )


def rejudge(
    reading: KingdomReading, judgement: Judgement, corrected: Mapping[Position, str]
) -> KingdomReading:
    """The reading with the squares of a new judgement.

    What something in the way or the light made doubtful stays so until a person corrects it.
    """
    for row, squares_of_row in enumerate(reading.squares):
        for column, square in enumerate(squares_of_row):
            if square.reason and (row, column) not in corrected:
                judgement = add_reason(judgement, {(row, column)}, square.reason)
    squares = tuple(
        tuple(judgement.squares[r, c] for c in range(reading.kingdom.width))
        for r in range(reading.kingdom.height)
    )
    moved = any(
        (label == "c") != (reading.squares[row][column].label == "c")
        for (row, column), label in corrected.items()
    )
    return replace(
        reading,
        kingdom=kingdom_of(squares),
        squares=squares,
        lattice_certain=judgement.certain,
        castle_colour=None if moved else reading.castle_colour,
    )
