from collections import Counter

import pytest

from scorer.kingdomino import Kingdom, Terrain, score
from tests.scorer.kingdomino.golden_tables import rows


@pytest.mark.parametrize(
    ("kingdom", "points", "territories", "largest", "crowns"),
    rows("territories"),
    ids=[row[0] for row in rows("territories")],
)
def test_golden(kingdom: str, points: str, territories: str, largest: str, crowns: str) -> None:
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
