"""Errors with a code and details, for invalid notation and contradictory rules."""

from __future__ import annotations

from scorer.errors import CodedError

__all__ = ["NotationError", "RulesError"]


class NotationError(CodedError):
    """A text that is not the notation of a square or kingdom.

    ``code`` is ``bad_square`` (details ``text`` and, inside a kingdom, ``row`` and ``column``
    from 0), ``unequal_rows`` (details ``row``, ``expected``, ``actual``) or ``empty_text``.
    """


class RulesError(CodedError):
    """Rules, players or a set-up that contradict each other; the functions name the codes."""
