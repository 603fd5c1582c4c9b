"""What can't be understood, set up or played: errors with a code and the values they concern.

The sentence that a person reads is made where it is shown, in their language.
"""

from __future__ import annotations

from enum import StrEnum

from scorer.errors import CodedError


class Reason(StrEnum):
    """Why a move or a turn is not allowed.

    Source of all but the cases of open hands: Domino-Duell, "Spielvorbereitung",
    "Kurzanleitung" and "Variante".
    """

    OFF_BOARD = "off_board"
    OCCUPIED = "occupied"
    STONE_ON_BOARD = "stone_on_board"
    JOKER_LAID = "joker_laid"
    NO_GROUP = "no_group"
    NOT_IN_HAND = "not_in_hand"
    IN_OTHER_HAND = "in_other_hand"
    NOT_IN_BAG = "not_in_bag"
    BAG_TOO_SMALL = "bag_too_small"
    HAND_TOO_SMALL = "hand_too_small"
    NO_STONE_TO_TAKE = "no_stone_to_take"
    TOO_NEAR_BORDER = "too_near_border"
    NO_JOKERS = "no_jokers"
    NEED_NOT_PASS = "need_not_pass"
    NOT_THEIR_TURN = "not_their_turn"
    GAME_OVER = "game_over"


_SENTENCES = {
    "bad_begins": "there is no player of this number",
    "bad_count": "the number of stones does not fit; expected: {expected}",
    "bad_hollow_mark": "“{text}” is neither o, x nor a blank",
    "bad_name": "“{player}” can't be a player's name here",
    "bad_placing": "“{text}” says no stone in a hollow, as f6=rcw does",
    "bad_players": "a game has two to six players",
    "bad_stone": (
        "“{text}” is no stone; a stone is colour (y r b g), symbol (c m t s) and colour of "
        "the symbol (w k g l), as in rcw"
    ),
    "bad_turn": (
        "“{text}” is not understood here; a turn is as f6=rcw, joker f6, swap rcw or pass"
    ),
    "bag_too_small": "{found} drawn, but the bag holds {allowed}",
    "empty_board": "the drawing has no hollow",
    "game_over": "the game is over",
    "hand_too_large": "{found} pieces: a hand has at most {allowed}",
    "hand_too_small": "{found} given, but the hand holds {allowed}",
    "hollow_twice": "{hollow} is filled twice",
    "in_other_hand": "{stone} is in another hand",
    "joker_laid": "a joker is not laid like a stone",
    "jokers_not_in_play": "a joker, but no line “jokers”",
    "late_line": "“{text}” must stand before the first turn",
    "line_missing": "the line “{text}” is missing",
    "line_twice": "“{text}” was said before",
    "need_not_pass": "only who can't lay sits out, but {stone} goes on {hollow}",
    "no_group": "{stone} on {hollow} makes no new triple or quadruple",
    "no_jokers": "there is no joker to use",
    "no_stone_to_take": "on {hollow} lies no stone to take",
    "not_in_bag": "{stone} can't have been in the bag",
    "not_in_hand": "{stone} is not in this hand",
    "not_their_turn": "it is the turn of {expected}, not of {player}",
    "occupied": "{hollow} is occupied",
    "off_board": "the board has no hollow “{hollow}”",
    "off_lattice": "this hollow must stand one column further left or right, between those above",
    "piece_twice": "{stone} is there twice",
    "same_name": "two players are called {player}",
    "start_stones": "at the start one stone lies in each hollow of the middle and nowhere else",
    "stone_on_board": "{stone} lies on the board already",
    "too_many_jokers": "{found} jokers: there are only {allowed}",
    "too_many_rows": "{found} rows: at most {allowed} are possible",
    "too_near_border": "{hollow} lies less than two rows inside the stones",
    "unknown_end": (
        "“{text}” is no end of a game; write ends stones, or ends edge for the quick game"
    ),
    "unknown_line": (
        "“{text}” is not understood here; a line is “players”, “start”, “hand”, “begins”, "
        "“ends”, “jokers”, a row of the board after |, or a turn: e6=rcw, joker, swap or "
        "pass"
    ),
    "unknown_player": "there is no player of this name",
}
"""English, by code; the catalogues of the companion have the same sentences."""


class DuelError(CodedError):
    """Any of the errors of this game."""

    sentences = _SENTENCES


class NotationError(DuelError):
    """A text that is no stone, board, turn or game.

    ``details`` hold the ``text`` in question and, where it stands in a longer text, its ``line``
    and ``column``, both from 1.
    """

    def at(self, line: int, column: int) -> NotationError:
        """The same error in a longer text; its own place counts from ``line`` and ``column``."""
        own_line, own_column = self.details.get("line", 1), self.details.get("column", 1)
        assert isinstance(own_line, int)
        assert isinstance(own_column, int)
        place = {
            "line": line + own_line - 1,
            "column": own_column if own_line > 1 else column + own_column - 1,
        }
        return NotationError(self.code, **(self.details | place))


class BoardError(DuelError):
    """Stones that can't lie so: ``off_board``, ``piece_twice`` or ``too_many_jokers``."""


class SetUpError(DuelError):
    """Players, start stones or hands that contradict the rules."""


class IllegalTurn(DuelError):
    """A turn that the rules don't allow; ``code`` is a ``Reason``."""

    @property
    def reason(self) -> Reason:
        """Why the turn is not allowed."""
        return Reason(self.code)
