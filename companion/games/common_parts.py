"""How the parts that every game has are merged: players one by one, the rest key by key."""

from __future__ import annotations

from companion.games.kinds import GameKind
from companion.games.merging import Json, LeafCollision, Merged, merge_objects
from companion.games.model import PLAYERS

__all__ = ["leaf_of", "merge_part"]

_ORDER = "order"


def merge_part(kind: GameKind, part: str, base: Json, current: Json, sent: Json) -> Merged:
    """``GameKind.merge`` for any part; players' leaves are ``0/name``, ``0/colour``, ``order``."""
    if part != PLAYERS:
        return kind.merge(part, base, current, sent)
    merged = merge_objects(_by_id(base), _by_id(current), _by_id(sent))
    collisions = [
        each if each.leaf else LeafCollision("", _in_order(each.kept), _in_order(each.other))
        for each in merged.collisions
    ]
    return Merged(_in_order(merged.value), tuple(collisions))


def leaf_of(kind: GameKind, part: str, value: Json, leaf: str) -> Json:
    """``GameKind.leaf`` for any part."""
    return kind.leaf(part, _by_id(value) if part == PLAYERS else value, leaf)


def _by_id(players: Json) -> Json:
    if players is None:
        return None
    order = {_ORDER: [player["id"] for player in players]}
    return order | {str(player["id"]): player for player in players}


def _in_order(value: Json) -> Json:
    """The players in the merged order; one that only the other side knew sits last."""
    if value is None:
        return None
    ids = dict.fromkeys([str(number) for number in value[_ORDER]])
    ids |= dict.fromkeys(key for key in value if key != _ORDER)
    return [value[key] for key in ids if key in value]
