"""`dominoes count`: read the dominoes in photos, with their sum and what to check."""

from __future__ import annotations

import argparse
from functools import partial

from companion.cli.parser import Commands
from companion.cli.photo_command import add_photo_parser, run_over_photos
from companion.cli.wrong_use import WrongUse
from companion.languages import say
from scorer.pip_dominoes import SETS

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  dominoes count hand.jpg
  dominoes count --set 12 --json anna.jpg ben.jpg
  dominoes count --draw checked.jpg hand.jpg
  dominoes count --results evening.jsonl photos/
  dominoes count --together anna.jpg ben.jpg cleo.jpg
"""


def add_parser(commands: Commands) -> None:
    """Add `count` to the subcommands."""
    parser = add_photo_parser(
        commands,
        "count",
        told="count the dominoes in photos",
        description="Print for each photo its dominoes, the sum of their pips and what to check. "
        "A folder stands for the pictures in it. Exit code: 0 if every photo was read, "
        "1 if any was not, 2 for wrong use.",
        examples=EXAMPLES,
    )
    parser.add_argument(
        "--set",
        type=int,
        choices=SETS,
        dest="domino_set",
        help="the set in play, by its highest half (default: inferred from the photo); nobody "
        "has checked photos of 15 and 18",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="the photos show the hands of one round: each domino is in one of them only, which "
        "helps to tell those that are hard to see",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import Telling
    from companion.pip_dominoes.hand_reading import settle_round
    from companion.pip_dominoes.hand_records import hand_record
    from companion.pip_dominoes.hand_text import hand_lines
    from companion.pip_dominoes.reading_jobs import hand_reader

    for option in ("draw", "results"):
        if args.together and getattr(args, option):
            raise WrongUse(say("count.together_alone", args.language, option=f"--{option}"))
    reader, telling = hand_reader(args.domino_set), Telling(hand_record, hand_lines)
    together = partial(settle_round, highest=args.domino_set) if args.together else None
    return run_over_photos(args, reader, telling, "dominoes", together)
