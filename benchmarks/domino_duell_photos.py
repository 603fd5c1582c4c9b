"""How boards of Domino-Duell are read from drawn pictures that no training has seen.

``python -m benchmarks.domino_duell_photos`` draws pictures of other seeds than the training's, of
its materials and of others, in its light and in harsher light, reads them, and writes
``benchmarks/domino_duell_photos.md``. No photograph of this game is known to the project: what
the table says of drawn pictures it does not say of photographs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from training.domino_duell.scenes import (
    OTHER_MATERIALS,
    Scene,
    SceneSettings,
    draw_bare_table,
    draw_scene,
)
from vision.domino_duell import BoardReading, read_board
from vision.photo import PhotoError

OUT = Path(__file__).with_name("domino_duell_photos.md")
HEAD = (
    "drawn pictures",
    "boards",
    "found",
    "hollows right",
    "boards right",
    "flagged a board",
    "median",
    "wrong, not flagged",
    "boards wrong in silence",
)
PLAIN = SceneSettings()
HARSH = SceneSettings(light=1.5, glare_share=0.5, shadow_share=0.6, max_blur_px=2.2)
GROUPS = {
    "the trained materials, other seeds": PLAIN,
    "other woods, outlines, rims": replace(PLAIN, materials=OTHER_MATERIALS),
    "harsher light: casts, glare, shadow, blur": HARSH,
    "other materials in harsher light": replace(HARSH, materials=OTHER_MATERIALS),
    "leaning up to 45°": replace(PLAIN, max_tilt_deg=45.0),
    "calm light: no glare, no shadow": replace(PLAIN, glare_share=0.0, shadow_share=0.0),
}
FIRST_SEED = 2_000_000
"""Training draws from one generator of a small seed; each picture here has its own."""


@dataclass(frozen=True)
class Judged:
    """One picture read: None in ``right`` where it was refused."""

    right: int | None
    flagged: int = 0
    silent: int = 0
    hollows: int = 0


def judged(scene: Scene, reading: BoardReading) -> Judged:
    """The reading against the truth, either way up: half a turn can't be seen."""
    shape = scene.position.shape
    middles = np.asarray(scene.middles)
    right = flagged = silent = 0
    for each, middle in zip(reading.hollows, reading.middles, strict=True):
        distances = np.linalg.norm(middles - middle, axis=1)
        nearest = int(distances.argmin())
        step = float(np.sort(np.linalg.norm(middles - middles[nearest], axis=1))[1])
        truth = scene.position.cells[nearest]
        good = bool(distances[nearest] < 0.4 * step and each.piece == truth)
        right += good
        flagged += each.doubtful
        silent += not good and not each.doubtful
    return Judged(right, flagged, silent, len(shape.hollows))


def _row(name: str, found: Sequence[Judged]) -> tuple[object, ...]:
    read = [each for each in found if each.right is not None]
    hollows = sum(each.hollows for each in read)
    right = sum(each.right or 0 for each in read)
    return (
        name,
        len(found),
        len(read),
        f"{right} of {hollows} = {100 * right / max(hollows, 1):.2f} %",
        sum(each.right == each.hollows for each in read),
        f"{statistics.mean([each.flagged for each in read] or [0]):.1f}",
        f"{statistics.median([each.flagged for each in read] or [0]):g}",
        sum(each.silent for each in read),
        sum(each.silent > 0 for each in read),
    )


def _read(scene: Scene) -> Judged:
    try:
        return judged(scene, read_board(scene.rgb))
    except PhotoError:
        return Judged(None)


def main(argv: Sequence[str] | None = None) -> int:
    """Draw, read, print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=24, help="pictures of each kind")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--keep", type=Path, default=OUT, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    cv2.setNumThreads(1)
    rows, seconds = [], []
    for number, (name, settings) in enumerate(GROUPS.items()):
        found = []
        for index in range(chosen.boards):
            rng = np.random.default_rng([chosen.seed, number, index])
            scene = draw_scene(rng, settings)
            started = time.process_time()
            found.append(_read(scene))
            seconds.append(time.process_time() - started)
        rows.append(_row(name, found))
        print(rows[-1], flush=True)
    refused = 0
    for index in range(chosen.boards):
        rng = np.random.default_rng([chosen.seed, len(GROUPS), index])
        refused += _read(Scene(draw_bare_table(rng), scene.position, scene.middles)).right is None
    text = (
        f"# Boards of Domino-Duell on drawn pictures\n\n{provenance()}, seed {chosen.seed}. Tried "
        "on drawn pictures only: no photograph of this game is known to the project.\n\n"
        + markdown(HEAD, rows)
        + f"\nTables without a board, with round and square things on them: {refused} of "
        f"{chosen.boards} refused. Reading a picture took {statistics.median(seconds):.2f} s of "
        f"one core (median), {max(seconds):.2f} s at most.\n"
    )
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
