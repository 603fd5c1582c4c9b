"""Groups of stones, and their points."""

from __future__ import annotations

from itertools import combinations

import pytest

from scorer.domino_duell import (
    STONES,
    Board,
    Colour,
    GroupKind,
    IllegalTurn,
    Move,
    Reason,
    Stone,
    SymbolColour,
    completions,
    is_group,
    legal_moves,
    missing_features,
    parse_piece,
    score_move,
    why_illegal,
)
from scorer.domino_duell.scoring import TRIPLE_MASKS
from tests.scorer.domino_duell.golden_tables import rows

SET_BY_HAND = {"": None, "edge": True, "inside": False}


def moved(position: str, move: str) -> Move:
    stone, hollow, edge = (*move.split(), "")[:3]
    at_edge = SET_BY_HAND[edge]
    return score_move(Board.parse(position), parse_piece(stone), hollow, at_edge)


@pytest.mark.parametrize(
    ("position", "move", "points", "touched", "groups"),
    rows("moves"),
)
def test_moves(position: str, move: str, points: str, touched: str, groups: str) -> None:
    found = moved(position, move)
    told = [f"{group.kind.key}:{','.join(group.hollows)}" for group in found.groups]
    assert found.points == int(points)
    assert sorted(found.touched) == sorted(touched.split())
    assert told == groups.split()


@pytest.mark.parametrize(("position", "move", "reason"), rows("refused"))
def test_refused_moves(position: str, move: str, reason: str) -> None:
    stone, hollow = move.split()
    piece = parse_piece(stone)
    assert why_illegal(Board.parse(position), piece, hollow) == Reason(reason)
    with pytest.raises(IllegalTurn) as refused:
        score_move(Board.parse(position), piece, hollow)
    assert refused.value.reason is Reason(reason)
    assert refused.value.details == {"stone": stone, "hollow": hollow}


def test_a_legal_move_has_no_reason_against_it() -> None:
    position = Board.parse("f6=rtl f7=gml")
    assert why_illegal(position, Stone.parse("bcl"), "f8") is None


def test_points_are_groups_times_touches_times_edge() -> None:
    found = moved("c1=rtl b1=gml a2=rtk", "bcl a1")
    assert (found.group_points, found.touched, found.at_edge) == (1, ("a2", "b1"), True)
    assert found.points == 1 * 2 * 2


def test_moves_of_a_hand_come_best_first() -> None:
    position = Board.parse("f6=rtl g5=gml h4=ysl f7=ycl g7=rcl")
    moves = legal_moves(position, map(parse_piece, ("gcl", "bcl", "*", "rtl")))
    assert (str(moves[0].stone), moves[0].hollow, moves[0].points) == ("bcl", "e6", 8)
    assert [move.points for move in moves] == sorted((move.points for move in moves), reverse=True)
    assert {str(move.stone) for move in moves} == {"gcl", "bcl"}
    for move in moves:
        assert move == score_move(position, move.stone, move.hollow)


def test_an_empty_board_or_hand_has_no_moves() -> None:
    assert legal_moves(Board.of(), map(parse_piece, ("rcw", "bcl"))) == ()
    assert legal_moves(Board.parse("f6=rtl f7=gml"), ()) == ()


@pytest.mark.parametrize(
    "lying",
    [
        "f6=rtl f7=ycl g5=gml g7=rcl",
        "f3=bml f4=btl f5=bsl g6=rml h6=gtl i6=ysl",
        "f6=* f7=ycw f8=rcw",
    ],
)
def test_all_moves_are_those_that_nothing_forbids(lying: str) -> None:
    position = Board.parse(lying)
    found = {(move.stone, move.hollow) for move in legal_moves(position, STONES)}
    assert found == {
        (stone, hollow)
        for stone in STONES
        for hollow in position.shape.hollows
        if why_illegal(position, stone, hollow) is None
    }
    assert found


def stones(text: str) -> list[Stone]:
    return [Stone.parse(word) for word in text.split()]


@pytest.mark.parametrize(("there", "missing"), rows("completions"))
def test_completions(there: str, missing: str) -> None:
    found = completions(stones(there))
    assert sorted(map(str, found)) == sorted(missing.split())


def test_completions_are_what_trying_all_stones_finds() -> None:
    for pair in combinations(STONES[::3], 2):
        tried = [stone for stone in STONES if stone not in pair and is_group((*pair, stone))]
        assert sorted(completions(pair), key=STONES.index) == tried
        assert len(tried) in (2, 4, 8)


def test_a_triple_has_exactly_one_fourth_and_it_closes_the_exclusive_or() -> None:
    for one, other, third in combinations(STONES, 3):
        if not is_group((one, other, third)):
            continue
        fourth = completions((one, other, third))
        assert len(fourth) == 1
        assert is_group((one, other, third, *fourth))
        assert fourth[0].number == one.number ^ other.number ^ third.number


def test_every_three_stones_of_a_quadruple_are_a_triple() -> None:
    quadruple = stones("rcw rmk rsl rtg")
    assert is_group(quadruple)
    assert all(is_group(three) for three in combinations(quadruple, 3))


def test_the_table_of_triples_is_the_rule() -> None:
    for one, other in combinations(STONES[1::5], 2):
        mask = TRIPLE_MASKS[64 * one.number + other.number]
        assert mask == TRIPLE_MASKS[64 * other.number + one.number]
        for stone in STONES:
            is_third = stone not in (one, other) and is_group((one, other, stone))
            assert bool(mask >> stone.number & 1) == is_third


def test_features_say_why() -> None:
    colour, symbol, ink = missing_features(stones("rcw rmk"))
    assert (colour.equal, colour.values) == (True, (Colour.RED,))
    assert (symbol.equal, len(symbol.values)) == (False, 2)
    assert ink.values == (SymbolColour.GREY, SymbolColour.LIGHT_BLUE)


@pytest.mark.parametrize("text", ["rcw", "rcw rmk rsl rtg", "rcw rcw", "rcw rmk rcw"])
def test_only_two_or_three_different_stones_can_be_completed(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        completions(stones(text))


def test_only_three_or_four_stones_can_be_a_group() -> None:
    with pytest.raises(ValueError, match="expected 3 or 4, got 2"):
        is_group(stones("rcw rmk"))


def test_kinds() -> None:
    assert [(kind.key, kind.size, kind.points) for kind in GroupKind] == [
        ("triple", 3, 1),
        ("quadruple", 4, 3),
    ]
