from scorer.kingdomino import Kingdom, Rules, Terrain, score


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
