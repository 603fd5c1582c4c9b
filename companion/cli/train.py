"""The command `train` of a game: corrected pictures teach the reader of this user."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.parser import Commands
from companion.cli.terminal import WrongUse, show, warn, with_store
from companion.languages import Language, say

if TYPE_CHECKING:
    from companion.reading.own_heads import OwnHeads
    from companion.store import Store
    from vision.common.refit import LabelledSquares, Refit


@dataclass(frozen=True)
class Course:
    """How the reader of a game is taught.

    ``program`` is the game's command, ``kind`` its key in the store, ``heads`` are the layers
    that were fitted; ``read_folder`` and ``refit`` are what ``train --from`` does.
    """

    program: str
    kind: str
    heads: OwnHeads
    read_folder: Callable[[Path], LabelledSquares]
    refit: Callable[[LabelledSquares], Refit[Any]]


def add_training(commands: Commands, course: Callable[[], Course]) -> None:
    """Add `train` to the subcommands of a program; ``course`` is asked for when it runs."""
    parser = commands.add_parser(
        "train",
        lambda args: run_training(args, course()),
        help="let corrected pictures teach the reader",
        description="Fit the last layer of the reader anew to pictures that were corrected in the "
        "app and kept with consent. It is used on this computer from the next start on, but only "
        "if pictures held back are read better by it. Exit code: 0 when that was done, 1 where it "
        "was not, 2 for wrong use.",
        examples=[
            f"{commands.program} train {options}"
            for options in ("--export corrected/", "--from corrected/", "--undo")
        ],
    )
    taken = "a folder with labels.csv and the pictures that it names"
    given = "write the pictures that were corrected and kept into a new folder"
    parser.add_one_of(
        ("--from", {"dest": "source", "type": Path, "metavar": "FOLDER", "help": taken}),
        ("--undo", {"action": "store_true", "help": "go back to the reader of before"}),
        ("--export", {"type": Path, "metavar": "FOLDER", "help": given}),
    )


def run_training(args: argparse.Namespace, course: Course) -> int:
    """Train, undo or export; 0, or 1 where nothing came of it. WrongUse for wrong use."""
    if args.undo:
        return _undo(course, args.language)
    if args.export is not None:
        return _export(course, args.export, args.language)
    return _train(course, args.source, args.language)


def _undo(course: Course, language: Language) -> int:
    if not course.heads.undo():
        warn(say("train.nothing_to_undo", language))
        return 1
    show(say("train.undone" if course.heads.newest() else "train.undone_all", language))
    return 0


def _export(course: Course, folder: Path, language: Language) -> int:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUse(say("train.there_already", language, folder=folder))

    def write(store: Store) -> str:
        from companion.store.labelled_squares import export_squares

        count = export_squares(store, course.kind, folder)
        return say("train.exported", language, count=count, folder=folder)

    return with_store(language, write)


def _train(course: Course, folder: Path, language: Language) -> int:
    from vision.photo.labelled import FolderError

    try:
        squares = course.read_folder(folder)
    except FolderError as error:
        raise WrongUse(say(f"train.{error.code}", language, folder=folder)) from error
    found = course.refit(squares)
    for line in _lines(found, squares.left_out, course.program, language):
        show(line)
    if found.refused:
        return 1
    course.heads.install(found.head.to_bytes())
    return 0


def _lines(found: Refit[Any], left_out: int, program: str, language: Language) -> list[str]:
    lines = [say("train.pictures", language, count=found.squares, sessions=found.sessions)]
    if left_out:
        lines.append(say("train.left_out", language, count=left_out))
    if found.before is not None and found.after is not None:
        lines.append(
            say(
                "train.held_back",
                language,
                before=found.before.wrong,
                after=found.after.wrong,
                surely_before=found.before.surely_wrong,
                surely_after=found.after.surely_wrong,
            )
        )
    ended = f"train.{found.refused or 'used'}"
    lines.append(say(ended, language, seconds=found.seconds, program=program))
    return lines
