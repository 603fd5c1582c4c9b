"""Lines for a terminal, and what becomes of a command whose output can't be written."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper

__all__ = ["OUTPUT_CLOSED", "OUTPUT_FAILED", "as_json", "carry_out", "printable", "show", "warn"]

WRONG_USE = 2
"""Exit code for a command line that can't be carried out; that of argparse too."""
OUTPUT_FAILED = 74
"""Exit code where the output can't be written, EX_IOERR of sysexits.h."""
INTERRUPTED = 130
"""Exit code of a program that was interrupted from the keyboard: 128 + SIGINT."""
OUTPUT_CLOSED = 141
"""Exit code where the reader of the output went away, as `| head` does: 128 + SIGPIPE."""

# C0 and C1 control characters, line separators, and what turns the direction of writing.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text with every control character escaped, so that names can't steer the terminal."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


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


def carry_out(command: Callable[[], int]) -> int:
    """Run a command to its exit code, or that for interrupted or output that can't be written."""
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
        warn(error.strerror or str(error))
        return OUTPUT_FAILED
    return code


def _let_every_name_be_printed() -> None:
    """Escape what the terminal can't show, instead of failing on a name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Let what is still buffered go nowhere, or Python complains about it when it ends."""
    if sys.stdout is None:
        return
    with suppress(OSError):  # A stream without a file descriptor keeps nothing back.
        output = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output)
        os.close(nowhere)
