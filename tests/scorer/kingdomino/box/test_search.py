"""The search for a cut, against laying dominoes in every way."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.kingdomino import (
    BASE_DOMINOES,
    CASTLE,
    EMPTY,
    GIANT_DOMINOES,
    Kingdom,
    Rules,
    Square,
    Verdict,
    box_check,
)
from scorer.kingdomino.box.graph import BoxGraph, Kind, find_smallest_unmatched, kind_of
from scorer.kingdomino.box.search import GaveUp, Supply, find_cut
from scorer.kingdomino.dominoes import find_laying_order
from tests.scorer.kingdomino.laid_by_trying import can_be_laid, unmatched_size
from tests.scorer.kingdomino.random_games import play

KINDS = Counter(kind_of(domino.left, domino.right) for domino in BASE_DOMINOES)


def kind(text: str) -> Kind:
    one, other = map(Square.parse, text.split())
    return kind_of(one, other)


def soon() -> float:
    return time.monotonic() + 30


def test_supply_is_taken_and_given_back() -> None:
    supply = Supply([kind("w w"), kind("f f")], {kind("w w"): 2}, {})
    assert supply.ready == [True, False]
    supply.take(0)
    supply.take(0)
    assert supply.ready == [False, False]
    supply.give_back(0)
    assert supply.ready == [True, False]


def test_loose_squares_make_any_pair_once_each() -> None:
    kinds = [kind("w f"), kind("w w"), kind("f f")]
    supply = Supply(kinds, {}, {Square.parse("w"): 2, Square.parse("f"): 1})
    assert supply.ready == [True, True, False]
    supply.take(0)
    assert supply.ready == [False, False, False]
    supply.give_back(0)
    supply.take(1)
    assert supply.ready == [False, False, False]


def test_spare_dominoes_are_used_last() -> None:
    supply = Supply([kind("w w")], {kind("w w"): 1}, {}, spare=1)
    supply.take(0)
    assert supply.taken_spare(0) == 0
    supply.take(0)
    assert supply.taken_spare(0) == 1
    assert supply.ready == [False]
    supply.give_back(0)
    assert (supply.ready, supply.spare) == ([True], 1)


def test_missing_counts_what_no_cut_can_do_without() -> None:
    supply = Supply([kind("w w")], {kind("w w"): 2}, {})
    assert supply.missing(map(Square.parse, ["w", "w", "w", "w"])) == 0
    assert supply.missing(map(Square.parse, ["w", "w", "w", "w", "w1!"])) == 1
    assert supply.missing(map(Square.parse, ["w", "w", "w", "w", "w", "w", "w", "f"])) == 2


def test_order_can_be_left_aside() -> None:
    graph = BoxGraph.of([Kingdom.parse("c w w f f")], KINDS)
    assert find_cut(graph, Supply(graph.kinds, KINDS, {}), deadline=soon()) is None
    cut = find_cut(graph, Supply(graph.kinds, KINDS, {}), deadline=soon(), in_order=False)
    assert cut is not None
    assert sorted(edge[:2] for edge in cut) == [(0, 1), (2, 3)]


def test_giving_up() -> None:
    # A chessboard without two opposite corners has no cut, and it takes long to try them all.
    rows = [" ".join("wf"[(row + column) % 2] for column in range(8)) for row in range(8)]
    kingdom = Kingdom.parse("/".join(rows)).replace({(0, 0): Square(), (7, 7): Square()})
    kinds = {kind("w f"): 99}
    graph = BoxGraph.of([kingdom], kinds)
    with pytest.raises(GaveUp):
        find_cut(graph, Supply(graph.kinds, kinds, {}, spare=99), deadline=0.0, in_order=False)


@pytest.mark.parametrize(
    "kingdom", ["w g ./w g c", "w g c/l g ./f g .", "f l c/f l g/w g g", "w f c/g l f/w l w"]
)
def test_what_a_cut_that_failed_joined_to_the_castle_is_no_longer_joined(kingdom: str) -> None:
    """Each has a cut into dominoes, but none that can be laid; trying every way agrees.

    A search that forgets to undo what a given-up domino joined to the castle finds one.
    """
    graph = BoxGraph.of([Kingdom.parse(kingdom)], KINDS)
    assert find_cut(graph, Supply(graph.kinds, KINDS, {}), deadline=soon(), in_order=False)
    assert find_cut(graph, Supply(graph.kinds, KINDS, {}), deadline=soon()) is None
    assert not can_be_laid([Kingdom.parse(kingdom)], BASE_DOMINOES)


def test_what_is_given_back_can_be_taken_again_as_often() -> None:
    supply = Supply([kind("w w"), kind("f f")], {kind("w w"): 3}, {})
    for _ in range(2):
        for _ in range(3):
            assert supply.ready == [True, False]
            supply.take(0)
        assert supply.ready == [False, False]
        for _ in range(3):
            supply.give_back(0)


def test_a_domino_given_back_leaves_no_loose_squares() -> None:
    supply = Supply([kind("w w"), kind("w f")], {kind("w w"): 1}, {Square.parse("f"): 1})
    assert supply.ready == [True, False]
    supply.take(0)
    supply.give_back(0)
    assert supply.ready == [True, False]


def test_spare_dominoes_are_given_back_one_by_one() -> None:
    supply = Supply([kind("w w")], {}, {}, spare=2)
    supply.take(0)
    supply.take(0)
    assert (supply.taken_spare(0), supply.spare, supply.ready) == (2, 0, [False])
    supply.give_back(0)
    assert (supply.taken_spare(0), supply.spare, supply.ready) == (1, 1, [True])
    supply.give_back(0)
    assert (supply.taken_spare(0), supply.spare, supply.ready) == (0, 2, [True])


def test_half_of_the_missing_squares_is_missing_in_dominoes() -> None:
    supply = Supply([kind("w w")], {kind("w w"): 1}, {})
    for count, missing in ((2, 0), (3, 1), (4, 1), (6, 2), (8, 3)):
        assert supply.missing(map(Square.parse, ["w"] * count)) == missing


def test_a_domino_of_the_box_is_never_given_back_as_loose_squares() -> None:
    supply = Supply(
        [kind("w w"), kind("w f"), kind("f f")], {kind("w w"): 1}, {Square.parse("f"): 3}
    )
    assert supply.ready == [True, False, True]
    for number in (0, 2):
        supply.take(number)
        supply.give_back(number)
    assert supply.ready == [True, False, True]


def test_loose_squares_are_given_back_as_often_as_they_were_taken() -> None:
    supply = Supply([kind("w w")], {kind("w w"): 1}, {Square.parse("w"): 4})
    for _ in range(2):
        for _ in range(3):
            assert supply.ready == [True]
            supply.take(0)
        assert supply.ready == [False]
        for _ in range(3):
            supply.give_back(0)


def test_the_last_spare_domino_ends_what_only_spares_could_do() -> None:
    supply = Supply([kind("w w"), kind("f f")], {}, {}, spare=1)
    assert supply.ready == [True, True]
    supply.take(0)
    assert supply.ready == [False, False]
    supply.give_back(0)
    assert supply.ready == [True, True]


def test_when_the_next_domino_would_be_a_spare_one() -> None:
    kinds = [kind("w w"), kind("f f"), kind("l l")]
    supply = Supply(kinds, {kind("w w"): 1}, {Square.parse("f"): 2}, spare=9)
    assert [supply.needs_spare(number) for number in range(3)] == [False, False, True]
    supply.take(0)
    supply.take(1)
    assert [supply.needs_spare(number) for number in range(3)] == [True, True, True]


def test_loose_squares_and_dominoes_are_given_back_each_as_what_they_were() -> None:
    loose = {Square.parse("w"): 2, Square.parse("f"): 3}
    supply = Supply([kind("w w"), kind("w f")], {kind("w w"): 1}, loose)
    for _ in range(2):
        supply.take(0)
    for _ in range(2):
        supply.give_back(0)
    assert supply.ready == [True, True]
    for _ in range(2):
        supply.take(1)
    assert supply.ready == [True, False]


def test_every_loose_domino_taken_is_remembered() -> None:
    loose = {Square.parse("w"): 4, Square.parse("f"): 3}
    supply = Supply([kind("w w"), kind("w f")], {}, loose)
    for _ in range(2):
        supply.take(0)
    for _ in range(2):
        supply.give_back(0)
    for _ in range(3):
        assert supply.ready[1]
        supply.take(1)


# Few kinds, so that many kingdoms can nearly be made and dominoes run out.
SQUARES = tuple(map(Square.parse, ("w", "f", "w", "f", "s", "m", "m2", "w1", "s2")))


@st.composite
def small_kingdoms(draw: st.DrawFn, max_squares: int = 9) -> Kingdom:
    """Kingdoms with one castle and up to 8 terrain squares."""
    height = draw(st.integers(1, 3))
    width = draw(st.integers(1, 4))
    cells = [(row, column) for row in range(height) for column in range(width)]
    castle = draw(st.sampled_from(cells))
    chosen = draw(st.lists(st.sampled_from((*SQUARES, EMPTY)), min_size=12, max_size=12))
    squares = dict(zip(cells, chosen, strict=False))
    for place in cells[max_squares:]:
        squares[place] = EMPTY
    return Kingdom.empty(height, width).replace({**squares, castle: CASTLE})


def check_cut(kingdoms: list[Kingdom], rules: Rules) -> None:
    """A cut covers every square once with distinct dominoes that fit, and can be laid so."""
    outcome = box_check(kingdoms, rules)
    assert outcome.verdict is Verdict.LEGAL
    numbers = [each.domino.number for cut in outcome.cuts for each in cut if each.domino]
    assert len(set(numbers)) == len(numbers) == sum(len(cut) for cut in outcome.cuts)
    for kingdom, cut in zip(kingdoms, outcome.cuts, strict=True):
        ends = [end for each in cut for end in (each.left, each.right)]
        assert sorted(ends) == [place for place, square in kingdom.items() if square.terrain]
        for each in cut:
            assert each.domino is not None
            assert kingdom[each.left].printed == each.domino.left
            assert kingdom[each.right].printed == each.domino.right
            assert abs(each.left[0] - each.right[0]) + abs(each.left[1] - each.right[1]) == 1
        for length in range(len(cut) + 1):
            assert len(find_laying_order(kingdom, cut[:length])) == length


@given(small_kingdoms())
def test_one_kingdom(kingdom: Kingdom) -> None:
    possible = can_be_laid([kingdom], BASE_DOMINOES)
    outcome = box_check(kingdom)
    assert outcome.verdict is (Verdict.LEGAL if possible else Verdict.IMPOSSIBLE)
    assert bool(outcome.reasons) != possible
    if possible:
        check_cut([kingdom], Rules())


@given(small_kingdoms(5), small_kingdoms(5))
def test_two_kingdoms_jointly(one: Kingdom, other: Kingdom) -> None:
    possible = can_be_laid([one, other], BASE_DOMINOES)
    outcome = box_check([one, other])
    assert outcome.verdict is (Verdict.LEGAL if possible else Verdict.IMPOSSIBLE)
    if possible:
        check_cut([one, other], Rules())


@given(small_kingdoms())
def test_the_expansion_as_listed_is_never_called_impossible(kingdom: Kingdom) -> None:
    outcome = box_check(kingdom, Rules(age_of_giants=True))
    if can_be_laid([kingdom], BASE_DOMINOES + GIANT_DOMINOES):
        assert outcome.verdict is Verdict.LEGAL
    else:
        assert outcome.verdict is not Verdict.LEGAL


@given(small_kingdoms())
def test_the_smallest_unmatched_set_is_the_smallest(kingdom: Kingdom) -> None:
    kinds = {kind_of(domino.left, domino.right) for domino in BASE_DOMINOES}
    found = find_smallest_unmatched(BoxGraph.of([kingdom], kinds), 0)
    assert len(found) == unmatched_size(kingdom, BASE_DOMINOES)


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(2, 4), st.booleans())
def test_cuts_of_whole_games(seed: int, players: int, duel: bool) -> None:
    duel = duel and players == 2
    kingdoms = play(Random(seed), players, mighty_duel=duel)
    check_cut(kingdoms, Rules(players=players, mighty_duel=duel))


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.data())
def test_a_reason_for_every_square_swapped(seed: int, data: st.DataObject) -> None:
    kingdoms = play(Random(seed), 2)
    number = data.draw(st.integers(0, 1))
    places = [place for place, square in kingdoms[number].items() if square.terrain]
    assume(places)
    place = data.draw(st.sampled_from(places))
    square = data.draw(st.sampled_from([domino.left for domino in BASE_DOMINOES]))
    kingdoms[number] = kingdoms[number].replace({place: square})
    outcome = box_check(kingdoms)
    if outcome.verdict is Verdict.LEGAL:
        check_cut(kingdoms, Rules())
    else:
        assert outcome.verdict is Verdict.IMPOSSIBLE
        assert all(reason.squares for reason in outcome.reasons)
