"""How well freshly drawn hands are read: ``python -m benchmarks.pip_drawn DATA``.

Hands of 3 to 15 dominoes in pictures of a megapixel, on drawn surfaces and on those photographs of
tables that training keeps back, in other light; only hands of which every domino can be read in
full. ``--plain`` leaves out what sets have been through.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.markdown_tables import provenance, show
from benchmarks.pip_photos.comparison import read_photo, totals
from training.common.synthetic import jpeg_bytes
from training.pip_dominoes.corpus import LabelledPhoto, relit, table_photographs
from training.pip_dominoes.scenes.domino import random_style, with_rare_traits
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from vision.photo import decode
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.weights import Weights

SETS, SET_SHARES = (6, 9, 12), (0.45, 0.15, 0.4)
KINDS = {"scatter": 0.35, "rows": 0.35, "chain": 0.15, "fan": 0.07, "rack": 0.08}
BLUR_PX, QUALITY = 2.0, 90


def drawn_hands(
    data: Path, count: int, seed: int, *, plain: bool
) -> Iterator[tuple[LabelledPhoto, bytes]]:
    """``count`` hands with their labels, as JPEG files."""
    tables = table_photographs(data, kept_back=True)
    share = 0.0 if plain else 1.0
    settings = SceneSettings(
        size_px=1000, tile_px=(45.0, 110.0), empty_share=0.0, hand_share=0.02, max_tilt_deg=45.0,
        alike_share=0.1 * share, words_share=0.12 * share,
    )  # fmt: skip
    number = 0
    while count:
        number += 1
        rng = np.random.default_rng([seed, number])
        style = random_style(rng, int(rng.choice(SETS, p=SET_SHARES)))
        style = style if plain else with_rare_traits(style, rng)
        kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
        scene = draw_scene(
            settings, rng, tables, style, arrangement=kind, count=int(rng.integers(3, 16))
        )
        if style.numerals or not scene.drawn or not all(d.readable for d in scene.drawn):
            continue
        count -= 1
        shorts = [float(np.linalg.norm(d.corners[2] - d.corners[1])) for d in scene.drawn]
        rgb = relit(scene.rgb, float(np.median(shorts)), BLUR_PX, rng)
        tiles = sorted((min(d.halves), max(d.halves)) for d in scene.drawn)
        name = f"{number:05d}.jpg"
        photo = LabelledPhoto(Path(name), tuple(tiles), style.highest, name, "drawn")
        yield photo, jpeg_bytes(rgb, QUALITY)


def main() -> None:
    """Draw the hands, read them, and print what was right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with backgrounds")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=502)
    parser.add_argument("--plain", action="store_true", help="sets as new")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(Weights.load(chosen.weights))
    hands = drawn_hands(chosen.data, chosen.count, chosen.seed, plain=chosen.plain)
    results = [read_photo(photo, reader, rgb=decode(jpeg).rgb) for photo, jpeg in hands]
    looks = "sets as new" if chosen.plain else "sets that have been lived with"
    text = (
        f"# Drawn hands of pip dominoes\n\n{provenance()}; {len(results)} hands, seed "
        f"{chosen.seed}, {looks}.\n\n{totals(results)}"
    )
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
