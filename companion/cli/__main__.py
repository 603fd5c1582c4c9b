"""`python -m companion.cli GAME …`: the command line of a game, without installation."""

from __future__ import annotations

import importlib
import os
import sys
from argparse import REMAINDER
from collections.abc import Sequence

from companion.cli.parser import Parser, add_version, language_asked_for
from companion.cli.terminal import carry_out

EXAMPLES = """\
examples:
  python -m companion.cli kingdomino --help
  python -m companion.cli kingdomino score "w w f/f1 c f/w l1 f"
"""


def games() -> list[str]:
    """The games with a command line, by their modules here."""
    return ["domino_duell", "dominoes", "kingdomino"]


def build_parser(arguments: Sequence[str]) -> Parser:
    """The parser, with help in the language of the arguments or the environment."""
    parser = Parser(
        language=language_asked_for(arguments, os.environ),
        prog="python -m companion.cli",
        description="The command lines of the companion, one for each game.",
        epilog=EXAMPLES,
    )
    add_version(parser)
    parser.add_argument("game", choices=games(), metavar="GAME", help="the game: %(choices)s")
    parser.add_argument("rest", nargs=REMAINDER, metavar="...", help="what its command line takes")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line of a game; returns its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    args = build_parser(arguments).parse_args(arguments)
    command = importlib.import_module(f"companion.cli.{args.game}")
    return carry_out(lambda: int(command.main(args.rest)))


if __name__ == "__main__":
    sys.exit(main())
