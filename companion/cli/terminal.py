"""Texts from elsewhere, such as names of files, made fit for a terminal."""

from __future__ import annotations

__all__ = ["printable"]


def printable(text: str) -> str:
    r"""The text with everything that a terminal would obey, or hide, written as an escape.

    Control characters may move the cursor, rename the window or hide what was printed before;
    marks of direction turn names around. "a\x1b[2J.jpg" is printed with its backslash.
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
