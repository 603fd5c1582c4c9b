"""Kingdomino: kingdoms, their score, and what the box allows."""

from scorer.kingdomino.bonuses import Bonus
from scorer.kingdomino.box.check import box_check
from scorer.kingdomino.box.outcome import BoxCheck, BoxReason, Verdict
from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES, Domino
from scorer.kingdomino.errors import NotationError, RulesError
from scorer.kingdomino.kingdom import Kingdom, Position
from scorer.kingdomino.laying import LaidDomino
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
from scorer.kingdomino.rules import LARGE_GRID, QUESTS, BleakKing, Goal, Quest, Rules, TieBreak
from scorer.kingdomino.scoring import Score, score
from scorer.kingdomino.setting_up import SetUp, setup_guide
from scorer.kingdomino.square import CASTLE, EMPTY, Square
from scorer.kingdomino.terrain import Terrain
from scorer.kingdomino.territories import Territory

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
