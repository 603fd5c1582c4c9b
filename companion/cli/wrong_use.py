"""A command line that can't be carried out."""

from __future__ import annotations

__all__ = ["WrongUse"]


class WrongUse(ValueError):
    """A command line that can't be carried out; its text says why, in the reader's language."""
