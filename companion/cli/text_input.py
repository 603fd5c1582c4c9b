"""Texts that people give to a command: as arguments, in files, on the standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from companion.cli.parser import Parser
from companion.cli.terminal import WrongInput, WrongUse, reason_of
from companion.languages import Language, say

STANDARD_INPUT = "-"
MAX_TEXT_BYTES = 1_000_000
"""Far more than any game, position or list of kingdoms that people write."""

_FILE_NAME = re.compile(r"[^=|;\n]*[^\s./]\.[A-Za-z]{2,5}|[/~][^=|;\s]+")
"""What is no notation of any game, but looks like the name of a file."""


def add_texts(parser: Parser, metavar: str, help: str) -> None:
    """Add texts, names of files and ``-`` as arguments, and the option ``--file``."""
    parser.add_argument("texts", nargs="*", metavar=metavar, help=help)
    parser.rest = "texts"
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="FILE",
        help='a file of such lines, after those given as arguments; "-" for the standard input; '
        "repeatable",
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text with the name of its file and its number from 1; "" for an argument."""

    text: str
    file: str = ""
    number: int = 0

    def refused(self, reason: str, language: Language, column: int = 0) -> WrongInput:
        """The error that says what is wrong and where."""
        return WrongInput(_with_place(reason, language, self.file, self.number, column))


def refusal(
    lines: Sequence[Line],
    reason: str,
    language: Language,
    *,
    line: int = 0,
    column: int = 0,
    text: str = "",
) -> WrongInput:
    """The error that says what is wrong with lines that were read as one text, and where.

    The place is ``line`` and ``column`` of the whole, counted from 1, or else where ``text``
    stands first, or else the file alone.
    """
    if line:
        return lines[line - 1].refused(reason, language, column)
    for each in lines:
        if text and text in each.text:
            return each.refused(reason, language, each.text.index(text) + 1)
    if len(lines) == 1:
        return lines[0].refused(reason, language)
    files = {each.file for each in lines}
    return WrongInput(_with_place(reason, language, files.pop() if len(files) == 1 else ""))


def _with_place(reason: str, language: Language, file: str, line: int = 0, column: int = 0) -> str:
    if not file:
        return reason
    code = "input.at" if column else "input.in_line" if line else "input.in_file"
    return say(code, language, file=file, line=line, column=column, reason=reason)


def joined(lines: Sequence[Line]) -> str:
    """The lines as one text."""
    return "\n".join(line.text for line in lines)


def lines_of(arguments: Sequence[str], files: Sequence[str], language: Language) -> list[Line]:
    """The lines of all arguments and files; WrongUse if there are none of both."""
    if not arguments and not files:
        raise WrongUse(say("input.none", language))
    return [
        *(line for argument in arguments for line in text_lines(argument, language)),
        *(line for file in files for line in text_lines(file, language, named=True)),
    ]


def text_lines(argument: str, language: Language, *, named: bool = False) -> list[Line]:
    """The lines of an argument: of the standard input, of the file of that name, or of itself.

    It can only be a file if it was ``named`` as one. WrongInput for a file that is missing, can't
    be read, is too long or is no text.
    """
    if not named and not is_file(argument):
        return [Line(text) for text in _split(argument)]
    file = source_name(argument, language)
    try:
        text = bounded_text(argument)
    except UnicodeDecodeError as error:
        raise WrongInput(say("input.not_text", language, file=file)) from error
    except TextTooLong as error:
        said = say("input.too_long", language, file=file, limit=MAX_TEXT_BYTES)
        raise WrongInput(said) from error
    except (OSError, ValueError) as error:
        reason = reason_of(error, language)
        raise WrongInput(say("input.unreadable", language, file=file, reason=reason)) from error
    return [Line(line, file, number) for number, line in enumerate(_split(text), start=1)]


def _split(text: str) -> list[str]:
    return [*text.splitlines(), *([""] if text.endswith("\n") or not text else [])]


def is_file(argument: str) -> bool:
    """Whether an argument is a file of that name, looks like one, or stands for the input."""
    if argument == STANDARD_INPUT or _FILE_NAME.fullmatch(argument):
        return True
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False  # Too long for the name of a file, or with signs that none has.


def source_name(file: str, language: Language) -> str:
    """How a message names the file."""
    return say("input.standard_input", language) if file == STANDARD_INPUT else file


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


def bounded_lines(file: str, max_bytes: int = MAX_TEXT_BYTES) -> Iterator[bytes]:
    """The lines of a file or of the standard input, of which there may be any number.

    OSError; TextTooLong at a line of more bytes, and no line after.
    """
    with ExitStack() as stack:
        if file != STANDARD_INPUT:
            opened: BinaryIO = stack.enter_context(Path(file).open("rb"))
        elif sys.stdin is not None:
            opened = sys.stdin.buffer
        else:
            return
        while line := opened.readline(max_bytes + 1):
            if len(line) > max_bytes:
                raise TextTooLong(file)
            yield line
