"""Castle Rock: its row, and the result."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.pip_dominoes import (
    CastleRock,
    CastleRockResult,
    Challenge,
    Clearing,
    DominoSet,
    Hand,
    NotationError,
    Removal,
    Row,
    RulesError,
    UprightTile,
    best_clearing,
    best_list,
)
from tests.scorer.pip_dominoes.golden_tables import rows

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
    one_tile, sooner = result("1|2", 90), result("0|1 0|2", 60)
    assert best_list([sooner, one_tile], SIX) == (one_tile, sooner)


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


@st.composite
def some_rows(draw: st.DrawFn, most: int = 7) -> Row:
    tiles = draw(st.lists(st.sampled_from(DominoSet(6).tiles), max_size=most, unique=True))
    turned = draw(st.lists(st.booleans(), min_size=len(tiles), max_size=len(tiles)))
    return Row(
        tuple(
            UprightTile(tile.high, tile.low) if turn else UprightTile(tile.low, tile.high)
            for tile, turn in zip(tiles, turned, strict=True)
        )
    )


def told(row: Row) -> str:
    return ", ".join(
        f"{' '.join(str(position + 1) for position in each.positions)} ({each.option})"
        for each in row.removals
    )


@pytest.mark.parametrize("row", rows("castle_rows"), ids=lambda row: row[0])
def test_golden(row: list[str]) -> None:
    text, removals, tiles, pips = row
    lying = Row.parse(text)
    assert str(lying) == text
    assert told(lying) == removals
    clearing = best_clearing(lying)
    assert (len(clearing.left), clearing.left.pips) == (int(tiles), int(pips))
    assert clearing.is_best


def test_a_removal_closes_the_row_up() -> None:
    row = Row.parse("1|2 5|6 1|3 4|4 1|5")
    assert str(row.without((1,))) == "1|2 1|3 4|4 1|5"
    for positions in ((0,), (4,), (1, 3), ()):
        with pytest.raises(RulesError) as caught:
            row.without(positions)
        assert caught.value.code == "not_removable"
        assert caught.value.details == {"tiles": tuple(position + 1 for position in positions)}


def test_fewer_tiles_are_better_than_fewer_pips() -> None:
    assert str(best_clearing(Row.parse("4|5 3|0 5|5 2|0 5|6")).left) == "4|5 5|5 5|6"


def test_the_solver_tells_each_step() -> None:
    row = Row.parse("1|2 5|6 1|3 4|4 1|5")
    clearing = best_clearing(row)
    left = row
    for removal in clearing.removals:
        left = left.without(removal.positions)
    assert left == clearing.left == Row()
    assert best_clearing(Row.parse("3|5 2|2 5|3")).removals == ()


def test_the_solver_says_when_it_stopped_early() -> None:
    row = Row.parse("6|0 6|1 5|5 6|2 6|3 4|4 6|4 6|5 3|3 6|6")
    assert best_clearing(row).is_best
    short = best_clearing(row, most_rows=5)
    assert not short.is_best
    left = row
    for removal in short.removals:
        left = left.without(removal.positions)
    assert left == short.left


def test_a_tile_is_not_turned() -> None:
    assert not UprightTile.parse("3|5").agrees_with(UprightTile.parse("5|3"))
    assert UprightTile.parse("3|5").tile == UprightTile.parse("5|3").tile
    with pytest.raises(NotationError):
        Row.parse("3|5 x")


def test_a_row_that_can_be_emptied_is_emptied_without_trying_every_way() -> None:
    row = Row.parse(" ".join(f"18|{number}" for number in range(18)))
    assert best_clearing(row, most_rows=100) == Clearing(
        tuple(Removal((left, left + 1, left + 2), 2) for left in range(15, -1, -3)), Row(), True
    )


@given(some_rows())
def test_removals_are_those_found_by_trying_every_group(row: Row) -> None:
    """Every group of one to three tiles, judged by the sentences of the sheet."""
    found = set()
    for count in (1, 2, 3):
        for positions in combinations(range(len(row)), count):
            for left in range(len(row) - 2):
                window = range(left, left + 3)
                one, two, three = row.tiles[left : left + 3]
                same_top = one.top == two.top == three.top
                same_bottom = one.bottom == two.bottom == three.bottom
                if (same_top or same_bottom) and set(positions) <= set(window):
                    found.add(positions)
                between = one.top == three.top or one.bottom == three.bottom
                if between and positions == (left + 1,):
                    found.add(positions)
    assert {removal.positions for removal in row.removals} == found
    assert len(row.removals) == len(found)


@given(some_rows(most=6))
def test_no_other_way_leaves_less(row: Row) -> None:
    def least(current: Row) -> tuple[int, int]:
        ways = [least(current.without(each.positions)) for each in current.removals]
        return min(ways, default=(len(current), current.pips))

    left = best_clearing(row).left
    assert (len(left), left.pips) == least(row)
    assert left.removals == ()


@given(some_rows())
def test_notation_round_trips(row: Row) -> None:
    assert Row.parse(str(row)) == row
    mirrored = Row(tuple(UprightTile(each.bottom, each.top) for each in row.tiles))
    assert mirrored.removals == row.removals


def test_option_two_stands_for_the_tile_between_too() -> None:
    assert Removal((1,), 2) in Row.parse("3|5 3|2 3|1").removals


def test_a_search_cut_short_gives_the_best_row_it_has_met() -> None:
    row = Row.parse("3|5 3|2 3|1")
    assert best_clearing(row, most_rows=1) == Clearing((Removal((0, 1, 2), 2),), Row(), False)
