"""`kingdomino read`: read kingdoms from photos, with their scores and what to check."""

from __future__ import annotations

import argparse

from companion.cli.parser import Commands
from companion.cli.photo_command import add_photo_parser, run_over_photos

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino read --json red.jpg blue.jpg
  kingdomino read --draw checked.jpg table.jpg
  kingdomino read --results league.jsonl photos/
"""


def add_parser(commands: Commands) -> None:
    """Add `read` to the subcommands."""
    parser = add_photo_parser(
        commands,
        "read",
        told="read kingdoms from photos",
        description="Print for each photo the kingdom as a grid, its score and what to check. "
        "A folder stands for the pictures in it. Exit code: 0 if every photo was read, "
        "1 if any was not, 2 for wrong use.",
        examples=EXAMPLES,
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="read a photo even where it is probably no Kingdomino, or too blurred",
    )
    parser.add_argument(
        "--giants",
        action="store_true",
        help="the game is played with Age of Giants: its dominoes may be there",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import Telling
    from companion.kingdomino.photo_records import photo_record
    from companion.kingdomino.reading_jobs import kingdom_reader
    from companion.kingdomino.reading_text import photo_lines

    reader = kingdom_reader(anyway=args.anyway, giants=args.giants)
    return run_over_photos(args, reader, Telling(photo_record, photo_lines), "kingdoms")
