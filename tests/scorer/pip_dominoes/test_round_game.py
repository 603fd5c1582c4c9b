"""Rounds, and games of rounds."""

from __future__ import annotations

import json

import pytest

from scorer.pip_dominoes import (
    DominoSet,
    Game,
    Hand,
    NotationError,
    Place,
    Remains,
    Round,
    RoundGame,
    RulesError,
    Tile,
    hand_points,
    parse_round,
    starting_double,
)
from tests.scorer.pip_dominoes.golden_tables import rows

NINE = DominoSet(9)
NAMES = ("Anna", "Ben", "Cleo")


def game_of(*lines: str, highest: int = 9) -> RoundGame:
    rounds = tuple(map(parse_round, lines))
    return RoundGame(Game.MEXICAN_TRAIN, DominoSet(highest), NAMES, rounds)


def whole_game(*points: int) -> RoundGame:
    """Ten rounds in which each player always counts the same."""
    lines = (
        "; ".join(f"{name}={count}" for name, count in zip(NAMES, points, strict=True))
        for _ in range(10)
    )
    return game_of(*(f"{9 - number}|{9 - number}: {line}" for number, line in enumerate(lines)))


def test_totals_grow_by_round() -> None:
    game = game_of("9|9: Anna=4|5; Ben=-; Cleo=0|0", "8|8: Ben=20; Anna=-; Cleo=3 +50")
    assert game.running_totals == (
        {"Anna": 9, "Ben": 0, "Cleo": 50},
        {"Anna": 9, "Ben": 20, "Cleo": 103},
    )
    assert game.totals == {"Anna": 9, "Ben": 20, "Cleo": 103}
    assert game.places == (Place("Anna", 1, 9), Place("Ben", 2, 20), Place("Cleo", 3, 103))
    assert game.problems == ()
    assert (game.is_over, game.winners, game.next_double) == (False, (), Tile(7, 7))


def test_nothing_played_yet() -> None:
    game = game_of()
    assert game.totals == dict.fromkeys(NAMES, 0)
    assert (game.running_totals, game.next_double) == ((), Tile(9, 9))
    assert [place.place for place in game.places] == [1, 1, 1]


def test_the_lowest_total_wins_after_the_last_round() -> None:
    game = whole_game(21, 18, 19)
    assert game.is_over
    assert game.next_double is None
    assert game.winners == ("Ben",)


def test_equal_totals_share_the_win() -> None:
    assert whole_game(21, 18, 18).winners == ("Ben", "Cleo")


def test_nobody_has_won_before_the_last_round() -> None:
    game = whole_game(21, 18, 19)
    assert RoundGame(game.game, NINE, NAMES, game.rounds[:-1]).winners == ()


def test_the_start_moves_one_player_a_round() -> None:
    game = game_of()
    starters = []
    for number in range(4):
        starters.append(game.starter("Ben"))
        double = Tile(9 - number, 9 - number)
        game = game.with_round(Round(double, tuple(Remains(name, 5) for name in NAMES)))
    assert starters == ["Ben", "Cleo", "Anna", "Ben"]


def test_a_round_is_corrected() -> None:
    game = game_of("9|9: Anna=1; Ben=2; Cleo=3", "8|8: Anna=1; Ben=2; Cleo=3")
    corrected = game.with_round_replaced(1, parse_round("9|9: Anna=7; Ben=2; Cleo=3"))
    assert corrected.totals == {"Anna": 8, "Ben": 4, "Cleo": 6}
    assert game.totals["Anna"] == 2
    last = game.with_round_replaced(2, parse_round("8|8: Anna=7; Ben=2; Cleo=3"))
    assert [each.points["Anna"] for each in last.rounds] == [1, 7]
    for number in (0, 3):
        with pytest.raises(RulesError) as caught:
            game.with_round_replaced(number, game.rounds[0])
        assert caught.value.code == "no_such_round"


