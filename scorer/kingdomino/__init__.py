"""Kingdomino: kingdoms, their score, and what the box allows."""

from scorer.kingdomino.bonuses import Bonus
from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES, Domino
from scorer.kingdomino.errors import NotationError, RulesError
from scorer.kingdomino.kingdom import Kingdom, Position
from scorer.kingdomino.rules import QUESTS, BleakKing, Goal, Quest, Rules, TieBreak
from scorer.kingdomino.scoring import Score, score
from scorer.kingdomino.square import CASTLE, EMPTY, Square
from scorer.kingdomino.terrain import Terrain
from scorer.kingdomino.territories import Territory

__all__ = [
    "BASE_DOMINOES",
    "CASTLE",
    "EMPTY",
    "GIANT_DOMINOES",
    "QUESTS",
    "BleakKing",
    "Bonus",
    "Domino",
    "Goal",
    "Kingdom",
    "NotationError",
    "Position",
    "Quest",
    "Rules",
    "RulesError",
    "Score",
    "Square",
    "Terrain",
    "Territory",
    "TieBreak",
    "score",
]
