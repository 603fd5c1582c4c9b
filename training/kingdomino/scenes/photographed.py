"""Photographs of whole kingdoms as scenes, with annotated lattices.

``photo_lattices.csv`` has for each photograph the corners of its grid, clockwise from the top
left in pixels of the upright photograph, and those of loose squares ("?"), which have no label.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from training.common.synthetic import develop, glare, jpeg, soften
from training.kingdomino.corpus import BoardPicture, Corpus, read_rgb
from training.kingdomino.scenes.compose import UNKNOWN, Scene, SeenSquare
from training.kingdomino.scenes.kingdoms import Layout
from vision.common.rectify import project

# Photographs are reduced until the sides of their squares have this many pixels.
SQUARE_PX = 120.0
SIZE_PX = 448
LIGHT = 0.75


def _scene(rgb: NDArray[np.uint8], kingdom: Kingdom, corners: NDArray[np.float64]) -> Scene:
    """The scene of a photograph with a kingdom on the grid with these corners."""
    height, width = kingdom.height, kingdom.width
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    found = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    lattice = np.asarray(found, np.float64)
    labels: dict[tuple[int, int], str] = {}
    seen = []
    for row, squares in enumerate(kingdom.rows):
        for column, square in enumerate(squares):
            if not square.is_empty:
                labels[row, column] = str(square)
                outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) + (column, row)
                placed = project(outline, lattice).astype(np.float32)
                seen.append(SeenSquare(placed, str(square), 0, (row, column)))
    castle = next((cell for cell, label in labels.items() if label == "c"), (0, 0))
    layout = Layout(height, width, castle, (), labels)
    return Scene(rgb, tuple(seen), (lattice,), (layout,))


def load_photo_scene(corpus: Corpus, photo: BoardPicture) -> Scene:
    """A photograph of the folder as a scene in full size."""
    lattices = corpus.photo_lattices()[photo.path.name]
    grid = next(corners for label, corners in lattices if label != UNKNOWN)
    whole = _scene(read_rgb(photo.path), Kingdom.parse(photo.kingdom), grid)
    loose = [
        SeenSquare(corners.astype(np.float32), UNKNOWN, -1, (0, 0))
        for label, corners in lattices
        if label == UNKNOWN
    ]
    return replace(whole, seen=(*whole.seen, *loose))


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


def transform_scene(scene: Scene, view: NDArray[np.float64], rgb: NDArray[np.uint8]) -> Scene:
    """The scene with the picture ``rgb``, its ground truth mapped by the homography ``view``."""
    seen = tuple(
        replace(s, corners=project(s.corners.astype(np.float64), view).astype(np.float32))
        for s in scene.seen
    )
    lattices: Iterable[NDArray[np.float64]] = (view @ lattice for lattice in scene.homographies)
    return Scene(rgb, seen, tuple(lattices), scene.layouts)


def augment_scene(scene: Scene, square_px: tuple[float, float], rng: np.random.Generator) -> Scene:
    """The photograph with augmentation: rotated, tilted, cropped and with other light.

    The picture is ``SIZE_PX`` wide and high, filled with one colour outside the photograph.
    ``square_px`` bounds the side of its squares.
    """
    low, high = np.log(square_px)
    scale = float(np.exp(rng.uniform(low, high))) / square_side(scene)
    middle = scene.seen[int(rng.integers(len(scene.seen)))].corners.mean(0).astype(np.float64)
    angle = float(rng.uniform(0, 2 * np.pi))
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    view = np.eye(3)
    view[:2, :2] = turn
    view[:2, 2] = rng.uniform(0.3, 0.7, 2) * SIZE_PX - turn @ middle
    # Some additional perspective, about the middle of the picture.
    to_middle = np.array([[1, 0, -SIZE_PX / 2], [0, 1, -SIZE_PX / 2], [0, 0, 1.0]])
    lean = np.eye(3)
    lean[2, :2] = rng.normal(0, 0.25, 2) / SIZE_PX
    view = np.asarray(np.linalg.inv(to_middle) @ lean @ to_middle @ view)
    frame = tuple(int(v) for v in rng.integers(0, 256, 3))
    rgb = cv2.warpPerspective(
        scene.rgb,
        view,
        (SIZE_PX, SIZE_PX),
        flags=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=frame,
    )
    light = rgb.astype(np.float32)
    if rng.random() < 0.3:
        light = glare(light, rng, scale * square_side(scene) * float(rng.uniform(0.3, 1.5)))
    out = soften(np.clip(light, 0, 255).astype(np.uint8), rng, 1.0)
    out = develop(out.astype(np.float32), rng, LIGHT)
    if rng.random() < 0.4:
        out = jpeg(out, int(rng.integers(35, 96)))
    return transform_scene(scene, view, out)
