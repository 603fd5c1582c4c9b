"""Scenes with ground truth: composed of dominoes, or photographs with annotated lattices."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scorer.kingdomino import Square
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, moved
from training.common.synthetic import Light, any_of, between, clutter, random_table, take_picture
from training.kingdomino.corpus import Corpus, LabelledKingdom, read_rgb, resized
from training.kingdomino.render.scene import TILE_THICKNESS, CastleShape, draw_castle, lay_flat
from training.kingdomino.render.tiles import render_square
from training.kingdomino.scenes import kingdoms as laid_out
from training.kingdomino.scenes.kingdoms import Layout, SceneSettings, TileSet
from training.kingdomino.scenes.things import draw_hand, hidden_share, put_thing
from vision.common.geometry import Extent, enlarged, project

# Squares seen at a slant are at least as wide, in pixels.
STEEP_PX = 22.0
# Pixels per square of the flat sheet, chosen close to the size in the picture.
SHEET_SIZES = (24, 48, 96)
# A square that is occluded more than this has no known label.
MAX_HIDDEN = 0.55
# The label of a square that is there but can't be recognised.
UNKNOWN = "?"
THING, OTHER = 1, 2
# How many of the things on the table are hands.
HAND_SHARE = 0.45
LIGHT = Light(glare=0.45, glare_size=(0.3, 1.8), most_glares=3, shadow=0.3, strength=1.0, coded=0.5)
# The least depth of a corner, as a share of that of the middle of the picture.
MIN_DEPTH = 0.3


@dataclass(frozen=True)
class SeenSquare:
    """A square in the picture: its corners (4, 2) in pixels and its label.

    ``cell`` is its (row, column) in the lattice of ``kingdom``, which is -1 for a loose domino.
    """

    corners: Floats
    label: str
    kingdom: int
    cell: tuple[int, int]


@dataclass(frozen=True)
class Scene:
    """A picture (h, w, 3) uint8 RGB with its ground truth.

    Each of its ``kingdoms`` is the homography (3, 3) of a lattice and the extent of its cells.
    ``covered`` (h, w) is ``THING`` where something lies on the table or on squares, ``OTHER``
    where it is not known what to say of that, 0 elsewhere; None where nothing lies there.
    """

    rgb: Image
    seen: Sequence[SeenSquare]
    kingdoms: Sequence[tuple[Matrix, Extent]]
    covered: Image | None = None


class _Table:
    """A table to lay kingdoms on, before its ``camera``; lengths on it are squares."""

    def __init__(self, tiles: TileSet, settings: SceneSettings, rng: Rng) -> None:
        self.tiles, self.settings, self.rng = tiles, settings, rng
        shape = (settings.size_px, settings.size_px)
        self.rgb = random_table(tiles.surfaces, shape, rng)
        self.covered = np.zeros(shape, np.uint8)
        if rng.random() < 0.5:
            cards = tiles.surfaces[:40] + tiles.foreign[:5]
            bare, self.rgb = self.rgb, clutter(self.rgb, cards, rng, int(rng.integers(1, 9)))
            self.covered[(bare != self.rgb).any(2)] = OTHER
        self.square_px = between(*settings.square_px, rng)
        self.camera = self._random_camera()
        banks = {"drawn": tiles.drawn, "foreign": tiles.foreign, "squares": tiles.squares}
        shares = settings.drawn_share, settings.foreign_share, settings.photo_squares_share
        drawn, reached = rng.random(), zip(banks, np.cumsum(shares), strict=True)
        self.style = next((s for s, up_to in reached if banks[s] and drawn < up_to), "pictures")
        self.seen: list[SeenSquare] = []
        self.kingdoms: list[tuple[Matrix, Extent]] = []
        self.shadow = rng.normal(0, 0.06), rng.normal(0, 0.06)

    def _random_camera(self) -> Camera:
        """A random camera that sees the origin of the table about the middle."""
        settings, rng, square_px = self.settings, self.rng, self.square_px
        x, y = rng.uniform(0.3, 0.7, 2) * settings.size_px
        tilt_deg = min(abs(rng.normal(0, 0.42)), 1) * settings.max_tilt_deg
        azimuth_deg, turn_deg = rng.uniform(0, 360, 2)
        if settings.steep_share and rng.random() < settings.steep_share:
            tilt_deg = rng.uniform(*settings.steep_tilt_deg)
            square_px = max(square_px, STEEP_PX)
            if rng.random() < 0.7:
                # What is farther away is higher up in the picture, as people hold a phone.
                azimuth_deg = rng.normal(0, 20)
        if rng.random() < 0.5:
            turn_deg = rng.normal(0, 7) + rng.integers(4) * 90
        return Camera.above(
            (0, 0), (x, y), square_px, tilt_deg=tilt_deg, turn_deg=turn_deg,
            azimuth_deg=azimuth_deg, distance=rng.uniform(7, 22),
        )  # fmt: skip

    def _is_near(self, lattice: Matrix, points: Matrix) -> bool:
        """Whether points (n, 2) are far enough before the horizon to be drawn."""
        depths = np.c_[points, np.ones(len(points))] @ lattice[2]
        return bool(depths.min() >= MIN_DEPTH * self.camera.homography()[2, 2])

    def lay(self, layout: Layout, place: Matrix, *, may_touch: bool = False) -> None:
        """Lay a kingdom or a loose domino; ``place`` (3, 3) maps its squares to the table's.

        A loose domino stays away from other squares unless it ``may_touch`` them.
        """
        camera, rng, castle = self.camera.on(place), self.rng, layout.castle
        lattice = camera.homography(TILE_THICKNESS)
        outline = np.array(layout.extent.corners())
        if not self._is_near(lattice, outline):
            return
        corners, size_px = project(outline, lattice), self.settings.size_px
        if corners.max() < 0 or corners.min() > size_px or not np.isfinite(corners).all():
            return
        if not castle and not may_touch and self.seen:
            taken = np.array([s.corners.mean(0) for s in self.seen]) - corners.mean(0)
            if np.linalg.norm(taken, axis=1).min() < 1.9 * self.square_px:
                return
        px = next((s for s in SHEET_SIZES if s >= 0.85 * self.square_px), SHEET_SIZES[-1])
        flat, labels = laid_out.draw_kingdom(layout, self.tiles, self.settings, rng, px, self.style)
        self.rgb, mask = lay_flat(self.rgb, flat, camera, self.shadow, rng.uniform(0.2, 0.8))
        self.covered[mask > 0.5] = 0
        number = len(self.kingdoms) if castle else -1
        fresh = [
            SeenSquare(project(flat.corners[cell], lattice).astype(np.float32), label, number, cell)
            for cell, label in labels.items()
        ]
        if castle:
            self.kingdoms.append((lattice, layout.extent))
        if castle and rng.random() < self.settings.castle_share:
            colour, shape = labels[castle].partition(":")[2], CastleShape.random(rng)
            hidden = draw_castle(self.rgb, camera, castle, colour, shape).astype(np.float32)
            fresh = [
                s for s in fresh
                if s.cell == castle or hidden_share(s.corners, hidden) < MAX_HIDDEN
            ]  # fmt: skip
        self.seen.extend(fresh)

    def put_things(self) -> None:
        """Put a few hands and things over what is laid; squares that they hide are ``UNKNOWN``."""
        rng, light = self.rng, self.rgb.astype(np.float32)
        for _ in range(int(rng.integers(1, 4))):
            is_hand, at, opaque = rng.random() < HAND_SHARE, None, True
            if self.seen and rng.random() < (0.6 if is_hand else 0.8):
                at = any_of(self.seen, rng).corners.mean(0).astype(np.float64)
            if is_hand:
                mask = draw_hand(light, self.square_px, rng, at)
            else:
                at = rng.uniform(0, 1, 2) * self.settings.size_px if at is None else at
                view = self.camera.homography()
                spot = project(at[None], np.asarray(np.linalg.inv(view))) + rng.normal(0, 0.4, 2)
                if not self._is_near(view, spot):
                    continue
                mask, opaque = put_thing(light, self.camera, spot[0], self.tiles.surfaces, rng)
            self.covered[mask > 0.5] = THING if opaque else OTHER
            for k, square in enumerate(self.seen):
                if opaque and hidden_share(square.corners, mask) >= MAX_HIDDEN:
                    self.seen[k] = replace(square, label=UNKNOWN)
        self.rgb = np.clip(light, 0, 255).astype(np.uint8)


def compose(tiles: TileSet, settings: SceneSettings, rng: Rng) -> Scene:
    """A random scene: a table with kingdoms or none, loose dominoes, clutter, camera and light."""
    table = _Table(tiles, settings, rng)
    kingdoms = 0 if rng.random() < settings.empty_share else 1
    if kingdoms and rng.random() < 0.15:
        kingdoms += int(rng.integers(1, 3))
    loose = int(rng.integers(1, 6)) if rng.random() < 0.3 else 0
    close = bool(settings.close_share) and rng.random() < settings.close_share
    first: tuple[Layout, Matrix] | None = None
    for group in range(kingdoms):
        size = 7 if rng.random() < 0.3 else 5
        most = (size * size - 1) // 2
        count = most if rng.random() < 0.55 else int(rng.integers(0, most + 1))
        layout = laid_out.random_layout(tiles.labels, rng, size=size, count=count)
        if first and close and group == 1:
            near = laid_out.place_close_kingdom(first[0].labels, layout.labels, rng)
            table.lay(layout, first[1] @ near)
            continue
        offset, turn_deg = np.zeros(2), 0.0
        if group:
            offset = rng.choice([-1, 1], 2) * rng.uniform(0, 8, 2)
            if abs(offset).max() < 6.5:
                offset[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(6, 8)
            turn_deg = rng.uniform(0, 360)
        place = moved(turn_deg, offset, np.mean(list(layout.labels), axis=0)[::-1] + 0.5)
        first = first or (layout, place)
        table.lay(layout, place)
    for number in range(loose):
        which, cells = str(rng.choice(list(tiles.labels))), ((0, 0), (0, 1))
        domino = Layout(Extent(0, 0, 1, 2), {}, ((which, cells),))
        if first and close and kingdoms == 1 and number == 0:
            beside = laid_out.place_close_domino(first[0].labels, rng)
            if beside is not None:
                table.lay(domino, first[1] @ beside, may_touch=True)
            continue
        offset, turn_deg = rng.uniform(-9, 9, 2), rng.uniform(0, 360)
        table.lay(domino, moved(turn_deg, offset, laid_out.DOMINO_MIDDLE))
    if settings.thing_share and rng.random() < settings.thing_share:
        table.put_things()
    blur = min(1.6, 0.032 * table.square_px)
    if settings.blur_share and rng.random() < settings.blur_share:
        blur = table.square_px * settings.max_blur / 2
    light = replace(LIGHT, blur_px=blur, dim=settings.dim_share)
    rgb = take_picture(table.rgb, table.square_px, light, rng)
    # Those of which the middle is in the picture.
    seen = [s for s in table.seen if (s.corners.mean(0) // settings.size_px == 0).all()]
    return Scene(rgb, seen, table.kingdoms, table.covered)


def draw_squares(labels: Iterable[str], side: int, count: int, rng: Rng) -> dict[str, list[Image]]:
    """``count`` drawings (side, side, 3) of each label, each in a random style.

    Rare squares are as frequent as common ones: crowns are to be counted, not guessed from terrain.
    """
    squares = {label: Square.parse(label) for label in labels}
    return {k: [render_square(s, side, rng) for _ in range(count)] for k, s in squares.items()}


# Photographs are reduced until the sides of their squares have this many pixels.
PHOTO_SQUARE_PX = 120.0
PHOTO_PX = 448
# The deviation of the tilt, and the focal length of a phone in widths of its picture.
TILT_DEG, FOCAL = 15.0, 1.3


def load_photo_scene(corpus: Corpus, photo: LabelledKingdom) -> Scene:
    """A photograph of the folder as a scene in full size."""
    lattice = corpus.lattice(photo)
    found = [
        (project(np.array(Extent(*cell, 1, 1).corners()), lattice), label, 0, cell)
        for cell, label in photo.labels.items()
    ]
    found += [(corners, UNKNOWN, -1, (0, 0)) for corners in corpus.loose_squares(photo)]
    seen = [SeenSquare(each[0].astype(np.float32), *each[1:]) for each in found]
    return Scene(read_rgb(photo.path), seen, [(lattice, Extent(0, 0, *photo.size[::-1]))])


def load_photo_scenes(corpus: Corpus, held_out: Container[str]) -> list[Scene]:
    """The photographs of the folder as scenes, except those of held-out sessions."""
    scenes = []
    for photo in (each for each in corpus.photos() if each.session not in held_out):
        scene = load_photo_scene(corpus, photo)
        factor = PHOTO_SQUARE_PX / square_side(scene)
        if factor < 1:
            height, width = (round(side * factor) for side in scene.rgb.shape[:2])
            scene = transform_scene(scene, enlarged(factor), resized(scene.rgb, width, height))
        scenes.append(scene)
    return scenes


def square_side(scene: Scene) -> float:
    """The median side of the squares in pixels."""
    return float(np.median([np.sqrt(cv2.contourArea(s.corners)) for s in scene.seen]))


def transform_scene(scene: Scene, view: Matrix, rgb: Image) -> Scene:
    """The scene with the picture ``rgb``, its ground truth mapped by the homography ``view``."""
    seen = [replace(s, corners=project(s.corners, view).astype(np.float32)) for s in scene.seen]
    return Scene(rgb, seen, [(view @ lattice, extent) for lattice, extent in scene.kingdoms])


def augment_scene(scene: Scene, square_px: tuple[float, float], rng: Rng) -> Scene:
    """The photograph with augmentation: rotated, tilted, cropped and with other light.

    It is ``PHOTO_PX`` wide and high, plain around; ``square_px`` bounds the sides of squares.
    """
    scale = between(*square_px, rng) / square_side(scene)
    middle = any_of(scene.seen, rng).corners.mean(0)
    at = rng.uniform(0.3, 0.7, 2) * PHOTO_PX
    # The photograph is the plane that is seen, with pixels as units.
    view = Camera.above(
        (float(middle[0]), float(middle[1])), (at[0], at[1]), scale,
        tilt_deg=min(abs(rng.normal(0, TILT_DEG)), 3 * TILT_DEG), turn_deg=rng.uniform(0, 360),
        azimuth_deg=rng.uniform(0, 360), distance=FOCAL * PHOTO_PX / scale,
    ).homography()  # fmt: skip
    frame, way = rng.integers(0, 256, 3).tolist(), cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    rgb = cv2.warpPerspective(scene.rgb, view, (PHOTO_PX, PHOTO_PX), flags=way, borderValue=frame)
    out = take_picture(rgb, scale * square_side(scene), Light(), rng)
    return transform_scene(scene, view, out)
