"""Ablation of the steps of the reader: ``python -m benchmarks.ablation DATA [--keep FILE.md]``.

Photographs and boards of the data folder are read by the locator alone, then with the classifier,
with the locator as additional evidence for empty cells, with settling, and with what squares tell
of the light that they share. Joint settling of the kingdoms of one game is measured on drawn games
of four kingdoms, since no photographs show one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.kingdomino_photos.comparison import (
    TOTALS_HEAD,
    Comparison,
    compare,
    cross_validation_parts,
    read_photos,
    totals,
)
from benchmarks.markdown_tables import markdown, provenance, show
from scorer.kingdomino import BASE_DOMINOES, Kingdom, Square
from training.common.synthetic import jpeg_bytes
from training.kingdomino.corpus import LabelledKingdom, read_labels
from training.kingdomino.render.canvas import Style
from training.kingdomino.render.scene import SURFACES, Lamp, SceneView, render_scene
from training.kingdomino.render.tiles import Laying
from training.kingdomino.scenes.kingdoms import notation, random_layout
from vision import PhotoError, Reader, ReadSettings
from vision.common.network import Network
from vision.kingdomino.cells import GridSettings
from vision.kingdomino.result import CASTLE_COLOURS, KingdomReading, PhotoReading, SquareReading
from vision.kingdomino.search import GROUNDS, Locator, locate
from vision.kingdomino.settling import JudgeSettings
from vision.kingdomino.weights import Weights
from vision.photo import decode

BARE = SquareReading(".", 1.0)
KINGDOMS = 4
DOMINOES = 12
# Drawn games have poor light, so that settling has something to correct.
QUALITY = 60

WITHOUT_BOX = JudgeSettings(use_box=False)
STAGES: dict[str, ReadSettings] = {
    "+ classifier": ReadSettings(grid=GridSettings(locator_floor=0.5), judge=WITHOUT_BOX),
    "+ locator's view of bare places": ReadSettings(judge=WITHOUT_BOX),
    "+ settling": ReadSettings(),
}


def locator_alone(network: Network, source: Path) -> PhotoReading:
    """A reading from the locator alone: the largest lattice with its grounds, without crowns."""
    photo = decode(source)
    detections, lattices = locate(photo.rgb, Locator(network))
    if not lattices:
        raise PhotoError("no_kingdom")
    lattice = lattices[0]
    rows, columns = (max(axis) + 1 for axis in zip(*lattice.members, strict=True))
    squares = [[BARE] * columns for _ in range(rows)]
    for (row, column), index in lattice.members.items():
        grounds = detections.grounds[index]
        best = int(np.argmax(grounds[1:-1])) + 1
        squares[row][column] = SquareReading(GROUNDS[best], float(min(grounds[best], 1.0)))
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in squares))
    reading = KingdomReading(kingdom, tuple(map(tuple, squares)), lattice.homography)
    return PhotoReading((reading,), photo.width, photo.height)


def _stages(pictures: Sequence[LabelledKingdom], data: Path, weights: Sequence[Path]) -> str:
    """The totals of a folder with each further step."""
    found: dict[str, list[Comparison]] = {}

    def add(
        name: str, part: Sequence[LabelledKingdom], read: Callable[[Path], PhotoReading]
    ) -> None:
        results = read_photos(part, read)
        compared = [r.comparison for r in results if r.comparison is not None]
        found.setdefault(name, []).extend(compared)

    shipped = [(Weights.load(), list(pictures))]
    parts = cross_validation_parts(pictures, data, weights) if weights else shipped
    for used, part in parts:
        add("locator alone", part, partial(locator_alone, used.locator))
        each_alone = replace(used, light=replace(used.light, weight=0.0))
        for name, settings in STAGES.items():
            add(name, part, Reader(each_alone, settings).read)
        add("+ light that squares share", part, Reader(used).read)
    return markdown(("step", *TOTALS_HEAD), [(name, *totals(v)) for name, v in found.items()])


def _random_view(rng: np.random.Generator, size: int) -> SceneView:
    """A random camera and table for a kingdom of ``size`` × ``size`` squares."""
    return SceneView(
        width=640,
        height=560,
        square_px=float(rng.uniform(0.6, 1.05)) * 480 / size,
        turn_deg=float(rng.uniform(0, 360)),
        tilt_deg=min(abs(float(rng.normal(0, 20))), 45.0),
        azimuth_deg=float(rng.uniform(0, 360)),
        surface=str(rng.choice(list(SURFACES))),
        surface_turn_deg=float(rng.uniform(0, 180)),
        castle_colour=str(rng.choice(CASTLE_COLOURS)),
        castle_stands=bool(rng.random() < 0.7),
        things=int(rng.integers(0, 4)),
        lamp=Lamp(
            exposure=float(rng.uniform(0.6, 1.4)),
            warmth=float(rng.normal(0, 0.12)),
            glare=float(rng.uniform(0, 0.8) * (rng.random() < 0.4)),
            shadow=float(rng.uniform(0, 0.5) * (rng.random() < 0.4)),
        ),
        laying=Laying(
            gap=float(rng.uniform(0, 0.06)),
            crooked_deg=float(rng.uniform(0, 4)),
            shift=float(rng.uniform(0, 0.03)),
        ),
        style=Style.random(rng),
    )


def _drawn_game(rng: np.random.Generator) -> list[tuple[Kingdom, NDArray[np.uint8]]]:
    """Four kingdoms of one box, each with a drawn photograph of it in poor light."""
    numbers = [str(n) for n in rng.permutation([d.number for d in BASE_DOMINOES])]
    halves = {str(d.number): (str(d.left), str(d.right)) for d in BASE_DOMINOES}
    game = []
    for k in range(KINGDOMS):
        mine = {n: halves[n] for n in numbers[k * DOMINOES : (k + 1) * DOMINOES]}
        kingdom = Kingdom.parse(notation(random_layout(mine, rng, size=5, count=DOMINOES)))
        lamp = Lamp(
            exposure=float(rng.uniform(0.3, 0.7)), noise=float(rng.uniform(4, 14)),
            glare=float(rng.uniform(0.2, 0.8)), warmth=float(rng.normal(0, 0.2)),
        )  # fmt: skip
        view = replace(_random_view(rng, max(kingdom.width, kingdom.height)), lamp=lamp)
        game.append((kingdom, render_scene(kingdom, view, rng).rgb))
    return game


def _games(count: int, seed: int, weights: Weights) -> str:
    """The totals of drawn games without the box, settled one by one, and settled jointly."""
    rng = np.random.default_rng(seed)
    reader, without_box = Reader(weights), Reader(weights, ReadSettings(judge=WITHOUT_BOX))
    found: dict[str, list[Comparison]] = {"without the box": [], "settled alone": [], "jointly": []}
    for _ in range(count):
        truths: list[Kingdom] = []
        readings: list[KingdomReading] = []
        for kingdom, rgb in _drawn_game(rng):
            jpeg = jpeg_bytes(rgb, QUALITY)
            try:
                plain = without_box.read(jpeg).kingdoms[0]
                settled = reader.read(jpeg).kingdoms[0]
            except PhotoError:
                continue
            found["without the box"].append(compare(kingdom, plain))
            found["settled alone"].append(compare(kingdom, settled))
            truths.append(kingdom)
            readings.append(settled)
        jointly = reader.resettle(readings)
        found["jointly"] += [compare(t, r) for t, r in zip(truths, jointly, strict=True)]
    return markdown(("settling", *TOTALS_HEAD), [(name, *totals(v)) for name, v in found.items()])


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables, and write them to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos and boards")
    parser.add_argument(
        "--cross-validate", nargs="+", type=Path, default=[], metavar="WEIGHTS",
        help="folders of weights as for python -m benchmarks.kingdomino_photos",
    )  # fmt: skip
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    text = f"# What each step adds\n\n{provenance()}.\n"
    for name in ("photos", "boards"):
        pictures = [p for p in read_labels(chosen.data / name) if isinstance(p, LabelledKingdom)]
        text += f"\n## {name}\n\n{_stages(pictures, chosen.data, chosen.cross_validate)}"
    text += f"\n## {chosen.games} drawn games of four kingdoms, in poor light\n\n"
    if chosen.cross_validate:
        text += "Read with the last of the weights.\n\n"
    last = chosen.cross_validate[-1] if chosen.cross_validate else None
    text += _games(chosen.games, chosen.seed, Weights.load(last))
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
