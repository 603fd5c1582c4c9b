"""The rules of a game as the store keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from companion.games.merging import Json
from scorer.kingdomino import BleakKing, Quest, Rules, RulesError, TieBreak
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY

__all__ = ["GAMES_OF_A_DYNASTY", "KeptRules"]

_SWITCHES = ("harmony", "middle_kingdom", "mighty_duel", "age_of_giants")


@dataclass(frozen=True)
class KeptRules:
    """The rules of one game, or of the three games of a Dynasty, whose points are added."""

    rules: Rules = field(default_factory=Rules)
    dynasty: bool = False

    @property
    def games(self) -> range:
        """The numbers of the games that are played: 1, or 1 to 3."""
        return range(1, 1 + (GAMES_OF_A_DYNASTY if self.dynasty else 1))

    @classmethod
    def from_data(cls, data: Json) -> Self:
        """The rules from plain data; missing fields have their defaults.

        RulesError with the codes of ``Rules``, or ``unknown_rule`` for an unknown field or value.
        """
        if data is None:
            return cls()
        fields = {*_SWITCHES, "size", "quests", "tie_break", "bleak_king", "dynasty"}
        if not isinstance(data, dict) or not data.keys() <= fields:
            raise RulesError("unknown_rule")
        switches = {name: data.get(name, False) for name in (*_SWITCHES, "dynasty")}
        if any(type(value) is not bool for value in switches.values()):
            raise RulesError("unknown_rule")
        dynasty = switches.pop("dynasty")
        quests = data.get("quests", [])
        if not isinstance(quests, list) or not all(isinstance(each, str) for each in quests):
            raise RulesError("unknown_rule")
        size = data.get("size")
        if size is not None and type(size) is not int:
            raise RulesError("unknown_rule")
        try:
            tie_break = TieBreak(data.get("tie_break", TieBreak.SHARED.value))
            bleak_king = BleakKing(data.get("bleak_king", BleakKing.TERRITORY.value))
        except ValueError:
            raise RulesError("unknown_rule") from None
        rules = Rules(
            size=size,
            quests=tuple(Quest.parse(each) for each in quests),
            tie_break=tie_break,
            bleak_king=bleak_king,
            **switches,
        )
        return cls(rules, dynasty)

    def to_data(self) -> Json:
        """Plain data of all fields, which ``from_data`` turns back into the same rules.

        The number of players is left out: the game knows its players.
        """
        rules = self.rules
        return {
            "size": rules.size,
            **{name: getattr(rules, name) for name in _SWITCHES},
            "quests": [str(quest) for quest in rules.quests],
            "tie_break": rules.tie_break.value,
            "bleak_king": rules.bleak_king.value,
            "dynasty": self.dynasty,
        }
