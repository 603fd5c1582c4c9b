"""A console command with subcommands: language, wrong use and exit codes."""

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
    """The command ``program``; each of its ``commands`` is a module of ``package``.

    Such a module has a function ``add_parser``, which adds its parser and sets the function that
    runs it. Errors of ``rules_errors`` are wrong use; ``rules_message`` makes their sentence. Help
    texts are English and translated by the catalogue ``usage``.
    """

    program: str
    description: str
    examples: str
    package: str
    commands: tuple[str, ...]
    rules_errors: tuple[type[Exception], ...]
    rules_message: Callable[[Any, Language], str]

    def build_parser(self, language: Language = Language.ENGLISH) -> Parser:
        """The parser of the whole command line, with help in that language."""
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
            # It can be before or after the subcommand; the default is suppressed, so that the
            # second parser doesn't overwrite the first.
            add_language(command, default=SUPPRESS)
        return parser

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run one command line; returns the exit code that the help describes."""
        arguments = sys.argv[1:] if argv is None else list(argv)
        language = language_asked_for(arguments, os.environ)
        return carry_out(lambda: self._run(arguments, language), language)

    def _run(self, arguments: Sequence[str], language: Language) -> int:
        """Run the command; wrong use is reported on the error stream."""
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
