"""Who can still win a game with doubtful squares: from readings, as JSON and in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from companion.games.kingdomino.texts import place_name, square_name
from companion.languages import Language, say
from scorer.kingdomino import DecidingSquare, OpenKingdom, Outcome, outcome
from scorer.kingdomino.rules import PLAYERS
from vision.kingdomino.alternatives import alternatives
from vision.kingdomino.result import KingdomReading


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


def outcome_lines(
    found: Outcome, names: Mapping[str, str], doubts: int, language: Language
) -> Iterator[str]:
    """Who wins or can win, which square decides first, and what changes nothing.

    ``names`` are those of the players, ``doubts`` how many squares are to be checked in all.
    """
    results = [winners_line([names[each] for each in one], language) for one in found.possible]
    if found.certain and not doubts:
        yield say("outcome.sure", language, result=results[0])
    elif found.certain:
        yield say("outcome.certain", language, result=results[0], count=doubts)
    else:
        yield say("outcome.open", language, results="; ".join(results))
        for first in found.deciding[:1]:
            yield deciding_line(first, names[first.player], language)
        if (more := len(found.deciding) - 1) > 0:
            yield say("outcome.more", language, count=more)
        if rest := doubts - len(found.deciding):
            yield say("outcome.idle", language, count=rest)


def winners_line(names: Sequence[str], language: Language) -> str:
    """Who wins, without a full stop: "Anna wins", "Anna and Ben share the victory"."""
    if len(names) == 1:
        return say("outcome.wins", language, name=names[0])
    *before, last = names
    together = say("list.and", language, before=", ".join(before), last=last)
    return say("outcome.shared", language, names=together)


def deciding_line(each: DecidingSquare, name: str, language: Language) -> str:
    """The square that decides, and what it may be."""
    squares = [square_name(square, language) for square in each.squares]
    *before, last = squares
    either = say("ranking.or", language, first=", ".join(before), second=last)
    place = place_name(each.position, language)
    return say("outcome.decides", language, name=name, place=place, squares=either)
