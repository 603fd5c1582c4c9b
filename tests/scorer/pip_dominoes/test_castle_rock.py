from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.pip_dominoes import (
    CastleRock,
    CastleRockResult,
    Challenge,
    DominoSet,
    Hand,
    NotationError,
    Row,
    RulesError,
    UprightTile,
    best_list,
)

SIX = DominoSet(6)


def result(left: str, seconds: float | None = None, highest: int = 6) -> CastleRockResult:
    return CastleRockResult(DominoSet(highest), Hand.parse(left), seconds)


def test_the_start() -> None:
    game = CastleRock(SIX)
    assert (game.boneyard, game.to_draw, game.is_over, game.is_won) == (28, 3, False, False)
    game = game.with_drawn(UprightTile(3, 5))
    assert (game.boneyard, game.to_draw) == (27, 1)


def test_a_removal_comes_before_drawing() -> None:
    game = CastleRock(SIX, Row.parse("3|5 2|2 3|1"))
    assert game.to_draw == 0
    with pytest.raises(RulesError) as caught:
        game.with_drawn(UprightTile(0, 0))
    assert caught.value.code == "must_remove"
    game = game.with_removed((1,))
    assert str(game.row) == "3|5 3|1"
    assert game.gone == Hand.parse("2|2")
    assert (game.boneyard, game.to_draw) == (25, 1)
    with pytest.raises(RulesError) as caught:
        game.with_removed((0,))
    assert caught.value.code == "not_removable"


def test_a_new_row_takes_what_is_left() -> None:
    for left, drawn in ((5, 3), (3, 3), (2, 2), (1, 1), (0, 0)):
        game = CastleRock(SIX, gone=Hand(SIX.tiles[left:]))
        assert (game.boneyard, game.to_draw) == (left, drawn)
    assert game.is_over
    assert game.is_won
    assert game.result().is_won


def test_the_end() -> None:
    on_table = Row.parse("3|5 2|2")
    gone = Hand.of(tile for tile in SIX.tiles if str(tile) not in ("3|5", "2|2"))
    game = CastleRock(SIX, on_table, gone)
    assert game.is_over
    assert not game.is_won
    assert game.to_draw == 0
    assert (game.result().tiles_left, game.result().score) == (2, 12)


def test_the_same_tiles_with_a_removal_open_are_not_the_end() -> None:
    on_table = Row.parse("3|5 2|2 3|1")
    gone = Hand.of(tile for tile in SIX.tiles if str(tile) not in ("3|5", "2|2", "1|3"))
    game = CastleRock(SIX, on_table, gone)
    assert not game.is_over
    assert game.with_removed((1,)).is_over


def test_what_was_not_drawn_is_left_too() -> None:
    assert CastleRock(SIX).result(12.5) == CastleRockResult(SIX, Hand(SIX.tiles), 12.5)


def test_figures() -> None:
    left = result("6|4 0|0", 90)
    assert (left.tiles_left, left.tiles_out, left.score, left.is_won) == (2, 26, 10, False)
    assert result("").is_won
    assert not result("0|0").is_won
    assert result("0|0").score == 0


def test_refusals() -> None:
    for make in (
        lambda: result("6|7"),
        lambda: CastleRock(SIX, Row.parse("6|7")),
        lambda: CastleRock(SIX, gone=Hand.parse("6|7")),
    ):
        with pytest.raises(RulesError) as caught:
            make()
        assert caught.value.code == "outside_set"
    with pytest.raises(RulesError) as caught:
        CastleRock(SIX, Row.parse("3|5"), Hand.parse("5|3"))
    assert caught.value.code == "tile_twice"
    for seconds in (-1.0, float("nan")):
        with pytest.raises(RulesError) as caught:
            result("", seconds)
        assert caught.value.code == "below_zero"


def test_the_best_list_by_pips() -> None:
    slow, fast, timeless = result("1|2", 90), result("0|3", 60), result("1|1 0|1")
    won, other_set = result("", 500), result("", 1, highest=9)
    results = [timeless, slow, other_set, fast, won]
    assert best_list(results, SIX) == (won, fast, slow, timeless)
    assert best_list(results, DominoSet(9)) == (other_set,)
    assert best_list([result("0|3"), slow], SIX) == (slow, result("0|3"))
    one_tile, few_pips = result("6|6"), result("0|1 0|2")
    assert best_list([one_tile, few_pips], SIX) == (few_pips, one_tile)


def test_the_best_list_by_the_clock() -> None:
    one_tile, two_tiles, timeless = result("6|6", 90), result("0|1 0|2", 20), result("0|1")
    quicker = result("5|6", 89)
    expected = (quicker, one_tile, timeless, two_tiles)
    assert best_list([two_tiles, timeless, one_tile, quicker], SIX, Challenge.CLOCK) == expected


def test_as_json() -> None:
    game = CastleRock(SIX, Row.parse("5|3 2|2"), Hand.parse("1|1"))
    record = game.to_dict()
    assert record == {"game": "castle-rock", "set": 6, "row": "5|3 2|2", "gone": "1|1"}
    assert CastleRock.from_dict(json.loads(json.dumps(record))) == game
    for figures in (result("6|4", 12.5), result("", 3), result("0|0")):
        again = CastleRockResult.from_dict(json.loads(json.dumps(figures.to_dict())))
        assert again == figures


@pytest.mark.parametrize(
    ("change", "field"),
    [({"game": "muggins"}, "game"), ({"set": None}, "set"), ({"row": 1}, "row")],
)
def test_records_that_are_no_game(change: dict[str, object], field: str) -> None:
    with pytest.raises(NotationError) as caught:
        CastleRock.from_dict(CastleRock(SIX).to_dict() | change)
    assert caught.value.details == {"field": field}


@pytest.mark.parametrize("seconds", ["12", True, []])
def test_records_that_are_no_result(seconds: object) -> None:
    with pytest.raises(NotationError) as caught:
        CastleRockResult.from_dict({"set": 6, "left": "", "seconds": seconds})
    assert caught.value.details == {"field": "seconds"}


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_a_game_played_to_the_end(seed: int) -> None:
    random = Random(seed)
    boneyard = list(SIX.tiles)
    random.shuffle(boneyard)
    game = CastleRock(SIX)
    while not game.is_over:
        if removals := game.row.removals:
            game = game.with_removed(random.choice(removals).positions)
        for _ in range(game.to_draw):
            tile = boneyard.pop()
            game = game.with_drawn(UprightTile(tile.high, tile.low))
        assert len(game.row) + len(game.gone) + game.boneyard == SIX.size
        assert game.boneyard == len(boneyard)
    assert sorted(game.result().left) == sorted(each.tile for each in game.row.tiles)
    assert game.result().score == game.row.pips
    assert CastleRock.from_dict(game.to_dict()) == game


@pytest.mark.parametrize("seconds", [None, 0.0, 0.5])
def test_any_time_from_nothing_on_is_one(seconds: float | None) -> None:
    assert CastleRockResult(DominoSet(6), Hand(), seconds).seconds == seconds
