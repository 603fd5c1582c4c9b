"""The board of Domino-Duell: what it shows, its words, what comes up from it, and its component."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import streamlit as st

from companion.games.domino_duell.table import DuelTable
from companion.languages import Language
from companion.web.parts import words_of
from companion.web.shell.bridge import Component, Message
from scorer.domino_duell import (
    Colour,
    Lay,
    Piece,
    Symbol,
    SymbolColour,
    joker_hollows,
    legal_moves,
    parse_piece,
)

MOVES_SHOWN = 12

Seen = tuple[str, str, bool]
"""A hollow, what a photo shows there in notation, and whether a person should look."""


def board_state(
    table: DuelTable,
    *,
    hand_of: int | None = None,
    seen: Sequence[Seen] | None = None,
    notice: str | None = None,
) -> dict[str, Any]:
    """Plain data for the board.

    ``hand_of`` is the player whose hand is being entered, ``seen`` what a photo shows that the
    board has not. Moves are offered only where the game wants it and the hand is known.
    """
    duel, set_up = table.duel, table.set_up
    position = duel.position if duel else None
    stones = dict(position.items()) if position else set_up.start
    player = table.to_move
    moves = None
    if duel and player and set_up.helper and (hand := table.hand(player.id)):
        best = legal_moves(duel.position, hand)[:MOVES_SHOWN]
        moves = [[str(move.stone), move.hollow, move.points] for move in best]
    step = duel.steps[-1] if duel and duel.steps else None
    hand_owner = next((each for each in table.players if each.id == hand_of), None)
    return {
        "rows": list(set_up.shape.rows),
        "stones": {hollow: str(piece) for hollow, piece in stones.items()},
        "phase": "start" if duel is None else "over" if duel.over else "play",
        "name": player.name if player else "",
        "turns": len(table.turns),
        "jokers": set_up.jokers,
        "takeable": list(joker_hollows(position)) if position and set_up.jokers else [],
        "last": step.turn.hollow if step and isinstance(step.turn, Lay) else None,
        "lit": [each for group in step.move.groups for each in group.hollows]
        if step and step.move
        else [],
        "moves": moves,
        "hand": None
        if hand_owner is None
        else {
            "player": hand_owner.id,
            "name": hand_owner.name,
            "pieces": [str(piece) for piece in table.hand(hand_owner.id)],
        },
        "seen": None if seen is None else [list(each) for each in seen if each[0] not in stones],
        "notice": notice,
    }


_HOLLOW = re.compile(r"[a-z][0-9]{1,2}")
_KINDS = frozenset({"start", "lay", "joker", "hand", "hand-done"})
_MAX_NUMBER = 2**31 - 1
_MAX_PIECES = 7


@dataclass(frozen=True)
class DuelAction:
    """One thing that a person did: ``start``, ``lay``, ``joker``, ``hand`` or ``hand-done``.

    ``change_id`` is the same for the same tap, ``turns`` the number of turns that the person
    saw. ``edge`` is set by hand, ``joker`` the hollow of a stone taken for a joker before,
    ``pieces`` the whole hand of ``player``.
    """

    change_id: str
    kind: str
    turns: int = 0
    hollow: str | None = None
    stone: Piece | None = None
    edge: bool | None = None
    joker: str | None = None
    player: int | None = None
    pieces: tuple[Piece, ...] = ()


def actions_of(message: Message) -> list[tuple[int, DuelAction]]:
    """What was done, each with its number; anything that is no such thing is left out."""
    found = []
    for seq, each in message.done:
        with suppress(ValueError, TypeError, KeyError):
            found.append((seq, _action(message.change_id(seq), each)))
    return found


def _action(change_id: str, each: Mapping[str, Any]) -> DuelAction:
    kind, pieces = each["kind"], each.get("pieces", [])
    if kind not in _KINDS or not isinstance(pieces, list) or len(pieces) > _MAX_PIECES:
        raise ValueError("kind or pieces")
    stone, edge = each.get("stone"), each.get("edge")
    if edge is not None and not isinstance(edge, bool):
        raise ValueError("edge")
    return DuelAction(
        change_id,
        kind,
        _number(each.get("turns", 0), 0),
        _hollow(each.get("hollow")),
        None if stone is None else parse_piece(stone),
        edge,
        _hollow(each.get("joker")),
        None if each.get("player") is None else _number(each["player"], 0),
        tuple(parse_piece(piece) for piece in pieces),
    )


def _number(value: Any, least: int) -> int:
    if type(value) is not int or not least <= value <= _MAX_NUMBER:
        raise ValueError("number")
    return int(value)


def _hollow(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not _HOLLOW.fullmatch(value):
        raise ValueError("hollow")
    return value


_PREFIX = "duell_board."
_FIELDS = ("hollow", "piece", "count", "name", "points")


@cache
def board_words(language: Language) -> dict[str, str]:
    """All words of the board in a language, {fields} left as they are."""
    found = words_of(_PREFIX, language, _FIELDS)
    words = {code.removeprefix(_PREFIX): text for code, text in found.items()}
    for kind, values in (("colour", Colour), ("symbol", Symbol), ("ink", SymbolColour)):
        for each in values:
            name = each.german if language is Language.GERMAN else each.english
            words[f"{kind}.{each.letter}"] = name
    return words


_BOARD = Component("domino_duell", "domino_duell/static/duel.mjs", actions_of)


def duel_board(
    state: Mapping[str, Any],
    *,
    key: str,
    language: Language,
    on_action: Callable[[DuelAction], None],
) -> None:
    """Draw the board with what ``board_state`` gives.

    ``on_action`` gets each thing that a person did, before the page is drawn again; what it holds
    then must be safe, because drawing answers it. Where it raises, the phone sends again.
    """
    with st.container(gap=None):
        _BOARD.show({**state, "words": board_words(language)}, key=key, on_change=on_action)
