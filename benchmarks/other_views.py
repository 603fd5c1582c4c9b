"""Photographs with other views and other light: ``python -m benchmarks.other_views DATA``.

Every photograph of a whole kingdom is placed on another table, rotated, tilted, scaled and lit
differently, once for each of ``VIEWS``. With ``--cross-validate`` each is read with weights
trained without its scene.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.kingdomino_photos.comparison import (
    TOTALS_HEAD,
    Comparison,
    compare,
    compare_unread,
    cross_validation_parts,
    totals,
)
from benchmarks.markdown_tables import markdown, provenance, show
from training.common.camera import Camera
from training.common.synthetic import jpeg_bytes, random_table, shadow_edge
from training.kingdomino.corpus import Corpus
from training.kingdomino.scenes.compose import (
    UNKNOWN,
    Scene,
    load_photo_scene,
    square_side,
    transform_scene,
)
from training.kingdomino.scenes.things import draw_hand
from training.kingdomino.tiles import load_surfaces
from vision import PhotoError, Reader
from vision.common.geometry import project

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Light = Callable[[Floats, Scene, np.random.Generator], Floats]

SIZE_PX = (1600, 1200)
# The distance of the kingdom from the edge of the picture.
MARGIN_PX = 50
# Focal length of a phone, in widths of its picture.
FOCAL = 1.3
QUALITY = 88


def _tinted(red: float, green: float, blue: float) -> Light:
    def light(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
        return rgb * np.array([red, green, blue], np.float32)

    return light


def _dark(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
    """An underexposed picture with noise."""
    grain = rng.normal(0, 6, rgb.shape).astype(np.float32)
    return rgb * np.float32(rng.uniform(0.25, 0.4)) + grain


def _pale(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
    """Low contrast and about half of the saturation."""
    grey = rgb.mean(2, keepdims=True)
    return np.asarray(0.6 * (grey + 0.55 * (rgb - grey)) + 25, np.float32)


def _blurred(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
    return np.asarray(cv2.GaussianBlur(rgb, (0, 0), 0.03 * square_side(scene)), np.float32)


def _shadow(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
    return shadow_edge(rgb, rng)


def _glare(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
    """The reflection of a lamp on one to three squares."""
    side = square_side(scene)
    x, y = scene.seen[int(rng.integers(len(scene.seen)))].corners.mean(0)
    axes = (int(side * rng.uniform(0.5, 1.2)), int(side * rng.uniform(0.3, 0.6)))
    mask = np.zeros(rgb.shape[:2], np.float32)
    cv2.ellipse(mask, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.25 * side), np.float32)
    return rgb + mask[..., None] * np.float32(rng.uniform(60, 140))


def _hand(rgb: Floats, scene: Scene, rng: np.random.Generator) -> Floats:
    draw_hand(rgb, square_side(scene), rng)
    return rgb


@dataclass(frozen=True)
class View:
    """A view of a kingdom: angles in degrees, the side of a square in pixels.

    Without ``square_px`` the kingdom fills the picture. ``any_turn`` rotates it by any angle, else
    by about a multiple of 90 degrees. With ``hides`` squares may be occluded; those count as wrong,
    and the view is not in the totals.
    """

    any_turn: bool = False
    tilt_deg: tuple[float, float] = (0, 12)
    square_px: tuple[float, float] | None = (50, 95)
    light: Light | None = None
    hides: bool = False


VIEWS = {
    "turned": View(any_turn=True),
    "tilted": View(any_turn=True, tilt_deg=(25, 40)),
    "small": View(any_turn=True, square_px=(24, 36)),
    "filling the picture": View(square_px=None),
    "warm lamp": View(light=_tinted(1.15, 0.9, 0.6)),
    "blue cast": View(light=_tinted(0.72, 0.92, 1.2)),
    "dark": View(light=_dark),
    "pale": View(light=_pale),
    "glare": View(light=_glare),
    "shadow edge": View(light=_shadow),
    "blurred": View(light=_blurred),
    "a hand in the way": View(light=_hand, hides=True),
}


def _camera(scene: Scene, view: View, rng: np.random.Generator) -> NDArray[np.float64]:
    """A random homography (3, 3) from the photograph to the view."""
    points = _outline(scene)
    x, y = (points.min(0) + points.max(0)) / 2
    scale = rng.uniform(*view.square_px) / square_side(scene) if view.square_px else 1.0
    turn = rng.uniform(0, 360) if view.any_turn else 90 * rng.integers(4) + rng.normal(0, 10)
    # The photograph is the plane, with pixels as units.
    camera = Camera.above(
        (x, y),
        (0, 0),
        scale,
        turn_deg=turn,
        azimuth_deg=rng.uniform(-180, 180),
        tilt_deg=rng.uniform(*view.tilt_deg),
        distance=FOCAL * SIZE_PX[0] / scale,
    )
    return camera.homography()


def _outline(scene: Scene) -> NDArray[np.float64]:
    """The corners (n, 2) of all squares of the kingdom, in pixels."""
    known = [s.corners for s in scene.seen if s.label != UNKNOWN]
    return np.concatenate(known).astype(np.float64)


def _framed(
    scene: Scene, camera: NDArray[np.float64], view: View, rng: np.random.Generator
) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The homography with the kingdom moved into the picture, and the (width, height) of that."""
    seen = project(_outline(scene), camera)
    low, high = seen.min(0), seen.max(0)
    extent = high - low
    if view.square_px is None:
        factor, at = SIZE_PX[0] / extent.max(), np.zeros(2)
        size = (int(factor * extent[0]), int(factor * extent[1]))
    else:
        inner = np.array(SIZE_PX) - 2 * MARGIN_PX
        factor, size = min(1.0, *(inner / extent)), SIZE_PX
        at = MARGIN_PX + (inner - factor * extent) * rng.uniform(0, 1, 2)
    move = np.array(
        [[factor, 0, at[0] - factor * low[0]], [0, factor, at[1] - factor * low[1]], [0, 0, 1]]
    )
    return np.asarray(move @ camera), size


