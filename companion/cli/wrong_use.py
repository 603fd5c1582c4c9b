"""The error for a wrong command line."""

from __future__ import annotations

__all__ = ["WrongUse"]


class WrongUse(ValueError):
    """A command line that can't be run; its text says why, in the user's language."""
