"""`domino-duell moves`: all legal moves of a hand, best first."""

from __future__ import annotations

import argparse
import json

from companion.cli.domino_duell.files import read_text, refusal
from companion.cli.parser import Commands
from companion.cli.wrong_use import WrongUse
from companion.domino_duell.moves import move_record
from companion.domino_duell.wording import arithmetic, move_line, why_line
from companion.languages import say
from scorer.domino_duell import DuelError, legal_moves, parse_board, parse_piece

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  domino-duell moves board.txt --hand rcw gtl bsk
  echo "f6=rtl f7=ycl g5=gml g6=bsw" | domino-duell moves - --hand bcl --json
"""


def add_parser(commands: Commands) -> None:
    """Add `moves` to the subcommands."""
    parser = commands.add_parser(
        "moves",
        help="list the moves of a hand",
        description="List every legal move of the stones of a hand on a board, most points "
        "first. Exit code: 0, or 2 for wrong use or a text that can't be understood.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "file",
        metavar="BOARD.txt",
        help='the stones on the board as f6=rcw, in any order and lines, or "-" for standard '
        "input; lines that start with a bar draw a board of another shape",
    )
    parser.add_argument("--hand", nargs="+", required=True, metavar="STONE", help="the hand")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each move")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the moves; 0. WrongUse for a text that is no board; DuelError for no stone."""
    hand = [parse_piece(text) for text in args.hand]
    try:
        position = parse_board(read_text(args.file, args.language))
    except DuelError as error:
        raise WrongUse(refusal(args.file, error, args.language)) from error
    moves = legal_moves(position, hand)
    for move in moves:
        if args.json:
            print(json.dumps(move_record(move), ensure_ascii=False))
            continue
        print(move_line(move, args.language))
        print(f"   {why_line(move, args.language)}: {arithmetic(move, args.language)}")
    if not moves and not args.json:
        print(say("duell.no_moves", args.language))
    return 0
