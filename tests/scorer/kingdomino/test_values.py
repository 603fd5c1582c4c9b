"""Values that kept games, JSON and the languages know; problems to their last figure."""

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
    Kingdom,
    Player,
    Problem,
    Quest,
    Rules,
    RulesError,
    Score,
    SetUp,
    Square,
    Terrain,
    Territory,
    Tie,
    TieBreak,
    Verdict,
    dynasty,
    game_problems,
    problems,
    rank,
    score,
)
from scorer.kingdomino.kingdom import MAX_CROWNS
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY, Result
from scorer.kingdomino.rules import GIANTS, PLAYERS, QUESTS, QUESTS_DRAWN, SMALL_GRID
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
                "court": False,
            },
        ),
        (Quest, {"terrain": None}),
        (Bonus, {"reading": None}),
        (Score, {"bonuses": (), "castle_centred": False, "characters": ()}),
        (SetUp, {"giants": 0, "quests": 0}),
        (
            Square,
            {
                "terrain": None,
                "crowns": 0,
                "giants": 0,
                "is_castle": False,
                "token": False,
                "building": 0,
                "character": None,
                "points": None,
            },
        ),
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


def player(name: str, text: str, colour: Colour | None = None) -> Player:
    return Player(name, Kingdom.parse(text), colour)


def test_two_players_of_one_colour() -> None:
    both = [player("A", "c w w", Colour.BLUE), player("B", "c w w", Colour.BLUE)]
    assert game_problems(both) == (
        GameProblem("same_colour", (), ("A", "B"), 2, 1, Colour.BLUE.value),
    )


def test_brown_belongs_to_the_expansion() -> None:
    brown = [player("A", "c w w", Colour.BROWN), player("B", "c w w", Colour.BLUE)]
    expected = GameProblem("brown_without_expansion", (), ("A",), 1, 0, Colour.BROWN.value)
    assert game_problems(brown) == (expected,)
    assert game_problems(brown, Rules(age_of_giants=True)) == ()


def test_seven_giants_over_all_kingdoms() -> None:
    found = game_problems([player("A", "c m3!!! w m3!!!"), player("B", "c f1! w")])
    giants = next(problem for problem in found if problem.code == "too_many_giants")
    places = (("A", (0, 1)), ("A", (0, 3)), ("B", (0, 1)))
    assert giants == GameProblem("too_many_giants", places, ("A", "B"), 7, 6)


def test_squares_of_which_the_box_has_fewer() -> None:
    found = game_problems([player("A", "c w m3"), player("B", "c w m3")])
    places = (("A", (0, 2)), ("B", (0, 2)))
    assert found == (GameProblem("more_than_box", places, ("A", "B"), 2, 1, "m3"),)
    # What the box has not at all is told of each kingdom, not of the game.
    assert game_problems([player("A", "c w f2"), player("B", "c w f2")]) == ()


def test_three_quests() -> None:
    rules = Rules(quests=QUESTS[:3])
    both = [player("A", "c w w"), player("B", "c w w")]
    assert game_problems(both, rules) == (GameProblem("too_many_quests", (), (), 3, 2),)
    assert game_problems(both, Rules(quests=QUESTS[:2])) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c w w . f", Problem("not_connected", ((0, 4),), 2, 1)),
        ("c w w w", Problem("odd_squares", (), 3)),
        ("w w w w w c", Problem("too_wide", ((0, 0), (0, 5)), 6, 5)),
        ("w/w/w/w/w/c", Problem("too_high", ((0, 0), (5, 0)), 6, 5)),
        ("c m3!!! m3!!! m1!", Problem("too_many_giants", ((0, 1), (0, 2), (0, 3)), 7, 6)),
    ],
)
def test_problems_of_a_kingdom(text: str, expected: Problem) -> None:
    assert expected in problems(Kingdom.parse(text), Rules(size=5))


def refused(code: str, **details: object) -> pytest.RaisesExc[RulesError]:
    return pytest.raises(RulesError, check=lambda e: (e.code, e.details) == (code, details))


def test_refused_quests_name_themselves() -> None:
    with refused("quest_needs_terrain", quest="local-business"):
        Quest(Goal.LOCAL_BUSINESS)
    with refused("quest_without_terrain", quest="harmony"):
        Quest(Goal.HARMONY, Terrain.WHEAT)
    for text in ("castle", "harmony:", "four-corners:q"):
        with refused("unknown_quest", quest=text):
            Quest.parse(text)


@pytest.mark.parametrize(
    ("changes", "code", "details"),
    [
        ({"size": 6}, "bad_size", {"size": 6}),
        ({"players": 6}, "bad_players", {"players": 6}),
        ({"players": 5}, "five_players_need_expansion", {"players": 5}),
        ({"mighty_duel": True, "players": 3}, "duel_needs_two_players", {"players": 3}),
        ({"mighty_duel": True, "size": 5}, "duel_needs_large_grid", {"size": 5}),
        ({"size": 7, "players": 4}, "large_grid_needs_two_players", {"players": 4}),
        ({"harmony": True, "quests": QUESTS[:1]}, "variant_beside_quests", {"variant": "harmony"}),
        (
            {"middle_kingdom": True, "quests": QUESTS[:1]},
            "variant_beside_quests",
            {"variant": "middle-kingdom"},
        ),
        ({"quests": QUESTS[:1] * 2}, "duplicate_quest", {"quest": "local-business:w"}),
    ],
)
def test_refused_rules_name_what_is_wrong(
    changes: dict[str, object], code: str, details: dict[str, object]
) -> None:
    with refused(code, **details):
        Rules(**changes)  # type: ignore[arg-type]


def test_refused_rankings() -> None:
    one = score(Kingdom.parse("c w1 w"))
    with refused("bad_players", players=1):
        rank({"A": one})
    with refused("bad_players", players=2):
        rank({"A": one, "B": one}, Rules(players=3))
    with refused("dynasty_needs_three_games", games=2):
        dynasty([{"A": one, "B": one}] * 2)
    with refused("other_players"):
        dynasty([{"A": one, "B": one}, {"A": one, "B": one}, {"A": one, "C": one}])
    with refused("other_players"):
        dynasty([{"A": one, "C": one}, {"A": one, "B": one}, {"A": one, "B": one}])


def test_a_dynasty_keeps_the_order_of_its_first_game() -> None:
    first = {"A": Result(3), "B": Result(3)}
    second = {"B": Result(1), "A": Result(1)}
    places = dynasty([first, second, second]).places
    assert [(place.player, place.place, place.points) for place in places] == [
        ("A", 1, 5), ("B", 1, 5),
    ]  # fmt: skip
