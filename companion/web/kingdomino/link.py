"""Kingdom, players and rules in the address of the page, for a reload or a sleeping phone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.kingdomino.editing import MAX_SIDE, EditedKingdom
from scorer.kingdomino import (
    LARGE_GRID,
    BleakKing,
    Kingdom,
    NotationError,
    Position,
    Quest,
    Rules,
    RulesError,
    TieBreak,
)

__all__ = [
    "PLAYER",
    "RULES",
    "from_link",
    "player_from_link",
    "player_to_link",
    "rules_from_link",
    "rules_to_link",
    "to_link",
]

KINGDOM = "kingdom"
CHECK = "check"
PLAYER = "player"
RULES = "rules"
HARMONY, MIDDLE_KINGDOM, GIANTS, LARGE = "harmony", "middle-kingdom", "giants", "size-7"
CROWNS, BY_SQUARES, QUEST = "tie-break-crowns", "bleak-king-squares", "quest-"
"""Words of the rules in an address; a quest follows its prefix as on the command line."""


def to_link(edited: EditedKingdom) -> dict[str, str]:
    """Parameters of the address: the notation, and the squares that are still in doubt."""
    link = {KINGDOM: str(edited.kingdom)}
    if edited.doubtful:
        link[CHECK] = " ".join(f"{row}-{column}" for row, column in sorted(edited.doubtful))
    return link


def from_link(parameters: Mapping[str, str]) -> EditedKingdom | None:
    """The kingdom of an address; None where it names none that can be understood."""
    try:
        kingdom = Kingdom.parse(parameters.get(KINGDOM, ""))
    except NotationError:
        return None
    if max(kingdom.height, kingdom.width) > MAX_SIDE:
        return None
    return EditedKingdom(kingdom, doubtful=_places(parameters.get(CHECK, ""), kingdom))


def rules_to_link(rules: Rules) -> str:
    """The rules that a visitor can choose, in words; "" for the plain game."""
    chosen = {
        HARMONY: rules.harmony,
        MIDDLE_KINGDOM: rules.middle_kingdom,
        GIANTS: rules.age_of_giants,
        LARGE: rules.size == LARGE_GRID,
        CROWNS: rules.tie_break is TieBreak.CROWNS,
        BY_SQUARES: rules.bleak_king is BleakKing.SQUARES,
    }
    words = [word for word, holds in chosen.items() if holds]
    return " ".join([*words, *(f"{QUEST}{quest}" for quest in rules.quests)])


def rules_from_link(parameters: Mapping[str, str]) -> Rules:
    """The rules of an address; the plain game where it names none that go together."""
    words = parameters.get(RULES, "").split()
    quests = [word.removeprefix(QUEST) for word in words if word.startswith(QUEST)]
    try:
        return Rules(
            size=LARGE_GRID if LARGE in words else None,
            harmony=HARMONY in words,
            middle_kingdom=MIDDLE_KINGDOM in words,
            age_of_giants=GIANTS in words,
            quests=tuple(Quest.parse(quest) for quest in quests),
            tie_break=TieBreak.CROWNS if CROWNS in words else TieBreak.SHARED,
            bleak_king=BleakKing.SQUARES if BY_SQUARES in words else BleakKing.TERRITORY,
        )
    except RulesError:
        return Rules()


def player_to_link(name: str, edited: EditedKingdom) -> str:
    """A player and their kingdom, as the command line takes them: NAME=NOTATION."""
    return f"{name}={edited.kingdom}"


def player_from_link(text: str) -> tuple[str, EditedKingdom] | None:
    """Name and kingdom of a player; None for a text that is none."""
    name, _, notation = text.rpartition("=")
    edited = from_link({KINGDOM: notation})
    return (name, edited) if name and edited else None


def _places(text: str, kingdom: Kingdom) -> frozenset[Position]:
    inside = {place for place, _ in kingdom.items()}
    named = re.findall(r"\b(\d)-(\d)\b", text)
    return frozenset(place for row, column in named if (place := (int(row), int(column))) in inside)
