"""`domino-duell train`: corrected hollows teach the reader of this user."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.parser import Commands
from companion.cli.train_command import Course, add_train_arguments, run_training

if TYPE_CHECKING:
    from companion.labelled_folder import LabelledSquares
    from companion.refitting import Refit
    from vision.domino_duell.head import Head

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> None:
    """Add `train` to the subcommands."""
    add_train_arguments(commands, "domino-duell").set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train, undo or export; 0, or 1 where nothing came of it. WrongUse for wrong use."""
    from companion.domino_duell.own_head import HEADS

    return run_training(args, Course("domino-duell", "domino_duell", HEADS, _read_folder, _refit))


def _read_folder(folder: Path) -> LabelledSquares:
    from companion.domino_duell.labelled_folder import read_folder

    return read_folder(folder)


def _refit(hollows: LabelledSquares) -> Refit[Head]:
    from companion.domino_duell.known_boards import known_boards
    from companion.domino_duell.refitting import refit
    from vision.common.network import shipped_weights
    from vision.domino_duell.head import network_of
    from vision.domino_duell.weights import Weights

    return refit(Weights.load(), network_of(shipped_weights()), hollows, known_boards())
