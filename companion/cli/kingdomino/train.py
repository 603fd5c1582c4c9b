"""`kingdomino train`: corrected squares teach the reader of this user."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.companion.stored import with_store
from companion.cli.parser import Commands
from companion.cli.terminal import show, warn
from companion.cli.wrong_use import WrongUse
from companion.languages import Language, say

if TYPE_CHECKING:
    from companion.games import Store
    from companion.kingdomino.refitting import Refit

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino train --export squares/
  kingdomino train --from squares/
  kingdomino train --undo
"""


def add_parser(commands: Commands) -> None:
    """Add `train` to the subcommands."""
    parser = commands.add_parser(
        "train",
        help="let corrected squares teach the reader",
        description="Fit the last layer of the reader anew to squares that were corrected in the "
        "app and kept with consent. It is used on this computer from the next start on, but only "
        "if squares held back are read better by it. Exit code: 0 when that was done, 1 where it "
        "was not, 2 for wrong use.",
        epilog=EXAMPLES,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FOLDER",
        help="a folder with labels.csv and the pictures of squares that it names",
    )
    what.add_argument("--undo", action="store_true", help="go back to the reader of before")
    what.add_argument(
        "--export",
        type=Path,
        metavar="FOLDER",
        help="write the squares that were corrected and kept into a new folder",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train, undo or export; 0, or 1 where nothing came of it. WrongUse for wrong use."""
    if args.undo:
        return _undo(args.language)
    if args.export is not None:
        return _export(args.export, args.language)
    return _train(args.source, args.language)


def _undo(language: Language) -> int:
    from companion.kingdomino.own_head import newest_head, undo_head

    if not undo_head():
        warn(say("train.nothing_to_undo", language))
        return 1
    show(say("train.undone" if newest_head() else "train.undone_all", language))
    return 0


def _export(folder: Path, language: Language) -> int:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUse(say("train.there_already", language, folder=folder))

    def write(store: Store) -> str:
        from companion.games.labelled_squares import export_squares
        from companion.kingdomino.kind import KINGDOMINO

        count = export_squares(store, KINGDOMINO.key, folder)
        return say("train.exported", language, count=count, folder=folder)

    return with_store(language, write)


def _train(folder: Path, language: Language) -> int:
    import json

    from companion.kingdomino.known_squares import known_squares
    from companion.kingdomino.labelled_folder import FolderError, read_folder
    from companion.kingdomino.own_head import install_head
    from companion.kingdomino.refitting import refit
    from vision.common.network import shipped_weights

    try:
        squares = read_folder(folder)
    except FolderError as error:
        raise WrongUse(say(f"train.{error.code}", language, folder=folder)) from error
    weights = shipped_weights()
    calibration = json.loads((weights / "squares.json").read_text(encoding="utf-8"))
    model = (weights / "squares.onnx").read_bytes()
    found = refit(model, calibration["temperature"], squares, known_squares())
    for line in _lines(found, squares.left_out, language):
        show(line)
    if found.refused:
        return 1
    install_head(found.head.to_bytes())
    return 0


def _lines(found: Refit, left_out: int, language: Language) -> list[str]:
    lines = [say("train.squares", language, count=found.squares, sessions=found.sessions)]
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
    lines.append(say(f"train.{found.refused or 'used'}", language, seconds=found.seconds))
    return lines
