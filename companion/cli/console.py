"""A console command with subcommands: their language, wrong use, and exit codes."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper

from companion.cli.wrong_use import WrongUse
from companion.languages import Language, preferred_language, say
from scorer.errors import CodedError

__all__ = ["WRONG_USE", "Console"]

WRONG_USE = 2
"""Exit code of argparse for a command line that it can't parse, and of the commands for theirs."""


@dataclass(frozen=True)
class Console:
    """A command of the name ``program``; each of ``commands`` is a module of ``package``.

    Such a module adds its parser by ``add_parser`` and sets the function that runs it.
    ``rules_message`` says an error of ``rules_errors``, which is wrong use, for people.
    """

    program: str
    description: str
    examples: str
    package: str
    commands: tuple[str, ...]
    rules_errors: tuple[type[CodedError], ...]
    rules_message: Callable[[CodedError, Language], str]

    def build_parser(self) -> argparse.ArgumentParser:
        """The parser of the whole command line."""
        parser = argparse.ArgumentParser(
            prog=self.program,
            description=self.description,
            epilog=self.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        _add_language(parser, default=None)
        subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
        for name in self.commands:
            importlib.import_module(f"{self.package}.{name}").add_parser(subparsers)
        for subparser in subparsers.choices.values():
            # Given before or after the subcommand; suppressed, so that the second leaves the
            # first.
            _add_language(subparser, default=argparse.SUPPRESS)
        return parser

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
        args = self.build_parser().parse_args(argv)
        args.language = Language(args.language) if args.language else preferred_language(os.environ)
        _let_every_name_be_printed()
        try:
            code = self._run(args)
            if sys.stdout is not None:  # There is none where the output was closed from the start.
                sys.stdout.flush()
        except OSError as error:
            # The reader went away, as `| head` does, or the disk is full; what is still buffered
            # has nowhere to go.
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if not isinstance(error, BrokenPipeError):
                values = {"file": error.filename or "stdout", "reason": error.strerror or error}
                print(say("file.not_written", args.language, **values), file=sys.stderr)
            return 1
        return code

    def _run(self, args: argparse.Namespace) -> int:
        """Run the command; wrong use is told on the error stream, whichever command finds it."""
        try:
            code: int = args.run(args)
        except self.rules_errors as error:
            print(self.rules_message(error, args.language), file=sys.stderr)
            return WRONG_USE
        except WrongUse as error:
            print(error, file=sys.stderr)
            return WRONG_USE
        return code


def _add_language(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--language",
        choices=[language.value for language in Language],
        default=default,
        help="language of the output (default: that of the environment)",
    )


def _let_every_name_be_printed() -> None:
    """Escape what the terminal can't show, instead of failing on a photo's name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
