"""A game written down for people: a round a line, as it is typed or kept in a file.

Chickenfoot and Mexican Train: the starting double, then what each player had left:
``12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50``. A minus is a player who was out, a number are
points counted aloud, each +50 is a penalty.

Muggins: the points by play, a bar, what each player had left; ``Ben=10>Cleo`` are points that Ben
missed and Cleo called: ``Anna=15 20; Ben=10>Cleo / Anna=-; Ben=6|6 1|0``. Several plays of one
player may stand together; a minus or 0 is a player without points. Without a bar the round goes on.

Empty lines and what follows a # are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorer.pip_dominoes.errors import NotationError
from scorer.pip_dominoes.muggins import MugginsRound, PlayPoints
from scorer.pip_dominoes.round_game import PENALTY_POINTS, Remains, Round
from scorer.pip_dominoes.tiles import Hand, Tile

OUT = "-"
PENALTY = f"+{PENALTY_POINTS}"
RESERVED = re.compile(r"[=;:>/#\n]")


def parse_rounds(text: str) -> tuple[Round, ...]:
    """The rounds of a sheet; NotationError or RulesError as ``parse_round``."""
    return tuple(map(parse_round, _lines(text)))


def parse_muggins_rounds(text: str) -> tuple[MugginsRound, ...]:
    """The rounds of a sheet of Muggins; errors as ``parse_muggins_round``."""
    return tuple(map(parse_muggins_round, _lines(text)))


def parse_round(text: str) -> Round:
    """The round of a line; NotationError ``bad_round``, ``bad_entry``, ``bad_tile``, RulesError."""
    double, colon, entries = text.partition(":")
    if not colon:
        raise NotationError("bad_round", text=text.strip())
    remains = []
    for name, value in _entries(entries):
        words = value.split()
        hand = [word for word in words if word != PENALTY]
        remains.append(Remains(name, _left(" ".join(hand)), len(words) - len(hand)))
    return Round(Tile.parse(double), tuple(remains))


def format_round(played: Round) -> str:
    """The line of a round; ``parse_round`` gives the same round back.

    ValueError for a name that holds a sign of the notation.
    """
    entries = (
        f"{_name(each.player)} = {_left_text(each.left)}{f' {PENALTY}' * each.penalties}"
        for each in played.remains
    )
    return f"{played.double}: {'; '.join(entries)}"


def parse_muggins_round(text: str) -> MugginsRound:
    """The round of a line, in which a name alone played without points.

    NotationError ``bad_plays``, ``bad_entry``, ``bad_tile``; RulesError.
    """
    before, _, after = text.partition("/")
    plays = []
    for player, value in _entries(before, alone=OUT):
        plays += _plays(player, value)
    hands = ((name, _left(value)) for name, value in _entries(after))
    return MugginsRound(tuple(plays), tuple(hands))


def _plays(player: str, value: str) -> list[PlayPoints]:
    points, called, caller = (part.strip() for part in value.partition(">"))
    words = points.split()
    good = words and all(re.fullmatch(r"\d{1,4}", word, re.ASCII) for word in words)
    if not called and points in (OUT, "0"):
        return []
    if not good or bool(called) != bool(caller) or (called and len(words) > 1):
        raise NotationError("bad_plays", text=value)
    return [PlayPoints(player, int(word), caller or None) for word in words]


def players_of_plays(text: str) -> tuple[str, ...]:
    """Everybody who is named before the bars of a sheet of Muggins, in order of first mention.

    NotationError ``bad_entry``.
    """
    names: list[str] = []
    for line in _lines(text):
        for player, value in _entries(line.partition("/")[0], alone=OUT):
            names += [player, value.partition(">")[2].strip()]
    return tuple(dict.fromkeys(filter(None, names)))


def format_muggins_round(played: MugginsRound) -> str:
    """The line of a round; ``parse_muggins_round`` gives the same round back.

    ValueError for a name that holds a sign of the notation.
    """
    plays = "; ".join(
        f"{_name(play.player)} = {play.points}"
        + (f" > {_name(play.caller)}" if play.caller else "")
        for play in played.plays
    )
    if not played.hands:
        return plays
    hands = "; ".join(f"{_name(name)} = {_left_text(left)}" for name, left in played.hands)
    return f"{plays} / {hands}".strip()


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        kept = line.partition("#")[0].strip()
        if kept:
            yield kept


def _entries(text: str, alone: str = "") -> Iterator[tuple[str, str]]:
    """Name and value of each part between semicolons; ``alone`` is that of a name without one."""
    for part in filter(None, map(str.strip, text.split(";"))):
        name, equals, value = (each.strip() for each in part.partition("="))
        if alone and not equals and "=" in text:
            equals, value = "=", alone
        if not name or not equals or not value:
            raise NotationError("bad_entry", text=part)
        yield name, value


def _left(text: str) -> Hand | int:
    if text == OUT:
        return Hand()
    if re.fullmatch(r"\d{1,4}", text, re.ASCII):
        return int(text)
    if not text:
        raise NotationError("bad_entry", text=PENALTY)
    return Hand.parse(text)


def _left_text(left: Hand | int) -> str:
    return str(left) or OUT


def _name(name: str) -> str:
    if RESERVED.search(name) or name != name.strip() or not name:
        raise ValueError(f"name: expected no sign of the notation, got {name!r}")
    return name
