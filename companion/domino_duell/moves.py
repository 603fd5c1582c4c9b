"""Moves, and what is to be said of a position, as plain data for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.domino_duell import (
    Board,
    Move,
    legal_moves,
    parse_piece,
    score_move,
    why_illegal,
)

__all__ = ["CaseError", "judged", "move_record"]


class CaseError(ValueError):
    """A case with a field that is missing or of another form than expected."""

    def __init__(self, field: str, *, missing: bool) -> None:
        super().__init__(f"{field}: {'missing' if missing else 'of another form'}")
        self.field = field
        self.missing = missing


def move_record(move: Move) -> dict[str, Any]:
    """The move with its points and all that explains them."""
    return {
        "stone": str(move.stone),
        "hollow": move.hollow,
        "points": move.points,
        "groups": [[group.kind.key, list(group.hollows)] for group in move.groups],
        "touched": list(move.touched),
        "edge": move.at_edge,
    }


def judged(case: Mapping[str, Any]) -> dict[str, Any]:
    """What the rules say of a case: a ``board`` with a ``stone`` and a ``hollow``, or a ``hand``.

    For a stone: ``legal`` with ``points``, ``touched``, ``edge`` and ``groups``, or the
    ``reason`` against it; ``at_edge`` sets the edge by hand. For a hand: ``legal_moves``,
    ``best_points`` and ``best``. CaseError for a field that is missing or of another form,
    DuelError for stones or hollows that there are not.
    """
    position = Board.of(_field(case, "board", dict))
    if "hand" in case:
        return _hand_judged(position, _field(case, "hand", list))
    piece = parse_piece(_field(case, "stone", str))
    hollow = _field(case, "hollow", str)
    at_edge = _field(case, "at_edge", bool) if "at_edge" in case else None
    reason = why_illegal(position, piece, hollow)
    if reason is not None:
        return {"legal": False, "reason": reason.value}
    move = score_move(position, piece, hollow, at_edge)
    return {
        "legal": True,
        "points": move.points,
        "touched": len(move.touched),
        "edge": move.at_edge,
        "groups": sorted([group.kind.key, sorted(group.hollows)] for group in move.groups),
    }


def _hand_judged(position: Board, hand: list[Any]) -> dict[str, Any]:
    moves = legal_moves(position, [parse_piece(stone) for stone in hand])
    best = max((move.points for move in moves), default=0)
    return {
        "legal_moves": len(moves),
        "best_points": best,
        "best": sorted([str(move.stone), move.hollow] for move in moves if move.points == best),
    }


def _field(case: Mapping[str, Any], name: str, form: type) -> Any:
    if name not in case:
        raise CaseError(name, missing=True)
    value = case[name]
    words = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(value, form) or (
        form in (dict, list) and not all(isinstance(word, str) for word in words)
    ):
        raise CaseError(name, missing=False)
    return value
