"""A console command with subcommands: their language, wrong use, and exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from argparse import SUPPRESS
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.cli.parser import Parser, add_language, add_version, language_asked_for
from companion.cli.terminal import WRONG_USE, carry_out, warn
from companion.cli.wrong_use import WrongUse
from companion.languages import Language

__all__ = ["Console"]


@dataclass(frozen=True)
class Console:
    """A command of the name ``program``; each of ``commands`` is a module of ``package``.

    Such a module adds its parser by ``add_parser`` and sets the function that runs it.
    ``rules_message`` says an error of ``rules_errors``, which is wrong use, for people. Texts of
    help are English and shown as the catalogue ``usage`` translates them.
    """

    program: str
    description: str
    examples: str
    package: str
    commands: tuple[str, ...]
    rules_errors: tuple[type[Exception], ...]
    rules_message: Callable[[Any, Language], str]

    def build_parser(self, language: Language = Language.ENGLISH) -> Parser:
        """The parser of the whole command line, its help in that language."""
        parser = Parser(
            language=language,
            prog=self.program,
            description=self.description,
            epilog=self.examples,
        )
        add_version(parser)
        add_language(parser, default=None)
        commands = parser.add_commands()
        for name in self.commands:
            importlib.import_module(f"{self.package}.{name}").add_parser(commands)
        for command in commands.choices.values():
            # Given before or after the subcommand; suppressed, so that the second leaves the
            # first.
            add_language(command, default=SUPPRESS)
        return parser

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run one command line; the exit code is what the command's help says."""
        arguments = sys.argv[1:] if argv is None else list(argv)
        return carry_out(lambda: self._run(arguments))

    def _run(self, arguments: Sequence[str]) -> int:
        """Run the command; wrong use is told on the error stream, whichever command finds it."""
        language = language_asked_for(arguments, os.environ)
        args = self.build_parser(language).parse_args(arguments)
        args.language = language
        try:
            code: int = args.run(args)
        except self.rules_errors as error:
            warn(self.rules_message(error, language))
            return WRONG_USE
        except WrongUse as error:
            warn(str(error))
            return WRONG_USE
        return code
