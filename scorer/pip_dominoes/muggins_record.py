"""A game of Muggins as JSON."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from scorer.pip_dominoes.errors import NotationError
from scorer.pip_dominoes.games import MUGGINS_TARGET, Game
from scorer.pip_dominoes.hand import Hand
from scorer.pip_dominoes.muggins_game import MugginsGame, MugginsRound, PlayPoints
from scorer.pip_dominoes.muggins_rules import MugginsRules, Rounding, RoundWorth
from scorer.pip_dominoes.records import (
    Record,
    field_of,
    names_of,
    objects_of,
    optional_field,
    whole_number,
)

__all__ = ["muggins_from_dict", "muggins_to_dict"]

Choice = TypeVar("Choice", bound=Enum)


def muggins_to_dict(game: MugginsGame) -> dict[str, Any]:
    """The game as JSON; ``muggins_from_dict`` gives the same game back."""
    rules = game.rules
    return {
        "game": Game.MUGGINS.key,
        "players": list(game.players),
        "rules": {
            "target": rules.target,
            "rounding": rules.rounding.value,
            "rounded": rules.rounded.value,
            "spinner_counts": rules.spinner_counts,
            "singles": rules.singles,
        },
        "rounds": [_round_record(each) for each in game.rounds],
    }


def muggins_from_dict(record: Record) -> MugginsGame:
    """The game of a record; NotationError or RulesError for any other record."""
    if field_of(record, "game", str) != Game.MUGGINS.key:
        raise NotationError("bad_record", field="game")
    return MugginsGame(
        names_of(record, "players"),
        tuple(map(_round_of, objects_of(record, "rounds"))),
        _rules_of(optional_field(record, "rules", dict) or {}),
    )


def _round_record(played: MugginsRound) -> dict[str, Any]:
    record: dict[str, Any] = {
        "plays": [
            {"player": play.player, "points": play.points}
            | ({"caller": play.caller} if play.caller else {})
            for play in played.plays
        ]
    }
    if played.hands:
        record["hands"] = {
            name: left if isinstance(left, int) else str(left) for name, left in played.hands
        }
    return record


def _round_of(record: Record) -> MugginsRound:
    plays = (
        PlayPoints(
            field_of(each, "player", str),
            field_of(each, "points", int),
            optional_field(each, "caller", str),
        )
        for each in objects_of(record, "plays")
    )
    hands = (
        (name, Hand.parse(left) if isinstance(left, str) else whole_number(left, "hands"))
        for name, left in (optional_field(record, "hands", dict) or {}).items()
    )
    return MugginsRound(tuple(plays), tuple(hands))


def _rules_of(record: Record) -> MugginsRules:
    target = optional_field(record, "target", int)
    spinner = optional_field(record, "spinner_counts", bool)
    return MugginsRules(
        MUGGINS_TARGET if target is None else target,
        _choice(record, "rounding", Rounding.NEAREST),
        _choice(record, "rounded", RoundWorth.SUM),
        spinner is not False,
        bool(optional_field(record, "singles", bool)),
    )


def _choice(record: Record, name: str, default: Choice) -> Choice:
    value = optional_field(record, name, str)
    if value is None:
        return default
    for each in type(default):
        if each.value == value:
            return each
    raise NotationError("bad_record", field=name)
