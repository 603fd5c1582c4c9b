"""Texts from files and from the standard input, of which no more is read than is allowed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["MAX_TEXT_BYTES", "STANDARD_INPUT", "TextTooLong", "bounded_lines", "bounded_text"]

STANDARD_INPUT = "-"
MAX_TEXT_BYTES = 1_000_000
"""Far more than any game, position or list of kingdoms that people write."""


class TextTooLong(ValueError):
    """A text of more bytes than are read."""


def bounded_text(file: str, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """The text of a file, or of the standard input for "-", with line ends of any system.

    OSError; UnicodeDecodeError for what is no UTF-8; TextTooLong.
    """
    if file != STANDARD_INPUT:
        with Path(file).open("rb") as opened:
            content = opened.read(max_bytes + 1)
    else:
        content = sys.stdin.buffer.read(max_bytes + 1) if sys.stdin is not None else b""
    if len(content) > max_bytes:
        raise TextTooLong(file)
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def bounded_lines(max_bytes: int = MAX_TEXT_BYTES) -> Iterator[bytes]:
    """The lines of the standard input. TextTooLong at a line of more bytes, and no line after."""
    if sys.stdin is None:
        return
    while line := sys.stdin.buffer.readline(max_bytes + 1):
        if len(line) > max_bytes:
            raise TextTooLong(STANDARD_INPUT)
        yield line
