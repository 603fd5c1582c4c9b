"""Muggins: rules, rounds and the whole game."""

from __future__ import annotations

import json

import pytest

from scorer.errors import CodedError
from scorer.pip_dominoes import (
    Hand,
    MugginsGame,
    MugginsRound,
    MugginsRules,
    NotationError,
    PlayPoints,
    Rounding,
    RoundWorth,
    RulesError,
    Side,
    parse_muggins_round,
    round_worth,
    sides_of,
)
from tests.scorer.pip_dominoes.golden_tables import rows


def game_of(*lines: str, names: str = "Anna Ben", target: int = 250) -> MugginsGame:
    rounds = tuple(map(parse_muggins_round, lines))
    return MugginsGame(tuple(names.split()), rounds, MugginsRules(target=target))


def test_points_by_play_and_of_the_round_add_up() -> None:
    game = game_of("Anna=15; Ben=10; Anna=5 / Anna=-; Ben=6|6 1|0", "Ben=20")
    assert game.running_totals == ({"Anna": 35, "Ben": 10}, {"Anna": 35, "Ben": 30})
    assert game.totals == {"Anna": 35, "Ben": 30}
    assert [place.player for place in game.places] == ["Anna", "Ben"]
    assert (game.is_over, game.winner) == (False, None)


def test_missed_points_go_to_the_caller_and_to_the_caller_s_team() -> None:
    assert game_of("Anna=15>Ben").totals == {"Anna": 0, "Ben": 15}
    teams = game_of("A=15>D; B=5; C=10>A", names="A B C D")
    assert teams.totals == {"A + C": 10, "B + D": 20}


def test_teams_score_together() -> None:
    game = game_of("C=10 / A=-; B=6|5; C=6|6 4|4; D=5|5 2|0", names="A B C D")
    assert game.totals == {"A + C": 35, "B + D": 0}
    assert game.worth_of(game.rounds[0]) == (Side(("A", "C")), 25)


def test_four_who_play_singly_score_each_for_themselves() -> None:
    names = ("A", "B", "C", "D")
    game = MugginsGame(names, (parse_muggins_round("C=10"),), MugginsRules(singles=True))
    assert game.totals == {"A": 0, "B": 0, "C": 10, "D": 0}


def test_a_blocked_round_with_a_shared_lowest_hand_scores_nobody() -> None:
    game = game_of("/ Anna=4|1; Ben=3|2")
    assert game.rounds[0].out is None
    assert game.totals == {"Anna": 0, "Ben": 0}


def test_counted_hands_score_like_hands() -> None:
    assert game_of("/ Anna=0; Ben=13").totals == game_of("/ Anna=-; Ben=6|6 1|0").totals
    assert game_of("/ Anna=0; Ben=13").rounds[0].out == "Anna"


def test_250_ends_the_game_in_the_middle_of_a_round() -> None:
    game = game_of("Anna=240; Ben=235").with_play(PlayPoints("Anna", 10))
    assert game.totals == {"Anna": 250, "Ben": 235}
    assert game.is_over
    assert game.winner == Side(("Anna",))
    with pytest.raises(RulesError) as caught:
        game.with_play(PlayPoints("Ben", 15))
    assert caught.value.code == "game_over"
    with pytest.raises(RulesError) as caught:
        game.with_hands((("Anna", Hand()), ("Ben", 12)))
    assert caught.value.code == "game_over"


def test_a_round_is_worth_what_the_rules_of_the_game_say() -> None:
    played = parse_muggins_round("/ Anna=-; Ben=3|3; Cleo=6|5")
    for rules, points in (
        (MugginsRules(), 15),
        (MugginsRules(rounding=Rounding.UP), 20),
        (MugginsRules(rounded=RoundWorth.EACH_HAND), 15),
        (MugginsRules(rounding=Rounding.UP, rounded=RoundWorth.EACH_HAND), 25),
    ):
        game = MugginsGame(("Anna", "Ben", "Cleo"), (played,), rules)
        assert game.worth_of(played) == (Side(("Anna",)), points)
        assert game.totals["Anna"] == points


