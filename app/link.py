"""A kingdom in the address of the page, so that a reload or a sleeping phone loses nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from app.editing import MAX_SIDE, EditedKingdom
from scorer.kingdomino import Kingdom, NotationError, Position

__all__ = ["PLAYER", "from_link", "player_from_link", "player_to_link", "to_link"]

KINGDOM = "kingdom"
CHECK = "check"
PLAYER = "player"


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
