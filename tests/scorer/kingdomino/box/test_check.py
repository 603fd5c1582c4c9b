"""The check against the box: verdicts, the graph behind them, what has no domino."""

from __future__ import annotations

import pytest

from scorer.kingdomino import (
    BASE_DOMINOES,
    BoxCheck,
    BoxReason,
    Kingdom,
    Position,
    Quest,
    Rules,
    RulesError,
    Square,
    Verdict,
    box_check,
)
from scorer.kingdomino.box.graph import BoxGraph, find_smallest_unmatched, kind_of
from scorer.kingdomino.box.search import _Search
from tests.scorer.kingdomino.golden_tables import rows, squares
from tests.scorer.kingdomino.test_problems import case


def numbers(outcome: BoxCheck) -> set[str]:
    return {each.domino.number if each.domino else "?" for cut in outcome.cuts for each in cut}


@pytest.mark.parametrize(
    ("text", "verdict", "result"), rows("box"), ids=[row[0] for row in rows("box")]
)
def test_golden(text: str, verdict: str, result: str) -> None:
    kingdom, rules = case(text)
    outcome = box_check(kingdom, rules)
    assert outcome.verdict.value == verdict
    code, *rest = result.split() or [""]
    if verdict != "impossible":
        assert numbers(outcome) == set(result.split())
    elif code == "needed_too_often":
        (reason,) = outcome.reasons
        assert (reason.code, [domino.number for domino in reason.dominoes]) == (code, rest)
        assert reason.found == len(rest) + 1
    else:
        (reason,) = outcome.reasons
        assert (reason.code, reason.squares) == (
            code,
            tuple((0, position) for position in squares(" ".join(rest))),
        )


def test_where_the_dominoes_lie_and_in_which_order() -> None:
    outcome = box_check(Kingdom.parse("f f f w c"))
    ((first, second),) = outcome.cuts
    assert (first.domino, first.left, first.right) == (BASE_DOMINOES[12], (0, 3), (0, 2))
    assert second.domino is not None
    assert second.domino.number == "3"


def test_each_domino_once_over_all_kingdoms() -> None:
    mine = Kingdom.parse("m3 w c")
    assert box_check([mine]).verdict is Verdict.LEGAL
    outcome = box_check([mine, Kingdom.parse("c w w"), mine])
    assert outcome.verdict is Verdict.IMPOSSIBLE
    (reason,) = outcome.reasons
    assert (reason.code, [domino.number for domino in reason.dominoes]) == (
        "needed_too_often",
        ["48"],
    )
    assert reason.squares == ((0, (0, 0)), (0, (0, 1)), (2, (0, 0)), (2, (0, 1)))
    assert (reason.found, reason.allowed) == (2, 1)


def test_the_kingdoms_with_reasons_are_named() -> None:
    outcome = box_check([Kingdom.parse("c w w"), Kingdom.parse("c w"), Kingdom.parse("w w")])
    assert {(reason.code, reason.squares) for reason in outcome.reasons} == {
        ("no_castle", ()),
        ("unmatched", ((1, (0, 1)),)),
    }


def test_a_cut_without_an_order_is_given() -> None:
    outcome = box_check(Kingdom.parse("c w w f f"))
    assert numbers(outcome) == {"1", "3"}
    assert [each.left for each in outcome.cuts[0]] == [(0, 1), (0, 3)]


def test_the_uncertain_pairs_decide_nothing_alone() -> None:
    # No source pairs a swamp of 2 crowns with a wheat field of 2, but the squares are there.
    uncertain = box_check(Kingdom.parse("c w2 s2"), Rules(age_of_giants=True))
    assert uncertain.verdict is Verdict.UNCERTAIN
    assert [reason.code for reason in uncertain.reasons] == ["pairs_uncertain"]
    assert uncertain.reasons[0].squares == ((0, (0, 1)), (0, (0, 2)))
    legal = box_check(Kingdom.parse("c w2 f1"), Rules(age_of_giants=True))
    assert [each.is_certain for each in legal.cuts[0]] == [False]
    # The only second such swamp is in the base game, with a wheat field or a grassland.
    twice = Kingdom.parse("w2 s2 c s2 f")
    assert box_check(twice, Rules(age_of_giants=True)).verdict is Verdict.IMPOSSIBLE


def test_giving_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Search, "CLOCK_EVERY", 1)
    kingdom = Kingdom.parse("c w w")
    outcome = box_check(kingdom, time_limit_s=0)
    assert outcome == BoxCheck(Verdict.GAVE_UP, (), (BoxReason("time_over"),))
    assert box_check(kingdom, time_limit_s=60).verdict is Verdict.LEGAL


def test_a_reason_is_given_even_if_looking_for_the_smallest_took_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two mines of three crowns: known at once by counting, so only the reason takes time.
    kingdom = Kingdom.parse("m3 w c w m3")
    monkeypatch.setattr(_Search, "CLOCK_EVERY", 1)
    outcome = box_check(kingdom, time_limit_s=0)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert [reason.code for reason in outcome.reasons] == ["time_over", "needed_too_often"]


