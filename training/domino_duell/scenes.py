"""Synthetic photographs of Domino-Duell: materials, a wooden board with stones, and a table seen by
a camera; and boards to train from, games of any wood and make in any light, as patches with truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scorer.domino_duell import JOKER, STONES, Board, Colour, Piece, Stone, Symbol, SymbolColour
from training.common import synthetic
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, rotation
from training.common.synthetic import fill
from vision.common.geometry import fit_homography, project
from vision.domino_duell.classify import cut_patches
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import NOTHING, truth_of

RGB = tuple[float, ...]

PAINTS: dict[Colour, RGB] = {
    Colour.YELLOW: (232, 192, 44), Colour.RED: (196, 44, 42),
    Colour.BLUE: (38, 84, 168), Colour.GREEN: (46, 132, 66),
}  # fmt: skip
INKS: dict[SymbolColour, RGB] = {
    SymbolColour.WHITE: (242, 242, 238), SymbolColour.BLACK: (28, 26, 28),
    SymbolColour.GREY: (138, 138, 140), SymbolColour.LIGHT_BLUE: (140, 202, 238),
}  # fmt: skip


@dataclass(frozen=True)
class Materials:
    """From what the games of a set are made: choices, and ranges as (least, most).

    ``corners`` are the corners of a stone's outline, 0 for a disc; sizes are parts of the
    distance between two hollows.
    """

    woods: tuple[RGB, ...]
    corners: tuple[int, ...]
    stone_diameter: tuple[float, float] = (0.80, 0.93)
    symbol_diameter: tuple[float, float] = (0.42, 0.58)
    rim_shares: tuple[float, float] = (0.0, 0.1)
    grain: tuple[float, float] = (1.0, 9.0)
    paint_spread: float = 12.0


TRAINED_MATERIALS = Materials(
    woods=((222, 190, 150), (190, 150, 105), (110, 75, 50), (236, 216, 184), (150, 108, 70)),
    corners=(0, 0, 6),
)
OTHER_MATERIALS = Materials(
    woods=((168, 92, 62), (72, 72, 76), (226, 208, 142), (132, 126, 116)), corners=(8, 4, 12),
    rim_shares=(0.1, 0.2), grain=(6.0, 14.0), paint_spread=15.0,
)  # fmt: skip
"""Woods, outlines and rims that no training has seen."""


@dataclass(frozen=True)
class Material:
    """One game."""

    wood: RGB
    corners: int
    stone_diameter: float
    symbol_diameter: float
    rim_share: float
    grain: float
    paints: dict[Colour, RGB]
    inks: dict[SymbolColour, RGB]

    @classmethod
    def chosen(cls, materials: Materials, rng: Rng) -> Material:
        """A game made by chance of these materials."""
        near, spread = synthetic.near_colour, materials.paint_spread
        return cls(
            wood=near(synthetic.any_of(materials.woods, rng), 8.0, rng),
            corners=synthetic.any_of(materials.corners, rng),
            stone_diameter=float(rng.uniform(*materials.stone_diameter)),
            symbol_diameter=float(rng.uniform(*materials.symbol_diameter)),
            rim_share=float(rng.uniform(*materials.rim_shares)),
            grain=float(rng.uniform(*materials.grain)),
            paints={colour: near(paint, spread, rng) for colour, paint in PAINTS.items()},
            inks={colour: near(ink, spread / 2, rng) for colour, ink in INKS.items()},
        )


STEP_PX = 44.0
"""Pixels from one hollow to the next in the flat drawing."""
MARGIN = 1.6
"""Steps of canvas around the outermost hollows."""
HOLLOW_DIAMETER = 0.86


def draw_board(position: Board, material: Material, rng: Rng) -> tuple[Floats, Floats, Matrix]:
    """Picture (h, w, 3) of 0..255, mask (h, w) of the board, pixels (n, 2) of its hollows."""
    places = places_of(position.shape)
    low = places.min(0) - MARGIN
    width, height = np.ceil((places.max(0) + MARGIN - low) * STEP_PX).astype(int).tolist()
    middles = np.asarray((places - low) * STEP_PX)
    grain = synthetic.smooth_noise((height, width), (height // 2 + 1, 6), rng)
    grain += synthetic.smooth_noise((height, width), (5, 7), rng)
    if rng.random() < 0.5:
        grain = np.asarray(cv2.resize(np.ascontiguousarray(grain.T), (width, height)), np.float32)
    tone = np.array([1.0, 0.95, 0.85], np.float32) * (material.grain * grain[..., None])
    canvas = np.asarray(np.array(material.wood, np.float32) + tone, np.float32)
    # The board is a rectangle or a hexagon round its hollows.
    mask, border = np.zeros((height, width), np.uint8), STEP_PX * rng.uniform(0.7, 1.3)
    outline = _corners(middles, border)
    if rng.random() >= 0.5:
        hull = cv2.convexHull(middles.astype(np.float32)).reshape(-1, 2)
        away = hull - middles.mean(0)
        outline = hull + away / np.linalg.norm(away, axis=1)[:, None] * border
    fill(mask, outline, (255,))
    _carve(canvas, middles, middles[[position.shape.index[n] for n in position.shape.middle]], rng)
    # Shadows of the stones, then the stones.
    length, angle = rng.uniform(0.04, 0.12) * STEP_PX, rng.uniform(0, 2 * math.pi)
    lying = middles[[piece is not None for piece in position.cells]]
    shade, away = np.zeros_like(mask), length * np.array([math.cos(angle), math.sin(angle)])
    _draw_discs(shade, lying + away, 0.44 * STEP_PX, 255)
    soft = cv2.GaussianBlur(shade, (0, 0), rng.uniform(0.03, 0.09) * STEP_PX)
    canvas *= (1 - rng.uniform(0.3, 0.65) * soft.astype(np.float32) / 255)[..., None]
    for middle, piece in zip(middles, position.cells, strict=True):
        if piece is not None:
            _lay(canvas, middle + rng.normal(0, 0.02 * STEP_PX, 2), piece, material, rng)
    return canvas, np.asarray(mask / 255, np.float32), middles


def _corners(middles: Matrix, border: float) -> Matrix:
    """The corners (4, 2) of the upright rectangle round some points, so far away from them."""
    (left, top), (right, bottom) = middles.min(0) - border, middles.max(0) + border
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _carve(canvas: Floats, middles: Matrix, marked: Matrix, rng: Rng) -> None:
    """Round hollows, darker inside and shaded from one side; the middle ones are marked."""
    radius = HOLLOW_DIAMETER / 2 * STEP_PX * rng.uniform(0.85, 1.05)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    _draw_discs(mask, middles, radius, 255)
    _draw_discs(mask, marked, 0.3 * radius, 170)
    whole = mask.astype(np.float32) / 255
    angle, depth = rng.uniform(0, 2 * math.pi), rng.uniform(0.08, 0.16) * STEP_PX
    moved = np.array([[1, 0, depth * math.cos(angle)], [0, 1, depth * math.sin(angle)]])
    lit = cv2.warpAffine(whole, moved, whole.shape[::-1])
    lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.03, 0.1) * STEP_PX)
    darker = rng.uniform(0.04, 0.2)
    canvas *= (1 - darker * whole - rng.uniform(0.25, 0.5) * whole * (1 - lit))[..., None]
    if rng.random() < 0.5:
        ring = whole - cv2.erode(whole, np.ones((3, 3), np.uint8))
        canvas *= (1 - 0.3 * ring)[..., None]


def _draw_discs(mask: Image, middles: Matrix, radius: float, value: int) -> None:
    for x, y in np.round(middles * 16).astype(int).tolist():
        cv2.circle(mask, (x, y), int(radius * 16), value, -1, cv2.LINE_AA, 4)


def _lay(canvas: Floats, middle: Matrix, piece: Piece, material: Material, rng: Rng) -> None:
    """A stone, turned as it fell; a joker is a stone of any colour without a symbol.

    Source: Domino-Duell, "Die Spielsteine" ("unbedruckte") and "Variante" ("bunten").
    """
    turn, paints = float(rng.uniform(0, 2 * math.pi)), material.paints
    colour = piece.colour if isinstance(piece, Stone) else synthetic.any_of(list(paints), rng)
    paint = np.array(paints[colour]) * rng.uniform(0.94, 1.06)
    # A stone with corners is a little larger, a disc is drawn with forty.
    outline, larger = _ring(material.corners or 40, turn), 1.06 if material.corners else 1.0
    radius, lifted = material.stone_diameter / 2 * STEP_PX, middle - 0.02 * STEP_PX
    inner = radius * (1 - max(material.rim_share, 0.04))
    fill(canvas, middle + radius * larger * outline, paint * 0.74)
    fill(canvas, lifted + inner * larger * outline, paint)
    if isinstance(piece, Stone):
        size = material.symbol_diameter / 2 * STEP_PX
        symbol = lifted + size * symbol_outline(piece.symbol, turn)
        fill(canvas, symbol, material.inks[piece.symbol_colour])


def _ring(count: int, turn: float) -> Matrix:
    angles = turn + np.arange(count) * 2 * math.pi / count
    return np.stack([np.cos(angles), np.sin(angles)], 1)


def symbol_outline(symbol: Symbol, turn: float) -> Matrix:
    """The outline of a symbol (n, 2) within a circle of radius 1, turned by ``turn`` radians."""
    if symbol is Symbol.CIRCLE:
        return 0.88 * _ring(40, turn)
    if symbol is Symbol.TRIANGLE:
        return 1.1 * _ring(3, turn)
    if symbol is Symbol.STAR:
        points = 1.12 * _ring(10, turn)
        points[1::2] *= 0.42
        return points
    # Two circles of the same size, one moved: the moon is what the other leaves.
    outer = np.linspace(math.radians(62), math.radians(298), 30)
    angles = np.r_[outer, np.linspace(math.radians(242), math.radians(118), 24)]
    crescent = np.stack([np.cos(angles), np.sin(angles)], 1)
    crescent[len(outer) :, 0] += 2 * math.cos(math.radians(62))
    crescent[:, 0] += 0.15
    return np.asarray(crescent @ rotation(turn).T)


@dataclass(frozen=True)
class SceneSettings:
    """How pictures are taken: ``board_share`` is how much of one the hollows span, in height or
    width, ``light`` the strength of colour casts, ``glare_share`` how many pictures have glare.
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
    """A picture (h, w, 3) RGB, what lies on it, and the pixels (n, 2) of the shape's hollows."""

    rgb: Image
    position: Board
    middles: Matrix

    def patches(self, places: Matrix) -> Image:
        """The patches (n, 32, 32, 3) about places (n, 2) of the board, in steps."""
        hollows = places_of(self.position.shape)
        return cut_patches(self.rgb, fit_homography(hollows, self.middles), places)


