"""The box check against laying dominoes in every way, on kingdoms small enough for that."""

from random import Random

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
from scorer.kingdomino.box.graph import BoxGraph, find_smallest_unmatched, kind_of
from scorer.kingdomino.dominoes import find_laying_order
from tests.scorer.kingdomino.laid_by_trying import can_be_laid, unmatched_size
from tests.scorer.kingdomino.random_games import play

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


@settings(max_examples=200)
@given(small_kingdoms())
def test_one_kingdom(kingdom: Kingdom) -> None:
    possible = can_be_laid([kingdom], BASE_DOMINOES)
    outcome = box_check(kingdom)
    assert outcome.verdict is (Verdict.LEGAL if possible else Verdict.IMPOSSIBLE)
    assert bool(outcome.reasons) != possible
    if possible:
        check_cut([kingdom], Rules())


@settings(max_examples=80)
@given(small_kingdoms(5), small_kingdoms(5))
def test_two_kingdoms_jointly(one: Kingdom, other: Kingdom) -> None:
    possible = can_be_laid([one, other], BASE_DOMINOES)
    outcome = box_check([one, other])
    assert outcome.verdict is (Verdict.LEGAL if possible else Verdict.IMPOSSIBLE)
    if possible:
        check_cut([one, other], Rules())


@settings(max_examples=80)
@given(small_kingdoms())
def test_the_expansion_as_listed_is_never_called_impossible(kingdom: Kingdom) -> None:
    outcome = box_check(kingdom, Rules(age_of_giants=True))
    if can_be_laid([kingdom], BASE_DOMINOES + GIANT_DOMINOES):
        assert outcome.verdict is Verdict.LEGAL
    else:
        assert outcome.verdict is not Verdict.LEGAL


@settings(max_examples=150)
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
