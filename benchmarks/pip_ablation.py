"""What each part of the pip reader adds: ``python -m benchmarks.pip_ablation FOLDER``.

Every photograph is read as it is and as if the camera had been lowered, which is harder.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.pip_consistency import lowered
from benchmarks.pip_photos.comparison import PhotoResult, read_photo
from training.pip_dominoes.corpus import read_photo_labels
from vision.common.rectify import resize_by_halves
from vision.common.runtime import Clock
from vision.photo import decode
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.detect import Detections, LocateSettings, find_dominoes
from vision.pip_dominoes.judge import RULES, SettleSettings
from vision.pip_dominoes.reader import Reader, ReadSettings
from vision.pip_dominoes.recognise import RecognitionSettings
from vision.pip_dominoes.weights import Weights

Image = NDArray[np.uint8]

LOWERED_DEG = 50.0
LONGEST_PX = 1600


class OneLook(Reader):
    """Reads by the first look alone."""

    def look(self, rgb: Image, clock: Clock | None = None) -> tuple[Detections, Candidates]:
        """What was found at first."""
        found = find_dominoes(rgb, self.weights.locator, self.settings.locate)
        return found, self.recognised(rgb, found.corners, found.scores)


ALL = ReadSettings()
VARIANTS: dict[str, ReadSettings] = {
    "all": ALL,
    "pips alone": replace(ALL, recognition=RecognitionSettings(half_weight=0.0)),
    "halves alone": replace(ALL, recognition=RecognitionSettings(pip_weight=0.0)),
    "the second look never from above": replace(ALL, locate=LocateSettings(plane_from=1000)),
    "no second count in tighter frames": replace(
        ALL, recognition=RecognitionSettings(moved_px=math.inf)
    ),
    "no closer look at what is not clear": replace(ALL, closer_look=False),
    "one look at 512 pixels": replace(
        ALL, locate=LocateSettings(long_sides_px=(512,), good_px=(0.0, math.inf))
    ),
    "no settling: dominoes as often as seen": replace(ALL, settle=SettleSettings(twice_price=1.0)),
}


def _row(name: str, results: Sequence[PhotoResult]) -> tuple[object, ...]:
    return (
        name,
        f"{sum(r.exact for r in results)}/{len(results)}",
        f"{sum(r.right for r in results)}/{sum(len(r.photo.tiles) for r in results)}",
        sum(len(r.extra) for r in results),
        sum(r.silent for r in results),
        sum(r.flags for r in results),
    )


def _rules(results: Sequence[PhotoResult]) -> str:
    """What each rule of doubt flags, and what it alone does."""
    flagged: dict[str, list[int]] = {rule.code: [0, 0, 0, 0] for rule in RULES}
    for result in results:
        left = Counter(result.extra)
        for domino in result.reading.dominoes if result.reading else ():
            wrong = left[domino.tile] > 0
            left[domino.tile] -= 1
            for reason in domino.reasons:
                flagged[reason][wrong] += 1
                flagged[reason][2 + wrong] += len(domino.reasons) == 1
    head = ("rule", "right dominoes", "wrong ones", "right ones by it alone", "wrong by it alone")
    return markdown(head, [(code, *counts) for code, counts in flagged.items()])


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
    readers = {name: Reader(weights, settings) for name, settings in VARIANTS.items()}
    readers["one look alone"] = OneLook(weights)
    plain: dict[str, list[PhotoResult]] = {name: [] for name in readers}
    steep: dict[str, list[PhotoResult]] = {name: [] for name in readers}
    for photo in photos:
        rgb = decode(photo.path).rgb
        share = min(1.0, LONGEST_PX / max(rgb.shape[:2]))
        width, height = (round(side * share) for side in rgb.shape[1::-1])
        low = lowered(resize_by_halves(rgb, width, height), LOWERED_DEG)
        for name, reader in readers.items():
            plain[name].append(read_photo(photo, reader, rgb=rgb))
            steep[name].append(read_photo(photo, reader, rgb=low))
    head = (
        "variant", "photographs exact", "dominoes right", "not there", "wrong sums, no flag",
        "flags",
    )  # fmt: skip
    which = ", the last one of each scene" if chosen.one_a_scene else ""
    text = f"# Ablation of the pip reader\n\n{provenance()}, {len(photos)} photographs{which}.\n"
    for title, results in (
        ("As they are", plain),
        (f"From a camera lowered by {LOWERED_DEG:.0f}°", steep),
    ):
        text += f"\n## {title}\n\n"
        text += markdown(head, [_row(name, results[name]) for name in readers])
    rules = _rules(plain["all"] + steep["all"])
    text += f"\n## What each rule of doubt flags, both together\n\n{rules}"
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