def take_view(scene: Scene, view: View, surfaces: list[Image], rng: np.random.Generator) -> bytes:
    """The view of the photograph on a random table as a JPEG."""
    camera, size = _framed(scene, _camera(scene, view, rng), view, rng)
    table = random_table(surfaces, (size[1], size[0]), rng)
    covered = np.ones(scene.rgb.shape[:2], np.float32)
    mask = cv2.warpPerspective(covered, camera, size)[..., None]
    seen = cv2.warpPerspective(scene.rgb, camera, size, flags=cv2.INTER_AREA)
    rgb = (seen * mask + table * (1 - mask)).astype(np.float32)
    if view.light:
        rgb = view.light(rgb, transform_scene(scene, camera, scene.rgb), rng)
    return jpeg_bytes(np.clip(rgb, 0, 255).astype(np.uint8), QUALITY)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables, and write them to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.other_views", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos and backgrounds")
    parser.add_argument(
        "--cross-validate", nargs="+", type=Path, required=True, metavar="WEIGHTS",
        help="folders of weights as for python -m benchmarks.kingdomino_photos",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--views", nargs="+", choices=list(VIEWS), default=list(VIEWS))
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    parser.add_argument("--wrong", type=Path, metavar="FOLDER", help="write what was read wrong")
    chosen = parser.parse_args(argv)
    corpus = Corpus(chosen.data)
    surfaces = load_surfaces(corpus, np.random.default_rng(0))
    found: dict[str, list[Comparison]] = {name: [] for name in chosen.views}
    wrong = []
    for weights, part in cross_validation_parts(
        corpus.photos(), chosen.data, chosen.cross_validate
    ):
        reader = Reader(weights)
        for photo in part:
            assert photo.kingdom is not None
            scene, truth = load_photo_scene(corpus, photo), photo.kingdom
            for name in chosen.views:
                number = list(VIEWS).index(name)
                rng = np.random.default_rng([chosen.seed, number, *photo.path.name.encode()])
                jpeg = take_view(scene, VIEWS[name], surfaces, rng)
                try:
                    result = compare(truth, reader.read(jpeg).kingdoms[0])
                except PhotoError:
                    result = compare_unread(truth)
                found[name].append(result)
                if not result.kingdom_right:
                    counts = (f"{result.right}/{result.squares}", result.flagged)
                    wrong.append((name, photo.path.name, *counts, result.wrong_unflagged))
                    if chosen.wrong:
                        chosen.wrong.mkdir(parents=True, exist_ok=True)
                        (chosen.wrong / f"{name} {photo.path.stem}.jpg").write_bytes(jpeg)
    rows = [(name, *totals(results)) for name, results in found.items()]
    everyone = [c for name, results in found.items() if not VIEWS[name].hides for c in results]
    text = (
        f"# Photographs seen from elsewhere and in other light\n\n{provenance()}.\n\n"
        + markdown(
            ("view", *TOTALS_HEAD), [*rows, ("**all where nothing is hidden**", *totals(everyone))]
        )
        + "\n## Kingdoms with a wrong square\n\n"
        + markdown(("view", "photo", "right", "flagged", "wrong, not flagged"), wrong)
    )
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
