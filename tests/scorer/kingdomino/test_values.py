"""The values that kept games, JSON and the languages know, and those of fields left out."""

from __future__ import annotations

from enum import Enum

import pytest

from scorer.kingdomino import (
    LARGE_GRID,
    BleakKing,
    Bonus,
    BoxCheck,
    BoxReason,
    Colour,
    Criterion,
    GameProblem,
    Goal,
    Player,
    Problem,
    Quest,
    Rules,
    Score,
    SetUp,
    Square,
    Terrain,
    Territory,
    Tie,
    TieBreak,
    Verdict,
)
from scorer.kingdomino.kingdom import MAX_CROWNS
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY, Result
from scorer.kingdomino.rules import GIANTS, PLAYERS, QUESTS_DRAWN, SMALL_GRID
from tests.scorer.defaults import defaults_of


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (TieBreak, {"SHARED": "shared", "CROWNS": "crowns"}),
        (BleakKing, {"TERRITORY": "territory", "SQUARES": "squares"}),
        (
            Criterion,
            {
                "POINTS": "points",
                "LARGEST_TERRITORY": "largest_territory",
                "CROWNS": "crowns",
                "SHARED": "shared",
            },
        ),
        (
            Verdict,
            {
                "LEGAL": "legal",
                "UNCERTAIN": "uncertain",
                "IMPOSSIBLE": "impossible",
                "GAVE_UP": "gave_up",
            },
        ),
        (
            Colour,
            {
                "PINK": "pink",
                "YELLOW": "yellow",
                "GREEN": "green",
                "BLUE": "blue",
                "BROWN": "brown",
            },
        ),
        (
            Terrain,
            {
                "WHEAT": ("w", "wheat field", "Getreidefeld", "#e5b82e"),
                "FOREST": ("f", "forest", "Wald", "#2f6b3c"),
                "LAKE": ("l", "lake", "See", "#2f7fc1"),
                "GRASSLAND": ("g", "grassland", "Wiese", "#8fc24a"),
                "SWAMP": ("s", "swamp", "Sumpf", "#a39a80"),
                "MINE": ("m", "mine", "Mine", "#4a4148"),
            },
        ),
        (
            Goal,
            {
                "LOCAL_BUSINESS": ("local-business", "Local Business", "Umland", 5),
                "FOUR_CORNERS": (
                    "four-corners", "Four Corners", "Die 4 Ecken des Königreichs", 5,
                ),
                "HARMONY": ("harmony", "Harmony", "Harmonie", 5),
                "MIDDLE_KINGDOM": ("middle-kingdom", "Middle Kingdom", "Reich der Mitte", 10),
                "LOST_CORNER": ("lost-corner", "Lost Corner", "Im hintersten Winkel", 20),
                "FOLIE_DES_GRANDEURS": (
                    "folie-des-grandeurs", "Folie des Grandeurs", "Genial oder irre", 10,
                ),
                "BLEAK_KING": ("bleak-king", "Bleak King", "Bauernschlau", 10),
            },
        ),
    ],
)  # fmt: skip
def test_enumerations(kind: type[Enum], values: dict[str, object]) -> None:
    assert {member.name: member.value for member in kind} == values


@pytest.mark.parametrize(
    ("kind", "defaults"),
    [
        (
            Rules,
            {
                "size": None,
                "players": None,
                "harmony": False,
                "middle_kingdom": False,
                "mighty_duel": False,
                "age_of_giants": False,
                "quests": (),
                "tie_break": TieBreak.SHARED,
                "bleak_king": BleakKing.TERRITORY,
            },
        ),
        (Quest, {"terrain": None}),
        (Bonus, {"reading": None}),
        (Score, {"bonuses": (), "castle_centred": False}),
        (SetUp, {"giants": 0, "quests": 0}),
        (Square, {"terrain": None, "crowns": 0, "giants": 0, "is_castle": False}),
        (Territory, {"covered_crowns": 0}),
        (Problem, {"squares": (), "found": None, "allowed": None, "kind": None}),
        (
            GameProblem,
            {"squares": (), "players": (), "found": None, "allowed": None, "kind": None},
        ),
        (Player, {"colour": None}),
        (Result, {"largest_territory": 0, "crowns": 0, "largest_terrains": ()}),
        (Tie, {"ahead_terrains": (), "behind_terrains": ()}),
        (BoxReason, {"squares": (), "dominoes": (), "found": None, "allowed": None}),
        (BoxCheck, {"cuts": (), "reasons": ()}),
    ],
)
def test_fields_left_out(kind: type, defaults: dict[str, object]) -> None:
    assert defaults_of(kind) == defaults


def test_figures_of_the_sheets() -> None:
    assert (SMALL_GRID, LARGE_GRID, list(PLAYERS)) == (5, 7, [2, 3, 4, 5])
    assert (QUESTS_DRAWN, GIANTS, MAX_CROWNS, GAMES_OF_A_DYNASTY) == (2, 6, 3, 3)
