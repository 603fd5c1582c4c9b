"""Draw the sample pictures: ``python -m training.kingdomino.samples OUT_FOLDER``."""

from __future__ import annotations

import argparse
import csv
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scorer.kingdomino import Kingdom
from training.common.arrays import Image
from training.common.recipe import build
from training.common.synthetic import jpeg_bytes
from training.kingdomino.render.scene import SceneView, render_scene

_QUALITIES = (90, 86, 82, 78, 74, 70, 60)


@dataclass(frozen=True)
class Sample:
    """One sample picture: ``kingdom`` in notation as seen in it, empty if there is none."""

    name: str
    kingdom: str
    note: str
    seed: int
    view: SceneView

    @property
    def castle_colour(self) -> str:
        """The colour of the start tile, empty if there is no kingdom."""
        return self.view.castle_colour if self.kingdom else ""


_TABLE = tomllib.loads(Path(__file__).with_name("samples.toml").read_text(encoding="utf-8"))
SAMPLES = tuple(build(Sample, {"name": n, **each}, n) for n, each in _TABLE.items())


def render_sample(sample: Sample) -> Image:
    """Draw a sample, shape (h, w, 3), RGB; always the same picture."""
    kingdom = Kingdom.parse(sample.kingdom) if sample.kingdom else None
    return render_scene(kingdom, sample.view, np.random.default_rng(sample.seed)).rgb


def encode_jpeg(rgb: Image, max_bytes: int = 450_000) -> bytes:
    """The picture as a JPEG in the best quality within ``max_bytes``; ValueError if none fits."""
    for quality in _QUALITIES:
        jpeg = jpeg_bytes(rgb, quality)
        if len(jpeg) <= max_bytes:
            return jpeg
    raise ValueError(f"max_bytes: expected at least {len(jpeg)} for this picture, got {max_bytes}")


def write_samples(folder: Path, samples: Sequence[Sample] = SAMPLES) -> None:
    """Write the pictures and labels.csv into ``folder``, which is created if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["file", "kingdom", "castle_colour", "note"])
        for sample in samples:
            file = f"{sample.name}.jpg"
            (folder / file).write_bytes(encode_jpeg(render_sample(sample)))
            writer.writerow([file, sample.kingdom, sample.castle_colour, sample.note])


def main(argv: Sequence[str] | None = None) -> int:
    """Write all samples into the folder named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.kingdomino.samples",
        description="Draw the sample pictures and their labels.",
        epilog="example: python -m training.kingdomino.samples sample_images",
    )
    parser.add_argument("folder", type=Path, metavar="OUT_FOLDER", help="where they are written")
    write_samples(parser.parse_args(argv).folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
