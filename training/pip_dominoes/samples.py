"""The sample hands: ``python -m training samples pip_dominoes OUT_FOLDER`` draws them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from training.common.synthetic import develop, jpeg_bytes
from training.pip_dominoes.scenes.domino import BLACK_TILES, COLOURED, IVORY, random_style
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.table import Scene
from vision.pip_dominoes.result import format_tile

SIZE_PX = 1200
QUALITY = 88
_TRIES = 200
# How far the light strays from daylight, 0 to 1.
LIGHT = 0.35
MAX_TILT_DEG = 40.0


@dataclass(frozen=True)
class Sample:
    """A hand to be drawn; ``look`` are fields of ``Style``, ``backs`` the share face down."""

    name: str
    set: int
    count: int
    arrangement: str
    surface: str
    tile_px: float
    note: str
    seed: int = 1
    look: Mapping[str, object] = field(default_factory=lambda: COLOURED)
    backs: float = 0.0
    with_double_blank: bool = False


SAMPLES = (
    Sample("fifteen", 12, 15, "rows", "wood", 105, "fifteen of a double-12 set in rows", seed=2),
    Sample("classic", 6, 9, "scatter", "cloth", 100, "double-6, black on ivory", look=IVORY),
    Sample("fan", 9, 9, "fan", "plain", 95, "double-9 in a fan"),
    Sample("chain", 6, 10, "chain", "stone", 80, "double-6, white on black, as a chain", seed=2,
           look=BLACK_TILES),
    Sample("rack", 12, 8, "rack", "wood", 110, "double-12 standing in a rack"),
    Sample("garden", 12, 10, "scatter", "slats", 90, "double-12 on a garden table, some face down",
           backs=0.35),
    Sample("dotted-cloth", 9, 8, "rows", "dots", 95, "double-9 on a dotted cloth",
           seed=2, look=IVORY),
    Sample("fifteens", 15, 9, "rows", "cloth", 105, "double-15, which was never photographed"),
    Sample("eighteens", 18, 8, "rows", "plain", 120, "double-18, which was never photographed"),
    Sample("double-blank", 12, 6, "scatter", "stone", 110, "double-12 with the double blank",
           with_double_blank=True),
    Sample("no-dominoes", 6, 0, "scatter", "checks", 90, "cards, dice and coins, no domino"),
)  # fmt: skip


COLUMNS = ("set", "tiles", "note")
_PLAIN = {
    "numerals": False, "turned": False, "other": 0, "pin": 0.0, "empty_holes": False, "border": 0.0,
    "speckle": 0.0, "grain": 0.0, "bar_width": 0.05, "bar_length": 0.8, "pip_kind": "hollow",
    "length": 2.0, "margin": 0.21, "rounding": 0.1,
}  # fmt: skip
_PIP_RADIUS = {6: 0.115, 9: 0.1, 12: 0.085, 15: 0.075, 18: 0.065}


def draw_labelled(sample: Sample) -> tuple[bytes, tuple[object, ...]]:
    """The picture as a file, and its labels, one for each of ``COLUMNS``; the same each time.

    Every domino in it can be read and none is cut off. ValueError where no scene is so.
    """
    settings = SceneSettings(
        SIZE_PX, hand_share=0.0, max_tilt_deg=MAX_TILT_DEG, back_share=sample.backs,
        empty_share=float(not sample.count),
    )  # fmt: skip
    look = {**_PLAIN, "pip_radius": _PIP_RADIUS[sample.set], **sample.look}
    for attempt in range(_TRIES):
        rng = np.random.default_rng([sample.seed, SAMPLES.index(sample), attempt])
        style = replace(random_style(rng, sample.set), **look)  # type: ignore[arg-type]
        scene = draw_scene(
            settings, rng, style=style, arrangement=sample.arrangement, tile_px=sample.tile_px,
            count=sample.count or None, surface=sample.surface,
        )  # fmt: skip
        if _fits(scene, sample):
            # A stream that no sample shares, so that its light does not hang on its dominoes.
            own = np.random.default_rng(int(rng.integers(1 << 30)))
            rgb = develop(scene.rgb.astype(np.float32), own, LIGHT)
            tiles = " ".join(sorted(format_tile(*d.halves) for d in scene.drawn))
            return jpeg_bytes(rgb, QUALITY), (sample.set if tiles else "", tiles, sample.note)
    raise ValueError(f"no scene of {_TRIES} shows {sample.name} in full")


def _fits(scene: Scene, sample: Sample) -> bool:
    if not sample.count:
        return not scene.drawn
    corners = np.array([d.corners for d in scene.drawn])
    return bool(
        len(scene.drawn) >= (1 if sample.backs else sample.count)
        and all(d.readable and d.hidden < 0.05 for d in scene.drawn)
        and corners.min() > 15
        and corners.max() < SIZE_PX - 15
        and (not sample.backs or len(scene.backs) > 1)
        and any(d.halves == (0, 0) for d in scene.drawn) == sample.with_double_blank
    )
