"""Draw the sample pictures: ``python -m training.kingdomino.samples OUT_FOLDER``."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from training.common.synthetic import jpeg_bytes
from training.kingdomino.render import Lamp, Laying, SceneView, render_scene

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


SAMPLES = (
    Sample(
        "complete-5x5",
        "s m2 g g1 f/s w g w f/m2 w c f f/g w m2 f f/l w1 s l1 l1",
        "complete 5x5, from above, daylight",
        1,
        SceneView(square_px=185, tilt_deg=6, turn_deg=2, surface="stone", castle_colour="blue"),
    ),
    Sample(
        "holes-5x5",
        "f f1 w w m3/l1 l c w g1/l1 l s w w1/w l1 . . m/. f . . .",
        "5x5 with holes, wooden table",
        2,
        SceneView(
            square_px=180,
            tilt_deg=12,
            turn_deg=-4,
            castle_colour="yellow",
            offset_px=(60, 20),
            laying=Laying(gap=0.04, crooked_deg=3, shift=0.015),
        ),
    ),
    Sample(
        "duel-7x7",
        "l l m2 m1 g1 l1 f/w1 l s w w f f/w1 m s s g f f/w w f1 c g w1 f"
        "/m3 g f f f1 w w/m2 g g f w w1 s/w s2 g f1 w w l",
        "complete 7x7, carpet",
        3,
        SceneView(square_px=142, tilt_deg=10, turn_deg=3, surface="carpet", castle_colour="green"),
    ),
    Sample(
        "tilted",
        "g s1 s l f/w s1 m2 l1 f1/w g2 c w w/l l f w w/l f1 f f m1",
        "seen at 40 degrees, cloth",
        4,
        SceneView(
            square_px=185,
            tilt_deg=40,
            turn_deg=-6,
            azimuth_deg=12,
            surface="cloth",
            castle_colour="pink",
            things=2,
            lamp=Lamp(falloff=0.35),
        ),
    ),
    Sample(
        "turned-30",
        "s2 w w1 g m2/l1 f w s1 s/l1 f c s s/g2 g g g s2/w w f1 w1 s",
        "turned by 30 degrees, cutting mat",
        5,
        SceneView(
            square_px=165,
            tilt_deg=14,
            turn_deg=30,
            surface="mat",
            surface_turn_deg=7,
            castle_colour="yellow",
        ),
    ),
    Sample(
        "castle-standing",
        "g s g2 g f1/w m2 l l1 w/w m1 c f f/w w w w m3/f1 s2 s w m2",
        "the cardboard castle stands on its tile and hides part of a neighbour",
        6,
        SceneView(
            square_px=185,
            tilt_deg=26,
            turn_deg=5,
            surface="wood",
            surface_turn_deg=80,
            castle_colour="blue",
            castle_stands=True,
            things=1,
        ),
    ),
    Sample(
        "dark",
        "g2 w . m2 s/g1 l s s s/f l1 g g w/f f c g w/l l1 w m1 .",
        "dark room, noise",
        7,
        SceneView(
            square_px=175,
            tilt_deg=15,
            turn_deg=-8,
            surface="wood",
            castle_colour="pink",
            blur_px=1.1,
            lamp=Lamp(exposure=0.6, warmth=0.12, falloff=0.4, noise=7),
        ),
    ),
    Sample(
        "warm-lamp",
        "c g f f f/s g g f1 w/m2 m2 s l w/w f s l w1/w w1 w1 l m",
        "warm lamp, shadow across the table, castle tile in the corner",
        8,
        SceneView(
            square_px=175,
            tilt_deg=18,
            turn_deg=9,
            surface="wood",
            surface_turn_deg=30,
            castle_colour="green",
            things=2,
            lamp=Lamp(exposure=0.95, warmth=0.42, falloff=0.5, shadow=0.45, noise=4),
        ),
    ),
    Sample(
        "no-kingdom",
        "",
        "a table without any kingdom",
        9,
        SceneView(square_px=150, tilt_deg=20, surface="wood", surface_turn_deg=-12, things=7),
    ),
    Sample(
        "begun",
        "w1 f f/s1 c l1/g . .",
        "three dominoes and the castle, small in the picture",
        10,
        SceneView(
            square_px=120,
            tilt_deg=10,
            turn_deg=-12,
            surface="cloth",
            surface_turn_deg=20,
            castle_colour="brown",
            offset_px=(-180, 60),
            things=3,
        ),
    ),
    Sample(
        "glare",
        "l l g1 l1 f/l f f f f/l w1 c . ./s1 w f1 . ./g1 w w w l",
        "a lamp mirrored by the tiles, crooked dominoes, portrait",
        11,
        SceneView(
            width=1200,
            height=1600,
            square_px=180,
            tilt_deg=16,
            turn_deg=4,
            surface="stone",
            castle_colour="blue",
            castle_stands=True,
            lamp=Lamp(glare=0.55, warmth=-0.12),
            laying=Laying(gap=0.06, crooked_deg=5, shift=0.02),
        ),
    ),
)


def render_sample(sample: Sample) -> NDArray[np.uint8]:
    """Draw a sample, shape (h, w, 3), RGB; always the same picture."""
    kingdom = Kingdom.parse(sample.kingdom) if sample.kingdom else None
    return render_scene(kingdom, sample.view, np.random.default_rng(sample.seed)).rgb


def encode_jpeg(rgb: NDArray[np.uint8], max_bytes: int = 450_000) -> bytes:
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
