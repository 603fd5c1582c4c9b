"""Territories, bonuses and points."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.kingdomino import BleakKing, Goal, Kingdom, Quest, Rules, Terrain, score
from scorer.kingdomino.kingdom import Board, layout
from tests.scorer.kingdomino.golden_tables import rows, squares


def test_totals_are_the_sums_of_the_parts() -> None:
    result = score(Kingdom.parse("w1 w f/c f1 f1!/l2 l g"), Rules(middle_kingdom=True))
    assert result.territory_points == 2 + 3 + 4
    assert result.bonus_points == 0
    assert result.points == 9
    assert (result.crowns, result.covered_crowns) == (4, 1)


def test_largest_terrains_names_every_one_that_ties() -> None:
    result = score(Kingdom.parse("w w f/c f f1/w w w"))
    assert result.largest_territory == 3
    assert set(result.largest_terrains) == {Terrain.WHEAT, Terrain.FOREST}
    assert score(Kingdom.parse("w w c w w")).largest_terrains == (Terrain.WHEAT,)
    assert score(Kingdom.parse("c")).largest_terrains == ()


def test_equal_kingdoms_have_equal_scores() -> None:
    one, other = (score(Kingdom.parse("w1 w/c f")) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)


def test_whether_the_castle_lies_in_the_centre() -> None:
    assert score(Kingdom.parse("w c w")).castle_centred is True
    assert score(Kingdom.parse("c w w")).castle_centred is False


def test_neighbours_and_rings_of_a_corner_an_edge_and_the_middle() -> None:
    tables = layout(3, 3)
    assert tables.positions[5] == (1, 2)
    assert tables.neighbours[0] == (1, 3)
    assert tables.neighbours[4] == (1, 3, 5, 7)
    assert tables.rings[5] == (1, 2, 4, 7, 8)
    assert tables.rings[4] == (0, 1, 2, 3, 5, 6, 7, 8)


def test_lines_of_three_and_more() -> None:
    assert set(layout(3, 3).lines) == {
        *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        *((0, 4, 8), (2, 4, 6)),
    }
    assert set(layout(1, 4).lines) == {(0, 1, 2, 3)}
    assert layout(2, 2).lines == ()
    # 5 rows, 5 columns, and 5 diagonals of at least 3 each way.
    assert len(layout(5, 5).lines) == 20


def test_extent_and_castle() -> None:
    board = Board(Kingdom.parse(". . . ./. w c ./. . f ./. . . ."))
    assert (board.top, board.left, board.bottom, board.right) == (1, 1, 2, 2)
    assert board.castle == 6
    assert board.taken == 3
    assert board.corners == [5, 6, 9, 10]


def test_no_castle_or_several_is_none() -> None:
    assert Board(Kingdom.parse("w w")).castle is None
    assert Board(Kingdom.parse("c w c")).castle is None


def test_an_empty_kingdom() -> None:
    board = Board(Kingdom.parse(". ./. ."))
    assert (board.taken, board.castle, board.castle_centred) == (0, None, False)
    assert (board.top, board.left, board.bottom, board.right) == (0, 0, 0, 0)


def test_a_board_without_squares() -> None:
    board = Board(Kingdom.parse("."))
    assert (board.top, board.bottom, board.left, board.right) == (0, 0, 0, 0)
    assert (board.taken, board.castle, board.corners) == (0, None, [0])


def rules_for(text: str) -> Rules:
    """The rules of the first column: a quest, or a variant after ``variant:``, and options."""
    name, *options = text.split()
    size = next((int(option[5:]) for option in options if option.startswith("size=")), None)
    reading = BleakKing.SQUARES if "squares" in options else BleakKing.TERRITORY
    if name == "variant:harmony":
        return Rules(size=size, harmony=True)
    if name == "variant:middle-kingdom":
        return Rules(size=size, middle_kingdom=True)
    return Rules(size=size, quests=(Quest.parse(name),), bleak_king=reading)


@pytest.mark.parametrize(
    ("quest", "text", "points", "earned"),
    rows("bonuses"),
    ids=[f"{row[0]}-{row[1]}" for row in rows("bonuses")],
)
def test_golden(quest: str, text: str, points: str, earned: str) -> None:
    kingdom = Kingdom.parse(text)
    (bonus,) = score(kingdom, rules_for(quest)).bonuses
    assert bonus.points == int(points)
    everything = tuple(position for position, _ in kingdom.items())
    assert bonus.squares == (everything if earned == "all" else squares(earned))
    assert bonus.name == quest.split()[0].removeprefix("variant:")


def test_every_goal_has_golden_cases_with_and_without_points() -> None:
    for goal in Goal:
        points = {row[2] != "0" for row in rows("bonuses") if row[0].startswith(goal.key)}
        assert points == {True, False}, goal


def test_bonuses_add_to_the_total_and_keep_the_order_of_the_rules() -> None:
    quests = tuple(map(Quest.parse, ("lost-corner", "local-business:w", "four-corners:m")))
    result = score(Kingdom.parse("c w1/w f"), Rules(quests=quests))
    assert [(bonus.name, bonus.points) for bonus in result.bonuses] == [
        ("lost-corner", 20),
        ("local-business:w", 10),
        ("four-corners:m", 0),
    ]
    assert (result.territory_points, result.bonus_points, result.points) == (1, 30, 31)


def test_groups_are_one_for_each_time() -> None:
    rules = Rules(quests=(Quest(Goal.FOLIE_DES_GRANDEURS),))
    (bonus,) = score(Kingdom.parse("w1 w1 w1 w1 w1"), rules).bonuses
    assert bonus.groups == (((0, 0), (0, 1), (0, 2)), ((0, 2), (0, 3), (0, 4)))


def test_the_reading_in_use_is_named() -> None:
    rules = Rules(quests=(Quest(Goal.BLEAK_KING),), bleak_king=BleakKing.SQUARES)
    (bonus,) = score(Kingdom.parse("c"), rules).bonuses
    assert bonus.reading is BleakKing.SQUARES
    (other,) = score(Kingdom.parse("c"), Rules(quests=(Quest(Goal.HARMONY),))).bonuses
    assert other.reading is None


def test_a_bonus_counts_the_kingdom_and_not_the_grid_that_it_is_written_in() -> None:
    full = Kingdom.parse("/".join(["w w c w w"] + ["f f f f f"] * 4))
    wide = Kingdom.parse(". . . . . . ./" + "/".join([". . w w c w w"] + [". . f f f f f"] * 4))
    rules = Rules(size=5, harmony=True)
    (bonus,) = score(full, rules).bonuses
    (shifted,) = score(wide, rules).bonuses
    assert (bonus.points, shifted.points) == (5, 5)
    assert shifted.squares == tuple((row + 1, column + 2) for row, column in bonus.squares)


@pytest.mark.parametrize("quest", ["lost-corner", "middle-kingdom", "local-business:w", "harmony"])
@pytest.mark.parametrize("kingdom", ["w", ".", "c w c"])
def test_without_exactly_one_castle_its_place_earns_nothing(quest: str, kingdom: str) -> None:
    (bonus,) = score(Kingdom.parse(kingdom), Rules(quests=(Quest.parse(quest),))).bonuses
    assert (bonus.points, bonus.squares) == (0, ())


@pytest.mark.parametrize(
    ("kingdom", "points", "territories", "largest", "crowns"),
    rows("territories"),
    ids=[row[0] for row in rows("territories")],
)
def test_golden_territories(
    kingdom: str, points: str, territories: str, largest: str, crowns: str
) -> None:
    result = score(Kingdom.parse(kingdom))
    found = [f"{each.terrain.letter}:{each.size}*{each.crowns}" for each in result.territories]
    assert Counter(found) == Counter(territories.split())
    assert result.points == int(points)
    assert result.largest_territory == int(largest)
    assert result.crowns == int(crowns)


def test_most_valuable_first_with_squares_and_covered_crowns() -> None:
    result = score(Kingdom.parse("w w f1!/c f f1/l1 l ."))
    parts = [(str(each.terrain.letter), each.squares, each.points) for each in result.territories]
    assert parts == [
        ("f", ((0, 2), (1, 1), (1, 2)), 3),
        ("l", ((2, 0), (2, 1)), 2),
        ("w", ((0, 0), (0, 1)), 0),
    ]
    assert [each.covered_crowns for each in result.territories] == [1, 0, 0]
    assert result.covered_crowns == 1


def test_of_equal_points_the_larger_territory_comes_first() -> None:
    found = score(Kingdom.parse("w . f f/c . . .")).territories
    assert [(each.terrain, each.size, each.points) for each in found] == [
        (Terrain.FOREST, 2, 0), (Terrain.WHEAT, 1, 0),
    ]  # fmt: skip
