from random import Random

import pytest

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, problems, setup_guide
from scorer.kingdomino.rules import Rules
from tests.scorer.kingdomino.random_games import full_kingdom, play


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("players", "giants", "duel"), [(2, 0, 0), (2, 0, 1), (4, 0, 0), (5, 1, 0)]
)
def test_nothing_is_odd_about_a_game(seed: int, players: int, giants: int, duel: int) -> None:
    guide = setup_guide(players, age_of_giants=bool(giants), mighty_duel=bool(duel))
    kingdoms = play(Random(seed), players, age_of_giants=bool(giants), mighty_duel=bool(duel))
    rules = Rules(size=guide.grid, age_of_giants=bool(giants))
    assert len(kingdoms) == players
    assert all(problems(kingdom, rules) == () for kingdom in kingdoms)
    assert all((kingdom.height, kingdom.width) == (guide.grid,) * 2 for kingdom in kingdoms)


def test_the_same_seed_plays_the_same_game() -> None:
    assert play(Random(3), 3) == play(Random(3), 3) != play(Random(4), 3)


def test_some_games_discard_and_some_do_not() -> None:
    kingdoms = [kingdom for seed in range(20) for kingdom in play(Random(seed), 4)]
    gaps = [sum(square.is_empty for _, square in kingdom.items()) for kingdom in kingdoms]
    assert 0 in gaps
    assert max(gaps) > 0
    assert all(gap % 2 == 0 for gap in gaps)


@pytest.mark.parametrize("side", [5, 7])
def test_a_full_kingdom_has_no_gap(side: int) -> None:
    kingdom = full_kingdom(Random(1), side)
    assert sum(square.is_empty for _, square in kingdom.items()) == 0
    assert (kingdom.height, kingdom.width) == (side, side)


def test_all_dominoes_are_distinct() -> None:
    box = BASE_DOMINOES + GIANT_DOMINOES
    assert len({domino.number for domino in box}) == len(box) == 60
