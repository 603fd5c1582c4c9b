"""The set-up of a game by number of players."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES
from scorer.kingdomino.rules import LARGE_GRID, QUESTS_DRAWN, SMALL_GRID, Rules

__all__ = ["SetUp", "setup_guide"]

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


def setup_guide(players: int, *, age_of_giants: bool = False, mighty_duel: bool = False) -> SetUp:
    """The set-up for 2 to 5 players, with or without the expansion or the Mighty Duel.

    With the expansion two players play 6 rounds, or 12 in the Mighty Duel. RulesError of ``Rules``
    if these contradict each other.

    Source: Kingdomino, "Spielvorbereitung", "Spielablauf" and variant "Das große Duell"; Age of
    Giants, "Spielvorbereitung" and "Das Auslegen der Dominostein-Reihen".
    """
    Rules(players=players, age_of_giants=age_of_giants, mighty_duel=mighty_duel)
    short = players == 2 and not mighty_duel
    rounds = 6 if short else 12
    kings = 2 if players == 2 else 1
    grid = LARGE_GRID if mighty_duel else SMALL_GRID
    if age_of_giants:
        put_aside = {2: (3,), 3: (2, 4), 4: (3,), 5: ()}[players]
        dominoes = len(BASE_DOMINOES) + len(GIANT_DOMINOES)
        return SetUp(players, dominoes, 0, 5, put_aside, rounds, kings, grid, GIANTS, QUESTS_DRAWN)
    row = 3 if players == 3 else 4
    dominoes = len(BASE_DOMINOES)
    return SetUp(players, dominoes, dominoes - rounds * row, row, (), rounds, kings, grid)
