"""The console command `domino-duell`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from companion.cli.command_line import CommandLine
from companion.domino_duell.wording import reason_line

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS = ("score", "moves", "complete", "judge", "read")

EXAMPLES = """\
examples:
  domino-duell score game.txt
  domino-duell moves board.txt --hand rcw gtl bsk
  domino-duell complete rcw rmk
"""

_COMMAND_LINE = CommandLine(
    "domino-duell",
    "Domino-Duell companion: every move scored, and every better one shown. A stone is written "
    "as colour (y r b g: yellow, red, blue, green), symbol (c m t s: circle, moon, triangle, "
    "star) and colour of the symbol (w k g l: white, black, grey, light blue); * is a joker; f6 "
    "is the sixth hollow of row f.",
    EXAMPLES,
    "companion.cli.domino_duell",
    COMMANDS,
    reason_line,
)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    return _COMMAND_LINE.build_parser()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    return _COMMAND_LINE.run(argv)


if __name__ == "__main__":
    sys.exit(main())
