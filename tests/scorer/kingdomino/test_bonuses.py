import pytest

from scorer.kingdomino import BleakKing, Goal, Kingdom, Quest, Rules, score
from tests.scorer.kingdomino.golden_tables import rows, squares


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
