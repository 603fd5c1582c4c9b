"""`companion backup`: everything that is kept, in one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.companion.stored import with_store
from companion.cli.parser import Commands
from companion.cli.wrong_use import WrongUse
from companion.languages import say

if TYPE_CHECKING:
    from companion.games import Store

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  companion backup games.zip
  companion backup --overwrite /media/stick/games.zip
"""


def add_parser(commands: Commands) -> None:
    """Add `backup` to the subcommands."""
    parser = commands.add_parser(
        "backup",
        help="write all games, photos and labelled squares into a file",
        description="Write all games, photos and labelled squares into one zip file, while the "
        "app goes on. It holds names, links and pictures: keep it private. Exit code: 0 when it is "
        "written, 1 where the games can't be read, 2 for wrong use.",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip file to write")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the backup; 0, or 1 where the store can't be read."""
    path: Path = args.file
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise WrongUse(say("backup.no_file", args.language, file=path))
    if path.exists() and not args.overwrite:
        raise WrongUse(say("backup.there_already", args.language, file=path))

    def write(store: Store) -> str:
        from companion.games.backup import backup

        backup(store, path)
        return say("backup.written", args.language, file=path, megabytes=_megabytes(path))

    return with_store(args.language, write)


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6
