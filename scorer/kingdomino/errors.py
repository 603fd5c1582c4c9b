"""What can't be understood or contradicts itself: errors with a code and its details."""

from __future__ import annotations

from scorer.errors import CodedError

__all__ = ["NotationError", "RulesError"]


class NotationError(CodedError):
    """A text that is no square or no kingdom.

    ``code`` is ``bad_square`` (details ``text`` and, inside a kingdom, ``row`` and ``column``
    from 0), ``unequal_rows`` (details ``row``, ``expected``, ``actual``) or ``empty_text``.
    """


class RulesError(CodedError):
    """Rules, players or a set-up that contradict each other."""
