"""What holds for every kingdom and game, checked on random ones."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.kingdomino import (
    BASE_DOMINOES,
    CASTLE,
    EMPTY,
    GIANT_DOMINOES,
    QUESTS,
    BleakKing,
    Kingdom,
    NotationError,
    Result,
    Score,
    Square,
    TieBreak,
    Verdict,
    box_check,
    problems,
    rank,
    score,
    setup_guide,
)
from scorer.kingdomino.rules import Rules
from tests.scorer.kingdomino.random_games import full_kingdom, play
from tests.scorer.kingdomino.random_kingdoms import any_kingdoms

ALL_RULES = [
    Rules(harmony=True, middle_kingdom=True),
    *(Rules(quests=QUESTS, bleak_king=reading) for reading in BleakKing),
]


def figures(result: Score) -> tuple[object, ...]:
    """All of a score that doesn't tell where a square lies."""
    territories = sorted(
        (each.terrain.letter, each.size, each.crowns) for each in result.territories
    )
    bonuses = [(bonus.name, bonus.points, len(bonus.groups)) for bonus in result.bonuses]
    return result.points, territories, bonuses, result.castle_centred, result.crowns


def odd(kingdom: Kingdom, rules: Rules) -> list[tuple[str, int, int | None]]:
    """The problems of a kingdom whichever way it lies."""
    found = problems(kingdom, rules)
    codes = {"too_high": "too_wide"}
    return sorted(
        (codes.get(each.code, each.code), len(each.squares), each.found)
        for each in found
        if each.code != "not_connected"
    )


@given(any_kingdoms(), st.sampled_from(ALL_RULES))
def test_turning_and_mirroring_change_nothing(kingdom: Kingdom, rules: Rules) -> None:
    expected = figures(score(kingdom, rules))
    for other in (kingdom.turned(), kingdom.mirrored(), kingdom.transposed()):
        assert figures(score(other, rules)) == expected
        assert odd(other, rules) == odd(kingdom, rules)


@given(any_kingdoms(), st.sampled_from(ALL_RULES))
def test_empty_edges_change_nothing(kingdom: Kingdom, rules: Rules) -> None:
    wide = Kingdom.empty(kingdom.height + 2, kingdom.width + 3).replace(
        {(row + 1, column + 2): square for (row, column), square in kingdom.items()}
    )
    assert figures(score(wide, rules)) == figures(score(kingdom, rules))
    assert score(wide.trimmed(), rules) == score(kingdom.trimmed(), rules)


@given(any_kingdoms(), any_kingdoms())
def test_isolated_territories_add_up(one: Kingdom, other: Kingdom) -> None:
    beside = Kingdom.empty(max(one.height, other.height), one.width + 1 + other.width).replace(
        {
            **dict(one.items()),
            **{(row, one.width + 1 + column): square for (row, column), square in other.items()},
        }
    )
    assert score(beside).points == score(one).points + score(other).points
    assert score(beside).crowns == score(one).crowns + score(other).crowns


@given(any_kingdoms(), st.data())
def test_splitting_off_a_territory_subtracts_its_points(
    kingdom: Kingdom, data: st.DataObject
) -> None:
    result = score(kingdom)
    assume(result.territories)
    territory = data.draw(st.sampled_from(result.territories))
    rest = kingdom.replace(dict.fromkeys(territory.squares, EMPTY))
    assert score(rest).points == result.points - territory.points


@given(any_kingdoms(), st.data())
def test_a_giant_never_raises_territory_points(kingdom: Kingdom, data: st.DataObject) -> None:
    free = [(place, square) for place, square in kingdom.items() if square.counting_crowns]
    assume(free)
    place, square = data.draw(st.sampled_from(free))
    covered = kingdom.replace({place: Square(square.terrain, square.crowns, square.giants + 1)})
    before, after = score(kingdom), score(covered)
    assert after.territory_points < before.territory_points
    assert after.crowns == before.crowns - 1
    assert after.largest_territory == before.largest_territory


@given(any_kingdoms())
def test_notation_round_trips(kingdom: Kingdom) -> None:
    assert Kingdom.parse(str(kingdom)) == kingdom


@given(st.text(alphabet="wflgsmc.0123! /", max_size=60))
def test_any_text_is_a_kingdom_or_refused(text: str) -> None:
    try:
        kingdom = Kingdom.parse(text)
    except NotationError:
        return
    assert Kingdom.parse(str(kingdom)) == kingdom


@given(any_kingdoms(), st.sampled_from(ALL_RULES))
def test_territories_part_the_terrain_squares(kingdom: Kingdom, rules: Rules) -> None:
    squares = [
        square for territory in score(kingdom, rules).territories for square in territory.squares
    ]
    terrain = [place for place, square in kingdom.items() if square.terrain is not None]
    assert sorted(squares) == terrain


@given(any_kingdoms(max_side=9), st.sampled_from(ALL_RULES))
def test_problems_name_squares_that_are_there(kingdom: Kingdom, rules: Rules) -> None:
    for problem in problems(kingdom, rules):
        assert all(not kingdom[place].is_empty for place in problem.squares)
        assert len(set(problem.squares)) == len(problem.squares)


some_results = st.builds(Result, st.integers(0, 3), st.integers(0, 2), st.integers(0, 2))


@given(
    st.dictionaries(st.sampled_from("ABCDE"), some_results, min_size=2),
    st.sampled_from(TieBreak),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_players_changes_no_place(
    results: dict[str, Result], tie_break: TieBreak, random: Random
) -> None:
    names = list(results)
    random.shuffle(names)
    rules = Rules(tie_break=tie_break)
    first = rank(results, rules)
    second = rank({name: results[name] for name in names}, rules)
    assert {place.player: place for place in first.places} == {
        place.player: place for place in second.places
    }


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(((2, False), (2, True), (3, False), (4, False))))
def test_every_game_played_is_legal(seed: int, game: tuple[int, bool]) -> None:
    players, duel = game
    kingdoms = play(Random(seed), players, mighty_duel=duel)
    rules = Rules(players=players, mighty_duel=duel)
    assert box_check(kingdoms, rules).verdict is Verdict.LEGAL


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(2, 5), st.booleans())
def test_every_game_played_with_the_expansion_is_legal(seed: int, players: int, duel: bool) -> None:
    duel = duel and players == 2
    kingdoms = play(Random(seed), players, age_of_giants=True, mighty_duel=duel)
    rules = Rules(players=players, age_of_giants=True, mighty_duel=duel)
    assert box_check(kingdoms, rules).verdict is Verdict.LEGAL


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.data())
def test_a_square_that_the_box_cannot_supply_is_found_out(seed: int, data: st.DataObject) -> None:
    kingdoms = play(Random(seed), 4)
    number = data.draw(st.integers(0, 3))
    terrain = [place for place, square in kingdoms[number].items() if square.terrain]
    place = data.draw(st.sampled_from(terrain))
    foreign = data.draw(st.sampled_from(("w2", "w3", "f2", "l3", "g3", "s3")))
    kingdoms[number] = kingdoms[number].replace({place: Square.parse(foreign)})
    outcome = box_check(kingdoms)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert any((number, place) in reason.squares for reason in outcome.reasons)


@given(any_kingdoms(max_side=5))
def test_a_castle_more_is_a_problem_more(kingdom: Kingdom) -> None:
    castles = [place for place, square in kingdom.items() if square.is_castle]
    codes = {problem.code for problem in problems(kingdom)}
    assert ("no_castle" in codes) == (not castles)
    assert ("several_castles" in codes) == (len(castles) > 1)
    assert CASTLE.is_castle


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