def test_a_round_that_goes_on_is_worth_nothing_yet() -> None:
    game = game_of("Anna=5")
    assert game.worth_of(game.rounds[0]) == (None, 0)


def test_who_is_out_scores_though_the_partner_holds_most() -> None:
    game = game_of("/ A=-; B=1|1; C=6|6; D=3|0", names="A B C D")
    assert game.worth_of(game.rounds[0]) == (Side(("A", "C")), 5)


def test_a_round_worth_nothing_may_follow_the_target() -> None:
    game = game_of("Anna=250 / Anna=0; Ben=2")
    assert (game.totals, game.winner) == ({"Anna": 250, "Ben": 0}, Side(("Anna",)))


def test_points_below_a_target_that_is_no_multiple_of_five() -> None:
    game = game_of("Anna=245; Ben=5; Anna=5", target=246)
    assert game.totals == {"Anna": 250, "Ben": 5}
    assert game.is_over


def test_245_does_not() -> None:
    game = game_of("Anna=230; Ben=245").with_play(PlayPoints("Anna", 15))
    assert game.totals == {"Anna": 245, "Ben": 245}
    assert (game.is_over, game.winner) == (False, None)


def test_the_round_s_points_can_end_the_game() -> None:
    game = game_of("Anna=240").with_hands((("Anna", Hand()), ("Ben", Hand.parse("5|4"))))
    assert (game.totals["Anna"], game.winner) == (250, Side(("Anna",)))


def test_another_target() -> None:
    assert game_of("Ben=100", target=100).winner == Side(("Ben",))


def test_the_start_moves_clockwise() -> None:
    game = MugginsGame(("Anna", "Ben", "Cleo"))
    starters = []
    for _ in range(4):
        starters.append(game.starter("Ben"))
        game = game.with_hands((("Anna", 4), ("Ben", 0), ("Cleo", 4)))
    assert starters == ["Ben", "Cleo", "Anna", "Ben"]
    assert len(game.rounds) == 4


def test_plays_and_hands_go_to_the_last_round_alone() -> None:
    game = game_of("Anna=5 / Anna=0; Ben=4", "Ben=10 / Anna=4; Ben=0")
    begun = game.with_play(PlayPoints("Anna", 15)).with_play(PlayPoints("Anna", 20))
    assert begun.rounds[:2] == game.rounds
    assert [play.points for play in begun.rounds[2].plays] == [15, 20]
    done = begun.with_hands((("Anna", 0), ("Ben", 6)))
    assert done.rounds[:2] == game.rounds
    assert (len(done.rounds), done.rounds[2].plays) == (3, begun.rounds[2].plays)


def test_a_game_grows_play_by_play() -> None:
    game = MugginsGame(("Anna", "Ben"))
    assert game.totals == {"Anna": 0, "Ben": 0}
    assert game.starter("Ben") == "Ben"
    game = game.with_play(PlayPoints("Ben", 5)).with_play(PlayPoints("Anna", 10, "Ben"))
    assert game.starter("Ben") == "Ben"
    game = game.with_hands((("Anna", 7), ("Ben", 0)))
    assert game.starter("Ben") == "Anna"
    game = game.with_play(PlayPoints("Anna", 20))
    assert game == game_of("Ben=5; Anna=10>Ben / Anna=7; Ben=0", "Anna=20")
    assert game.with_hands((("Anna", 0), ("Ben", 3))).totals == {"Anna": 25, "Ben": 20}
    assert MugginsGame(("A", "B")).with_hands((("A", 0), ("B", 5))).totals == {"A": 5, "B": 0}


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("Eva=10",), "other_players"),
        (("Anna=10>Eva",), "other_players"),
        (("Eva=10>Anna",), "other_players"),
        (("/ Anna=-",), "other_players"),
        (("/ Anna=-; Ben=3; Anna=4",), "other_players"),
        (("Anna=10", "Ben=5"), "unfinished_round"),
        (("Anna=12",), "not_in_fives"),
        (("Anna=10 12",), "not_in_fives"),
        (("Anna=250", "Ben=5"), "unfinished_round"),
        (("Anna=250 / Anna=0; Ben=2", "Ben=5"), "game_over"),
    ],
)
def test_refusals(lines: tuple[str, ...], code: str) -> None:
    with pytest.raises(RulesError) as caught:
        game_of(*lines)
    assert caught.value.code == code


