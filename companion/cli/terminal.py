"""What goes in and out of a command: bounded texts, printable lines, system errors, exit codes."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from companion.languages import Language, translate

__all__ = [
    "MAX_TEXT_BYTES",
    "OUTPUT_CLOSED",
    "OUTPUT_FAILED",
    "STANDARD_INPUT",
    "SYSTEM_ERRORS",
    "TextTooLong",
    "WrongUse",
    "as_json",
    "bounded_lines",
    "bounded_text",
    "carry_out",
    "printable",
    "reason_of",
    "show",
    "translate_reason",
    "warn",
]


class WrongUse(ValueError):
    """A command line that can't be run; its text says why, in the user's language."""


DOMAIN = "usage"

SYSTEM_ERRORS = (
    errno.EACCES,
    errno.EEXIST,
    errno.EIO,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
)
"""The errors of files that people meet; others stay in the words of the system."""


def reason_of(error: Exception, language: Language) -> str:
    """Why a file can't be read or written."""
    return translate_reason(getattr(error, "strerror", None) or str(error), language)


def translate_reason(reason: str, language: Language) -> str:
    """The words of the system, such as those of ``os.strerror``, in another language.

    They stay as they are where there is no translation.
    """
    known = {os.strerror(number) for number in SYSTEM_ERRORS}
    return translate(reason, language, DOMAIN) if reason in known else reason


WRONG_USE = 2
"""Exit code for a wrong command line, as in argparse."""
OUTPUT_FAILED = 74
"""Exit code if the output can't be written, EX_IOERR of sysexits.h."""
INTERRUPTED = 130
"""Exit code of a program that was interrupted from the keyboard: 128 + SIGINT."""
OUTPUT_CLOSED = 141
"""Exit code if the output was closed, as by `| head`: 128 + SIGPIPE."""


def printable(text: str) -> str:
    r"""The text with everything that a terminal would interpret or hide written as an escape.

    Control characters may move the cursor, rename the window or hide what was printed before;
    marks of direction turn names around. "a\x1b[2J.jpg" is printed with its backslash.
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def as_json(record: object) -> str:
    """The record as one line of JSON in ASCII."""
    return json.dumps(record).replace("\x7f", "\\u007f")


def show(line: str) -> None:
    """Print one line on the standard output."""
    print(printable(line))


def warn(line: str) -> None:
    """Print one line on the error stream, if there is one."""
    if sys.stderr is not None:
        print(printable(line), file=sys.stderr)


def carry_out(command: Callable[[], int], language: Language = Language.ENGLISH) -> int:
    """Run a command; returns its exit code, or that for an interrupt or an output error.

    What the system says against the output is told in ``language``.
    """
    _let_every_name_be_printed()
    try:
        code = command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return OUTPUT_CLOSED
    except OSError as error:
        _discard_output()
        warn(reason_of(error, language))
        return OUTPUT_FAILED
    return code


def _let_every_name_be_printed() -> None:
    """Escape what the terminal can't show, instead of failing on a name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Discard what is still buffered, or Python reports an error at exit."""
    if sys.stdout is None:
        return
    with suppress(OSError):  # A stream without a file descriptor keeps nothing back.
        output = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output)
        os.close(nowhere)


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
