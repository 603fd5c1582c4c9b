"""Measure the reader on a labelled folder: ``python -m benchmarks.kingdomino_photos FOLDER``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.kingdomino_photos.comparison import (
    PhotoResult,
    SquareResult,
    cross_validation_parts,
    kingdoms_report,
    read_photos,
    read_squares,
    squares_report,
)
from benchmarks.markdown_tables import provenance, show
from training.kingdomino.corpus import (
    LabelledKingdom,
    LabelledSquare,
    noted_castle_colours,
    read_labels,
    sessions_of_fold,
)
from vision.kingdomino.draw import draw_reading
from vision.kingdomino.passes import ReadSettings
from vision.kingdomino.reader import Reader
from vision.kingdomino.settling import JudgeSettings
from vision.kingdomino.weights import Weights
from vision.photo import decode

TILE = (640, 480)
COLUMNS = 2


def _badness(result: PhotoResult) -> tuple[int, ...]:
    """Sort key, larger for a worse reading: not located, wrong unflagged, wrong, then flagged."""
    compared = result.comparison
    if compared is None:
        return (False, result.silent, 0, 0)
    wrong = compared.squares - compared.right
    return (not compared.located, compared.wrong_unflagged, wrong, compared.flagged)


def worst(results: Sequence[PhotoResult], count: int) -> list[PhotoResult]:
    """The ``count`` worst readings, worst first."""
    return sorted(results, key=_badness, reverse=True)[:count]


def contact_sheet(results: Sequence[PhotoResult]) -> NDArray[np.uint8]:
    """Photographs with their readings, two in a row, shape (h, w, 3), RGB."""
    tiles = []
    for result in results:
        photo = decode(result.picture.path).rgb
        shown = draw_reading(photo, result.reading) if result.reading is not None else photo.copy()
        scale = min(TILE[0] / shown.shape[1], TILE[1] / shown.shape[0])
        size = (round(shown.shape[1] * scale), round(shown.shape[0] * scale))
        small = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
        tile = np.full((TILE[1] + 24, TILE[0], 3), 255, np.uint8)
        tile[24 : 24 + size[1], : size[0]] = small
        compared = result.comparison
        text = result.picture.path.name
        if compared is not None:
            text += f"  {compared.right}/{compared.squares}, {compared.flagged} flagged"
            text += f", {compared.wrong_unflagged} wrong not flagged"
        cv2.putText(tile, text, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(tile)
    while len(tiles) % COLUMNS:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[at : at + COLUMNS]) for at in range(0, len(tiles), COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _with_colours(square: LabelledSquare, folder: Path) -> LabelledSquare:
    """The square with its castle's colour, if that was annotated for training."""
    if square.castle_colour:
        return square
    file = square.path.relative_to(folder).as_posix()
    return replace(square, castle_colour=noted_castle_colours().get(file, ""))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.kingdomino_photos",
        description=__doc__,
        epilog="example: python -m benchmarks.kingdomino_photos sample_images --keep samples.md",
    )
    parser.add_argument("folder", type=Path, help="pictures with a labels.csv")
    parser.add_argument(
        "--without-kingdom", action="store_true",
        help="no picture of the folder shows a kingdom; no labels are needed",
    )  # fmt: skip
    parser.add_argument("--part", metavar="FOLD/FOLDS", help="only this part of the sessions")
    parser.add_argument(
        "--cross-validate", nargs="+", type=Path, metavar="WEIGHTS",
        help="folders of weights; the k-th of n was trained without part k/n and reads that part",
    )  # fmt: skip
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
        text += kingdoms_report(photos)
    if squares:
        text += squares_report(squares, settings)
    show(text, chosen.keep)
    if chosen.worst and photos:
        sheet = contact_sheet(worst(photos, 10))
        cv2.imwrite(str(chosen.worst), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
