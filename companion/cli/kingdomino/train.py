"""`kingdomino train`: corrected squares teach the reader of this user."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.parser import Commands
from companion.cli.train_command import Course, add_train_arguments, run_training

if TYPE_CHECKING:
    from companion.labelled_folder import LabelledSquares
    from companion.refitting import Refit
    from vision.kingdomino.classify.head import Head

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> None:
    """Add `train` to the subcommands."""
    add_train_arguments(commands, "kingdomino").set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train, undo or export; 0, or 1 where nothing came of it. WrongUse for wrong use."""
    from companion.kingdomino.own_head import HEADS

    return run_training(args, Course("kingdomino", "kingdomino", HEADS, _read_folder, _refit))


def _read_folder(folder: Path) -> LabelledSquares:
    from companion.kingdomino.labelled_folder import read_folder

    return read_folder(folder)


def _refit(squares: LabelledSquares) -> Refit[Head]:
    import json

    from companion.kingdomino.known_squares import known_squares
    from companion.kingdomino.refitting import refit
    from vision.common.network import shipped_weights

    weights = shipped_weights()
    calibration = json.loads((weights / "squares.json").read_text(encoding="utf-8"))
    model = (weights / "squares.onnx").read_bytes()
    return refit(model, calibration["temperature"], squares, known_squares())
