"""`domino-duell read`: the board on photos, tried on drawn pictures only."""

from __future__ import annotations

import argparse

from companion.cli.parser import Commands
from companion.cli.photo_command import add_photo_arguments, run_over_photos

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  domino-duell read board.jpg
  domino-duell read --json board.jpg
  domino-duell read --draw checked.jpg board.jpg
  domino-duell read --results evening.jsonl photos/
"""


def add_parser(commands: Commands) -> None:
    """Add `read` to the subcommands."""
    parser = commands.add_parser(
        "read",
        help="read the board from photos (tried on drawn pictures only)",
        description="Read which stone lies in which hollow, and say what to check. TRIED ON DRAWN "
        "PICTURES ONLY: no photograph of this game was there to learn from or to measure on. The "
        "whole board must be in the picture; row a is the upper end. The text of one photo is a "
        "board for `moves`. A folder stands for the pictures in it. Exit code: 0 if every photo "
        "was read, 1 if any was not, 2 for wrong use.",
        epilog=EXAMPLES,
    )
    add_photo_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import Telling
    from companion.domino_duell.photo_records import board_record
    from companion.domino_duell.reading_jobs import BOARDS
    from companion.domino_duell.reading_text import board_lines

    telling = Telling(board_record, board_lines, mark="# ")
    return run_over_photos(args, BOARDS, telling, "check")
