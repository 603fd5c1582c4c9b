"""`domino-duell read`: the board on a photo, tried on drawn pictures only."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from companion.domino_duell.wording import piece_name
from companion.languages import Language, say

if TYPE_CHECKING:
    from vision.domino_duell import BoardReading

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  domino-duell read board.jpg
  domino-duell read --json board.jpg
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `read` to the subcommands."""
    parser = subparsers.add_parser(
        "read",
        help="read the board from a photo (tried on drawn pictures only)",
        description="Read which stone lies in which hollow, and say what to check. TRIED ON DRAWN "
        "PICTURES ONLY: no photograph of this game was there to learn from or to measure on. The "
        "whole board must be in the picture; row a is the upper end. Exit code: 0, or 1 if the "
        "photo was not read.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("photo", metavar="PHOTO", help="a photo of the whole board")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photo; 0, or 1 where it was not read, which is told on the error stream."""
    # Loaded here, so that help and the other commands need not wait for it.
    from vision.domino_duell import read_board
    from vision.photo import PhotoError

    try:
        reading = read_board(args.photo)
    except PhotoError as error:
        message = say(f"photo.{error.code}", args.language, **error.details)
        print(say("duell.argument", args.language, argument=args.photo, reason=message),
              file=sys.stderr)  # fmt: skip
        return 1
    if args.json:
        print(json.dumps(_record(args.photo, reading), ensure_ascii=False))
    else:
        _print_text(reading, args.language)
    return 0


def _record(photo: str, reading: BoardReading) -> dict[str, object]:
    return {
        "photo": photo,
        "tried_on": reading.tried_on,
        "board": {hollow: str(piece) for hollow, piece in reading.position.items()},
        "certain": reading.certain,
        "check": [
            {
                "hollow": each.hollow,
                "read": None if each.piece is None else str(each.piece),
                "probability": round(each.probability, 4),
                "runner_up": None if each.runner_up is None else str(each.runner_up),
            }
            for each in reading.hollows
            if each.doubtful
        ],
    }


def _print_text(reading: BoardReading, language: Language) -> None:
    """The stones row by row, as `moves` takes them, then what to check."""
    print(f"# {say('duell.tried', language)}")
    rows: dict[str, list[str]] = {}
    for hollow, piece in reading.position.items():
        rows.setdefault(hollow[0], []).append(f"{hollow}={piece}")
    for row in rows.values():
        print(" ".join(row))
    if not reading.certain:
        print(f"# {say('duell.board_uncertain', language)}")
    elif reading.doubtful:
        print(f"# {say('duell.check', language)}")
    for each in reading.hollows:
        if each.doubtful and reading.certain:
            names = [
                say("duell.empty", language) if piece is None else piece_name(piece, language)
                for piece in (each.piece, each.runner_up)
            ]
            percent = round(100 * each.probability)
            line = say(
                "duell.doubt",
                language,
                hollow=each.hollow,
                first=names[0],
                percent=percent,
                second=names[1],
            )
            print(f"#   {line}")
