"""`companion restore`: a backup into an empty database."""

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
  companion restore games.zip
"""


def add_parser(commands: Commands) -> None:
    """Add `restore` to the subcommands."""
    parser = commands.add_parser(
        "restore",
        help="fill an empty database from a backup",
        description="Fill an empty database from a backup of any database. Where there are games "
        "already, nothing is changed. Exit code: 0 when everything is back, 1 where it is not, 2 "
        "for wrong use.",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip file of a backup")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Restore all or nothing; 0, or 1 where the backup or the database can't be used."""
    path: Path = args.file
    if not path.is_file():
        raise WrongUse(say("restore.no_file", args.language, file=path))

    def fill(store: Store) -> str:
        from companion.games.backup import restore

        return say("restore.done", args.language, count=restore(store, path))

    return with_store(args.language, fill)
