"""The console command `domino-duell`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion.cli.console import Console
from companion.cli.parser import Parser
from companion.domino_duell.wording import reason_line
from companion.languages import Language
from scorer.domino_duell import DuelError

__all__ = ["build_parser", "main"]

COMMANDS = ("score", "moves", "complete", "judge", "read", "train")

EXAMPLES = """\
examples:
  domino-duell score game.txt
  domino-duell moves board.txt --hand rcw gtl bsk
  domino-duell complete rcw rmk
"""

CONSOLE = Console(
    program="domino-duell",
    description="Domino-Duell companion: every move scored, and every better one shown. A stone "
    "is written as colour (y r b g: yellow, red, blue, green), symbol (c m t s: circle, moon, "
    "triangle, star) and colour of the symbol (w k g l: white, black, grey, light blue); * is a "
    "joker; f6 is the sixth hollow of row f.",
    examples=EXAMPLES,
    package="companion.cli.domino_duell",
    commands=COMMANDS,
    rules_errors=(DuelError,),
    rules_message=reason_line,
)


def build_parser(language: Language = Language.ENGLISH) -> Parser:
    """The parser of the whole command line, with help in that language."""
    return CONSOLE.build_parser(language)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    return CONSOLE.main(argv)


if __name__ == "__main__":
    sys.exit(main())
