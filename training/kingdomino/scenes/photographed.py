"""Photographs of whole kingdoms as scenes, with annotated lattices.

``photo_lattices.csv`` has for each photograph the corners of its grid, clockwise from the top
left in pixels of the upright photograph, and those of loose squares ("?"), which have no label.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

import cv2
import numpy as np

from training.common.arrays import Image, Matrix, Rng
from training.common.camera import Camera
from training.common.light import Light, take_picture
from training.kingdomino.corpus import Corpus, LabelledKingdom, read_rgb
from training.kingdomino.scenes.compose import UNKNOWN, Scene, SeenSquare
from training.kingdomino.scenes.kingdoms import Layout
from vision.common.geometry import project

# Photographs are reduced until the sides of their squares have this many pixels.
SQUARE_PX = 120.0
SIZE_PX = 448
# The deviation of the tilt, and the focal length of a phone in widths of its picture.
TILT_DEG, FOCAL = 15.0, 1.3


def load_photo_scene(corpus: Corpus, photo: LabelledKingdom) -> Scene:
    """A photograph of the folder as a scene in full size."""
    lattice, (width, height) = corpus.lattice(photo), photo.size
    outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    seen = [
        SeenSquare(
            project(outline + (column, row), lattice).astype(np.float32), label, 0, (row, column)
        )
        for (row, column), label in photo.labels.items()
    ]
    seen += [
        SeenSquare(corners.astype(np.float32), UNKNOWN, -1, (0, 0))
        for corners in corpus.loose_squares(photo)
    ]
    castle = next((cell for cell, label in photo.labels.items() if label == "c"), (0, 0))
    layout = Layout(height, width, castle, (), photo.labels)
    return Scene(read_rgb(photo.path), tuple(seen), (lattice,), (layout,))


def load_photo_scenes(corpus: Corpus, held_out_sessions: Container[str] = ()) -> list[Scene]:
    """The photographs of the folder as scenes, except those of held-out sessions."""
    scenes = []
    for photo in corpus.photos():
        if photo.session not in held_out_sessions:
            scene = load_photo_scene(corpus, photo)
            scenes.append(_resized(scene, SQUARE_PX / square_side(scene)))
    return scenes


def square_side(scene: Scene) -> float:
    """The median side of the squares in pixels."""
    return float(np.median([np.sqrt(cv2.contourArea(s.corners)) for s in scene.seen]))


def _resized(scene: Scene, factor: float) -> Scene:
    if factor >= 1:
        return scene
    height, width = (round(side * factor) for side in scene.rgb.shape[:2])
    small = cv2.resize(scene.rgb, (width, height), interpolation=cv2.INTER_AREA)
    grow = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]])
    return transform_scene(scene, grow, np.asarray(small, np.uint8))


def transform_scene(scene: Scene, view: Matrix, rgb: Image) -> Scene:
    """The scene with the picture ``rgb``, its ground truth mapped by the homography ``view``."""
    seen = tuple(
        replace(s, corners=project(s.corners.astype(np.float64), view).astype(np.float32))
        for s in scene.seen
    )
    lattices: Iterable[Matrix] = (view @ lattice for lattice in scene.homographies)
    return Scene(rgb, seen, tuple(lattices), scene.layouts)


def augment_scene(scene: Scene, square_px: tuple[float, float], rng: Rng) -> Scene:
    """The photograph with augmentation: rotated, tilted, cropped and with other light.

    The picture is ``SIZE_PX`` wide and high, filled with one colour outside the photograph.
    ``square_px`` bounds the side of its squares.
    """
    scale = float(np.exp(rng.uniform(*np.log(square_px)))) / square_side(scene)
    middle = scene.seen[int(rng.integers(len(scene.seen)))].corners.mean(0)
    at = rng.uniform(0.3, 0.7, 2) * SIZE_PX
    # The photograph is the plane that is seen, with pixels as units.
    view = Camera.above(
        (float(middle[0]), float(middle[1])), (at[0], at[1]), scale,
        tilt_deg=min(abs(rng.normal(0, TILT_DEG)), 3 * TILT_DEG), turn_deg=rng.uniform(0, 360),
        azimuth_deg=rng.uniform(0, 360), distance=FOCAL * SIZE_PX / scale,
    ).homography()  # fmt: skip
    frame = tuple(int(v) for v in rng.integers(0, 256, 3))
    rgb = cv2.warpPerspective(
        scene.rgb,
        view,
        (SIZE_PX, SIZE_PX),
        flags=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=frame,
    )
    out = take_picture(rgb, scale * square_side(scene), Light(), rng)
    return transform_scene(scene, view, out)
