"""Errors with a code and details, for invalid notation and contradictory rules."""

from __future__ import annotations

from typing import ClassVar

from scorer.errors import CodedError

_NOTATION = {
    "bad_square": (
        "“{text}” in row {row}, column {column} is no square; write . for empty, c for the "
        "castle, or one of w f l g s m with 0 to 3 crowns and at most as many !, as in w2!"
    ),
    "empty_text": "there is no square in it",
    "unequal_rows": (
        "row {row} has {actual} squares, expected {expected}; write . for an empty square"
    ),
}
"""English, by code; the catalogues of the companion have the same sentences."""
_RULES = {
    "bad_players": "a game has 2 to 5 players, not {players}",
    "bad_size": "a grid is 5 or 7 squares wide, not {size}",
    "duel_needs_large_grid": "the Mighty Duel is played on 7×7",
    "duel_needs_two_players": "the Mighty Duel is for 2 players, not {players}",
    "duplicate_quest": "the quest {quest} exists once",
    "dynasty_needs_three_games": "a Dynasty is three games, not {games}",
    "five_players_need_expansion": "5 players need Age of Giants",
    "large_grid_needs_two_players": "7×7 is for 2 players, not {players}",
    "other_players": "a Dynasty is played by the same players in each of its three games",
    "quest_needs_terrain": "the quest {quest} shows a terrain: write for example {quest}:w",
    "quest_without_terrain": "the quest {quest} shows no terrain",
    "unknown_quest": (
        "there is no quest {quest}; the quests are local-business:T and four-corners:T with "
        "T one of w f l g s m, harmony, middle-kingdom, lost-corner, folie-des-grandeurs and "
        "bleak-king"
    ),
    "variant_beside_quests": (
        "the variant {variant} is one of the quests and not used beside quests; give it as a quest"
    ),
}
"""English, by code; the catalogues of the companion have the same sentences."""


class NotationError(CodedError):
    """A text that is not the notation of a square or kingdom.

    ``code`` is ``bad_square`` (details ``text`` and, inside a kingdom, ``row`` and ``column``
    from 0), ``unequal_rows`` (details ``row``, ``expected``, ``actual``) or ``empty_text``.
    """

    sentences = _NOTATION
    from_0: ClassVar[frozenset[str]] = frozenset({"row", "column"})


class RulesError(CodedError):
    """Rules, players or a set-up that contradict each other; the functions name the codes."""

    sentences = _RULES