def random_position(rng: Rng) -> Board:
    """Any number of stones grown from the middle as games do, now and then with jokers."""
    shape = Board.of().shape
    count = int(rng.integers(4, len(STONES) + 1))
    pieces: list[Piece] = [STONES[index] for index in rng.permutation(len(STONES))[:count]]
    if rng.random() < 0.3:
        pieces[-1 - int(rng.integers(4)) :] = [JOKER] * 4
    cells: list[Piece | None] = [None] * len(shape.hollows)
    border = [shape.index[name] for name in shape.middle]
    for piece in pieces[: len(STONES)]:
        free = [index for index in border if cells[index] is None]
        chosen = synthetic.any_of(free, rng)
        cells[chosen] = piece
        border = [*free, *shape.neighbours[chosen]]
    return Board(shape, tuple(cells))


def draw_scene(
    rng: Rng, settings: SceneSettings | None = None, position: Board | None = None
) -> Scene:
    """A picture of a position, by default of any, with all else left to chance."""
    settings, position = settings or SceneSettings(), position or random_position(rng)
    material = Material.chosen(settings.materials, rng)
    flat, mask, middles = draw_board(position, material, rng)
    view, size = _view(middles, settings, rng), (settings.width_px, settings.height_px)
    lying = cv2.warpPerspective(flat, view, size, flags=cv2.INTER_AREA)
    alpha = cv2.warpPerspective(mask, view, size, flags=cv2.INTER_AREA)[..., None]
    picture = _table(settings, rng) * (1 - alpha) + lying * alpha
    return Scene(_photographed(picture, settings, rng), position, project(middles, view))


