"""Pip dominoes: tiles, sets and hands, and the score of the four games of the sheet."""

from scorer.pip_dominoes.castle_rock import (
    CastleRock,
    CastleRockResult,
    Challenge,
    best_list,
)
from scorer.pip_dominoes.castle_row import Clearing, Removal, Row, UprightTile, best_clearing
from scorer.pip_dominoes.domino_set import SETS, DominoSet
from scorer.pip_dominoes.errors import NotationError, RulesError
from scorer.pip_dominoes.games import Game, SetUp, players_allowed, setup_guide
from scorer.pip_dominoes.hand import Hand, HandProblem, hand_problems
from scorer.pip_dominoes.muggins_game import MugginsGame
from scorer.pip_dominoes.muggins_layout import (
    Layout,
    OpenEnd,
    Play,
    Spot,
    ends_points,
    is_blocked,
)
from scorer.pip_dominoes.muggins_round import MugginsRound, PlayPoints
from scorer.pip_dominoes.muggins_rules import (
    MugginsRules,
    Rounding,
    RoundWorth,
    Side,
    round_worth,
    sides_of,
)
from scorer.pip_dominoes.ranking import Place, rank
from scorer.pip_dominoes.round_game import GameProblem, RoundGame
from scorer.pip_dominoes.rounds import Remains, Round, hand_points, starting_double
from scorer.pip_dominoes.score_sheet import (
    format_muggins_round,
    format_round,
    parse_muggins_round,
    parse_muggins_rounds,
    parse_round,
    parse_rounds,
)
from scorer.pip_dominoes.tile import DOUBLE_BLANK, HIGHEST_PIPS, Tile

__all__ = [
    "DOUBLE_BLANK",
    "HIGHEST_PIPS",
    "SETS",
    "CastleRock",
    "CastleRockResult",
    "Challenge",
    "Clearing",
    "DominoSet",
    "Game",
    "GameProblem",
    "Hand",
    "HandProblem",
    "Layout",
    "MugginsGame",
    "MugginsRound",
    "MugginsRules",
    "NotationError",
    "OpenEnd",
    "Place",
    "Play",
    "PlayPoints",
    "Remains",
    "Removal",
    "Round",
    "RoundGame",
    "RoundWorth",
    "Rounding",
    "Row",
    "RulesError",
    "SetUp",
    "Side",
    "Spot",
    "Tile",
    "UprightTile",
    "best_clearing",
    "best_list",
    "ends_points",
    "format_muggins_round",
    "format_round",
    "hand_points",
    "hand_problems",
    "is_blocked",
    "parse_muggins_round",
    "parse_muggins_rounds",
    "parse_round",
    "parse_rounds",
    "players_allowed",
    "rank",
    "round_worth",
    "setup_guide",
    "sides_of",
    "starting_double",
]