def test_a_game_as_json() -> None:
    rules = MugginsRules(100, Rounding.UP, RoundWorth.EACH_HAND, False, True)
    rounds = (
        parse_muggins_round("A=15; B=10>C / A=-; B=6|6 1|0; C=5|4; D=7"),
        parse_muggins_round("B=5"),
    )
    game = MugginsGame(tuple("ABCD"), rounds, rules)
    record = game.to_dict()
    assert record["rounds"] == [
        {
            "plays": [{"player": "A", "points": 15}, {"player": "B", "points": 10, "caller": "C"}],
            "hands": {"A": "", "B": "6|6 0|1", "C": "4|5", "D": 7},
        },
        {"plays": [{"player": "B", "points": 5}]},
    ]
    assert MugginsGame.from_dict(json.loads(json.dumps(record))) == game


def test_rules_left_out_of_a_record_are_those_of_the_sheet() -> None:
    record = {"game": "muggins", "players": ["Anna", "Ben"], "rounds": []}
    assert MugginsGame.from_dict(record) == MugginsGame(("Anna", "Ben"))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": "chickenfoot"}, "game"),
        ({"players": None}, "players"),
        ({"rules": {"rounding": "down"}}, "rounding"),
        ({"rules": {"rounded": 5}}, "rounded"),
        ({"rules": {"target": "250"}}, "target"),
        ({"rules": {"singles": 1}}, "singles"),
        ({"rounds": [{}]}, "plays"),
        ({"rounds": [{"plays": [{"player": "Anna"}]}]}, "points"),
        ({"rounds": [{"plays": [], "hands": {"Anna": None, "Ben": 1}}]}, "hands"),
    ],
)
def test_records_that_are_no_game(change: dict[str, object], field: str) -> None:
    record = {"game": "muggins", "players": ["Anna", "Ben"], "rounds": []}
    with pytest.raises(CodedError) as caught:
        MugginsGame.from_dict(record | change)
    assert (caught.value.code, caught.value.details) == ("bad_record", {"field": field})


def test_points_go_to_the_player_or_the_caller() -> None:
    assert PlayPoints("Anna", 15).scorer == "Anna"
    assert PlayPoints("Anna", 15, "Ben").scorer == "Ben"


@pytest.mark.parametrize("points", [0, -5, 12, 3])
def test_points_by_play_come_in_fives(points: int) -> None:
    with pytest.raises(RulesError) as caught:
        PlayPoints("Anna", points)
    assert caught.value.code == "not_in_fives"


def test_a_round_in_play() -> None:
    played = parse_muggins_round("Anna=15")
    assert not played.is_finished
    assert played.out is None


def test_who_has_nothing_is_out() -> None:
    assert parse_muggins_round("/ Anna=3; Ben=-").out == "Ben"
    assert parse_muggins_round("/ Anna=0; Ben=3").out == "Anna"


def test_what_is_odd_about_the_hands() -> None:
    played = parse_muggins_round("/ Anna=6|7 1|2; Ben=1|2")
    assert [problem.code for problem in played.problems] == ["outside_set", "in_two_hands"]
    (problem,) = parse_muggins_round("/ Anna=-; Ben=0").problems
    assert (problem.code, problem.players) == ("several_out", ("Anna", "Ben"))
    assert parse_muggins_round("/ Anna=-; Ben=3").problems == ()


def test_no_hand_counts_less_than_nothing() -> None:
    with pytest.raises(RulesError) as caught:
        MugginsRound(hands=(("Anna", -1), ("Ben", 3)))
    assert caught.value.code == "below_zero"


def test_the_double_blank_alone_is_a_hand() -> None:
    played = parse_muggins_round("/ Anna=0|0; Ben=6|6")
    assert played.is_finished
    assert played.out is None


