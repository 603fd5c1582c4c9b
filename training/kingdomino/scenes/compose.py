"""Scenes with ground truth, composed from pictures of dominoes, photographed or drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from scorer.kingdomino import Square
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, moved
from training.common.light import Light, take_picture
from training.common.synthetic import clutter, random_table
from training.kingdomino.render.scene import TILE_THICKNESS, CastleShape, draw_castle, lay_flat
from training.kingdomino.render.tiles import render_square
from training.kingdomino.scenes.kingdoms import (
    DOMINO_MIDDLE,
    Layout,
    PlacedDomino,
    SceneSettings,
    TileSet,
    draw_kingdom,
    place_close_domino,
    place_close_kingdom,
    random_layout,
)
from training.kingdomino.scenes.things import draw_hand, hidden_share, put_thing
from vision.common.geometry import project

# Squares seen at a slant are at least as wide, in pixels.
STEEP_PX = 22.0


def random_camera(
    rng: Rng, settings: SceneSettings, square_px: float, at_px: tuple[float, float]
) -> Camera:
    """A random camera that sees the origin of the table, in squares, at a pixel."""
    tilt = min(abs(rng.normal(0, 0.42)), 1) * settings.max_tilt_deg
    azimuth, turn = rng.uniform(0, 360, 2)
    if settings.steep_share and rng.random() < settings.steep_share:
        tilt = rng.uniform(*settings.steep_tilt_deg)
        square_px = max(square_px, STEEP_PX)
        if rng.random() < 0.7:
            # What is farther away is higher up in the picture, as people hold a phone.
            azimuth = rng.normal(0, 20)
    if rng.random() < 0.5:
        turn = rng.normal(0, 7) + rng.integers(4) * 90
    return Camera.above(
        (0, 0), at_px, square_px, tilt_deg=tilt, turn_deg=turn, azimuth_deg=azimuth,
        distance=rng.uniform(7, 22),
    )  # fmt: skip


# Pixels per square of the flat sheet, chosen close to the size in the picture.
SHEET_SIZES = (96, 48, 24)
# A square that is occluded more than this has no known label.
MAX_HIDDEN = 0.55
# The label of a square that is there but can't be recognised.
UNKNOWN = "?"
THING, OTHER = 1, 2
# How many of the things on the table are hands.
HAND_SHARE = 0.45
# In how many slices the sides of tiles are painted.
EDGES = 1
LIGHT = Light(glare=0.45, glare_size=(0.3, 1.8), most_glares=3, shadow=0.3, strength=1.0, coded=0.5)
# The least depth of a corner, as a share of that of the middle of the picture.
MIN_DEPTH = 0.3


@dataclass(frozen=True)
class SeenSquare:
    """A square in the picture: its corners (4, 2) in pixels and its label.

    ``cell`` is its (row, column) in the lattice of kingdom ``kingdom``, which is -1 for a loose
    domino.
    """

    corners: Floats
    label: str
    kingdom: int
    cell: tuple[int, int]


@dataclass(frozen=True)
class Scene:
    """A picture (h, w, 3) uint8 RGB with its ground truth; one homography per kingdom's lattice.

    ``covered`` (h, w) is ``THING`` where something lies on the table or on squares, ``OTHER``
    where it is not known what to say of that, 0 elsewhere; None where nothing lies there.
    """

    rgb: Image
    seen: tuple[SeenSquare, ...]
    homographies: tuple[Matrix, ...]
    layouts: tuple[Layout, ...]
    covered: Image | None = None


def _random_size(rng: Rng) -> tuple[int, int]:
    """A random grid size and number of dominoes of a kingdom."""
    size = 7 if rng.random() < 0.3 else 5
    most = (size * size - 1) // 2
    count = most if rng.random() < 0.55 else int(rng.integers(0, most + 1))
    return size, count


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
        self.square_px = float(np.exp(rng.uniform(*np.log(settings.square_px))))
        centre = rng.uniform(0.3, 0.7, 2) * settings.size_px
        self.camera = random_camera(rng, settings, self.square_px, (centre[0], centre[1]))
        self.style = _choose_style(tiles, settings, rng.random())
        self.seen: list[SeenSquare] = []
        self.homographies: list[Matrix] = []
        self.layouts: list[Layout] = []
        self.shadow = (float(rng.normal(0, 0.06)), float(rng.normal(0, 0.06)))

    def _is_near(self, lattice: Matrix, points: Matrix) -> bool:
        """Whether points (n, 2) are far enough before the horizon to be drawn."""
        depths = np.c_[points, np.ones(len(points))] @ lattice[2]
        return bool(depths.min() >= MIN_DEPTH * self.camera.homography()[2, 2])

    def lay(
        self, layout: Layout, place: Matrix, *, is_kingdom: bool, may_touch: bool = False
    ) -> None:
        """Lay a kingdom or a loose domino; ``place`` (3, 3) maps its squares to the table's.

        A loose domino stays away from other squares unless it ``may_touch`` them.
        """
        camera, rng = self.camera.on(place), self.rng
        lattice = camera.homography(TILE_THICKNESS)
        width, height = layout.width, layout.height
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        if not self._is_near(lattice, outline):
            return
        corners = project(outline, lattice)
        size_px = self.settings.size_px
        if corners.max() < 0 or corners.min() > size_px or not np.isfinite(corners).all():
            return
        if not is_kingdom and not may_touch and self.seen:
            taken = np.array([s.corners.mean(0) for s in self.seen]) - corners.mean(0)
            if np.linalg.norm(taken, axis=1).min() < 1.9 * self.square_px:
                return
        px = next((s for s in SHEET_SIZES[::-1] if s >= 0.85 * self.square_px), SHEET_SIZES[0])
        flat, labels = draw_kingdom(
            layout, self.tiles, self.settings, rng, px, self.style, castle=is_kingdom
        )
        darkness = float(rng.uniform(0.2, 0.8))
        self.rgb, mask = lay_flat(
            self.rgb, flat, camera, shadow=self.shadow, darkness=darkness, edges=EDGES
        )
        self.covered[mask > 0.5] = 0
        number = len(self.homographies) if is_kingdom else -1
        fresh = [
            SeenSquare(project(flat.corners[cell], lattice).astype(np.float32), label, number, cell)
            for cell, label in labels.items()
        ]
        if is_kingdom:
            self.homographies.append(lattice)
            self.layouts.append(layout)
        if is_kingdom and rng.random() < self.settings.castle_share:
            colour = labels[layout.castle].partition(":")[2]
            hidden = draw_castle(
                self.rgb, camera, layout.castle, colour, CastleShape.random(rng)
            ).astype(np.float32)
            fresh = [
                s
                for s in fresh
                if s.label[0] == "c" or hidden_share(s.corners, hidden) < MAX_HIDDEN
            ]
        self.seen.extend(fresh)

    def put_things(self) -> None:
        """Put a few hands and things on the kingdoms or the table, over what is laid already."""
        rng = self.rng
        light = self.rgb.astype(np.float32)
        for _ in range(int(rng.integers(1, 4))):
            is_hand = rng.random() < HAND_SHARE
            at: Matrix | None = None
            if self.seen and rng.random() < (0.6 if is_hand else 0.8):
                at = self.seen[int(rng.integers(len(self.seen)))].corners.mean(0).astype(np.float64)
            if is_hand:
                self._cover(draw_hand(light, self.square_px, rng, at))
                continue
            if at is None:
                at = rng.uniform(0, 1, 2) * self.settings.size_px
            view = self.camera.homography()
            spot = project(at[None], np.asarray(np.linalg.inv(view))) + rng.normal(0, 0.4, 2)
            if self._is_near(view, spot):
                mask, opaque = put_thing(light, self.camera, spot[0], self.tiles.surfaces, rng)
                if opaque:
                    self._cover(mask)
                else:
                    self.covered[mask > 0.5] = OTHER
        self.rgb = np.clip(light, 0, 255).astype(np.uint8)

    def _cover(self, hidden: Floats) -> None:
        """Squares that a mask hides become ``UNKNOWN``."""
        self.covered[hidden > 0.5] = THING
        self.seen = [
            replace(s, label=UNKNOWN) if hidden_share(s.corners, hidden) >= MAX_HIDDEN else s
            for s in self.seen
        ]

    def photograph(self) -> Image:
        """The picture of the table with random light, blur and compression."""
        settings = self.settings
        blur = min(1.6, 0.032 * self.square_px)
        if settings.blur_share and self.rng.random() < settings.blur_share:
            blur = self.square_px * settings.max_blur / 2
        light = replace(LIGHT, blur_px=blur, dim=settings.dim_share)
        return take_picture(self.rgb, self.square_px, light, self.rng)


def _choose_style(tiles: TileSet, settings: SceneSettings, draw: float) -> str:
    """The style of the tiles for a random number ``draw`` from 0..1, see ``draw_kingdom``."""
    shares = (
        ("drawn", settings.drawn_share, bool(tiles.drawn)),
        ("foreign", settings.foreign_share, bool(tiles.foreign)),
        ("squares", settings.photo_squares_share, bool(tiles.squares)),
    )
    reached = 0.0
    for style, share, there in shares:
        reached += share
        if draw < reached and there:
            return style
    return "pictures"


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
        size, count = _random_size(rng)
        layout = random_layout(tiles.labels, rng, size=size, count=count)
        if first is not None and close and group == 1:
            beside = place_close_kingdom(first[0].labels, layout.labels, rng)
            table.lay(layout, first[1] @ beside, is_kingdom=True)
            continue
        offset = np.zeros(2) if group == 0 else rng.choice([-1, 1], 2) * rng.uniform(0, 8, 2)
        if group and abs(offset).max() < 6.5:
            offset[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(6, 8)
        turn = 0.0 if group == 0 else float(rng.uniform(0, 360))
        place = moved(turn, offset, layout.middle)
        first = first or (layout, place)
        table.lay(layout, place, is_kingdom=True)
    for number in range(loose):
        laid = PlacedDomino(str(rng.choice(list(tiles.labels))), 0, 0, 0)
        halves = dict(zip(laid.squares, tiles.labels[laid.number], strict=True))
        domino = Layout(1, 2, (-1, -1), (laid,), halves)
        if first is not None and close and kingdoms == 1 and number == 0:
            near = place_close_domino(first[0].labels, rng)
            if near is not None:
                table.lay(domino, first[1] @ near, is_kingdom=False, may_touch=True)
            continue
        offset, turn = rng.uniform(-9, 9, 2), float(rng.uniform(0, 360))
        place = moved(turn, offset, DOMINO_MIDDLE)
        table.lay(domino, place, is_kingdom=False)
    if settings.thing_share and rng.random() < settings.thing_share:
        table.put_things()
    rgb = table.photograph()
    inside = tuple(
        s
        for s in table.seen
        if (s.corners.mean(0) >= 0).all() and (s.corners.mean(0) < settings.size_px).all()
    )
    return Scene(rgb, inside, tuple(table.homographies), tuple(table.layouts), table.covered)


def draw_squares(labels: Iterable[str], side: int, count: int, rng: Rng) -> dict[str, list[Image]]:
    """``count`` drawings (side, side, 3) of each label, each in a random style.

    Rare squares, above all mines and swamps with crowns, are as frequent as common ones, so that a
    network learns to count crowns instead of guessing them from the terrain.
    """
    return {
        label: [render_square(Square.parse(label), side, rng) for _ in range(count)]
        for label in labels
    }
