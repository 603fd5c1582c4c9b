"""What each part of the pip reader adds: ``python -m benchmarks.pip_ablation DATA``.

Every photograph is read as it is and as if the camera had been lowered, which is harder; so are
hands that are drawn.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.pip_consistency import lowered
from benchmarks.pip_drawn import drawn_hands
from benchmarks.pip_photos.comparison import PhotoResult, read_photo
from training.pip_dominoes.corpus import LabelledPhoto, read_photo_labels
from vision.common.geometry import resize_by_halves
from vision.common.network import Clock
from vision.photo import decode
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.detect import Detections, find_dominoes
from vision.pip_dominoes.judge import RULES, SettleSettings
from vision.pip_dominoes.reader import Reader, ReadSettings
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
DOUBT, LOCATE, RECOGNITION = ALL.doubt, ALL.locate, ALL.recognition
VARIANTS: dict[str, ReadSettings] = {
    "all": ALL,
    "pips alone": replace(ALL, recognition=replace(RECOGNITION, half_weight=0.0)),
    "halves alone": replace(ALL, recognition=replace(RECOGNITION, pip_weight=0.0)),
    "the second look never from above": replace(ALL, locate=replace(LOCATE, plane_from=1000)),
    "no second count in tighter frames": replace(
        ALL, recognition=replace(RECOGNITION, moved_px=math.inf)
    ),
    "no closer look at what is not clear": replace(ALL, closer_look=False),
    "one look at 512 pixels": replace(
        ALL, locate=replace(LOCATE, long_sides_px=(512,), as_good=math.inf)
    ),
    "the part with dominoes never searched again": replace(
        ALL, locate=replace(LOCATE, as_good=math.inf)
    ),
    "the part searched again whatever its size": replace(
        ALL, locate=replace(LOCATE, good_px=(math.inf, 0.0))
    ),
    "what the part shows counts in any case": replace(ALL, locate=replace(LOCATE, as_good=-1.0)),
    "no settling: dominoes as often as seen": replace(ALL, settle=SettleSettings(twice_price=1.0)),
    "pips and halves may differ": replace(ALL, doubt=replace(DOUBT, max_dissent=1.0)),
    "whatever may be a domino is read": replace(ALL, doubt=replace(DOUBT, exists=0.15)),
    "figures are pips": replace(ALL, doubt=replace(DOUBT, figures=1.0)),
    "bodies by the network alone": replace(ALL, doubt=replace(DOUBT, misfit=0.0)),
    "bodies by colour and shape alone": replace(ALL, doubt=replace(DOUBT, body=1.0)),
    "nothing was missed": replace(
        ALL, doubt=replace(DOUBT, missed_exists=0.5, body=1.0, misfit=0.0)
    ),
}


def _row(name: str, results: Sequence[PhotoResult]) -> tuple[object, ...]:
    return (
        name,
        f"{sum(r.exact for r in results)}/{len(results)}",
        f"{sum(r.right for r in results)}/{sum(len(r.photo.tiles) for r in results)}",
        sum(len(r.extra) for r in results),
        sum(r.silent for r in results),
        sum(r.silent_tiles for r in results),
        sum(r.flags for r in results),
        sum(r.exact and r.reading is not None and not r.reading.doubtful for r in results),
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
    """Read all photographs and hands with each variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="with pip_dominoes and backgrounds")
    parser.add_argument("--hands", type=int, default=60, help="drawn hands, of the seed 502")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    parser.add_argument("--only", nargs="*", default=[], metavar="VARIANT", help="these alone")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    photos = read_photo_labels(chosen.data / "pip_dominoes")
    weights = Weights.load(chosen.weights)
    readers = {name: Reader(weights, settings) for name, settings in VARIANTS.items()}
    readers["one look alone"] = OneLook(weights)
    if chosen.only:
        readers = {name: readers[name] for name in ("all", *chosen.only)}
    text = f"# Ablation of the pip reader\n\n{provenance()}.\n"
    every: list[PhotoResult] = []
    for title, pictures in (
        (f"The {len(photos)} photographs as they are", _as_they_are(photos)),
        (f"The last one of each scene, from a camera lowered by {LOWERED_DEG:.0f}°", _low(photos)),
        (f"{chosen.hands} drawn hands", _drawn(chosen.data, chosen.hands)),
    ):
        results: dict[str, list[PhotoResult]] = {name: [] for name in readers}
        for photo, rgb in pictures:
            for name, reader in readers.items():
                results[name].append(read_photo(photo, reader, rgb=rgb))
        text += f"\n## {title}\n\n"
        text += markdown(HEAD, [_row(name, results[name]) for name in readers])
        every += results["all"]
    text += f"\n## What each rule of doubt flags, all together\n\n{_rules(every)}"
    show(text, chosen.keep)


HEAD = (
    "variant", "photographs exact", "dominoes right", "not there", "wrong sums, no flag",
    "wrong dominoes, no flag", "flags", "exact without any flag",
)  # fmt: skip
Pictures = Iterator[tuple[LabelledPhoto, Image]]


def _as_they_are(photos: Sequence[LabelledPhoto]) -> Pictures:
    for photo in photos:
        yield photo, decode(photo.path).rgb


def _low(photos: Sequence[LabelledPhoto]) -> Pictures:
    for photo, rgb in _as_they_are(list({photo.scene: photo for photo in photos}.values())):
        share = min(1.0, LONGEST_PX / max(rgb.shape[:2]))
        width, height = (round(side * share) for side in rgb.shape[1::-1])
        yield photo, lowered(resize_by_halves(rgb, width, height), LOWERED_DEG)


def _drawn(data: Path, count: int) -> Pictures:
    for photo, jpeg in drawn_hands(data, count, 502, plain=False):
        yield photo, decode(jpeg).rgb


if __name__ == "__main__":
    main()
