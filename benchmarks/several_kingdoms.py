"""Games of 2 to 5 kingdoms in one photograph: ``python -m benchmarks.several_kingdoms DATA``.

No photograph of the data folder shows several kingdoms, so the scenes are composed from pictures of
the dominoes and of tables. The table counts the kingdoms found, those with every square right,
false detections, and kingdoms read wrong with nothing flagged.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.kingdomino_photos.comparison import compare
from benchmarks.markdown_tables import markdown, provenance, show
from scorer.kingdomino import Kingdom
from training.common.synthetic import jpeg_bytes
from training.kingdomino.scenes.compose import Scene, compose_game
from training.kingdomino.scenes.kingdoms import SceneSettings, notation
from training.kingdomino.tiles import load_tiles
from vision import PhotoError, read_kingdoms
from vision.kingdomino.result import KingdomReading

SETTINGS = SceneSettings(
    size_px=1536, square_px=(36, 42), foreign_share=0, photo_squares_share=0, drawn_share=0
)
MAX_KINGDOMS = 5
QUALITY = 92


def _read(scene: Scene) -> Sequence[KingdomReading]:
    try:
        return read_kingdoms(jpeg_bytes(scene.rgb, QUALITY)).kingdoms
    except PhotoError:
        return ()


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, and write it to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.several_kingdoms", description=__doc__
    )
    parser.add_argument("data", type=Path, help="the folder with dominoes and backgrounds")
    parser.add_argument("--photos", type=int, default=10, help="photos for each number of kingdoms")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    tiles = load_tiles(chosen.data)
    rng = np.random.default_rng(chosen.seed)
    rows = []
    for count in range(2, MAX_KINGDOMS + 1):
        found = right = extra = silent = 0
        for _ in range(chosen.photos):
            scene = compose_game(tiles, SETTINGS, rng, count)
            readings = _read(scene)
            extra += max(0, len(readings) - count)
            for layout in scene.layouts:
                truth = Kingdom.parse(notation(layout))
                best = max(
                    (compare(truth, r) for r in readings), key=lambda c: c.right, default=None
                )
                if best is not None and best.located:
                    found += 1
                    right += best.kingdom_right
                    silent += not best.kingdom_right and not best.flagged
        rows.append((count, chosen.photos, count * chosen.photos, found, right, extra, silent))
    totals = [sum(column) for column in zip(*rows, strict=True)][1:]
    text = f"# Several kingdoms in one composed photograph\n\n{provenance()}.\n\n" + markdown(
        ("kingdoms", "photos", "laid", "found", "right", "not laid", "wrong with nothing flagged"),
        [*rows, ("**all**", *totals)],
    )
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