def test_what_is_odd_is_told_and_counted_all_the_same() -> None:
    game = game_of("9|9: Anna=9|9; Ben=-; Cleo=1|2", "5|5: Anna=1|2; Ben=2|1; Cleo=-")
    codes = [(each.code, each.round, each.players, str(each.tile)) for each in game.problems]
    assert codes == [
        ("starting_double_in_hand", 1, ("Anna",), "9|9"),
        ("unexpected_double", 2, (), "5|5"),
        ("in_two_hands", 2, ("Anna", "Ben"), "1|2"),
    ]
    assert game.problems[1].expected == Tile(8, 8)
    assert game.totals == {"Anna": 21, "Ben": 3, "Cleo": 3}


def test_a_number_of_players_outside_the_table_is_odd() -> None:
    (problem,) = game_of(highest=12).problems
    assert (problem.code, problem.round) == ("not_in_table", None)


@pytest.mark.parametrize(
    ("game", "highest", "players", "lines", "code"),
    [
        (Game.MUGGINS, 9, NAMES, (), "set_not_played"),
        (Game.CHICKENFOOT, 6, NAMES, (), "set_not_played"),
        (Game.CHICKENFOOT, 9, ("Anna",), (), "few_players"),
        (Game.CHICKENFOOT, 9, ("Anna", "Anna"), (), "same_name"),
        (Game.CHICKENFOOT, 9, ("Anna", "Ben"), ("9|9: Anna=1; Eva=2",), "other_players"),
        (Game.CHICKENFOOT, 9, ("Anna", "Ben"), ("9|9: Anna=1",), "other_players"),
        (Game.CHICKENFOOT, 9, ("A", "B"), ("9|9: A=1; B=2",) * 11, "too_many_rounds"),
    ],
)
def test_refusals(
    game: Game, highest: int, players: tuple[str, ...], lines: tuple[str, ...], code: str
) -> None:
    with pytest.raises(RulesError) as caught:
        RoundGame(game, DominoSet(highest), players, tuple(map(parse_round, lines)))
    assert caught.value.code == code


def test_a_game_as_json() -> None:
    game = game_of("9|9: Anna=4|5 0|0; Ben=-; Cleo=23 +50 +50")
    record = game.to_dict()
    assert record == {
        "game": "mexican-train",
        "set": 9,
        "players": ["Anna", "Ben", "Cleo"],
        "rounds": [
            {
                "double": "9|9",
                "hands": {"Anna": "4|5 0|0", "Ben": "", "Cleo": 23},
                "penalties": {"Cleo": 2},
            }
        ],
    }
    assert RoundGame.from_dict(json.loads(json.dumps(record))) == game
    assert hash(RoundGame.from_dict(record)) == hash(game)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": None}, "game"),
        ({"set": "9"}, "set"),
        ({"set": True}, "set"),
        ({"players": [1, 2]}, "players"),
        ({"players": "Anna"}, "players"),
        ({"rounds": [1]}, "rounds"),
        ({"rounds": [{"double": "9|9"}]}, "hands"),
        ({"rounds": [{"double": 9, "hands": {}}]}, "double"),
        ({"rounds": [{"double": "9|9", "hands": {"Anna": 1.5}}]}, "hands"),
        ({"rounds": [{"double": "9|9", "hands": {"Anna": True}}]}, "hands"),
        ({"rounds": [{"double": "9|9", "hands": {"Anna": 1}, "penalties": [1]}]}, "penalties"),
    ],
)
def test_records_that_are_no_game(change: dict[str, object], field: str) -> None:
    record = {"game": "chickenfoot", "set": 9, "players": ["Anna", "Ben"], "rounds": []}
    with pytest.raises(NotationError) as caught:
        RoundGame.from_dict(record | change)
    assert (caught.value.code, caught.value.details) == ("bad_record", {"field": field})


def test_a_hand_is_a_hand() -> None:
    assert game_of("9|9: Anna=0|0; Ben=-; Cleo=1").rounds[0].hands == {
        "Anna": Hand.parse("0|0"),
        "Ben": Hand(),
    }


