"""Read labelled photographs of dominoes: ``python -m benchmarks.pip_photos FOLDER``."""

from __future__ import annotations

import argparse
import datetime
import subprocess
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.pip_photos.comparison import (
    PhotoResult,
    by_group,
    markdown,
    photo_table,
    read_photo,
    thresholds,
    totals,
    worst,
)
from training.pip_dominoes.corpus import LabelledPhoto, read_photo_labels, read_tile_labels
from vision.photo import PhotoError, decode
from vision.pip_dominoes.draw import annotate
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.weights import Weights

_PICTURES = {".jpg", ".jpeg", ".png", ".webp"}
_CELL = (640, 480)
_SHIPPED = (
    "The shipped networks were trained on drawings alone; the model of presence was fitted on "
    "these photographs too, and settings of the reader were chosen looking at them."
)
_SEEN = "Model cards say which photographs the weights were trained on."
_UNSEEN = "Every photograph is read by weights that saw none of its source."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pip_photos",
        description=__doc__,
        epilog="example: python -m benchmarks.pip_photos DATA/pip_dominoes --keep pips.md",
    )
    parser.add_argument("folder", type=Path, help="photos.csv with photos, or labels.csv")
    parser.add_argument("--set-given", action="store_true", help="give the reader the set")
    parser.add_argument(
        "--tiles", type=int, metavar="N", help="also read every N-th single picture of tiles.csv"
    )
    parser.add_argument(
        "--without-dominoes", nargs="*", default=[], metavar="FOLDER[@N]",
        help="folders of pictures that show no domino; with @N every N-th picture",
    )  # fmt: skip
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    parser.add_argument(
        "--cross-validate", nargs="+", type=Path, default=[], metavar="FOLDER",
        help="folders of weights, each with a left_out.txt that names the sources whose "
        "photographs it never saw, one a line; every photograph is read by such weights",
    )  # fmt: skip
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the report there too")
    parser.add_argument("--worst", type=Path, metavar="FILE.jpg", help="draw the worst ten there")
    return parser


def _provenance() -> str:
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return f"{datetime.date.today()}, commit {found.stdout.strip() or 'unknown'}"


def _photo_report(photos: Sequence[LabelledPhoto], results: Sequence[PhotoResult]) -> str:
    scenes = by_group(results, lambda r: r.photo.scene, "scene")
    per_scene: dict[str, list[bool]] = {}
    for result in results:
        per_scene.setdefault(result.photo.scene, []).append(result.exact)
    mean = float(np.mean([np.mean(exact) for exact in per_scene.values()]))
    flags: dict[str, list[int]] = {}
    for result in results:
        flags.setdefault(result.photo.scene, []).append(result.flags)
    flagged = float(np.mean([np.mean(counts) for counts in flags.values()]))
    return (
        f"{totals(results)}\nThe mean of the scenes' shares of exact photographs, "
        f"each scene counting once: {100 * mean:.1f} % of {len(per_scene)} scenes; "
        f"{flagged:.2f} flagged dominoes a photograph by scene.\n\n"
        f"## By source\n\n{by_group(results, lambda r: r.photo.source, 'source')}\n"
        f"## By scene\n\n{scenes}\n## Flags by probability alone\n\n{thresholds(results)}\n"
        f"## Worst ten\n\n{photo_table(worst(results))}\n## All\n\n{photo_table(results)}\n"
    )


def _without_dominoes(named: str, reader: Reader) -> tuple[object, ...]:
    """Name, pictures, refused, flagged, answered with nothing flagged, names of the latter."""
    name, _, every = named.partition("@")
    folder = Path(name)
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in _PICTURES)[
        :: int(every or 1)
    ]
    refused, flagged, silent = 0, 0, []
    for path in paths:
        try:
            reading = reader.read(path)
        except PhotoError:
            refused += 1
            continue
        if reading.doubtful:
            flagged += 1
        else:
            silent.append(f"{path.name} (sum {reading.sum})")
    return folder.name, len(paths), refused, flagged, len(silent), "; ".join(silent)


def _contact_sheet(results: Sequence[PhotoResult]) -> NDArray[np.uint8]:
    """Photographs with their readings, two in a row, (h, w, 3) RGB."""
    cells = []
    for result in results:
        shown = decode(result.photo.path).rgb
        if result.reading is not None:
            shown = annotate(shown, result.reading)
        scale = min(_CELL[0] / shown.shape[1], _CELL[1] / shown.shape[0])
        small = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cell = np.full((_CELL[1] + 24, _CELL[0], 3), 255, np.uint8)
        cell[24 : 24 + small.shape[0], : small.shape[1]] = small[: _CELL[1], : _CELL[0]]
        text = result.photo.path.name
        text += f"  missed {' '.join(result.missing)}  extra {' '.join(result.extra)}"
        cv2.putText(cell, text, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        cells.append(cell)
    if len(cells) % 2:
        cells.append(np.full_like(cells[0], 255))
    return np.vstack([np.hstack(cells[k : k + 2]) for k in range(0, len(cells), 2)])


def _readers(folders: Sequence[Path]) -> dict[str, Reader]:
    """For each source the reader whose weights never saw it. ValueError where two claim it."""
    readers: dict[str, Reader] = {}
    for folder in folders:
        reader = Reader(Weights.load(folder))
        for source in (folder / "left_out.txt").read_text(encoding="utf-8").split():
            if source in readers:
                raise ValueError(f"{source}: left out of several weights")
            readers[source] = reader
    return readers


def main(argv: Sequence[str] | None = None) -> int:
    """Print the report of a folder; keep it with ``--keep``."""
    chosen = _parser().parse_args(argv)
    reader = Reader(Weights.load(chosen.weights))
    readers = _readers(chosen.cross_validate)

    def read(photo: LabelledPhoto) -> PhotoResult:
        own = readers[photo.source] if readers else reader
        return read_photo(photo, own, set_given=chosen.set_given)

    photos = read_photo_labels(chosen.folder)
    results = [read(photo) for photo in photos]
    given = "given" if chosen.set_given else "not given"
    known = _UNSEEN if readers else _SEEN if chosen.weights else _SHIPPED
    text = (
        f"# Pip dominoes\n\n{_provenance()}, {len(photos)} photographs; the reader was {given} "
        f"the set. {known}\n\n"
        f"{_photo_report(photos, results)}"
    )
    if chosen.tiles:
        single = [read(photo) for photo in read_tile_labels(chosen.folder)[:: chosen.tiles]]
        text += (
            f"## Single dominoes\n\nEvery {chosen.tiles}. picture.\n\n{totals(single)}\n"
            f"{by_group(single, lambda r: r.photo.source, 'source')}\n"
            f"{photo_table([r for r in worst(single) if not r.exact])}\n"
        )
    if chosen.without_dominoes:
        rows = [_without_dominoes(f, reader) for f in chosen.without_dominoes]
        head = ("folder", "pictures", "refused", "flagged", "answered, nothing flagged", "which")
        text += f"## Pictures without dominoes\n\n{markdown(head, rows)}"
    print(text)
    if chosen.keep:
        chosen.keep.parent.mkdir(parents=True, exist_ok=True)
        chosen.keep.write_text(text, encoding="utf-8")
    if chosen.worst:
        sheet = _contact_sheet(worst(results))
        cv2.imwrite(str(chosen.worst), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
