"""Measure the reader on a labelled folder: ``python -m vision.kingdomino.evaluate FOLDER``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2

from vision.common.markdown_tables import provenance, show
from vision.kingdomino.evaluate.contact_sheet import contact_sheet, worst
from vision.kingdomino.evaluate.ground_truth import LabelledKingdom, LabelledSquare, read_labels
from vision.kingdomino.evaluate.report import kingdoms_report, squares_report
from vision.kingdomino.evaluate.results import (
    PhotoResult,
    SquareResult,
    cross_validation_parts,
    read_photos,
    read_squares,
)
from vision.kingdomino.judgement import JudgeSettings
from vision.kingdomino.reader import Reader, ReadSettings
from vision.kingdomino.training.corpus import noted_castle_colours, sessions_of_fold
from vision.kingdomino.weights import Weights


def _with_colours(square: LabelledSquare, folder: Path) -> LabelledSquare:
    """The square with its castle's colour, if that was annotated for training."""
    if square.castle_colour:
        return square
    file = square.path.relative_to(folder).as_posix()
    return replace(square, castle_colour=noted_castle_colours().get(file, ""))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m vision.kingdomino.evaluate",
        description=__doc__,
        epilog="example: python -m vision.kingdomino.evaluate sample_images --keep samples.md",
    )
    parser.add_argument("folder", type=Path, help="pictures with a labels.csv")
    parser.add_argument(
        "--without-kingdom",
        action="store_true",
        help="no picture of the folder shows a kingdom; no labels are needed",
    )
    parser.add_argument("--part", metavar="FOLD/FOLDS", help="only this part of the sessions")
    parser.add_argument(
        "--cross-validate",
        nargs="+",
        type=Path,
        metavar="WEIGHTS",
        help="folders of weights; the k-th of n was trained without part k/n and reads that part",
    )
    parser.add_argument(
        "--without-box",
        action="store_true",
        help="read without settling by the dominoes of the box",
    )
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the report there too")
    parser.add_argument(
        "--worst", type=Path, metavar="FILE.jpg", help="draw the worst ten readings there"
    )
    return parser


def _parts(
    pictures: Sequence[LabelledKingdom | LabelledSquare], chosen: argparse.Namespace
) -> Iterator[tuple[Weights, Sequence[LabelledKingdom | LabelledSquare]]]:
    """The pictures to read, each part with the weights to read it with."""
    data = chosen.folder.parent
    if chosen.cross_validate:
        yield from cross_validation_parts(pictures, data, chosen.cross_validate)
    elif chosen.part:
        sessions = sessions_of_fold(data, chosen.part)
        yield Weights.load(), [p for p in pictures if p.session in sessions]
    else:
        yield Weights.load(), pictures


def main(argv: Sequence[str] | None = None) -> int:
    """Print the report of a folder, and write it to the file named by ``--keep``."""
    chosen = _parser().parse_args(argv)
    try:
        pictures = read_labels(chosen.folder, without_kingdom=chosen.without_kingdom)
    except (OSError, ValueError) as error:
        print(f"{error}\nGive a folder with a labels.csv, or --without-kingdom.", file=sys.stderr)
        return 2
    settings = ReadSettings(judge=JudgeSettings(use_box=not chosen.without_box))
    photos: list[PhotoResult] = []
    squares: list[SquareResult] = []
    for weights, part in _parts(pictures, chosen):
        reader = Reader(weights, settings)
        photos += read_photos([p for p in part if isinstance(p, LabelledKingdom)], reader.read)
        squares += read_squares(
            [_with_colours(p, chosen.folder) for p in part if isinstance(p, LabelledSquare)], reader
        )
    count = len(photos) + len(squares)
    text = f"# {chosen.folder.name}\n\n{provenance()}, {count} pictures.\n\n"
    if chosen.cross_validate:
        text += (
            "Each picture was read with weights trained without its scene, board or session: "
            f"{len(chosen.cross_validate)} trainings, each with another part held out.\n\n"
        )
    if photos:
        text += kingdoms_report(photos, settings)
    if squares:
        text += squares_report(squares, settings)
    show(text, chosen.keep)
    if chosen.worst and photos:
        sheet = contact_sheet(worst(photos, 10))
        cv2.imwrite(str(chosen.worst), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