def test_there_are_six_giants_over_all_kingdoms() -> None:
    four, two, three = map(Kingdom.parse, ("m3!!! w c w m2!", "m2!! s c", "s m2!! c s1! g"))
    assert box_check([four, two]).reasons == ()
    outcome = box_check([four, three])
    assert outcome.verdict is Verdict.IMPOSSIBLE
    (reason,) = [each for each in outcome.reasons if each.code == "too_many_giants"]
    assert (reason.found, reason.allowed) == (7, 6)
    assert reason.squares == ((0, (0, 0)), (0, (0, 4)), (1, (0, 1)), (1, (0, 3)))


def test_seven_giants_in_one_kingdom() -> None:
    kingdom = Kingdom.parse("w m3!!! c m2!! s/s m2!! . . .")
    outcome = box_check(kingdom)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert "too_many_giants" in {reason.code for reason in outcome.reasons}
    assert box_check(Kingdom.parse("w m3!!! c m2!! s/s m2! . . .")).verdict is Verdict.LEGAL


def test_quests_alone_add_no_dominoes() -> None:
    rules = Rules(quests=(Quest.parse("harmony"),))
    assert box_check(Kingdom.parse("c w2 f1"), rules).verdict is Verdict.IMPOSSIBLE
    assert box_check(Kingdom.parse("c w2 f1"), Rules(age_of_giants=True)).verdict is Verdict.LEGAL


def test_as_many_kingdoms_as_the_rules_say() -> None:
    kingdoms = [Kingdom.parse("c")] * 3
    assert box_check(kingdoms, Rules(players=3)).verdict is Verdict.LEGAL
    for players in (2, 4):
        with pytest.raises(RulesError) as caught:
            box_check(kingdoms, Rules(players=players))
        assert caught.value.code == "bad_players"


def test_what_no_dominoes_can_make_has_its_reason_and_no_cut() -> None:
    alone = box_check(Kingdom.parse("c m3 m3"))
    assert (alone.verdict, alone.cuts) == (Verdict.IMPOSSIBLE, ())
    assert alone.reasons == (BoxReason("unmatched", ((0, (0, 1)),), (), 1, 0),)
    wide = box_check(Kingdom.parse("c w w w w w w w w w w"))
    assert (wide.verdict, wide.cuts) == (Verdict.IMPOSSIBLE, ())
    assert wide.reasons == (BoxReason("too_wide", ((0, (0, 0)), (0, (0, 10))), (), 11, 5),)
    tall = box_check(Kingdom.parse("c/w/w/w/w/w/w/w/w/w/w"))
    assert (tall.verdict, tall.cuts) == (Verdict.IMPOSSIBLE, ())
    assert [reason.code for reason in tall.reasons] == ["too_high"]


def test_no_domino_is_called_missing_where_only_the_order_fails() -> None:
    outcome = box_check(Kingdom.parse("w g g/w w w/c f f"))
    assert outcome.reasons == (BoxReason("no_legal_order", ((0, (0, 1)), (0, (0, 2)))),)


def test_as_few_dominoes_are_missing_as_can_be() -> None:
    (lacking,) = box_check(Kingdom.parse("f f w f f/f f w1 f w/f w l f c")).reasons
    assert [domino.number for domino in lacking.dominoes] == ["13"]
    assert (lacking.code, lacking.found, lacking.allowed) == ("needed_too_often", 2, 1)
    both = map(Kingdom.parse, ("c f l l f", "w g l g f1/w f f w w/c g g w f"))
    (lacking,) = box_check(list(both)).reasons
    assert [domino.number for domino in lacking.dominoes] == ["17"]
    assert (lacking.code, lacking.found, lacking.allowed) == ("needed_too_often", 3, 1)


def test_missing_dominoes_are_counted_whatever_the_order() -> None:
    # In the first kingdom the second domino can't be laid, so that no order helps to count.
    outcome = box_check([Kingdom.parse("c w w m3 w"), Kingdom.parse("c w m3")])
    (reason,) = outcome.reasons
    assert (reason.code, reason.found, reason.allowed) == ("needed_too_often", 2, 1)


def test_the_grid_is_that_of_the_rules() -> None:
    wide = Kingdom.parse("w w w w c f f")
    assert box_check(wide, Rules(size=7)).verdict is Verdict.LEGAL
    assert [reason.code for reason in box_check(wide).reasons] == ["too_wide"]


def test_every_kingdom_with_a_square_that_no_domino_has_is_named() -> None:
    outcome = box_check([Kingdom.parse("c w2 f"), Kingdom.parse("c w w"), Kingdom.parse("c f3 f")])
    assert outcome.reasons == (
        BoxReason("not_in_box", ((0, (0, 1)),)),
        BoxReason("not_in_box", ((2, (0, 1)),)),
    )


