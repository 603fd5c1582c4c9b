"""A kingdom in the address of the page, so that a reload or a sleeping phone loses nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from app.editing import MAX_SIDE, EditedKingdom
from scorer.kingdomino import Kingdom, NotationError, Position

__all__ = ["from_link", "to_link"]

KINGDOM = "kingdom"
CHECK = "check"


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


def _places(text: str, kingdom: Kingdom) -> frozenset[Position]:
    inside = {place for place, _ in kingdom.items()}
    named = re.findall(r"\b(\d)-(\d)\b", text)
    return frozenset(place for row, column in named if (place := (int(row), int(column))) in inside)
