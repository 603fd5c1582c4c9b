"""The four games of the sheet: how each is set up, and the places of its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.tiles import DominoSet, Tile

QUICK_SET = 9
"""The quick Mexican Train is played with at most nine pips a half (decision 9)."""
MUGGINS_SET = 6
MUGGINS_DRAW = MappingProxyType({2: 7, 3: 5, 4: 5})
MUGGINS_TARGET = 250
TEAM_PLAYERS = 4
CHICKENTOES = 6
"""Toes at the starting double of Chickenfoot; the passage that would tell is lost (decision 16)."""
CASTLE_ROCK_ROW = 3
"""Tiles of a new row at Castle Rock."""


class Game(Enum):
    """A game: its key, its name, and the sets that it can be played with."""

    MUGGINS = ("muggins", "Muggins", (6, 9, 12, 15, 18))
    CASTLE_ROCK = ("castle-rock", "Castle Rock", (6, 9, 12, 15, 18))
    CHICKENFOOT = ("chickenfoot", "Chickenfoot", (9, 12, 15, 18))
    MEXICAN_TRAIN = ("mexican-train", "Mexican Train", (9, 12, 15, 18))

    def __init__(self, key: str, title: str, sets: tuple[int, ...]) -> None:
        self.key = key
        self.title = title
        self.sets = sets

    @classmethod
    def of(cls, key: str) -> Game:
        """The game of a key; RulesError ``unknown_game`` for another text."""
        for game in cls:
            if game.key == key:
                return game
        raise RulesError("unknown_game", game=key)

    @property
    def has_rounds(self) -> bool:
        """Whether it is played in a fixed number of rounds, each with its starting double."""
        return self in (Game.CHICKENFOOT, Game.MEXICAN_TRAIN)


def _row(first_players: int, *draws: int) -> Mapping[int, int]:
    return MappingProxyType(dict(enumerate(draws, start=first_players)))


DRAWS: Mapping[int, Mapping[int, int]] = MappingProxyType(
    {
        9: _row(2, 20, 14, 11, 9, 7),
        12: _row(4, 18, 14, 12, 10, 9),
        15: _row(6, 18, 15, 14, 12, 11, 10, 9),
        18: _row(8, 19, 17, 15, 14, 13, 12, 11, 10, 9),
    }
)
"""Tiles that each player draws at Chickenfoot and Mexican Train, by set and number of players.

The sheet prints the row of double-18 for Chickenfoot one column to the left; decision 7 takes the
row of Mexican Train for both. Combinations that aren't here are not offered (decision 15).
"""


def players_allowed(game: Game, domino_set: DominoSet) -> tuple[int, ...]:
    """The numbers of players that the sheet has a set-up for."""
    if game is Game.MUGGINS:
        return tuple(MUGGINS_DRAW)
    if game is Game.CASTLE_ROCK:
        return (1,)
    return tuple(DRAWS.get(domino_set.highest, ()))


@dataclass(frozen=True, slots=True)
class SetUp:
    """How to set up a game.

    ``domino_set`` is played with; ``put_aside`` tiles of a larger box stay out of it. Each player
    takes ``draw`` tiles and ``boneyard`` are left; at Castle Rock ``draw`` is the row laid first.
    ``rounds`` and ``first_double`` belong to Chickenfoot and Mexican Train, ``target`` to
    Muggins. ``teams`` are the seats, from 1, that play together. ``toes`` start at the double of
    Chickenfoot.
    """

    game: Game
    players: int
    domino_set: DominoSet
    put_aside: int
    draw: int
    boneyard: int
    rounds: int | None = None
    first_double: Tile | None = None
    target: int | None = None
    teams: tuple[tuple[int, ...], ...] = ()
    toes: int | None = None


def setup_guide(
    game: Game, players: int, box: DominoSet, *, quick: bool = False, singles: bool = False
) -> SetUp:
    """The set-up for so many players who own the set ``box``.

    ``quick`` plays Mexican Train with no more than nine pips a half (decision 9), ``singles``
    lets four play Muggins without teams, a house rule (decision 18). RulesError
    ``set_not_played``, ``not_in_table``, ``quick_not_played`` or ``singles_not_played``.

    Source: sheet, "Vorbereitung" of each game.
    """
    if box.highest not in game.sets:
        raise RulesError("set_not_played", game=game.title, set=box.highest, sets=game.sets)
    if quick and game is not Game.MEXICAN_TRAIN:
        raise RulesError("quick_not_played", game=game.title)
    if singles and game is not Game.MUGGINS:
        raise RulesError("singles_not_played", game=game.title)
    played = DominoSet(_highest_played(game, box, quick))
    allowed = players_allowed(game, played)
    if players not in allowed:
        raise RulesError(
            "not_in_table",
            game=game.title,
            set=played.highest,
            players=players,
            allowed=allowed,
        )
    put_aside = box.size - played.size
    if game is Game.CASTLE_ROCK:
        draw = CASTLE_ROCK_ROW
        return SetUp(game, players, played, put_aside, draw, played.size - draw)
    if game is Game.MUGGINS:
        draw = MUGGINS_DRAW[players]
        teams = ((1, 3), (2, 4)) if players == TEAM_PLAYERS and not singles else ()
        boneyard = played.size - players * draw
        return SetUp(
            game, players, played, put_aside, draw, boneyard, target=MUGGINS_TARGET, teams=teams
        )
    draw = DRAWS[played.highest][players]
    boneyard = played.size - 1 - players * draw
    doubles = played.doubles
    toes = CHICKENTOES if game is Game.CHICKENFOOT else None
    rounds, first = len(doubles), doubles[0]
    return SetUp(game, players, played, put_aside, draw, boneyard, rounds, first, toes=toes)


def _highest_played(game: Game, box: DominoSet, quick: bool) -> int:
    """Muggins takes the tiles with at most six pips a half out of a larger set."""
    if game is Game.MUGGINS:
        return MUGGINS_SET
    return QUICK_SET if quick else box.highest


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a player, from 1; equal totals share a place. A team is named by both names."""

    player: str
    place: int
    points: int


def rank(totals: Mapping[str, int], *, lowest_wins: bool) -> tuple[Place, ...]:
    """The places, first to last; equal totals share one and the next is skipped (1, 1, 3).

    Who shares a place keeps the order given. Source: sheet, "Endabrechnung und Siegbedingungen";
    decision 8 for ties.
    """
    keys = {name: total if lowest_wins else -total for name, total in totals.items()}
    return tuple(
        Place(name, 1 + sum(key < keys[name] for key in keys.values()), totals[name])
        for name in sorted(totals, key=lambda name: keys[name])
    )
