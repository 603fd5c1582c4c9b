"""Kingdomino: kingdoms, their score, and what the box allows."""

from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES, Domino
from scorer.kingdomino.errors import NotationError, RulesError
from scorer.kingdomino.kingdom import Kingdom, Position
from scorer.kingdomino.scoring import Score, Territory, score
from scorer.kingdomino.square import CASTLE, EMPTY, Square
from scorer.kingdomino.terrain import Terrain

__all__ = [
    "BASE_DOMINOES",
    "CASTLE",
    "EMPTY",
    "GIANT_DOMINOES",
    "Domino",
    "Kingdom",
    "NotationError",
    "Position",
    "RulesError",
    "Score",
    "Square",
    "Terrain",
    "Territory",
    "score",
]
