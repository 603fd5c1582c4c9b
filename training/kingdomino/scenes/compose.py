"""Scenes with ground truth: composed from pictures of dominoes, or drawn for what no photograph
shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Square
from training.common.camera import rotation_about_z
from training.common.synthetic import (
    clutter,
    develop,
    dim_and_brighten,
    glare,
    jpeg,
    random_table,
    shadow_edge,
    soften,
)
from training.kingdomino.render import (
    SURFACES,
    Lamp,
    Laying,
    SceneView,
    Style,
    render_scene,
    render_square,
)
from training.kingdomino.scenes.kingdoms import (
    Layout,
    PlacedDomino,
    SceneSettings,
    TileSet,
    draw_kingdom,
    notation,
    place_close_domino,
    place_close_kingdom,
    random_layout,
)
from training.kingdomino.scenes.things import draw_hand, hidden_share, put_thing, stand_castle
from vision.common.rectify import project
from vision.kingdomino.labels import CASTLE_COLOURS

# Squares seen at a slant are at least as wide, in pixels.
STEEP_PX = 22.0


def random_viewpoint(
    rng: np.random.Generator, settings: SceneSettings, square_px: float
) -> NDArray[np.float64]:
    """A random homography from the table in squares to pixels; the origin is the middle of both."""
    tilt = np.deg2rad(abs(rng.normal(0, 0.42)) * settings.max_tilt_deg)
    tilt = min(tilt, np.deg2rad(settings.max_tilt_deg))
    direction, turn = rng.uniform(0, 2 * np.pi, 2)
    if settings.steep_share and rng.random() < settings.steep_share:
        tilt = np.deg2rad(rng.uniform(*settings.steep_tilt_deg))
        square_px = max(square_px, STEEP_PX)
        if rng.random() < 0.7:
            # What is farther away is higher up in the picture, as people hold a phone.
            direction = np.pi + rng.normal(0, 0.35)
    if rng.random() < 0.5:
        turn = rng.normal(0, 0.12) + rng.integers(4) * np.pi / 2

    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    rotation = rotation_about_z(direction) @ lean @ rotation_about_z(turn - direction)
    distance = rng.uniform(7, 22)
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    focal = square_px * distance
    return np.asarray(np.diag([focal, focal, 1.0]) @ plane)


Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Pixels per square of the flat sheet, chosen close to the size in the picture.
SHEET_SIZES = (96, 48, 24)
# A square that is occluded more than this has no known label.
MAX_HIDDEN = 0.55
# The label of a square that is there but can't be recognised.
UNKNOWN = "?"
THING, OTHER = 1, 2
# How many of the things on the table are hands.
HAND_SHARE = 0.45
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
    homographies: tuple[NDArray[np.float64], ...]
    layouts: tuple[Layout, ...]
    covered: Image | None = None


def _random_size(rng: np.random.Generator) -> tuple[int, int]:
    """A random grid size and number of dominoes of a kingdom."""
    size = 7 if rng.random() < 0.3 else 5
    most = (size * size - 1) // 2
    count = most if rng.random() < 0.55 else int(rng.integers(0, most + 1))
    return size, count


class _Table:
    """A table to lay kingdoms on; ``view`` (3, 3) maps its points, in squares, to pixels."""

    def __init__(self, tiles: TileSet, settings: SceneSettings, rng: np.random.Generator) -> None:
        self.tiles, self.settings, self.rng = tiles, settings, rng
        shape = (settings.size_px, settings.size_px)
        picture = random_table(tiles.surfaces, shape, rng)
        self.covered = np.zeros(shape, np.uint8)
        if rng.random() < 0.5:
            cards = tiles.surfaces[:40] + tiles.foreign[:5]
            bare, picture = picture, clutter(picture, cards, rng, int(rng.integers(1, 9)))
            self.covered[(bare != picture).any(2)] = OTHER
        self.rgb = picture.astype(np.float32)
        low, high = settings.square_px
        self.square_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        camera = random_viewpoint(rng, settings, self.square_px)
        centre = rng.uniform(0.3, 0.7, 2) * settings.size_px
        self.view = np.array([[1, 0, centre[0]], [0, 1, centre[1]], [0, 0, 1.0]]) @ camera
        self.rise = rng.normal(0, 0.45, 2).astype(np.float32)
        self.style = _choose_style(tiles, settings, rng.random())
        self.seen: list[SeenSquare] = []
        self.homographies: list[NDArray[np.float64]] = []
        self.layouts: list[Layout] = []
        self.shadow = np.zeros(2)

    def lay(
        self,
        layout: Layout,
        place: NDArray[np.float64],
        *,
        is_kingdom: bool,
        may_touch: bool = False,
    ) -> None:
        """Lay a kingdom or a loose domino; ``place`` (3, 3) maps its squares to the table's.

        A loose domino stays away from other squares unless it ``may_touch`` them.
        """
        lattice = self.view @ place
        width, height = layout.width, layout.height
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        depths = lattice[2] @ np.c_[outline, np.ones(4)].T
        if depths.min() < MIN_DEPTH * self.view[2, 2]:
            return
        corners = project(outline, lattice).astype(np.float32)
        size_px = self.settings.size_px
        if corners.max() < 0 or corners.min() > size_px or not np.isfinite(corners).all():
            return
        if not is_kingdom and not may_touch and self.seen:
            taken = np.array([s.corners.mean(0) for s in self.seen]) - corners.mean(0)
            if np.linalg.norm(taken, axis=1).min() < 1.9 * self.square_px:
                return
        found = self._paint(layout, lattice, is_kingdom=is_kingdom)
        number = len(self.homographies) if is_kingdom else -1
        if is_kingdom:
            self.homographies.append(lattice)
            self.layouts.append(layout)
        fresh = [
            SeenSquare(project(c, lattice).astype(np.float32), label, number, cell)
            for c, label, cell in found
        ]
        if is_kingdom and self.rng.random() < self.settings.castle_share:
            base = fresh[0].corners
            side = float(np.sqrt(abs(cv2.contourArea(base))))
            lean = self.rise * side * np.float32(self.rng.uniform(0.5, 1.2))
            colour = fresh[0].label.partition(":")[2]
            hidden = stand_castle(self.rgb, base, lean, colour, self.rng)
            fresh = [
                s
                for s in fresh
                if s.label[0] == "c" or hidden_share(s.corners, hidden) < MAX_HIDDEN
            ]
        self.seen.extend(fresh)

    def _paint(
        self, layout: Layout, lattice: NDArray[np.float64], *, is_kingdom: bool
    ) -> list[tuple[Floats, str, tuple[int, int]]]:
        """Draw the tiles and their shadow in perspective; returns what ``draw_kingdom`` found."""
        px = next((s for s in SHEET_SIZES[::-1] if s >= 0.85 * self.square_px), SHEET_SIZES[0])
        sheet, found = draw_kingdom(
            layout, self.tiles, self.settings, self.rng, px, self.style, castle=is_kingdom
        )
        inch, margin = 1 / sheet.square_px, sheet.margin
        warp = lattice @ np.array([[inch, 0, -margin], [0, inch, -margin], [0, 0, 1.0]])
        shape = (self.settings.size_px, self.settings.size_px)
        dx, dy = self.shadow * self.square_px
        drop = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]])
        dark = cv2.warpPerspective(sheet.alpha, drop @ warp, shape, flags=cv2.INTER_LINEAR)
        dark = cv2.GaussianBlur(dark, (0, 0), max(0.05 * self.square_px, 0.6))
        self.rgb = self.rgb * (1 - dark * np.float32(self.rng.uniform(0.2, 0.8)))[..., None]
        mask = cv2.warpPerspective(sheet.alpha, warp, shape, flags=cv2.INTER_LINEAR)
        warped = cv2.warpPerspective(sheet.rgb, warp, shape, flags=cv2.INTER_LINEAR)
        self.covered[mask > 0.5] = 0
        self.rgb = self.rgb * (1 - mask[..., None]) + warped
        return found

    def draw_hand(self) -> None:
        """Draw a hand over the table; the squares under it become ``UNKNOWN``."""
        near = None
        if self.seen and self.rng.random() < 0.6:
            near = self.seen[int(self.rng.integers(len(self.seen)))].corners.mean(0)
        self._cover(draw_hand(self.rgb, self.square_px, self.rng, near))

    def put_things(self) -> None:
        """Put a few things on the kingdoms or the table."""
        for _ in range(int(self.rng.integers(1, 4))):
            if self.rng.random() < HAND_SHARE:
                self.draw_hand()
                continue
            at = self.rng.uniform(0, 1, 2) * self.settings.size_px
            if self.seen and self.rng.random() < 0.8:
                at = self.seen[int(self.rng.integers(len(self.seen)))].corners.mean(0)
            spot = project(at[None].astype(np.float64), np.asarray(np.linalg.inv(self.view)))[0]
            spot = spot + self.rng.normal(0, 0.4, 2)
            if self.view[2] @ (*spot, 1) < MIN_DEPTH * self.view[2, 2]:
                continue
            rise = self.rise * self.square_px
            mask, opaque = put_thing(self.rgb, self.view, spot, rise, self.tiles.surfaces, self.rng)
            if opaque:
                self._cover(mask)
            else:
                self.covered[mask > 0.5] = OTHER

    def _cover(self, hidden: Floats) -> None:
        """Squares that a mask hides become ``UNKNOWN``."""
        self.covered[hidden > 0.5] = THING
        self.seen = [
            replace(s, label=UNKNOWN) if hidden_share(s.corners, hidden) >= MAX_HIDDEN else s
            for s in self.seen
        ]

    def photograph(self) -> Image:
        """The picture of the table with random light, blur and compression."""
        rng, light = self.rng, self.rgb
        if rng.random() < 0.45:
            for _ in range(int(rng.integers(1, 4))):
                light = glare(light, rng, self.square_px * float(rng.uniform(0.3, 1.8)))
        if rng.random() < 0.3:
            light = shadow_edge(light, rng)
        sharp = np.clip(light, 0, 255).astype(np.uint8)
        blur = min(1.6, 0.032 * self.square_px)
        if self.settings.blur_share and rng.random() < self.settings.blur_share:
            blur = self.square_px * self.settings.max_blur / 2
        out = soften(sharp, rng, blur)
        out = develop(out.astype(np.float32), rng)
        if self.settings.dim_share and rng.random() < self.settings.dim_share:
            out = dim_and_brighten(out, rng)
        if rng.random() < 0.5:
            out = jpeg(out, int(rng.integers(35, 96)))
        return out


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


def _placement(
    turn: float, offset: NDArray[np.float64], middle: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The matrix (3, 3) that rotates by ``turn`` degrees and moves ``middle`` to ``offset``."""
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    turned = np.array([[c, -s, offset[0]], [s, c, offset[1]], [0, 0, 1]])
    return np.asarray(turned @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]]))


