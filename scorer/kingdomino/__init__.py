"""Kingdomino: kingdoms, their score, and what the box allows."""

from scorer.kingdomino.board import Territory
from scorer.kingdomino.box.check import BoxCheck, BoxReason, Verdict, box_check
from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES, Domino, LaidDomino
from scorer.kingdomino.errors import NotationError, RulesError
from scorer.kingdomino.kingdom import CASTLE, EMPTY, Kingdom, Position, Square, Terrain
from scorer.kingdomino.problems import (
    Colour,
    GameProblem,
    Player,
    Problem,
    game_problems,
    problems,
    rules_in_play,
    rules_problems,
)
from scorer.kingdomino.ranking import (
    Criterion,
    Place,
    Rankable,
    Ranking,
    Result,
    Tie,
    dynasty,
    rank,
)
from scorer.kingdomino.rules import (
    LARGE_GRID,
    QUESTS,
    BleakKing,
    Goal,
    Quest,
    Rules,
    SetUp,
    TieBreak,
    setup_guide,
)
from scorer.kingdomino.scoring import Bonus, Score, score

__all__ = [
    "BASE_DOMINOES",
    "CASTLE",
    "EMPTY",
    "GIANT_DOMINOES",
    "LARGE_GRID",
    "QUESTS",
    "BleakKing",
    "Bonus",
    "BoxCheck",
    "BoxReason",
    "Colour",
    "Criterion",
    "Domino",
    "GameProblem",
    "Goal",
    "Kingdom",
    "LaidDomino",
    "NotationError",
    "Place",
    "Player",
    "Position",
    "Problem",
    "Quest",
    "Rankable",
    "Ranking",
    "Result",
    "Rules",
    "RulesError",
    "Score",
    "SetUp",
    "Square",
    "Terrain",
    "Territory",
    "Tie",
    "TieBreak",
    "Verdict",
    "box_check",
    "dynasty",
    "game_problems",
    "problems",
    "rank",
    "rules_in_play",
    "rules_problems",
    "score",
    "setup_guide",
]
