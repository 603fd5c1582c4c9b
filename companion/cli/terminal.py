"""Print lines to a terminal, and handle output that can't be written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper

from companion.cli.system_errors import reason_of
from companion.languages import Language

__all__ = ["OUTPUT_CLOSED", "OUTPUT_FAILED", "as_json", "carry_out", "printable", "show", "warn"]

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
