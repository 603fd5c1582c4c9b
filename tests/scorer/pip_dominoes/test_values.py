"""The values that kept games, JSON and the languages know, and those of fields left out."""

from __future__ import annotations

from enum import Enum

import pytest

from scorer.pip_dominoes import (
    CastleRock,
    CastleRockResult,
    Challenge,
    DominoSet,
    Game,
    Hand,
    Layout,
    MugginsGame,
    MugginsRound,
    MugginsRules,
    PlayPoints,
    Remains,
    RoundGame,
    Rounding,
    RoundWorth,
    Row,
    SetUp,
    Spot,
)
from scorer.pip_dominoes.castle_rock import MOST_ROWS
from scorer.pip_dominoes.games import (
    CASTLE_ROCK_ROW,
    CHICKENTOES,
    MUGGINS_DRAW,
    MUGGINS_SET,
    MUGGINS_TARGET,
    QUICK_SET,
    TEAM_PLAYERS,
)
from scorer.pip_dominoes.muggins import STEP
from scorer.pip_dominoes.round_game import DOUBLE_BLANK_POINTS, PENALTY_POINTS, GameProblem
from scorer.pip_dominoes.tiles import SETS, HandProblem
from tests.scorer.defaults import defaults_of


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (
            Game,
            {
                "MUGGINS": ("muggins", "Muggins", (6, 9, 12, 15, 18)),
                "CASTLE_ROCK": ("castle-rock", "Castle Rock", (6, 9, 12, 15, 18)),
                "CHICKENFOOT": ("chickenfoot", "Chickenfoot", (9, 12, 15, 18)),
                "MEXICAN_TRAIN": ("mexican-train", "Mexican Train", (9, 12, 15, 18)),
            },
        ),
        (Challenge, {"PIPS": "pips", "CLOCK": "clock"}),
        (Rounding, {"NEAREST": "nearest", "UP": "up"}),
        (RoundWorth, {"SUM": "sum", "EACH_HAND": "each-hand"}),
        (
            Spot,
            {
                "START": "start",
                "LEFT": "left",
                "RIGHT": "right",
                "SIDE_1": "side 1",
                "SIDE_2": "side 2",
                "END_1": "end 1",
                "END_2": "end 2",
            },
        ),
    ],
)
def test_enumerations(kind: type[Enum], values: dict[str, object]) -> None:
    assert {member.name: member.value for member in kind} == values


@pytest.mark.parametrize(
    ("kind", "defaults"),
    [
        (CastleRock, {"row": Row(), "gone": Hand()}),
        (CastleRockResult, {"seconds": None}),
        (Row, {"tiles": ()}),
        (Hand, {"tiles": ()}),
        (HandProblem, {"tile": None}),
        (
            SetUp,
            {"rounds": None, "first_double": None, "target": None, "teams": (), "toes": None},
        ),
        (MugginsGame, {"rounds": (), "rules": MugginsRules()}),
        (Layout, {"line": (), "spinner": None, "arms": ((), (), (), ())}),
        (PlayPoints, {"caller": None}),
        (MugginsRound, {"plays": (), "hands": ()}),
        (
            MugginsRules,
            {
                "target": 250,
                "rounding": Rounding.NEAREST,
                "rounded": RoundWorth.SUM,
                "spinner_counts": True,
                "singles": False,
            },
        ),
        (GameProblem, {"round": None, "players": (), "tile": None, "expected": None}),
        (RoundGame, {"rounds": ()}),
        (Remains, {"penalties": 0}),
    ],
)
def test_fields_left_out(kind: type, defaults: dict[str, object]) -> None:
    assert defaults_of(kind) == defaults


def test_figures_of_the_sheet() -> None:
    assert (QUICK_SET, MUGGINS_SET, MUGGINS_TARGET, TEAM_PLAYERS, STEP) == (9, 6, 250, 4, 5)
    assert dict(MUGGINS_DRAW) == {2: 7, 3: 5, 4: 5}
    assert (CHICKENTOES, CASTLE_ROCK_ROW) == (6, 3)
    assert (DOUBLE_BLANK_POINTS, PENALTY_POINTS) == (50, 50)
    assert [(highest, DominoSet(highest).size) for highest in SETS] == [
        (6, 28), (9, 55), (12, 91), (15, 136), (18, 190),
    ]  # fmt: skip
    assert MOST_ROWS == 2_000