@pytest.mark.parametrize("row", rows("hand_points"), ids=lambda row: " ".join(row[:2]))
def test_golden(row: list[str]) -> None:
    double, hand, pips, points = Tile.parse(row[0]), Hand.parse(row[1]), int(row[2]), int(row[3])
    assert hand.pips == pips
    assert hand_points(hand, double) == points
    assert Remains("Anna", hand).points(double) == points
    assert Remains("Anna", hand, 2).points(double) == points + 100


@pytest.mark.parametrize(
    ("highest", "number", "double"),
    [(9, 1, "9|9"), (9, 10, "0|0"), (12, 5, "8|8"), (12, 13, "0|0"), (18, 19, "0|0")],
)
def test_starting_doubles(highest: int, number: int, double: str) -> None:
    assert starting_double(DominoSet(highest), number) == Tile.parse(double)


@pytest.mark.parametrize("number", [0, 11, -1])
def test_rounds_that_are_none(number: int) -> None:
    with pytest.raises(RulesError) as caught:
        starting_double(DominoSet(9), number)
    assert caught.value.code == "no_such_round"


def played(*remains: Remains, double: str = "9|9") -> Round:
    return Round(Tile.parse(double), remains)


def test_a_round_with_a_player_out() -> None:
    each = played(Remains("Anna", Hand.parse("4|5 0|0")), Remains("Ben", Hand()), Remains("C", 23))
    assert each.points == {"Anna": 59, "Ben": 0, "C": 23}
    assert each.out == ("Ben",)
    assert not each.is_blocked
    assert each.problems(DominoSet(9)) == ()


def test_a_blocked_round_counts_for_everybody() -> None:
    each = played(Remains("Anna", Hand.parse("4|5")), Remains("Ben", 3))
    assert each.is_blocked
    assert each.points == {"Anna": 9, "Ben": 3}


def test_the_double_blank_adds_nothing_in_the_round_that_it_starts() -> None:
    left = (Remains("Anna", Hand.parse("4|5 0|0")), Remains("Ben", Hand()))
    assert played(*left, double="0|0").points == {"Anna": 9, "Ben": 0}
    assert played(*left, double="1|1").points == {"Anna": 59, "Ben": 0}


def test_who_is_out_can_have_a_penalty() -> None:
    each = played(Remains("Anna", Hand(), 1), Remains("Ben", 3))
    assert each.points == {"Anna": 50, "Ben": 3}
    assert each.out == ("Anna",)


def test_two_players_out_are_odd() -> None:
    each = played(Remains("Anna", 0), Remains("Ben", Hand()))
    (problem,) = each.problems(DominoSet(9))
    assert (problem.code, problem.players) == ("several_out", ("Anna", "Ben"))


def test_rounds_refusals() -> None:
    with pytest.raises(RulesError) as caught:
        played(Remains("Anna", 1), double="9|8")
    assert caught.value.code == "no_double"
    with pytest.raises(RulesError) as caught:
        played(Remains("Anna", 1), Remains("Anna", 2))
    assert caught.value.code == "same_name"
    for wrong in ((-1, 0), (3, -1)):
        with pytest.raises(RulesError) as caught:
            Remains("Anna", *wrong)
        assert caught.value.code == "below_zero"


def test_a_round_as_json() -> None:
    each = played(Remains("Anna", Hand.parse("4|5")), Remains("Ben", Hand(), 1), Remains("C", 23))
    record = each.to_dict()
    assert record == {
        "double": "9|9",
        "hands": {"Anna": "4|5", "Ben": "", "C": 23},
        "penalties": {"Ben": 1},
    }
    assert Round.from_dict(json.loads(json.dumps(record))) == each
    assert "penalties" not in played(Remains("Anna", 3)).to_dict()


def test_after_a_gap_that_was_filled_the_next_below_the_last_is_due() -> None:
    hands = "Anna=1; Ben=-; Cleo=2"
    game = game_of(f"9|9: {hands}", f"5|5: {hands}", f"8|8: {hands}")
    assert game.next_double == Tile(7, 7)
