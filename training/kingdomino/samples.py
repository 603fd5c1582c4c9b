"""The sample pictures: ``python -m training samples kingdomino OUT_FOLDER`` draws them."""

from __future__ import annotations

import tomllib
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


COLUMNS = ("kingdom", "castle_colour", "note")


def draw_labelled(sample: Sample) -> tuple[bytes, tuple[object, ...]]:
    """The picture as a file, and its labels, one for each of ``COLUMNS``."""
    labels = (sample.kingdom, sample.castle_colour, sample.note)
    return encode_jpeg(render_sample(sample)), labels
