"""What the store takes and gives: games, changes, confirmations; all frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from companion.store.kinds import Results
from companion.store.merging import Json

ABOUT = "about"
PLAYERS = "players"
GAME = "game"
"""Parts of every game. ``game`` is written by the store alone: whether the game is deleted."""


class Outcome(StrEnum):
    """What became of a change: taken as it was, merged with others', or colliding with one."""

    APPLIED = "applied"
    MERGED = "merged"
    COLLIDED = "collided"


@dataclass(frozen=True)
class Actor:
    """Who does something: the device's own unguessable id, and the person if they said so.

    An empty device stands for the machine the store is on.
    """

    device: str = ""
    who: str = ""


@dataclass(frozen=True)
class Player:
    """A player; the ``id`` (0 to 15) stays the same when seats and names change."""

    id: int
    name: str
    colour: str | None = None


@dataclass(frozen=True)
class Change:
    """A change to be confirmed: ``part`` shall hold ``value`` (None takes the part away).

    ``based_on`` is the sequence number of the part that the change was made from, 0 for a part
    that was not there. ``change_id`` is made by the client and unique in the game: a change that
    is sent again is confirmed again and done once. ``action`` says what was done, for the log.
    ``settles`` names collisions, as (sequence, leaf), that people have decided by it.
    """

    part: str
    value: Json
    based_on: int
    change_id: str
    action: str = "set"
    settles: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Collision:
    """A place that two people set differently and nobody has settled yet.

    ``sequence`` is the change that came second; ``kept`` is in the game, ``other`` is what it
    sent. A later change of that place, made by someone who could see the collision, settles it.
    """

    sequence: int
    part: str
    leaf: str
    kept: Json
    other: Json


@dataclass(frozen=True)
class Confirmed:
    """A change that is on the disk.

    ``sequence`` is its number in the game, ``part_sequence`` in the part, which the next change
    is based on. ``value`` is what the part holds now, which is not what was sent unless
    ``outcome`` is APPLIED. ``again`` is True where it was confirmed before.
    """

    part: str
    sequence: int
    part_sequence: int
    value: Json
    outcome: Outcome
    collisions: tuple[Collision, ...] = ()
    again: bool = False


@dataclass(frozen=True)
class Part:
    """What a part of a game holds, and the sequence number that changes of it are based on."""

    value: Json
    sequence: int


@dataclass(frozen=True)
class Game:
    """A game as it stands; ``sequence`` is the number of its last change.

    ``kept`` marks a board that was kept without a game. ``results`` has the standing.
    """

    id: str
    kind: str
    kept: bool
    created_at: datetime
    changed_at: datetime
    played_at: datetime
    deleted_at: datetime | None
    sequence: int
    parts: Mapping[str, Part]
    results: Results
    collisions: tuple[Collision, ...] = ()

    @property
    def values(self) -> dict[str, Json]:
        """The values of the parts by key, without parts that were taken away."""
        return {key: part.value for key, part in self.parts.items() if part.value is not None}

    @property
    def players(self) -> tuple[Player, ...]:
        """The players in seat order."""
        return tuple(Player(**each) for each in self.values.get(PLAYERS, []))

    def part(self, key: str) -> Part:
        """The part; one that is not there has the value None and the sequence number 0."""
        return self.parts.get(key, Part(None, 0))


@dataclass(frozen=True)
class Logged:
    """A line of the log: who did what when, and the points of each player after it, by id."""

    sequence: int
    part: str
    part_sequence: int
    action: str
    outcome: Outcome
    device: str
    who: str
    at: datetime
    change_id: str
    value: Json
    undoes: int | None = None
    points: Mapping[int, int | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Changes:
    """The changes after a number, oldest first; ``more`` where there were too many for once."""

    sequence: int
    changes: tuple[Logged, ...] = ()
    collisions: tuple[Collision, ...] = ()
    more: bool = False
