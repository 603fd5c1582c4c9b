"""The console command `companion`: the app, and everything that is kept in a backup and back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.app import add_app
from companion.cli.parser import Commands, Console
from companion.cli.terminal import WrongUse, with_store
from companion.languages import say

if TYPE_CHECKING:
    from companion.store import Store


def add_backup(commands: Commands) -> None:
    """Add `backup` to the subcommands."""
    parser = commands.add_parser(
        "backup",
        run_backup,
        help="write all games, photos and labelled squares into a file",
        description="Write all games, photos and labelled squares into one zip file, while the "
        "app goes on. It holds names, links and pictures: keep it private. Exit code: 0 when it is "
        "written, 1 where the games can't be read, 2 for wrong use.",
        examples=(
            "companion backup games.zip",
            "companion backup --overwrite /media/stick/games.zip",
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip file to write")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there")


def run_backup(args: argparse.Namespace) -> int:
    """Write the backup; 0, or 1 where the store can't be read."""
    path: Path = args.file
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise WrongUse(say("backup.no_file", args.language, file=path))
    if path.exists() and not args.overwrite:
        raise WrongUse(say("backup.there_already", args.language, file=path))

    def write(store: Store) -> str:
        from companion.store.backup import backup

        backup(store, path)
        return say("backup.written", args.language, file=path, megabytes=_megabytes(path))

    return with_store(args.language, write)


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6


def add_restore(commands: Commands) -> None:
    """Add `restore` to the subcommands."""
    parser = commands.add_parser(
        "restore",
        run_restore,
        help="fill an empty database from a backup",
        description="Fill an empty database from a backup of any database. Where there are games "
        "already, nothing is changed. Exit code: 0 when everything is back, 1 where it is not, 2 "
        "for wrong use.",
        examples=("companion restore games.zip",),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip file of a backup")


def run_restore(args: argparse.Namespace) -> int:
    """Restore all or nothing; 0, or 1 where the backup or the database can't be used."""
    path: Path = args.file
    if not path.is_file():
        raise WrongUse(say("restore.no_file", args.language, file=path))

    def fill(store: Store) -> str:
        from companion.store.backup import restore

        return say("restore.done", args.language, count=restore(store, path))

    return with_store(args.language, fill)


CONSOLE = Console(
    program="companion",
    description="The companion as a whole: its web app, and the games that it keeps.",
    examples=(
        "companion app",
        "companion backup games.zip",
        "companion restore games.zip",
    ),
    commands=(add_app, add_backup, add_restore),
    rules_errors=(),
    rules_message=lambda error, language: str(error),
)

build_parser, main = CONSOLE.build_parser, CONSOLE.main

if __name__ == "__main__":
    sys.exit(main())
