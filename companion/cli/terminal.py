"""What every command says and how it ends: printable lines, system errors, exit codes."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from io import TextIOWrapper
from typing import TYPE_CHECKING

from companion.games import register_kinds
from companion.languages import Language, say, translate

if TYPE_CHECKING:  # Help need not wait for the database.
    from companion.store import Store

DOMAIN = "usage"
"""The catalogue of the texts of help and usage errors; their ids are the English texts."""


class Exit(IntEnum):
    """The exit codes of all programs; the table in the documents says the same."""

    DONE = 0
    NOT_DONE = 1
    """Nothing came of it, or not of all: a photo not read, a turn against the rules, no cut."""
    WRONG_USE = 2
    """A wrong command line or input that can't be understood, as in argparse."""
    UNCERTAIN = 3
    OUTPUT_FAILED = 74
    """EX_IOERR of sysexits.h."""
    INTERRUPTED = 130
    """128 + SIGINT."""
    OUTPUT_CLOSED = 141
    """128 + SIGPIPE, as by `| head`."""


class WrongUse(ValueError):
    """A command line that can't be run; its text says why, in the user's language."""


class WrongInput(WrongUse):
    """Input that can't be read or understood: the text says what and where."""


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


def printable(text: str) -> str:
    r"""The text with everything that a terminal would interpret or hide written as an escape.

    Control characters may move the cursor, rename the window or hide what was printed before;
    marks of direction turn names around. "a\x1b[2J.jpg" is printed with its backslash.
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def as_json(record: object) -> str:
    """The record as one line of JSON in ASCII; ValueError for NaN and infinity, which it lacks."""
    return json.dumps(record, allow_nan=False).replace("\x7f", "\\u007f")


def show(line: str) -> None:
    """Print one line on the standard output."""
    print(printable(line))


def warn(line: str) -> None:
    """Print one line on the error stream, if there is one."""
    if sys.stderr is not None:
        print(printable(line), file=sys.stderr)


def carry_out(command: Callable[[], int], language: Language = Language.ENGLISH) -> int:
    """Run a command; returns its exit code, or that for an interrupt or an output error.

    What the system says against the output is printed in ``language``.
    """
    _let_every_name_be_printed()
    try:
        code = command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return Exit.OUTPUT_CLOSED
    except OSError as error:
        _discard_output()
        warn(reason_of(error, language))
        return Exit.OUTPUT_FAILED
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


def with_store(language: Language, work: Callable[[Store], str]) -> int:
    """Do something with the store and show the sentence that it gives: 0, or 1 where it failed.

    The store is that of ``KINGDOMINO_DATABASE_URL``, else that of the user's data folder. Why it
    failed is said on the error stream.
    """
    from companion.store import DATABASE_ERRORS, StoreError, open_store, why_unusable

    register_kinds()
    try:
        store = open_store()
        try:
            show(work(store))
        finally:
            store.close()
    except StoreError as error:
        warn(say(f"store_error.{error.code}", language, **error.details))
    except DATABASE_ERRORS as error:
        warn(say(f"store_error.{why_unusable(error)}", language))
    else:
        return Exit.DONE
    return Exit.NOT_DONE
