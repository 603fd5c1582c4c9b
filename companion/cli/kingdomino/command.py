"""The console command `kingdomino`: subcommands, their language, and exit codes."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from companion.cli.kingdomino.arguments import WrongUse
from companion.languages import Language, preferred_language, say
from scorer.kingdomino import RulesError

__all__ = ["build_parser", "main"]

WRONG_USE = 2
"""Exit code of argparse for a command line that it can't parse, and of the commands for theirs."""
COMMANDS = ("read", "score", "setup", "check", "app")

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino app
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="kingdomino",
        description="Kingdomino companion: from the photo of a kingdom to its score.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_language(parser, default=None)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"companion.cli.kingdomino.{name}").add_parser(subparsers)
    for subparser in subparsers.choices.values():
        # Given before or after the subcommand; suppressed, so that the second leaves the first.
        _add_language(subparser, default=argparse.SUPPRESS)
    return parser


def _add_language(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--language",
        choices=[language.value for language in Language],
        default=default,
        help="language of the output (default: that of the environment)",
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    args = build_parser().parse_args(argv)
    args.language = Language(args.language) if args.language else preferred_language(os.environ)
    _let_every_name_be_printed()
    try:
        code = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away, as `| head` does; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(args: argparse.Namespace) -> int:
    """Run the command; wrong use is told on the error stream, whichever command finds it."""
    try:
        code: int = args.run(args)
    except RulesError as error:
        print(say(f"rules_error.{error.code}", args.language, **error.details), file=sys.stderr)
        return WRONG_USE
    except WrongUse as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    return code


def _let_every_name_be_printed() -> None:
    """Escape what the terminal can't show, instead of failing on a photo's name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
