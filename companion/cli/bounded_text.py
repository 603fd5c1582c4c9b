"""Texts from files and from the standard input, of which no more is read than is allowed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["MAX_TEXT_BYTES", "STANDARD_INPUT", "TextTooLong", "bounded_bytes", "bounded_lines"]

STANDARD_INPUT = "-"
MAX_TEXT_BYTES = 1_000_000
"""Far more than any game, position or list of kingdoms that people write."""


class TextTooLong(ValueError):
    """A text of more bytes than are read."""


def bounded_bytes(file: str, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """The content of a file, or of the standard input for "-". OSError; TextTooLong."""
    if file != STANDARD_INPUT:
        with Path(file).open("rb") as opened:
            content = opened.read(max_bytes + 1)
    else:
        content = sys.stdin.buffer.read(max_bytes + 1) if sys.stdin is not None else b""
    if len(content) > max_bytes:
        raise TextTooLong(file)
    return content


def bounded_lines(max_bytes: int = MAX_TEXT_BYTES) -> Iterator[bytes]:
    """The lines of the standard input. TextTooLong at a line of more bytes, and no line after."""
    if sys.stdin is None:
        return
    while line := sys.stdin.buffer.readline(max_bytes + 1):
        if len(line) > max_bytes:
            raise TextTooLong(STANDARD_INPUT)
        yield line
