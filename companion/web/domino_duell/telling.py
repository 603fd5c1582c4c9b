"""Turns, refusals and the winner in sentences, without a letter of the notation."""

from __future__ import annotations

from contextlib import suppress

from companion.domino_duell.table import DuelTable
from companion.domino_duell.wording import feature_name
from companion.games import StoreError
from companion.languages import Language, codes, say
from companion.web.wording import count_of_points, listed
from scorer.domino_duell import Exchange, Lay, NotationError, Pass, Piece, Step, Stone, parse_piece

__all__ = ["piece_words", "refusal", "standing_line", "step_told"]

_OWN = {"somebody_was_faster": "duell_page.faster", "game_has_begun": "duell_page.begun"}


def piece_words(piece: Piece, language: Language) -> str:
    """ "red, circle, white"."""
    if not isinstance(piece, Stone):
        return say("duell.joker", language)
    return ", ".join(feature_name(feature, language) for feature in piece.features)


def step_told(step: Step, language: Language) -> str:
    """What was done in a turn, and what it brought."""
    turn = step.turn
    if isinstance(turn, Pass):
        return say("duell_page.passed", language)
    if isinstance(turn, Exchange):
        return say("duell_page.swapped", language, count=turn.count)
    told = []
    if step.taken is not None:
        hollow = turn.joker if isinstance(turn, Lay) else turn.hollow
        piece = piece_words(step.taken, language)
        told.append(say("duell_page.joker", language, hollow=hollow, piece=piece))
    if step.move is not None:
        told.append(
            say(
                "duell_page.laid",
                language,
                piece=piece_words(step.move.stone, language),
                hollow=step.move.hollow,
                points=count_of_points(step.points, language),
            )
        )
    if len(told) == 1:
        return told[0]
    return say("duell_page.then", language, first=told[0], second=told[1])


def refusal(error: StoreError, language: Language) -> str:
    """Why something was not done."""
    reason = str(error.details.get("reason", ""))
    if reason in _OWN:
        return say(_OWN[reason], language)
    code = f"duell_error.{reason}"
    if code not in codes():
        return say("duell_page.not_kept", language)
    details = dict(error.details)
    with suppress(NotationError):
        details["stone"] = piece_words(parse_piece(str(details.get("stone"))), language)
    sentence = say(code, language, **details)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def standing_line(table: DuelTable, language: Language) -> str:
    """Who is in front, or who has won; empty before the first turn."""
    duel = table.duel
    if duel is None or not duel.steps:
        return ""
    best = max(duel.totals)
    points = count_of_points(best, language)
    pairs = zip(table.players, duel.totals, strict=True)
    names = [player.name for player, total in pairs if total == best]
    if not duel.over:
        return say("duell_page.leads", language, names=listed(names, language), points=points)
    if len(names) == 1:
        return say("game.won", language, name=names[0], points=points)
    return say("game.shared", language, names=listed(names, language), points=points)
