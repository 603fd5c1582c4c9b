"""The options that several commands take."""

from __future__ import annotations

from companion.cli.parser import Parser

__all__ = ["add_box_arguments", "add_kingdoms"]


def add_kingdoms(parser: Parser) -> None:
    """Add the kingdoms, as arguments and from files."""
    parser.add_argument(
        "kingdoms",
        nargs="*",
        metavar="[NAME=]NOTATION",
        help='rows from the top separated by "/", squares by blanks: "." empty, "c" castle, or '
        "w f l g s m (wheat, forest, lake, grassland, swamp, mine) with its crowns and a ! for "
        'each giant; "-" stands for the lines of the standard input',
    )
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="FILE",
        help="kingdoms of a file, one a line, after those given as arguments; empty lines and "
        'lines that begin with # are skipped; "-" for the standard input; repeatable',
    )


def add_box_arguments(parser: Parser) -> None:
    """Add the options that decide on the grid and the dominoes in play."""
    parser.add_argument(
        "--size",
        type=int,
        choices=(5, 7),
        help="side of the grid (default: 7 for more than 25 squares unless 3 or more play, else 5)",
    )
    parser.add_argument("--duel", action="store_true", help="the Mighty Duel, 7×7 for two players")
    parser.add_argument(
        "--giants",
        action="store_true",
        help="with the dominoes of Age of Giants; a giant on any square says so too",
    )