def draw_bare_table(rng: Rng) -> Image:
    """A picture of a table without a board, with things lying about."""
    settings = SceneSettings()
    return _photographed(_table(settings, rng), settings, rng)


def _table(settings: SceneSettings, rng: Rng) -> Image:
    table = synthetic.random_table((), (settings.height_px, settings.width_px), rng)
    return synthetic.clutter(table, (), rng, int(rng.integers(0, 6)))


def _photographed(picture: MatLike, settings: SceneSettings, rng: Rng) -> Image:
    """The light in which the picture is taken, and what the camera makes of it."""
    lit = picture.astype(np.float32)
    if rng.random() < settings.shadow_share:
        lit = synthetic.shadow_edge(lit, rng)
    if rng.random() < settings.glare_share:
        lit = synthetic.glare(lit, rng, 0.12 * settings.width_px)
    rgb = synthetic.soften(synthetic.develop(lit, rng, settings.light), rng, settings.max_blur_px)
    return synthetic.jpeg(rgb, int(rng.integers(60, 96)))


def _view(middles: Matrix, settings: SceneSettings, rng: Rng) -> Matrix:
    """The homography (3, 3) from the flat drawing to the picture, with all hollows in it."""
    corners = _corners(middles, STEP_PX)
    tilt_deg = settings.max_tilt_deg * rng.random()
    turn_deg, azimuth_deg = np.rad2deg(rng.uniform(0, 2 * math.pi, 2)) * (1, -1)
    longest = float((corners[2] - corners[0]).max())
    camera = Camera.above(
        tuple((corners[0] + corners[2]) / 2), (0, 0), 1, tilt_deg=-tilt_deg, turn_deg=turn_deg,
        azimuth_deg=azimuth_deg, distance=longest * rng.uniform(1.8, 3.5),
    )  # fmt: skip
    around = camera.on_plane(middles)
    low, high = around.min(0), around.max(0)
    frame = np.array([settings.width_px, settings.height_px])
    scale = float(rng.uniform(*settings.board_share) * (frame / (high - low)).min())
    slack = (frame - (high - low) * scale) / 2
    moved = frame / 2 + rng.uniform(-0.6, 0.6, 2) * slack
    target = (camera.on_plane(corners) - (low + high) / 2) * scale + moved
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    return np.asarray(view, np.float64)