def test_squares_never_reached_are_named_in_every_kingdom() -> None:
    outcome = box_check([Kingdom.parse("c w w f f")] * 2)
    places = tuple((number, (0, column)) for number in (0, 1) for column in (3, 4))
    assert outcome.reasons == (BoxReason("no_legal_order", places),)


def test_five_kingdoms_with_the_expansion_and_no_more() -> None:
    rules = Rules(age_of_giants=True)
    assert box_check([Kingdom.parse("c")] * 5, rules).verdict is Verdict.LEGAL
    with pytest.raises(RulesError) as caught:
        box_check([Kingdom.parse("c")] * 6, rules)
    assert (caught.value.code, caught.value.details) == ("bad_players", {"players": 6})


def test_the_clock_is_looked_at_while_a_reason_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Search, "CLOCK_EVERY", 1)
    outcome = box_check(Kingdom.parse("m3 w c w m3"), time_limit_s=60)
    (reason,) = outcome.reasons
    assert (reason.code, reason.found, outcome.cuts) == ("needed_too_often", 2, ())


def test_the_clock_is_looked_at_while_an_order_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Search, "CLOCK_EVERY", 1)
    outcome = box_check(Kingdom.parse("c w w f f"), time_limit_s=60)
    assert [reason.code for reason in outcome.reasons] == ["no_legal_order"]


def test_too_many_giants_concern_no_domino() -> None:
    outcome = box_check(Kingdom.parse("w m3!!! c m2!! s/s m2!! . . ."))
    places = ((0, (0, 1)), (0, (0, 3)), (0, (1, 1)))
    assert BoxReason("too_many_giants", places, (), 7, 6) in outcome.reasons


WHEAT, FOREST, CROWNED = map(Square.parse, ("w", "f", "w1"))


def test_kinds_know_no_order_and_no_giants() -> None:
    assert kind_of(WHEAT, FOREST) == kind_of(FOREST, WHEAT)
    assert kind_of(Square.parse("w1!"), FOREST) == kind_of(FOREST, CROWNED)
    assert kind_of(CROWNED, FOREST) != kind_of(WHEAT, FOREST)


def test_squares_of_all_kingdoms_are_numbered_through() -> None:
    kingdoms = [Kingdom.parse("c w/. f"), Kingdom.parse("w c . f")]
    graph = BoxGraph.of(kingdoms, [kind_of(WHEAT, FOREST)])
    assert graph.places == ((0, (0, 1)), (0, (1, 1)), (1, (0, 0)), (1, (0, 3)))
    assert graph.neighbours == (((1, 0),), ((0, 0),), (), ())
    assert len(set(graph.territory)) == 4
    assert graph.at_castle == {graph.territory[0], graph.territory[2]}


def test_only_kinds_that_are_allowed_join_squares() -> None:
    graph = BoxGraph.of([Kingdom.parse("w w c/f f .")], [kind_of(WHEAT, WHEAT)])
    assert graph.neighbours == (((1, 0),), ((0, 0),), (), ())
    assert graph.kinds == (kind_of(WHEAT, WHEAT),)


KINDS = [kind_of(domino.left, domino.right) for domino in BASE_DOMINOES]


def unmatched(text: str) -> tuple[Position, ...]:
    graph = BoxGraph.of([Kingdom.parse(text)], KINDS)
    return tuple(graph.places[square][1] for square in find_smallest_unmatched(graph, 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c", ""),
        ("c w w", ""),
        ("w w w/w c w/w w w", ""),
        ("c w", "0,1"),
        ("c m3 f", "0,1"),
        ("w . ./w c w/w w .", "1,2"),
        ("f w f/. c .", "0,0 0,2"),
        ("f/w/f/c", "0,0 2,0"),
        # Three corners of the square round the castle, two squares between them.
        ("f w f/. c w/. . f", "0,0 0,2 2,2"),
        # Five squares and the four between them, whichever way the kingdom is turned.
        ("f w f/w f w/f w f/. c .", "0,0 0,2 1,1 2,0 2,2"),
        ("c f w f/. w f w/. f w f", "0,1 0,3 1,2 2,1 2,3"),
        # Two squares with one partner in the midst of others that have theirs.
        (". w1 f/s w s/. m2 c/w f f", "1,2 2,1"),
        ("w1 f w/c w1 ./s w f/f w f", "0,2 1,1"),
        ("w w f/s2 w s/w c w", "0,0 0,2 2,0"),
        # Of two smallest sets always the same.
        ("c s/m .", "0,1"),
    ],
)
def test_by_hand(text: str, expected: str) -> None:
    assert unmatched(text) == squares(expected)


def test_each_kingdom_for_itself() -> None:
    graph = BoxGraph.of([Kingdom.parse("c w w"), Kingdom.parse("w c")], KINDS)
    assert find_smallest_unmatched(graph, 0) == ()
    assert find_smallest_unmatched(graph, 1) == (2,)
