"""Texts that the commands read, and what is wrong with them, told with file, line and column."""

from __future__ import annotations

from companion.cli.bounded_text import MAX_TEXT_BYTES, STANDARD_INPUT, TextTooLong, bounded_text
from companion.cli.system_errors import reason_of
from companion.cli.wrong_use import WrongUse
from companion.domino_duell.wording import reason_line
from companion.languages import Language, say
from scorer.errors import CodedError

__all__ = ["file_name", "read_text", "refusal"]


def read_text(path: str, language: Language) -> str:
    """The text of a file, or of the standard input for "-". WrongUse where it can't be read."""
    name = file_name(path, language)
    try:
        return bounded_text(path)
    except UnicodeDecodeError as error:
        raise WrongUse(say("duell.no_text", language, file=name)) from error
    except TextTooLong as error:
        said = say("kingdoms.too_long", language, file=name, limit=MAX_TEXT_BYTES)
        raise WrongUse(said) from error
    except (OSError, ValueError) as error:
        reason = reason_of(error, language)
        raise WrongUse(say("duell.no_file", language, file=name, reason=reason)) from error


def file_name(path: str, language: Language) -> str:
    """How a message names the file."""
    return say("duell.standard_input", language) if path == STANDARD_INPUT else path


def refusal(path: str, error: CodedError, language: Language) -> str:
    """What is wrong with the text, and where, as far as the error knows its place."""
    reason = reason_line(error, language)
    file = file_name(path, language)
    if not {"line", "column"} <= error.details.keys():
        return say("duell.in_file", language, file=file, reason=reason)
    line, column = error.details["line"], error.details["column"]
    return say("duell.at", language, file=file, line=line, column=column, reason=reason)
