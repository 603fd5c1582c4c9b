"""Kinds of games: what the store must know of a game to keep it, given by the game's own package.

A package gives one subclass of ``GameKind`` and registers it::

    class MugginsKind(GameKind):
        key = "muggins"
        players = range(2, 5)

        def check(self, part, value, game):
            if not part.startswith("round:"):
                raise StoreError("bad_part", part=part)
            return checked_round(value)       # StoreError("bad_value", …) for anything else

        def results(self, game):
            totals = {p["id"]: total(p["id"], game) for p in players_of(game)}
            return ranked(totals, complete=max(totals.values()) >= 250)

    MUGGINS = register(MugginsKind())

A game is a handful of *parts*, each a JSON value under a key such as ``rules``, ``board:1:0`` or
``round:3``. Every confirmed change sets one part, so that people who work on different boards or
rounds never meet. ``about`` and ``players`` are parts of every game and checked here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from companion.store.errors import StoreError
from companion.store.merging import Json, Merged, merge_objects


@dataclass(frozen=True)
class PlayerResult:
    """What a player has: ``points`` None before there is anything to count, ``place`` from 1.

    ``details`` are further figures by name, for statistics and tables: points by terrain, pips by
    round.
    """

    player: int
    points: int | None = None
    place: int | None = None
    won: bool = False
    details: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Results:
    """The standing of a game; only ``complete`` ones count in statistics."""

    players: tuple[PlayerResult, ...] = ()
    complete: bool = False


class GameKind(ABC):
    """A kind of game; see the module for an example.

    ``key`` names it in the database and never changes. ``players`` are the numbers of players it
    can be played by, within 1 to 16. ``highest_wins`` and ``bgg_id`` (its number at BoardGameGeek)
    are for the exchange with other programs.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    players: ClassVar[range]
    highest_wins: ClassVar[bool] = True
    bgg_id: ClassVar[int | None] = None

    @abstractmethod
    def check(self, part: str, value: Json, game: Mapping[str, Json]) -> Json:
        """The value in its normal form; StoreError ``bad_part`` or ``bad_value`` if it is wrong.

        ``game`` has the other parts as they stand, by key.
        """

    @abstractmethod
    def results(self, game: Mapping[str, Json]) -> Results:
        """The standing of the players, from the parts of the game; never an error."""

    def merge(self, part: str, base: Json, current: Json, sent: Json) -> Merged:
        """``sent`` was made from ``base`` while the part became ``current``: both in one value.

        Where both changed the same place, the current value stays and the collision is named.
        None stands for a part that is not there. The default merges JSON objects key by key.
        """
        return merge_objects(base, current, sent)

    def leaf(self, part: str, value: Json, leaf: str) -> Json:
        """What a value has at a place that ``merge`` named; None where it has nothing."""
        for key in leaf.split("/"):
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def is_given_name(self, name: str) -> bool:
        """Whether players are called so, in any language, whom nobody has named."""
        return False

    def check_reading(self, reading: Json) -> None:  # noqa: B027
        """Raise StoreError ``bad_value`` for what this game does not keep of a photo."""

    def check_players(self, players: Sequence[Json], game: Mapping[str, Json]) -> None:  # noqa: B027
        """Raise StoreError ``bad_players`` for players that this game can't have."""


_KINDS: dict[str, GameKind] = {}


def register(kind: GameKind) -> GameKind:
    """Make a kind known to every store of this process; ValueError for a key that is taken."""
    known = _KINDS.get(kind.key)
    if known is not None and type(known) is not type(kind):
        raise ValueError(f"kind: {kind.key!r} is taken by {type(known).__name__}")
    _KINDS[kind.key] = kind
    return kind


def kind_of(key: str) -> GameKind:
    """The registered kind; StoreError ``unknown_kind``."""
    try:
        return _KINDS[key]
    except KeyError:
        raise StoreError("unknown_kind", kind=key) from None


def registered() -> tuple[GameKind, ...]:
    """All kinds that are known, in the order in which they were registered."""
    return tuple(_KINDS.values())


def players_of(game: Mapping[str, Json]) -> list[Json]:
    """The players in seat order: each has ``id``, ``name`` and ``colour`` (or None)."""
    return list(game.get("players") or [])


def ranked(
    points: Mapping[int, int | None],
    *,
    complete: bool,
    highest_wins: bool = True,
    details: Mapping[int, Mapping[str, int]] | None = None,
) -> Results:
    """Results with places by points alone; equal points share a place (1, 1, 3).

    Nobody has won before the game is complete.
    """
    counted = [value for value in points.values() if value is not None]
    found = []
    for player, value in points.items():
        better = [p for p in counted if value is not None and (p > value) is highest_wins]
        place = None if value is None else 1 + sum(p != value for p in better)
        won = complete and place == 1
        found.append(PlayerResult(player, value, place, won, (details or {}).get(player, {})))
    return Results(tuple(found), complete)
