import time
from collections import Counter

import pytest

from scorer.kingdomino import BASE_DOMINOES, Kingdom, Square
from scorer.kingdomino.box.graph import BoxGraph, Kind, kind_of
from scorer.kingdomino.box.search import GaveUp, Supply, find_cut
from tests.scorer.kingdomino.laid_by_trying import can_be_laid

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
