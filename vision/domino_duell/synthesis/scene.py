"""A drawn photograph of a board on a table: turned, tilted, lit, blurred and compressed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import JOKER, STONES, Board, Piece
from vision.common.homography import project
from vision.common.synthesis.light import develop, glare, jpeg, shadow_edge, soften
from vision.common.synthesis.tabletops import clutter, random_table
from vision.domino_duell.synthesis.board import STEP_PX, draw_board
from vision.domino_duell.synthesis.materials import TRAINED_MATERIALS, Material, Materials

__all__ = ["Scene", "SceneSettings", "draw_bare_table", "draw_scene", "random_position"]

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class SceneSettings:
    """How the pictures are taken.

    ``board_share`` is how much of the picture the hollows span, in height or width,
    ``max_tilt_deg`` how far the camera leans, ``light`` the strength of colour casts,
    ``glare_share`` and ``shadow_share`` how many pictures have them.
    """

    width_px: int = 960
    height_px: int = 720
    board_share: tuple[float, float] = (0.6, 0.88)
    max_tilt_deg: float = 32.0
    light: float = 0.8
    glare_share: float = 0.15
    shadow_share: float = 0.25
    max_blur_px: float = 1.6
    materials: Materials = TRAINED_MATERIALS


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture (h, w, 3) uint8 RGB and what is on it.

    ``middles`` (n, 2) are the pixels (x, y) of the hollows in the order of the shape.
    """

    rgb: Image
    position: Board
    middles: NDArray[np.float64]


def random_position(rng: np.random.Generator, jokers: bool = True) -> Board:
    """Any number of stones grown from the middle as games do, now and then with jokers."""
    position = Board.of()
    shape = position.shape
    count = int(rng.integers(4, len(STONES) + 1))
    order = [int(index) for index in rng.permutation(len(STONES))[:count]]
    pieces: list[Piece] = [STONES[index] for index in order]
    if jokers and rng.random() < 0.3:
        pieces[-1 - int(rng.integers(4)) :] = [JOKER] * min(4, len(pieces))
        pieces = pieces[: len(STONES)]
        while pieces.count(JOKER) > 4:
            pieces.remove(JOKER)
    cells: list[Piece | None] = [None] * len(shape.hollows)
    border = [shape.index[name] for name in shape.middle]
    for piece in pieces:
        free = [index for index in border if cells[index] is None]
        chosen = free[int(rng.integers(len(free)))]
        cells[chosen] = piece
        border = [*free, *shape.neighbours[chosen]]
    return Board(shape, tuple(cells))


def draw_scene(
    rng: np.random.Generator,
    settings: SceneSettings | None = None,
    position: Board | None = None,
) -> Scene:
    """A picture of a position, by default of any, with all else left to chance."""
    settings = settings or SceneSettings()
    position = random_position(rng) if position is None else position
    material = Material.chosen(settings.materials, rng)
    flat, mask, middles = draw_board(position, material, rng)
    view = _view(middles, settings, rng)
    size = (settings.width_px, settings.height_px)
    lying = cv2.warpPerspective(flat, view, size, flags=cv2.INTER_AREA)
    alpha = cv2.warpPerspective(mask, view, size, flags=cv2.INTER_AREA)[..., None]
    table = _table(settings, rng)
    picture = table * (1 - alpha) + lying * alpha
    rgb = _photographed(picture.astype(np.float32), settings, rng)
    return Scene(rgb, position, project(middles, view))


def draw_bare_table(rng: np.random.Generator, settings: SceneSettings | None = None) -> Image:
    """A picture of a table without a board, with things lying about."""
    settings = settings or SceneSettings()
    return _photographed(_table(settings, rng).astype(np.float32), settings, rng)


def _table(settings: SceneSettings, rng: np.random.Generator) -> Image:
    table = random_table((), (settings.height_px, settings.width_px), rng)
    return clutter(table, (), rng, int(rng.integers(0, 6)))


def _photographed(
    picture: NDArray[np.float32], settings: SceneSettings, rng: np.random.Generator
) -> Image:
    """The light in which the picture is taken, and what the camera makes of it."""
    if rng.random() < settings.shadow_share:
        picture = shadow_edge(picture, rng)
    if rng.random() < settings.glare_share:
        picture = glare(picture, rng, 0.12 * settings.width_px)
    rgb = develop(picture, rng, settings.light)
    return jpeg(soften(rgb, rng, settings.max_blur_px), int(rng.integers(60, 96)))


def _view(
    middles: NDArray[np.float64], settings: SceneSettings, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The homography (3, 3) from the flat drawing to the picture, with all hollows in it."""
    low, high = middles.min(0) - STEP_PX, middles.max(0) + STEP_PX
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    tilt = math.radians(settings.max_tilt_deg) * rng.random()
    spin, lean = rng.uniform(0, 2 * math.pi, 2)
    middle, size = (low + high) / 2, float((high - low).max())
    rotation = _rotation(lean) @ _rotation(spin)
    distance = rng.uniform(1.8, 3.5)

    def seen(points: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y = ((points - middle) / size @ rotation.T).T
        depth = distance + y * math.sin(tilt)
        return np.stack([x / depth, y * math.cos(tilt) / depth], 1) @ _rotation(-lean).T

    around = seen(middles)
    low, high = around.min(0), around.max(0)
    frame = np.array([settings.width_px, settings.height_px])
    scale = float(rng.uniform(*settings.board_share) * (frame / (high - low)).min())
    slack = (frame - (high - low) * scale) / 2
    moved = frame / 2 + rng.uniform(-0.6, 0.6, 2) * slack
    target = (seen(corners) - (low + high) / 2) * scale + moved
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    return np.asarray(view, np.float64)


def _rotation(angle: float) -> NDArray[np.float64]:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
