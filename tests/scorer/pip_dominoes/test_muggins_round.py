from __future__ import annotations

import json

import pytest

from scorer.pip_dominoes import (
    MugginsRound,
    NotationError,
    PlayPoints,
    RulesError,
    parse_muggins_round,
)


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
