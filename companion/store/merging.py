"""Two changes of one value put together, leaf by leaf, with what both of them changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

Json = Any
"""Plain data as ``json`` reads it."""

WHOLE = ""
"""The leaf of a collision that concerns the value as a whole."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class LeafCollision:
    """A place that two people set differently: ``kept`` is in the value, ``other`` was sent later.

    ``leaf`` names the place inside the value in the words of its kind, ``WHOLE`` for all of it.
    """

    leaf: str
    kept: Json
    other: Json


@dataclass(frozen=True)
class Merged:
    """The value that holds both changes, and where they collide."""

    value: Json
    collisions: tuple[LeafCollision, ...] = ()


def merge_whole(base: Json, current: Json, sent: Json) -> Merged:
    """The changed one of two values; where both changed, the current one and a collision."""
    if current in (base, sent):
        return Merged(sent)
    if sent == base:
        return Merged(current)
    return Merged(current, (LeafCollision(WHOLE, current, sent),))


def merge_objects(base: Json, current: Json, sent: Json) -> Merged:
    """JSON objects merged by their keys, at every depth; anything else as a whole.

    A key that one side removed and the other changed collides. Lists are leaves. Leaves are named
    by their keys joined with ``/``.
    """
    if not (isinstance(base, dict) and isinstance(current, dict) and isinstance(sent, dict)):
        return merge_whole(base, current, sent)
    value: dict[str, Json] = {}
    collisions: list[LeafCollision] = []
    for key in dict.fromkeys([*current, *sent, *base]):
        sides = [side.get(key, _MISSING) for side in (base, current, sent)]
        if all(isinstance(side, dict) for side in sides):
            inner = merge_objects(*sides)
        else:
            inner = merge_whole(*sides)
        if inner.value is not _MISSING:
            value[key] = inner.value
        for each in inner.collisions:
            leaf = f"{key}/{each.leaf}" if each.leaf else key
            collisions.append(LeafCollision(leaf, _shown(each.kept), _shown(each.other)))
    return Merged(value, tuple(collisions))


def three_way(
    base: Mapping[Key, Json],
    current: Mapping[Key, Json],
    sent: Mapping[Key, Json],
    settle: Callable[[Key, Json, Json], Json | None],
) -> tuple[dict[Key, Json], list[Key]]:
    """Leaves merged one by one, and those where ``settle`` knew no answer (current is kept).

    All three have the same keys. ``settle`` is asked where both sides changed a leaf to different
    values; it gives the value to take, or None.
    """
    value: dict[Key, Json] = {}
    unsettled = []
    for key, before in base.items():
        now, new = current[key], sent[key]
        if now in (before, new):
            value[key] = new
        elif new == before:
            value[key] = now
        else:
            answer = settle(key, now, new)
            if answer is None:
                unsettled.append(key)
            value[key] = now if answer is None else answer
    return value, unsettled


class _Missing:
    """Stands for a key that is not there, which is not the same as null."""


_MISSING = _Missing()


def _shown(value: Json) -> Json:
    return None if isinstance(value, _Missing) else value
