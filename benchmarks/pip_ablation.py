"""What each part of the pip reader adds: ``python -m benchmarks.pip_ablation FOLDER``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.pip_photos.comparison import PhotoResult, read_photo
from training.pip_dominoes.corpus import read_photo_labels
from vision.pip_dominoes.detect import LocateSettings
from vision.pip_dominoes.judge import SettleSettings
from vision.pip_dominoes.reader import Reader, ReadSettings
from vision.pip_dominoes.recognise import RecognitionSettings
from vision.pip_dominoes.weights import Weights

ALL = ReadSettings()
VARIANTS: dict[str, ReadSettings] = {
    "all": ALL,
    "pips alone": replace(ALL, recognition=RecognitionSettings(half_weight=0.0)),
    "halves alone": replace(ALL, recognition=RecognitionSettings(pip_weight=0.0)),
    "no second count in tighter frames": replace(
        ALL, recognition=RecognitionSettings(moved_px=math.inf)
    ),
    "no closer look at what is not clear": replace(ALL, closer_look=False),
    "always all sizes searched": replace(ALL, locate=LocateSettings(clear_fit=math.inf)),
    "one look at 512 pixels": replace(
        ALL, locate=LocateSettings(long_sides_px=(512,), good_px=(0.0, math.inf))
    ),
    "no settling: dominoes as often as seen": replace(ALL, settle=SettleSettings(twice_price=1.0)),
}


def _row(name: str, results: Sequence[PhotoResult]) -> tuple[object, ...]:
    per_scene: dict[str, list[bool]] = {}
    for result in results:
        per_scene.setdefault(result.photo.scene, []).append(result.exact)
    return (
        name,
        f"{sum(r.exact for r in results)}/{len(results)}",
        f"{100 * np.mean([np.mean(exact) for exact in per_scene.values()]):.1f} %",
        f"{sum(r.right for r in results)}/{sum(len(r.photo.tiles) for r in results)}",
        sum(len(r.extra) for r in results),
        sum(r.silent for r in results),
        sum(r.flags for r in results),
    )


def main() -> None:
    """Read all photographs with each variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="photos.csv with its photos")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    parser.add_argument("--one-a-scene", action="store_true", help="the last photograph of each")
    chosen = parser.parse_args()
    photos = read_photo_labels(chosen.folder)
    if chosen.one_a_scene:
        photos = list({photo.scene: photo for photo in photos}.values())
    weights = Weights.load()
    rows = []
    for name, settings in VARIANTS.items():
        reader = Reader(weights, settings)
        rows.append(_row(name, [read_photo(photo, reader) for photo in photos]))
    head = (
        "variant", "photographs exact", "by scene", "dominoes right", "not there",
        "wrong sums, no flag", "flags",
    )  # fmt: skip
    which = ", the last one of each scene" if chosen.one_a_scene else ""
    text = f"# Ablation of the pip reader\n\n{provenance()}, {len(photos)} photographs{which}.\n\n"
    show(text + markdown(head, rows), chosen.keep)


if __name__ == "__main__":
    main()
