"""The rules of a game as one value, and its set-up by number of players."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from scorer.computed import computed_once
from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES
from scorer.kingdomino.errors import RulesError
from scorer.kingdomino.kingdom import Terrain

SMALL_GRID = 5
LARGE_GRID = 7
PLAYERS = range(2, 6)


class TieBreak(Enum):
    """What decides between equal points and equal largest territories.

    Source: Kingdomino, "Spielende": the victory is shared. The first English and French edition
    compares the crowns of the whole kingdom before that.
    """

    SHARED = "shared"
    CROWNS = "crowns"


class BleakKing(Enum):
    """How the quest Bleak King (Bauernschlau) counts squares without crowns.

    TERRITORY is the publisher's English wording and its clarification, SQUARES the literal German
    sheet of Age of Giants.
    """

    TERRITORY = "territory"
    SQUARES = "squares"


class Goal(Enum):
    """What a bonus is given for: key, English and German name, and the points for each time.

    Source: Kingdomino, "Varianten"; Age of Giants, "Erläuterungen zu den Wertungsplättchen".
    """

    LOCAL_BUSINESS = ("local-business", "Local Business", "Umland", 5)
    FOUR_CORNERS = ("four-corners", "Four Corners", "Die 4 Ecken des Königreichs", 5)
    HARMONY = ("harmony", "Harmony", "Harmonie", 5)
    MIDDLE_KINGDOM = ("middle-kingdom", "Middle Kingdom", "Reich der Mitte", 10)
    LOST_CORNER = ("lost-corner", "Lost Corner", "Im hintersten Winkel", 20)
    FOLIE_DES_GRANDEURS = ("folie-des-grandeurs", "Folie des Grandeurs", "Genial oder irre", 10)
    BLEAK_KING = ("bleak-king", "Bleak King", "Bauernschlau", 10)

    def __init__(self, key: str, english: str, german: str, points: int) -> None:
        self.key = key
        self.english = english
        self.german = german
        self.points = points

    @property
    def shows_terrain(self) -> bool:
        """Whether there is a tile of it for each terrain."""
        return self in (Goal.LOCAL_BUSINESS, Goal.FOUR_CORNERS)


@dataclass(frozen=True, slots=True)
class Quest:
    """A scoring tile (Wertungsplättchen), or the base variant that gives the same bonus.

    RulesError ``quest_needs_terrain`` or ``quest_without_terrain`` if goal and terrain don't
    match.
    """

    goal: Goal
    terrain: Terrain | None = None

    def __post_init__(self) -> None:
        if self.goal.shows_terrain and self.terrain is None:
            raise RulesError("quest_needs_terrain", quest=self.goal.key)
        if not self.goal.shows_terrain and self.terrain is not None:
            raise RulesError("quest_without_terrain", quest=self.goal.key)

    @classmethod
    def parse(cls, text: str) -> Quest:
        """Parse a text such as ``harmony`` or ``local-business:w``.

        RulesError ``unknown_quest``, ``quest_needs_terrain`` or ``quest_without_terrain``.
        """
        key, _, letter = text.partition(":")
        goals = [goal for goal in Goal if goal.key == key]
        letters = [terrain.letter for terrain in Terrain]
        if not goals or (letter and letter not in letters) or text.endswith(":"):
            raise RulesError("unknown_quest", quest=text)
        return cls(goals[0], Terrain.of(letter) if letter else None)

    def __str__(self) -> str:
        return f"{self.goal.key}:{self.terrain.letter}" if self.terrain else self.goal.key


QUESTS_DRAWN = 2
"""How many scoring tiles are drawn for a game."""

QUESTS = tuple(
    Quest(goal, terrain)
    for goal in Goal
    for terrain in (Terrain if goal.shows_terrain else (None,))
)
"""The 17 scoring tiles of Age of Giants, each of which exists once."""


@dataclass(frozen=True)
class Rules:
    """The rules of one game, checked for contradictions.

    ``size`` is the side of the grid, 5 or 7. With None it is 7 in the Mighty Duel, and for a
    kingdom of more than 25 squares unless 3 or more play, else 5; ``rules_in_play`` makes it one
    for all kingdoms of a game. ``players`` is 2..5, or None if
    it is unknown. ``age_of_giants`` means that the 12 dominoes of the expansion are in play; its
    quests can be used with or without them. ``court`` means that The Court is in play.

    RulesError ``bad_size``, ``bad_players``, ``variant_beside_quests``, ``duplicate_quest``,
    ``duel_needs_two_players``, ``duel_needs_large_grid``, ``large_grid_needs_two_players`` or
    ``five_players_need_expansion``.

    Source: Kingdomino, "Spielvorbereitung" and "Varianten"; Age of Giants, "Spielvorbereitung",
    "Das Auslegen der Dominostein-Reihen" and the note on the variants under "Die
    Wertungsplättchen".
    """

    size: int | None = None
    players: int | None = None
    harmony: bool = False
    middle_kingdom: bool = False
    mighty_duel: bool = False
    age_of_giants: bool = False
    quests: tuple[Quest, ...] = ()
    tie_break: TieBreak = TieBreak.SHARED
    bleak_king: BleakKing = BleakKing.TERRITORY
    court: bool = False

    def __post_init__(self) -> None:
        if self.size not in (None, SMALL_GRID, LARGE_GRID):
            raise RulesError("bad_size", size=self.size)
        if self.players is not None and self.players not in PLAYERS:
            raise RulesError("bad_players", players=self.players)
        if self.quests and (self.harmony or self.middle_kingdom):
            variant = Goal.HARMONY if self.harmony else Goal.MIDDLE_KINGDOM
            raise RulesError("variant_beside_quests", variant=variant.key)
        for quest in self.quests:
            if self.quests.count(quest) > 1:
                raise RulesError("duplicate_quest", quest=str(quest))
        if self.mighty_duel and self.players not in (None, 2):
            raise RulesError("duel_needs_two_players", players=self.players)
        if self.mighty_duel and self.size == SMALL_GRID:
            raise RulesError("duel_needs_large_grid", size=self.size)
        if self.size == LARGE_GRID and self.players not in (None, 2):
            raise RulesError("large_grid_needs_two_players", players=self.players)
        if self.players == PLAYERS[-1] and not self.age_of_giants:
            raise RulesError("five_players_need_expansion", players=self.players)

    @computed_once
    def goals(self) -> tuple[Quest, ...]:
        """What gives a bonus: the variants in play, or the quests."""
        variants = [Quest(Goal.HARMONY)] if self.harmony else []
        variants += [Quest(Goal.MIDDLE_KINGDOM)] if self.middle_kingdom else []
        return (*variants, *self.quests)

    @property
    def expansion(self) -> bool:
        """Whether any part of Age of Giants is in play."""
        return self.age_of_giants or bool(self.quests)

    def grid(self, squares: int) -> int:
        """The side of the grid for a kingdom of this many squares, castle included."""
        if self.size is not None:
            return self.size
        for_two = self.players in (None, 2)
        large = self.mighty_duel or (for_two and squares > SMALL_GRID**2)
        return LARGE_GRID if large else SMALL_GRID


GIANTS = 6


@dataclass(frozen=True, slots=True)
class SetUp:
    """How to set up a game.

    ``dominoes`` is the number in the box, of which ``put_back`` return to it unseen. A row has
    ``row`` dominoes; those at the places ``put_aside``, from 1, are removed before kings are
    placed. ``kings`` is the number per player, ``grid`` the side of the kingdom in squares.
    ``giants`` and ``quests`` are for all players together.
    """

    players: int
    dominoes: int
    put_back: int
    row: int
    put_aside: tuple[int, ...]
    rounds: int
    kings: int
    grid: int
    giants: int = 0
    quests: int = 0

    @property
    def drawn(self) -> int:
        """The number of dominoes laid out in rows over the whole game."""
        return self.rounds * self.row

    @property
    def removed(self) -> int:
        """The number of drawn dominoes that are removed before kings are placed."""
        return self.rounds * len(self.put_aside)

    @property
    def played(self) -> int:
        """The number of dominoes that all players get together."""
        return self.drawn - self.removed

    @property
    def dominoes_each(self) -> int:
        """The number of dominoes that each player gets."""
        return self.played // self.players


def setup_guide(
    players: int,
    *,
    age_of_giants: bool = False,
    mighty_duel: bool = False,
    quests: bool | None = None,
) -> SetUp:
    """The set-up for 2 to 5 players, with or without the expansion or the Mighty Duel.

    With the expansion two players play 6 rounds, or 12 in the Mighty Duel. ``quests`` can be
    drawn without its dominoes and left out with them; with None they belong to these. RulesError
    of ``Rules`` if these contradict each other.

    Source: Kingdomino, "Spielvorbereitung", "Spielablauf" and variant "Das große Duell"; Age of
    Giants, "Spielvorbereitung" and "Das Auslegen der Dominostein-Reihen".
    """
    Rules(players=players, age_of_giants=age_of_giants, mighty_duel=mighty_duel)
    short = players == 2 and not mighty_duel
    rounds = 6 if short else 12
    kings = 2 if players == 2 else 1
    grid = LARGE_GRID if mighty_duel else SMALL_GRID
    drawn = QUESTS_DRAWN if (age_of_giants if quests is None else quests) else 0
    if age_of_giants:
        put_aside = {2: (3,), 3: (2, 4), 4: (3,), 5: ()}[players]
        dominoes = len(BASE_DOMINOES) + len(GIANT_DOMINOES)
        return SetUp(players, dominoes, 0, 5, put_aside, rounds, kings, grid, GIANTS, drawn)
    row = 3 if players == 3 else 4
    dominoes = len(BASE_DOMINOES)
    put_back = dominoes - rounds * row
    return SetUp(players, dominoes, put_back, row, (), rounds, kings, grid, quests=drawn)