def compose(tiles: TileSet, settings: SceneSettings, rng: np.random.Generator) -> Scene:
    """A random scene: a table with kingdoms or none, loose dominoes, clutter, camera and light."""
    table = _Table(tiles, settings, rng)
    kingdoms = 0 if rng.random() < settings.empty_share else 1
    if kingdoms and rng.random() < 0.15:
        kingdoms += int(rng.integers(1, 3))
    loose = int(rng.integers(1, 6)) if rng.random() < 0.3 else 0
    table.shadow = rng.normal(0, 0.06, 2)
    close = bool(settings.close_share) and rng.random() < settings.close_share
    first: tuple[Layout, NDArray[np.float64]] | None = None
    for group in range(kingdoms):
        size, count = _random_size(rng)
        layout = random_layout(tiles.labels, rng, size=size, count=count)
        middle = np.mean([(c + 0.5, r + 0.5) for r, c in layout.labels], axis=0)
        if first is not None and close and group == 1:
            beside = place_close_kingdom(first[0].labels, layout.labels, rng)
            table.lay(layout, first[1] @ beside, is_kingdom=True)
            continue
        offset = np.zeros(2) if group == 0 else rng.choice([-1, 1], 2) * rng.uniform(0, 8, 2)
        if group and abs(offset).max() < 6.5:
            offset[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(6, 8)
        turn = 0.0 if group == 0 else float(rng.uniform(0, 360))
        place = _placement(turn, offset, middle)
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
        place = _placement(turn, offset, np.array([1.0, 0.5]))
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


# Where the kingdoms of a game lie from the middle of the table, and their deviation, in squares.
PLACES = ((-10, -10), (10, -10), (-10, 10), (10, 10), (0, 0))
STRAY = 0.7
# Deviation of the perspective terms of the homography, per square.
LEAN = 0.004


def compose_game(
    tiles: TileSet, settings: SceneSettings, rng: np.random.Generator, kingdoms: int
) -> Scene:
    """A scene with 1 to 5 ``kingdoms`` of one box, all in the picture, each rotated at random.

    The picture of ``settings`` should be 36 squares or more wide and high.
    """
    table = _Table(tiles, settings, rng)
    half, scale = settings.size_px / 2, table.square_px
    lean = np.eye(3)
    lean[2, :2] = rng.normal(0, LEAN, 2)
    table.view = np.array([[scale, 0, half], [0, scale, half], [0, 0, 1.0]]) @ lean
    table.shadow = rng.normal(0, 0.06, 2)
    numbers = list(rng.permutation(list(tiles.labels)))
    share = len(numbers) // max(kingdoms, 4)
    for k, place in enumerate(rng.permutation(PLACES)[:kingdoms]):
        mine = {str(n): tiles.labels[n] for n in numbers[k * share : (k + 1) * share]}
        layout = random_layout(mine, rng, size=5, count=share)
        middle = np.mean([(c + 0.5, r + 0.5) for r, c in layout.labels], axis=0)
        offset = place + rng.normal(0, STRAY, 2)
        table.lay(layout, _placement(float(rng.uniform(0, 360)), offset, middle), is_kingdom=True)
    rgb = table.photograph()
    return Scene(rgb, tuple(table.seen), tuple(table.homographies), tuple(table.layouts))


STANDING_SHARE = 0.7


def random_view(rng: np.random.Generator, size: int) -> SceneView:
    """A random camera, table and lamp for a kingdom of ``size`` × ``size`` squares."""
    return SceneView(
        width=640,
        height=560,
        square_px=float(rng.uniform(0.6, 1.05)) * 480 / size,
        turn_deg=float(rng.uniform(0, 360)),
        tilt_deg=min(abs(float(rng.normal(0, 20))), 45.0),
        azimuth_deg=float(rng.uniform(0, 360)),
        surface=str(rng.choice(list(SURFACES))),
        surface_turn_deg=float(rng.uniform(0, 180)),
        castle_colour=str(rng.choice(CASTLE_COLOURS)),
        castle_stands=bool(rng.random() < STANDING_SHARE),
        things=int(rng.integers(0, 4)),
        lamp=Lamp(
            exposure=float(rng.uniform(0.6, 1.4)),
            warmth=float(rng.normal(0, 0.12)),
            glare=float(rng.uniform(0, 0.8) * (rng.random() < 0.4)),
            shadow=float(rng.uniform(0, 0.5) * (rng.random() < 0.4)),
        ),
        laying=Laying(
            gap=float(rng.uniform(0, 0.06)),
            crooked_deg=float(rng.uniform(0, 4)),
            shift=float(rng.uniform(0, 0.03)),
        ),
        style=Style.random(rng),
    )


def draw_squares(
    labels: Iterable[str], side: int, count: int, rng: np.random.Generator
) -> dict[str, list[NDArray[np.uint8]]]:
    """``count`` drawings (side, side, 3) of each label, each in a random style.

    Rare squares, above all mines and swamps with crowns, are as frequent as common ones, so that a
    network learns to count crowns instead of guessing them from the terrain.
    """
    return {
        label: [render_square(Square.parse(label), side, rng) for _ in range(count)]
        for label in labels
    }


def draw_scene(dominoes: dict[str, tuple[str, str]], rng: np.random.Generator) -> Scene:
    """A drawn photograph of a random kingdom with its ground truth."""
    size = 7 if rng.random() < 0.2 else 5
    most = (size * size - 1) // 2
    count = most if rng.random() < 0.6 else int(rng.integers(1, most))
    kingdom = Kingdom.parse(notation(random_layout(dominoes, rng, size=size, count=count)))
    view = random_view(rng, max(kingdom.width, kingdom.height))
    rendered = render_scene(kingdom, view, rng)
    assert rendered.homography is not None
    labels: dict[tuple[int, int], str] = {}
    seen = []
    for row, squares in enumerate(kingdom.rows):
        for column, square in enumerate(squares):
            if square.is_empty:
                continue
            label = f"c:{view.castle_colour}" if square.is_castle else str(square)
            labels[row, column] = label
            outline = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            corners = project(np.array(outline, np.float64), rendered.homography)
            seen.append(SeenSquare(corners.astype(np.float32), label, 0, (row, column)))
    castle = next(cell for cell, label in labels.items() if label[0] == "c")
    layout = Layout(kingdom.height, kingdom.width, castle, (), labels)
    return Scene(rendered.rgb, tuple(seen), (rendered.homography,), (layout,))