def test_a_round_as_json() -> None:
    played = parse_muggins_round("Anna=15; Ben=10>Anna / Anna=-; Ben=7")
    record = played.to_dict()
    assert record == {
        "plays": [
            {"player": "Anna", "points": 15},
            {"player": "Ben", "points": 10, "caller": "Anna"},
        ],
        "hands": {"Anna": "", "Ben": 7},
    }
    assert MugginsRound.from_dict(json.loads(json.dumps(record))) == played
    assert MugginsRound.from_dict({"plays": []}) == MugginsRound()


def test_records_that_are_no_round() -> None:
    records: list[dict[str, object]] = [{}, {"plays": [{}]}, {"plays": [], "hands": []}]
    for record in records:
        with pytest.raises(NotationError) as caught:
            MugginsRound.from_dict(record)
        assert caught.value.code == "bad_record"


READINGS = [
    MugginsRules(),
    MugginsRules(rounding=Rounding.UP),
    MugginsRules(rounded=RoundWorth.EACH_HAND),
    MugginsRules(rounding=Rounding.UP, rounded=RoundWorth.EACH_HAND),
]


@pytest.mark.parametrize("row", rows("muggins_rounds"), ids=lambda row: row[0])
def test_golden(row: list[str]) -> None:
    hands = [Hand.parse(text) if text.strip() != "-" else Hand() for text in row[0].split(";")]
    names = tuple(str(seat + 1) for seat in range(len(hands)))
    pips = {name: hand.pips for name, hand in zip(names, hands, strict=True)}
    out = next((name for name, hand in zip(names, hands, strict=True) if not len(hand)), None)
    for rules, points in zip(READINGS, row[2:], strict=True):
        side, worth = round_worth(pips, sides_of(names, rules), out=out, rules=rules)
        assert ("+".join(side.players) if side else "-") == row[1]
        assert worth == int(points)


def test_sides() -> None:
    assert sides_of(("A", "B", "C", "D")) == (Side(("A", "C")), Side(("B", "D")))
    assert sides_of(("A", "B", "C")) == (Side(("A",)), Side(("B",)), Side(("C",)))
    singles = sides_of(("A", "B", "C", "D"), MugginsRules(singles=True))
    assert [side.name for side in singles] == ["A", "B", "C", "D"]
    assert sides_of(("A", "B", "C", "D"))[1].name == "B + D"


def test_four_singles_score_as_with_three() -> None:
    rules = MugginsRules(singles=True)
    names = ("A", "B", "C", "D")
    pips = {"A": 0, "B": 11, "C": 20, "D": 12}
    assert round_worth(pips, sides_of(names, rules), out="A", rules=rules) == (Side(("A",)), 45)


@pytest.mark.parametrize(
    ("names", "code"),
    [(("A",), "bad_players"), (tuple("ABCDE"), "bad_players"), (("A", "A"), "same_name")],
)
def test_muggins_rules_refusals(names: tuple[str, ...], code: str) -> None:
    with pytest.raises(RulesError) as caught:
        sides_of(names)
    assert caught.value.code == code
    with pytest.raises(RulesError) as caught:
        MugginsRules(target=0)
    assert caught.value.code == "bad_target"
    with pytest.raises(RulesError) as caught:
        MugginsRules.from_dict({"target": 0})
    assert caught.value.code == "bad_target"


@pytest.mark.parametrize(
    ("pips", "nearest", "up"),
    [(0, 0, 0), (1, 0, 5), (2, 0, 5), (3, 5, 5), (4, 5, 5), (5, 5, 5), (22, 20, 25), (23, 25, 25)],
)
def test_fives(pips: int, nearest: int, up: int) -> None:
    for rounding, points in ((Rounding.NEAREST, nearest), (Rounding.UP, up)):
        found = MugginsRules(rounding=rounding).in_fives(pips)
        assert (found, type(found)) == (points, int)


def test_the_lowest_target_is_one() -> None:
    assert MugginsRules(target=1).target == 1
