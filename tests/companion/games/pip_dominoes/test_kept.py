"""Hands, rounds, rules and readings as plain data, and hands of one round settled together."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest

from companion.games.pip_dominoes.kept import (
    CastleRules,
    KeptCastle,
    KeptHand,
    KeptMuggins,
    KeptPlay,
    KeptRound,
    KeptTile,
    MugginsTableRules,
    RoundRules,
    round_key,
    round_number,
)
from companion.games.pip_dominoes.kept_reading import KeptHandReading, settle_beside
from scorer.pip_dominoes import Challenge, Hand, MugginsRules, NotationError, RulesError, Tile
from tests.companion.games.pip_dominoes.hands import confirmed, hand_of
from vision.pip_dominoes.result import Missed

HANDS = [
    KeptHand(),
    KeptHand(counted=0),
    KeptHand(counted=37, double_blank=True),
    KeptHand(counted=37, reading="r1"),
    KeptHand.of_tiles([Tile(5, 9), Tile(0, 0)]),
    KeptHand((KeptTile(Tile(3, 3), 0),), reading="r1", incomplete=True),
    KeptHand((KeptTile(Tile(5, 9), 1, True), KeptTile(Tile(3, 4))), reading="r1"),
]


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_a_hand_comes_back_from_its_data(hand: KeptHand) -> None:
    assert KeptHand.from_data(hand.to_data()) == hand


def test_what_is_left() -> None:
    assert [each.left for each in HANDS[:5]] == [Hand(), 0, 87, 37, Hand.parse("5|9 0|0")]


def test_a_hand_that_may_miss_a_domino_is_not_settled() -> None:
    hand = KeptHand((KeptTile(Tile(5, 9), 0, True),), reading="r1", incomplete=True)
    assert (hand.checks, hand.is_settled) == (2, False)
    assert confirmed(hand).is_settled


def test_doubts_are_doubtful_tiles_and_those_that_are_twice() -> None:
    five_nine = Tile(5, 9)
    hand = KeptHand((KeptTile(five_nine), KeptTile(Tile(1, 2), 0, True), KeptTile(five_nine)))
    assert hand.doubts == (0, 1, 2)
    assert confirmed(hand).doubts == (0, 2)
    assert hand.left == Hand.parse("5|9 1|2")


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"tiles": 5},
        {"tiles": "5|x"},
        {"tiles": "5|9", "places": []},
        {"tiles": "5|9", "places": [-1]},
        {"tiles": "5|9", "doubtful": [1]},
        {"tiles": "5|9", "reading": ""},
        {"tiles": "5|9", "colour": "red"},
        {"counted": 12.5},
        {"counted": -1},
        {"counted": 10_000},
        {"counted": 5, "tiles": "5|9", "reading": "r"},
    ],
    ids=str,
)
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is for programmers
        KeptHand.from_data(data)


def test_a_reading_comes_back_from_its_data() -> None:
    read = hand_of("5|9 0|0", {"5|9": "5|8"}, warnings=("cut_off",), reasons=("unlikely",))
    kept = KeptHandReading.of(read, "photo-1", 400, 300)
    assert KeptHandReading.from_data(json.loads(json.dumps(kept.to_data()))) == kept
    assert (kept.dominoes[0].reasons, kept.warnings, kept.set) == (
        ("unlikely",),
        ("cut_off",),
        12,
    )


def test_a_double_blank_is_in_doubt_however_sure_the_reader_is() -> None:
    hand = KeptHandReading.of(hand_of("5|9 0|0"), "photo-1", 400, 300).hand("r1")
    assert [(each.place, each.doubtful) for each in hand.tiles] == [(0, False), (1, True)]
    assert hand.reading == "r1"


@pytest.mark.parametrize("warning", ["cut_off", "unread"])
def test_a_reading_that_may_have_missed_a_domino_asks(warning: str) -> None:
    sure = KeptHandReading.of(hand_of("5|9", warnings=("set_inferred",)), "photo-1", 400, 300)
    unsure = KeptHandReading.of(hand_of("5|9", warnings=(warning,)), "photo-1", 400, 300)
    assert sure.hand("r1").is_settled
    assert (unsure.hand("r1").incomplete, unsure.hand("r1").doubts) == (True, ())


def test_doubts_leave_a_range_of_sums() -> None:
    missed = (Missed(np.zeros((4, 2)), "5|6"), Missed(np.zeros((4, 2))))
    read = replace(hand_of("5|9 3|4", {"5|9": "5|7"}), missed=missed)
    reading = KeptHandReading.of(read, "photo-1", 400, 120)
    assert reading.missed == (Tile(5, 6), None)
    assert KeptHandReading.from_data(reading.to_data()) == reading
    hand = reading.hand("reading-1")
    assert hand.incomplete
    assert reading.sum_range(hand) == (19, 32)
    # What a person has looked at stands.
    seen = tuple(replace(each, doubtful=False) for each in hand.tiles)
    assert reading.sum_range(replace(hand, tiles=seen, incomplete=False)) == (21, 21)


def test_doubts_leave_a_range_of_points() -> None:
    """The double blank costs 50 but where it lies in the middle."""
    read = hand_of("5|9 3|4 0|0", {"5|9": "5|7"})
    reading = KeptHandReading.of(read, "photo-1", 400, 120)
    hand = reading.hand("reading-1")
    assert reading.points_range(hand, Tile(9, 9)) == (19, 71)
    assert reading.points_range(hand, Tile(0, 0)) == (19, 21)
    unread = replace(hand, incomplete=True)
    assert reading.points_range(unread, Tile(9, 9)) == (19, inf)
    named = replace(reading, missed=(Tile(5, 6),), warnings=("unread",))
    assert named.points_range(unread, Tile(9, 9)) == (19, 82)
    beside = replace(named, missed=(Tile(5, 6), None))
    assert beside.points_range(unread, Tile(9, 9)) == (19, inf)


@pytest.mark.parametrize("data", [None, {}, {"dominoes": [{"tile": "5|9"}]}], ids=str)
def test_kept_hand_reading_anything_else_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="reading"):
        KeptHandReading.from_data(data)


DOUBTFUL = KeptHand((KeptTile(Tile(1, 2), 0, True),), reading="r")


def test_a_round_comes_back_from_its_data() -> None:
    hands = {0: KeptHand(), 3: KeptHand(counted=7), 1: DOUBTFUL}
    kept = KeptRound(Tile(9, 9), hands, {3: 2})
    assert KeptRound.from_data(kept.to_data()) == kept
    assert kept.points([0, 1, 2, 3]) == {0: 0, 1: 3, 3: 107}


def test_a_round_of_muggins_comes_back_from_its_data() -> None:
    kept = KeptMuggins((KeptPlay("a", 0, 10), KeptPlay("b", 1, 15, 0)), {0: DOUBTFUL})
    assert KeptMuggins.from_data(kept.to_data()) == kept
    with pytest.raises(RulesError, match="not_in_fives"):
        KeptMuggins((KeptPlay("a", 0, 12),))
    with pytest.raises(ValueError, match="bad_record"):
        KeptMuggins.from_data({"plays": [{"id": "a", "player": 0, "points": 5}] * 2})


@pytest.mark.parametrize("castle", [KeptCastle(), KeptCastle(DOUBTFUL, 12.5, 1_700_000_000.0)])
def test_a_patience_comes_back_from_its_data(castle: KeptCastle) -> None:
    assert KeptCastle.from_data(castle.to_data()) == castle


def test_full_is_not_yet_settled() -> None:
    kept = KeptRound(Tile(9, 9), {0: KeptHand(), 1: DOUBTFUL})
    assert (kept.is_full([0, 1]), kept.is_settled([0, 1])) == (True, False)
    assert (kept.is_full([0, 1, 2]), kept.is_full([])) == (False, False)
    settled = KeptRound(Tile(9, 9), {0: KeptHand(), 1: confirmed(DOUBTFUL)})
    assert settled.is_settled([0, 1])


def test_parts_are_numbered_from_one() -> None:
    assert round_number(round_key(12)) == 12
    assert [round_number(part) for part in ("round:0", "rules", "round:1:2", "round:01")] == [
        None,
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    "rules",
    [
        RoundRules(),
        RoundRules(9, 3, 2),
        MugginsTableRules(MugginsRules(100, singles=True), 1),
        CastleRules(12, Challenge.CLOCK),
    ],
    ids=str,
)
def test_rules_come_back_from_their_data(rules: Any) -> None:
    assert type(rules).from_data(rules.to_data()) == rules


@pytest.mark.parametrize("rules", [RoundRules, MugginsTableRules, CastleRules])
def test_a_game_without_rules_has_the_usual_ones(rules: Any) -> None:
    assert rules.from_data(None) == rules()


def test_rounds_due_are_all_or_those_agreed() -> None:
    assert [RoundRules(9).rounds_due, RoundRules(12, 5).rounds_due] == [10, 5]


@pytest.mark.parametrize(
    ("rules", "data"),
    [
        (RoundRules, []),
        (RoundRules, {"set": "9"}),
        (RoundRules, {"set": 9, "rounds": 0}),
        (RoundRules, {"first": 16}),
        (MugginsTableRules, {"first": -1}),
        (CastleRules, {"challenge": 5}),
    ],
    ids=str,
)
def test_other_rules_are_refused(rules: Any, data: Any) -> None:
    with pytest.raises(ValueError, match=r"bad_record|no_such_round"):
        rules.from_data(data)


def kept(tiles: str, doubtful: dict[str, str] | None = None) -> KeptHandReading:
    return KeptHandReading.of(hand_of(tiles, doubtful), "photo", 400, 300)


def tiles_of(hand: KeptHand | KeptHandReading) -> list[str]:
    each = hand.tiles if isinstance(hand, KeptHand) else hand.dominoes
    return [str(one.tile) for one in each]


def test_a_doubtful_domino_gives_way_to_one_that_is_sure() -> None:
    first = kept("5|8 1|2", {"5|8": "5|9"})
    before = first.hand("one")
    own, changed = settle_beside(kept("5|8 3|4"), {7: before}, {7: first}, [], 9)
    assert tiles_of(own) == ["5|8", "3|4"]
    assert tiles_of(changed[7]) == ["5|9", "1|2"]
    assert changed[7].doubts == (0,)


def test_a_new_doubtful_domino_gives_way_itself() -> None:
    other = KeptHand.of_tiles([Tile(5, 8)])
    own, changed = settle_beside(kept("5|8 3|4", {"5|8": "5|9"}), {1: other}, {}, [], 9)
    assert tiles_of(own) == ["5|9", "3|4"]
    assert own.dominoes[0].doubtful
    assert "changed" in own.dominoes[0].reasons
    assert changed == {}


def test_the_starting_double_is_in_no_hand() -> None:
    own, _ = settle_beside(kept("9|9 3|4", {"9|9": "8|9"}), {}, {}, [Tile(9, 9)], 9)
    assert tiles_of(own) == ["8|9", "3|4"]


def test_what_people_confirmed_is_never_changed() -> None:
    first = kept("5|8", {"5|8": "5|9"})
    known = confirmed(first.hand("one"))
    own, changed = settle_beside(kept("5|8"), {1: known}, {1: first}, [], 9)
    assert changed == {}
    assert tiles_of(own) == ["5|8"]
    assert own.dominoes[0].doubtful
    assert own.dominoes[0].reasons == ("twice",)


def test_readings_without_likelihoods_stay_as_they_are() -> None:
    data = kept("5|8", {"5|8": "5|9"}).to_data()
    assert isinstance(data, dict)
    for domino in data["dominoes"]:
        del domino["likelihoods"]
    old = KeptHandReading.from_data(data)
    other = KeptHand.of_tiles([Tile(5, 8)])
    assert settle_beside(old, {1: other}, {}, [], 9) == (old, {})
    own, changed = settle_beside(kept("5|8"), {1: old.hand("one")}, {1: old}, [], 9)
    assert changed == {}
    assert own.dominoes[0].doubtful


def test_likelihoods_are_kept() -> None:
    reading = kept("5|8", {"5|8": "5|9"})
    assert KeptHandReading.from_data(reading.to_data()) == reading
    assert reading.dominoes[0].likelihoods[1][9] == 0.65


PLAY: dict[str, Any] = {"id": "a", "player": 1, "points": 10}


@pytest.mark.parametrize(
    ("kept", "data", "field"),
    [
        (KeptRound, {"double": 12}, "double"),
        (KeptRound, {"double": "9|9", "more": 1}, "round"),
        (KeptRound, {"double": "9|9", "penalties": {"1": 21}}, "penalties"),
        (KeptRound, {"double": "9|9", "penalties": {"1": -1}}, "penalties"),
        (KeptRound, {"double": "9|9", "hands": {"16": {}}}, "hands"),
        (KeptRound, {"double": "9|9", "hands": []}, "hands"),
        (KeptMuggins, {"plays": {}}, "plays"),
        (KeptMuggins, {"plays": [PLAY, PLAY]}, "plays"),
        (KeptMuggins, {"plays": [PLAY | {"id": "a b"}]}, "id"),
        (KeptMuggins, {"plays": [PLAY | {"player": 16}]}, "player"),
        (KeptMuggins, {"plays": [PLAY | {"caller": -1}]}, "player"),
        (KeptMuggins, {"plays": [PLAY | {"points": 505}]}, "points"),
        (KeptCastle, {"seconds": True}, "seconds"),
        (KeptCastle, {"running_since": "noon"}, "seconds"),
        (KeptCastle, {"hand": {"counted": 5, "double_blank": True}}, "hand"),
        (RoundRules, {"set": 9.0}, "set"),
        (RoundRules, {"first": 16}, "first"),
        (CastleRules, {"challenge": "speed of light"}, "challenge"),
        (CastleRules, {"more": 1}, "rules"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named(kept: Any, data: Any, field: str) -> None:
    with pytest.raises(NotationError) as refused:
        kept.from_data(data)
    assert (refused.value.code, refused.value.details) == ("bad_record", {"field": field})


def test_bounds_are_still_kept() -> None:
    most = KeptRound.from_data({"double": "9|9", "penalties": {"15": 20}})
    assert most.penalties == {15: 20}
    assert KeptHand(counted=9999).left == 9999
    with pytest.raises(ValueError, match="9999"):
        KeptHand(counted=10_000)
    with pytest.raises(ValueError, match="9999"):
        KeptHand(counted=-1)
    played = KeptMuggins.from_data({"plays": [PLAY | {"player": 15, "points": 500, "caller": 0}]})
    assert played.plays == (KeptPlay("a", 15, 500, 0),)
    assert KeptMuggins((KeptPlay("a", 0, 5),)).to_data() == {
        "plays": [{"id": "a", "player": 0, "points": 5}],
        "hands": {},
    }
    assert CastleRules.from_data({"set": None}) == CastleRules()
    assert RoundRules.from_data({"set": None, "first": 15}) == RoundRules(first=15)
