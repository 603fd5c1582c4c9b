"""Domino-Duell: 64 stones, the points of a move and why, all moves of a hand, whole games."""

from scorer.domino_duell.board import Board
from scorer.domino_duell.errors import (
    BoardError,
    DuelError,
    IllegalTurn,
    NotationError,
    Reason,
    SetUpError,
)
from scorer.domino_duell.game import Game, Step, replay
from scorer.domino_duell.groups import (
    GroupKind,
    MissingFeature,
    completions,
    is_group,
    missing_features,
)
from scorer.domino_duell.hand import Hand
from scorer.domino_duell.jokers import joker_hollows, why_joker_illegal
from scorer.domino_duell.notation import format_turn, parse_turn
from scorer.domino_duell.record import Record, parse_board
from scorer.domino_duell.scoring import Group, Move, legal_moves, score_move, why_illegal
from scorer.domino_duell.setting_up import HAND_SIZE, PLAYERS, End, SetUp
from scorer.domino_duell.shape import DEFAULT_SHAPE, Shape
from scorer.domino_duell.stone import (
    JOKER,
    JOKERS,
    STONES,
    Colour,
    Feature,
    Joker,
    Piece,
    Stone,
    Symbol,
    SymbolColour,
    parse_piece,
)
from scorer.domino_duell.turns import Exchange, Lay, Pass, Turn, UseJoker

__all__ = [
    "DEFAULT_SHAPE",
    "HAND_SIZE",
    "JOKER",
    "JOKERS",
    "PLAYERS",
    "STONES",
    "Board",
    "BoardError",
    "Colour",
    "DuelError",
    "End",
    "Exchange",
    "Feature",
    "Game",
    "Group",
    "GroupKind",
    "Hand",
    "IllegalTurn",
    "Joker",
    "Lay",
    "MissingFeature",
    "Move",
    "NotationError",
    "Pass",
    "Piece",
    "Reason",
    "Record",
    "SetUp",
    "SetUpError",
    "Shape",
    "Step",
    "Stone",
    "Symbol",
    "SymbolColour",
    "Turn",
    "UseJoker",
    "completions",
    "format_turn",
    "is_group",
    "joker_hollows",
    "legal_moves",
    "missing_features",
    "parse_board",
    "parse_piece",
    "parse_turn",
    "replay",
    "score_move",
    "why_illegal",
    "why_joker_illegal",
]
