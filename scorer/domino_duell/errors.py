"""What can't be understood, set up or played: errors with a code and the values they concern.

The sentence that a person reads is made where it is shown, in their language.
"""

from __future__ import annotations

from enum import StrEnum

from scorer.errors import CodedError

__all__ = ["BoardError", "DuelError", "IllegalTurn", "NotationError", "Reason", "SetUpError"]


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


class DuelError(CodedError):
    """Any of the errors of this game."""


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
