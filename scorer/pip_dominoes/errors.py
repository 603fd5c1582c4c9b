"""What can't be understood or is against the rules: errors with a code and its details."""

from __future__ import annotations

from scorer.errors import CodedError

__all__ = ["NotationError", "RulesError"]


class NotationError(CodedError):
    """A text or a record that is no tile, hand, layout, round or game.

    ``code`` is ``bad_tile``, ``bad_entry``, ``bad_round``, ``bad_plays`` (each with the ``text``
    that can't be read) or ``bad_record`` (with the ``field`` that is missing or of another kind).
    """


class RulesError(CodedError):
    """Tiles, players, moves or a set-up that the rules do not allow."""