OFF_STEPS = 0.05
"""Standard deviation by which patches are off, in steps."""
ELSEWHERE = 16
"""Places of a scene that are no hollows; four more lie half way between two hollows."""
CORNERS = (0, 0, 0, 5, 6, 7, 10)
LEAST_WOOD_DISTANCE = 40.0
"""How far a wood keeps from those that the training must not see, in levels of 255."""


class Boards(NamedTuple):
    """Boards as patches: ``patches`` (n, t, 32, 32, 3), ``truth`` (n, t, 4), ``places`` (n, t, 2).

    The t places of a board are its hollows in order, then places that are no hollows, in steps.
    One board alone has no n.
    """

    patches: Image
    truth: NDArray[np.int64]
    places: Floats


class Light(NamedTuple):
    """How harsh the light is: ``casts`` and ``blurs_px`` are ranges, the others shares."""

    casts: tuple[float, float]
    glare_share: float
    shadow_share: float
    blurs_px: tuple[float, float]


TRAINED = Light((0.1, 1.1), 0.25, 0.4, (0.5, 1.9))
HARSH = Light((0.2, 1.6), 0.4, 0.5, (0.5, 2.1))
"""Harsher than what is trained with: for calibration and for choosing thresholds."""


def training_settings(rng: Rng, light: Light = TRAINED) -> SceneSettings:
    """A game and a light to train with; woods and outlines held out for measuring never occur."""
    woods = np.array([(222, 190, 150), (110, 75, 50), (190, 150, 105), (60, 45, 35)])
    nearest = 0.0
    while nearest <= LEAST_WOOD_DISTANCE:
        # Any mixture of woods, sometimes stained in any colour.
        wood = rng.dirichlet(np.ones(len(woods))) @ woods * rng.uniform(0.8, 1.2)
        if rng.random() < 0.3:
            wood = wood + rng.normal(0, 35, 3)
        wood = np.clip(wood, 20, 250)
        nearest = np.linalg.norm(np.array(OTHER_MATERIALS.woods) - wood, axis=1).min()
    materials = Materials(
        woods=(tuple(wood.tolist()),), corners=CORNERS, stone_diameter=(0.78, 0.95),
        symbol_diameter=(0.40, 0.60), grain=(1.0, 12.0), paint_spread=float(rng.uniform(6, 20)),
    )  # fmt: skip
    return SceneSettings(
        width_px=600, height_px=450, board_share=(0.5, 0.95), max_tilt_deg=40.0,
        light=float(rng.uniform(*light.casts)), glare_share=light.glare_share,
        shadow_share=light.shadow_share, max_blur_px=float(rng.uniform(*light.blurs_px)),
        materials=materials,
    )  # fmt: skip


def board_patches(
    seed: int, index: int, light: Light = TRAINED, materials: Materials | None = None
) -> Boards:
    """One drawn board, of ``materials`` or of those to train with."""
    rng = np.random.default_rng([seed, index])
    settings = training_settings(rng, light)
    scene = draw_scene(rng, replace(settings, materials=materials or settings.materials))
    places = places_of(scene.position.shape)
    # Elsewhere is at least 0.8 steps from every hollow, or half way between two hollows.
    found = rng.uniform(places.min(0) - 3, places.max(0) + 3, (20 * ELSEWHERE, 2))
    away = np.linalg.norm(found[:, None] - places[None], axis=2).min(1)
    between = places[rng.integers(len(places), size=4)] + (0.5, 0.0)
    wanted = np.concatenate([places, found[away > 0.8][:ELSEWHERE], between])
    truth = np.full((len(wanted), 4), (NOTHING, -1, -1, -1))
    truth[: len(places)] = [truth_of(piece) for piece in scene.position.cells]
    patches = scene.patches(wanted + rng.normal(0, OFF_STEPS, wanted.shape))
    return Boards(patches, truth, wanted.astype(np.float32))


def stored_boards(folder: Path, count: int, seed: int) -> Boards:
    """``count`` boards, drawn into a file of a folder where they are not there yet."""
    path = folder / f"domino_duell-{seed}-{count}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        drawn = zip(*(board_patches(seed, index) for index in range(count)), strict=True)
        np.savez(path, **Boards(*map(np.stack, drawn))._asdict())
    with np.load(path) as kept:
        return Boards(**kept)
