"""The reading of a photo as `kingdomino read` writes it: as lines of text, and as the line of JSON,
a stable format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from companion.games.kingdomino.texts import (
    castle_colour_name,
    count_of_points,
    label_name,
    outcome_lines,
    problem_line,
    score_lines,
)
from companion.languages import Language, say
from scorer.kingdomino import (
    Kingdom,
    OpenKingdom,
    Outcome,
    Position,
    Rules,
    outcome,
    problems,
    score,
)
from scorer.kingdomino.rules import PLAYERS
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading, alternatives


def photo_record(photo: str, reading: PhotoReading, together: Sequence[str] = ()) -> dict[str, Any]:
    """The record of a photo that was read: kingdoms, largest first, and seconds by step.

    ``outcome`` is who can win, where there are as many kingdoms as players, else None. Of several
    photos that were read ``together`` the names are given, and which of them show a kingdom.
    """
    found = outcome_of_readings(reading.kingdoms)
    return {
        "photo": photo,
        **({"photos": list(together)} if together else {}),
        "kingdoms": [_kingdom_record(kingdom) for kingdom in reading.kingdoms],
        "outcome": None if found is None else outcome_record(found),
        "warnings": list(reading.warnings),
        "seconds": {step: round(seconds, 4) for step, seconds in reading.seconds.items()},
    }


def _kingdom_record(reading: KingdomReading) -> dict[str, Any]:
    """The record of a kingdom, with ``next_best`` only if the lattice is uncertain."""
    doubt: dict[str, Any] = {}
    if not reading.lattice_certain:
        other = reading.next_best
        doubt["lattice_certain"] = False
        doubt["next_best"] = None if other is None else str(other.kingdom)
    return {
        "kingdom": str(reading.kingdom),
        "score": score(reading.kingdom).points,
        "doubtful": [list(position) for position in reading.doubtful],
        "squares": [[_square_record(square) for square in row] for row in reading.squares],
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.corners],
        "warnings": list(reading.warnings),
        **({"photos": list(reading.photos)} if reading.photos else {}),
        **doubt,
    }


def _square_record(square: SquareReading) -> dict[str, Any]:
    """The record of a square, with ``reason`` only where one is known for its doubt."""
    record = {"label": square.label, "probability": round(float(square.probability), 4)}
    return {**record, "reason": square.reason} if square.reason else record


def photo_lines(
    reading: PhotoReading,
    language: Language,
    together: Sequence[str] = (),
    *,
    giants: bool = False,
) -> Iterator[str]:
    """The whole reading of a photo, or of several read ``together``, kingdom by kingdom.

    With ``giants`` the dominoes of Age of Giants are in the box.
    """
    if len(together) > 1:
        yield say("read.together", language, photos=", ".join(together[1:]))
    for number, kingdom in enumerate(reading.kingdoms, start=1):
        if len(reading.kingdoms) > 1:
            yield say("read.kingdom", language, number=number, count=len(reading.kingdoms))
        if len(together) > 1:
            shown = ", ".join(together[photo] for photo in kingdom.photos)
            yield say("read.shown_in", language, photos=shown)
        yield from _kingdom_lines(kingdom, language, giants=giants)
    found = outcome_of_readings(reading.kingdoms)
    if found is not None:
        count = len(reading.kingdoms)
        names = {
            str(number): say("read.kingdom", language, number=number + 1, count=count)
            for number in range(count)
        }
        doubts = sum(len(kingdom.doubtful) for kingdom in reading.kingdoms)
        yield from outcome_lines(found, names, doubts, language)
    for code in reading.warnings:
        yield say(f"warning.{code}", language)
    yield say("read.seconds", language, seconds=sum(reading.seconds.values()))


def _kingdom_lines(reading: KingdomReading, language: Language, *, giants: bool) -> Iterator[str]:
    yield from grid_lines(reading.kingdom, marked=reading.doubtful)
    yield say("read.notation", language, kingdom=reading.kingdom)
    if reading.castle_colour:
        colour = castle_colour_name(reading.castle_colour, language)
        yield say("read.castle_colour", language, colour=colour)
    yield from score_lines(say("score.kingdom", language), score(reading.kingdom), (), language)
    to_check = list(check_lines(reading, language, giants=giants))
    if to_check:
        yield say("read.check", language)
        yield from (f"  {line}" for line in to_check)
    else:
        yield say("read.nothing_to_check", language)


def grid_lines(kingdom: Kingdom, marked: Collection[Position] = ()) -> Iterator[str]:
    """The kingdom with numbered rows and columns; ``marked`` squares get a question mark."""
    cells = [[str(column) for column in range(1, kingdom.width + 1)]]
    for row, squares in enumerate(kingdom.rows):
        cells.append(
            [f"{square}{'?' * ((row, column) in marked)}" for column, square in enumerate(squares)]
        )
    width = max(len(cell) for line in cells for cell in line)
    for number, line in enumerate(cells):
        name = str(number or "")
        yield f"{name:>3} | {'  '.join(f'{cell:<{width}}' for cell in line)}".rstrip()


def check_lines(
    reading: KingdomReading, language: Language, *, giants: bool = False
) -> Iterator[str]:
    """What a person should check: an uncertain lattice, doubtful squares, and rule problems."""
    if not reading.lattice_certain:
        yield say("read.lattice_uncertain", language)
        if (other := reading.next_best) is not None:
            points = count_of_points(score(other.kingdom).points, language)
            yield say("read.next_best", language, kingdom=other.kingdom, points=points)
    for code in reading.warnings:
        yield say(f"warning.{code}", language)
    for row, column in reading.doubtful:
        yield _doubt(reading.squares[row][column], (row, column), language)
    for problem in problems(reading.kingdom, Rules(age_of_giants=giants)):
        yield problem_line(problem, language)


def _doubt(square: SquareReading, position: Position, language: Language) -> str:
    row, column = position
    parts = [
        say(
            "read.doubtful",
            language,
            row=row + 1,
            column=column + 1,
            label=_name(square.label, language),
            percent=round(100 * square.probability),
        )
    ]
    if square.runner_up is not None:
        parts.append(say("read.runner_up", language, label=_name(square.runner_up, language)))
    if square.settled_from is not None:
        parts.append(say("read.settled", language, label=_name(square.settled_from, language)))
    if square.reason:
        parts.append(f" – {say(f'reason.{square.reason}', language)}")
    return "".join(parts)


def _name(label: str, language: Language) -> str:
    return f"{label} ({label_name(label, language)})"


def outcome_of_readings(kingdoms: Sequence[KingdomReading]) -> Outcome | None:
    """The outcome of the kingdoms of one photo, named by their places in it, from "0".

    Where the grid of one is not certain, the next best reading of it is possible too. None where
    they are not as many as can play.
    """
    if len(kingdoms) not in PLAYERS:
        return None
    readings = [
        [each] if each.lattice_certain or each.next_best is None else [each, each.next_best]
        for each in kingdoms
    ]
    first, *others = (
        outcome(
            [
                OpenKingdom(str(number), reading.kingdom, alternatives(reading))
                for number, reading in enumerate(chosen)
            ]
        )
        for chosen in product(*readings)
    )
    possible = [winners for each in (first, *others) for winners in each.possible]
    exact = all(each.exact for each in (first, *others))
    return replace(first, possible=tuple(dict.fromkeys(possible)), exact=exact)


def outcome_record(found: Outcome) -> dict[str, Any]:
    """The record of an outcome whose players are the places of kingdoms, from 0."""
    return {
        "certain": found.certain,
        "winners": list(map(int, found.winners)),
        "possible": [list(map(int, winners)) for winners in found.possible],
        "deciding": [
            {
                "kingdom": int(each.player),
                "square": list(each.position),
                "labels": [str(square) for square in each.squares],
            }
            for each in found.deciding
        ],
        "exact": found.exact,
    }
