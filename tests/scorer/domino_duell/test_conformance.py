"""Cases that follow from the rules as written down elsewhere, found through KINGDOMINO_DATA."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer.domino_duell import Board, legal_moves, parse_piece, score_move, why_illegal

FOLDER = os.environ.get("KINGDOMINO_DATA")
FILE = Path(FOLDER, "conformance", "domino_duell.jsonl") if FOLDER else None
NOT_THERE = "KINGDOMINO_DATA is not set, or holds no conformance/domino_duell.jsonl"


def cases() -> list[Any]:
    if FILE is None or not FILE.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=NOT_THERE), id="none")]
    records = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    return [pytest.param(record, id=record["id"]) for record in records]


@pytest.mark.parametrize("record", cases())
def test_case(record: Mapping[str, Any]) -> None:
    position = Board.of(record["board"])
    found = hand_told(position, record) if "hand" in record else move_told(position, record)
    assert found == record["expect"]


def move_told(position: Board, record: Mapping[str, Any]) -> dict[str, object]:
    stone, hollow = parse_piece(record["stone"]), record["hollow"]
    reason = why_illegal(position, stone, hollow)
    if reason is not None:
        return {"legal": False, "reason": reason.value}
    move = score_move(position, stone, hollow)
    return {
        "legal": True,
        "points": move.points,
        "touched": len(move.touched),
        "edge": move.at_edge,
        "groups": sorted([group.kind.key, sorted(group.hollows)] for group in move.groups),
    }


def hand_told(position: Board, record: Mapping[str, Any]) -> dict[str, object]:
    moves = legal_moves(position, map(parse_piece, record["hand"]))
    best = moves[0].points
    return {
        "legal_moves": len(moves),
        "best_points": best,
        "best": sorted([str(move.stone), move.hollow] for move in moves if move.points == best),
    }
