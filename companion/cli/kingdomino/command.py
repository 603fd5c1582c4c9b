"""The console command `kingdomino`: subcommands, their language, and exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from argparse import SUPPRESS, Namespace
from collections.abc import Sequence

from companion.cli.kingdomino.arguments import WrongUse
from companion.cli.parser import Parser, add_language, add_version, language_asked_for
from companion.cli.terminal import WRONG_USE, carry_out, warn
from companion.languages import Language, say
from scorer.kingdomino import RulesError

__all__ = ["build_parser", "main"]

COMMANDS = ("read", "score", "setup", "check", "app")

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino app
"""


def build_parser(language: Language = Language.ENGLISH) -> Parser:
    """The parser of the whole command line, its help in that language."""
    parser = Parser(
        language=language,
        prog="kingdomino",
        description="Kingdomino companion: from the photo of a kingdom to its score.",
        epilog=EXAMPLES,
    )
    add_version(parser)
    add_language(parser, default=None)
    commands = parser.add_commands()
    for name in COMMANDS:
        importlib.import_module(f"companion.cli.kingdomino.{name}").add_parser(commands)
    for command in commands.choices.values():
        # Given before or after the subcommand; suppressed, so that the second leaves the first.
        add_language(command, default=SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is what the command's help says."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    return carry_out(lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int:
    """Run the command; wrong use is told on the error stream, whichever command finds it."""
    language = language_asked_for(arguments, os.environ)
    args: Namespace = build_parser(language).parse_args(arguments)
    args.language = language
    try:
        code: int = args.run(args)
    except RulesError as error:
        warn(say(f"rules_error.{error.code}", language, **error.details))
        return WRONG_USE
    except WrongUse as error:
        warn(str(error))
        return WRONG_USE
    return code


if __name__ == "__main__":
    sys.exit(main())
