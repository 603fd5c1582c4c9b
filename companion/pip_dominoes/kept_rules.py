"""The rules that a game of pip dominoes is played by, as the store keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.merging import Json
from scorer.pip_dominoes import Challenge, DominoSet, Game, MugginsRules, NotationError
from scorer.pip_dominoes.errors import RulesError

__all__ = ["CastleRules", "MugginsTableRules", "RoundRules"]

_USUAL_SET = 12
_CASTLE_SET = 6


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Mexican Train and Chickenfoot: the set, and how many rounds are played.

    ``rounds`` is None for all that the set has doubles for. ``first`` is the id of the player who
    starts the first round. RulesError ``set_not_played``, ``no_such_round``.
    """

    highest: int = _USUAL_SET
    rounds: int | None = None
    first: int | None = None

    def __post_init__(self) -> None:
        if self.highest not in Game.MEXICAN_TRAIN.sets:
            raise RulesError("set_not_played", set=self.highest, sets=Game.MEXICAN_TRAIN.sets)
        if self.rounds is not None and not 1 <= self.rounds <= self.highest + 1:
            raise RulesError("no_such_round", round=self.rounds, rounds=self.highest + 1)

    @property
    def domino_set(self) -> DominoSet:
        return DominoSet(self.highest)

    @property
    def rounds_due(self) -> int:
        """How many rounds the game has."""
        return self.rounds or self.highest + 1

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same rules back."""
        return {"set": self.highest, "rounds": self.rounds, "first": self.first}

    @classmethod
    def from_data(cls, data: Json) -> RoundRules:
        """The rules of plain data; NotationError ``bad_record`` or RulesError for any other."""
        fields = _fields(data, "set", "rounds", "first")
        highest = _number(fields, "set", _USUAL_SET)
        return cls(
            _USUAL_SET if highest is None else highest,
            _number(fields, "rounds"),
            _player(fields),
        )


@dataclass(frozen=True, slots=True)
class MugginsTableRules:
    """Muggins: the rules in play, and the id of the player who starts the first round."""

    rules: MugginsRules = field(default_factory=MugginsRules)
    first: int | None = None

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same rules back."""
        return {**self.rules.to_dict(), "first": self.first}

    @classmethod
    def from_data(cls, data: Json) -> MugginsTableRules:
        """The rules of plain data; NotationError ``bad_record`` or RulesError for any other."""
        fields = _fields(data, "first", *MugginsRules().to_dict())
        rules = MugginsRules.from_dict({key: fields[key] for key in fields if key != "first"})
        return cls(rules, _player(fields))


@dataclass(frozen=True, slots=True)
class CastleRules:
    """Castle Rock: the set, and what the best list goes by."""

    highest: int = _CASTLE_SET
    challenge: Challenge = Challenge.PIPS

    def __post_init__(self) -> None:
        DominoSet(self.highest)

    @property
    def domino_set(self) -> DominoSet:
        return DominoSet(self.highest)

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same rules back."""
        return {"set": self.highest, "challenge": self.challenge.value}

    @classmethod
    def from_data(cls, data: Json) -> CastleRules:
        """The rules of plain data; NotationError ``bad_record`` or RulesError for any other."""
        fields = _fields(data, "set", "challenge")
        highest = _number(fields, "set", _CASTLE_SET)
        challenge = fields.get("challenge", Challenge.PIPS.value)
        if challenge not in [each.value for each in Challenge]:
            raise NotationError("bad_record", field="challenge")
        return cls(_CASTLE_SET if highest is None else highest, Challenge(challenge))


def _fields(data: Json, *names: str) -> Mapping[str, Json]:
    """The fields of an object; none of a game whose rules were never set."""
    if data is None:
        return {}
    if not isinstance(data, dict) or not data.keys() <= set(names):
        raise NotationError("bad_record", field="rules")
    return data


def _number(fields: Mapping[str, Json], name: str, default: int | None = None) -> int | None:
    value = fields.get(name, default)
    if value is not None and type(value) is not int:
        raise NotationError("bad_record", field=name)
    return value


def _player(fields: Mapping[str, Json]) -> int | None:
    first = _number(fields, "first")
    if first is not None and not 0 <= first <= 15:
        raise NotationError("bad_record", field="first")
    return first
