"""Domino-Duell in words and as JSON: stones, moves, turns, refusals, and what is to be said of a
position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.languages import Language, say
from scorer.domino_duell import (
    Board,
    Exchange,
    Feature,
    Game,
    Lay,
    MissingFeature,
    Move,
    Pass,
    Piece,
    Step,
    Stone,
    legal_moves,
    parse_piece,
    score_move,
    why_illegal,
)
from scorer.errors import CodedError

FEATURE_CODES = ("duell.feature.colour", "duell.feature.symbol", "duell.feature.symbol_colour")


def feature_name(feature: Feature, language: Language) -> str:
    """A colour, a symbol or a colour of the symbol by its name."""
    return feature.german if language is Language.GERMAN else feature.english


def piece_name(piece: Piece, language: Language) -> str:
    """A stone as the sheet says it, with its notation: "rcw (red, circle, white)"."""
    if not isinstance(piece, Stone):
        return say("duell.joker", language)
    features = ", ".join(feature_name(feature, language) for feature in piece.features)
    return say("duell.stone", language, notation=str(piece), features=features)


def count_of_points(count: int, language: Language) -> str:
    """ "1 point", "27 points"."""
    code = "duell.points.one" if count == 1 else "duell.points.several"
    return say(code, language, count=count)


def move_line(move: Move, language: Language) -> str:
    """What is laid where, and its points: "e6=rcw (red, circle, white): 4 points"."""
    points = count_of_points(move.points, language)
    stone = piece_name(move.stone, language)
    return say("duell.move", language, hollow=move.hollow, stone=stone, points=points)


def why_line(move: Move, language: Language) -> str:
    """Where the points come from: the groups with their hollows, the touches, the edge."""
    groups = ", ".join(
        say(f"duell.{group.kind.key}", language, hollows=" ".join(group.hollows))
        for group in move.groups
    )
    count = len(move.touched)
    code = "duell.touches.one" if count == 1 else "duell.touches.several"
    touches = say(code, language, count=count)
    why = "duell.why_edge" if move.at_edge else "duell.why"
    return say(why, language, groups=groups, touches=touches)


def arithmetic(move: Move, language: Language) -> str:
    """The points as people work them out: "4 × 2 = 8"."""
    code = "duell.arithmetic_edge" if move.at_edge else "duell.arithmetic"
    values = {"sum": move.group_points, "touches": len(move.touched), "points": move.points}
    return say(code, language, **values)


def step_line(number: int, player: str, step: Step, language: Language) -> str:
    """A turn that was taken: "3. Anna: e6=rcw (red, circle, white): 4 points"."""
    return say(
        "duell.turn", language, number=number, player=player, told=_step_text(step, language)
    )


def _step_text(step: Step, language: Language) -> str:
    turn = step.turn
    if isinstance(turn, Pass):
        return say("duell.passes", language)
    if isinstance(turn, Exchange):
        code = "duell.exchanged.one" if turn.count == 1 else "duell.exchanged.several"
        return say(code, language, count=turn.count)
    move = move_line(step.move, language) if step.move else ""
    if step.taken is None:
        return move
    hollow = turn.joker if isinstance(turn, Lay) else turn.hollow
    stone = piece_name(step.taken, language)
    joker = say("duell.joker_used", language, hollow=hollow, stone=stone)
    return say("duell.and_then", language, first=joker, second=move) if move else joker


def totals_line(players: Sequence[str], totals: Sequence[int], language: Language) -> str:
    """The running score: "score: Anna 12, Ben 9"."""
    listed = ", ".join(
        say("duell.total", language, player=player, points=points)
        for player, points in zip(players, totals, strict=True)
    )
    return say("duell.totals", language, totals=listed)


def outcome_line(game: Game, language: Language) -> str:
    """Who has won, alone or together, or whose turn it is."""
    if game.to_move is not None:
        return say("duell.goes_on", language, player=game.set_up.players[game.to_move])
    return winner_line(game.set_up.players, game.totals, language)


def winner_line(players: Sequence[str], totals: Sequence[int], language: Language) -> str:
    """Who has won with these points, alone or together."""
    best = max(totals)
    points = count_of_points(best, language)
    leaders = [name for name, total in zip(players, totals, strict=True) if total == best]
    if len(leaders) == 1:
        return say("duell.wins", language, player=leaders[0], points=points)
    return say("duell.shared", language, players=", ".join(leaders), points=points)


def missing_line(number: int, missing: MissingFeature, language: Language) -> str:
    """Feature by feature, what the missing stone must have, as the sheet's answers say it."""
    feature = say(FEATURE_CODES[number], language)
    if not missing.values:
        return say("duell.neither", language, feature=feature)
    names = [feature_name(value, language) for value in missing.values]
    values = names[0]
    for name in names[1:]:
        values = say("duell.or", language, first=values, second=name)
    code = "duell.equal" if missing.equal else "duell.different"
    return say(code, language, feature=feature, values=values)


def reason_line(error: CodedError, language: Language) -> str:
    """Why a text or a turn is refused, without its place."""
    return say(f"duell_error.{error.code}", language, **error.details)


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
