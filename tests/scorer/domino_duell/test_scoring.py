from __future__ import annotations

import pytest

from scorer.domino_duell import (
    STONES,
    Board,
    IllegalTurn,
    Move,
    Reason,
    Stone,
    legal_moves,
    parse_piece,
    score_move,
    why_illegal,
)
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
