"""What dominoes lie on and among: table tops drawn or cut from photographs, cards, dice, coins, a
hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, disc, moved, rotation
from training.common.light import SKINS, fill, stroke
from training.common.synthetic import smooth_noise
from training.pip_dominoes.scenes.arrange import Table
from training.pip_dominoes.scenes.face import put_ink

_WOODS = (
    (150, 104, 62), (112, 74, 44), (186, 144, 98), (82, 56, 38), (206, 176, 134), (60, 44, 34),
)  # fmt: skip


def _tone(rng: Rng) -> Matrix:
    grey = rng.uniform(15, 245)
    return np.asarray(np.clip(grey + rng.normal(0, 1, 3) * rng.choice([4, 30, 70]), 4, 252))


def _plain(size: int, tile_px: float, rng: Rng) -> Floats:
    return np.full((size, size, 3), _tone(rng), np.float32)


def _rule(picture: Floats, step: float, tone: ArrayLike, thick: int, start: float = 0) -> None:
    """Draw lines across a square picture, a ``step`` apart."""
    size, colour = picture.shape[0], np.asarray(tone, float).tolist()
    for at in np.arange(start, size, step).astype(int).tolist():
        cv2.line(picture, (0, at), (size, at), colour, thick)


def _wood(size: int, tile_px: float, rng: Rng) -> Floats:
    base = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32) * rng.uniform(0.8, 1.2)
    y = np.linspace(0, size / tile_px, size, dtype=np.float32)[:, None]
    bend = 0.5 * smooth_noise((size, size), (4, 3), rng)
    rings = np.sin(y * rng.uniform(4, 16) + 3 * bend)
    fibre = smooth_noise((size, size), (size // 2, 8), rng)
    picture = np.asarray(base * (1 + 0.07 * rings + 0.05 * fibre)[..., None], np.float32)
    plank = rng.uniform(1.5, 8) * tile_px
    _rule(picture, plank, base * 0.4, max(int(tile_px / 25), 1), rng.uniform(0, plank))
    return picture


def _cloth(size: int, tile_px: float, rng: Rng) -> Floats:
    step = max(tile_px / rng.uniform(6, 25), 2.5)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    weave = np.sin(x * np.float32(2 * np.pi / step)) * np.sin(y * np.float32(2 * np.pi / step))
    folds = smooth_noise((size, size), (4, 4), rng)
    light = 1 + np.float32(rng.uniform(0.02, 0.12)) * weave + 0.07 * folds
    return np.asarray(_tone(rng).astype(np.float32) * light[..., None], np.float32)


def _dots(size: int, tile_px: float, rng: Rng) -> Floats:
    """Polka dots, as like to pips as a cloth can be."""
    picture, tone = _plain(size, tile_px, rng), _tone(rng).tolist()
    step, radius = tile_px * rng.uniform(0.25, 1.2), rng.uniform(0.15, 0.38)
    odd = rng.random() < 0.5
    for row, y in enumerate(np.arange(0, size, step)):
        shift = step / 2 if odd and row % 2 else 0
        for x in np.arange(shift, size, step):
            centre = (int(x * 16), int(y * 16))
            cv2.circle(picture, centre, int(radius * step * 16), tone, -1, cv2.LINE_AA, 4)
    return picture


def _slats(size: int, tile_px: float, rng: Rng) -> Floats:
    """The slats of a garden table with gaps."""
    picture, tone = _plain(size, tile_px, rng), _tone(rng) * 0.6
    step = tile_px * rng.uniform(0.5, 4)
    _rule(picture, step, tone, max(int(step * rng.uniform(0.05, 0.25)), 1))
    return picture


def _checks(size: int, tile_px: float, rng: Rng) -> Floats:
    """Stripes of two tones that are not far apart."""
    picture, tone = _plain(size, tile_px, rng), _tone(rng) * 0.6
    step = tile_px * rng.uniform(0.5, 4)
    _rule(picture, step, tone, max(int(step * 0.5), 1))
    return np.asarray((picture + picture[0, 0]) / 2, np.float32)


def _stone(size: int, tile_px: float, rng: Rng) -> Floats:
    picture = _plain(size, tile_px, rng)
    for fine in (3, 8, 25):
        amount = rng.uniform(0, 14)
        picture += amount * smooth_noise((size, size), (size // fine, size // fine), rng)[..., None]
    return picture


def _grid(size: int, tile_px: float, rng: Rng) -> Floats:
    """Tiled or ruled ground: pale rectangles with dark joints, as large as dominoes or larger."""
    picture, line = _plain(size, tile_px, rng), _tone(rng)
    wide, high = tile_px * rng.uniform(0.8, 4, 2)
    thick = max(int(tile_px * rng.uniform(0.02, 0.12)), 1)
    _rule(picture, high, line, thick)
    upright = np.ascontiguousarray(picture.transpose(1, 0, 2))
    _rule(upright, wide, line, thick)
    return upright.transpose(1, 0, 2)


_KINDS = {
    "plain": _plain, "wood": _wood, "cloth": _cloth, "dots": _dots, "stone": _stone,
    "slats": _slats, "checks": _checks, "grid": _grid,
}  # fmt: skip
SURFACES = tuple(_KINDS)


def draw_surface(kind: str, size: int, tile_px: float, rng: Rng) -> Image:
    """A square picture of one of ``SURFACES`` as seen from above, turned at random."""
    picture = _KINDS[kind](size, tile_px, rng)
    picture += 4 * smooth_noise((size, size), (5, 5), rng)[..., None]
    if rng.random() < 0.5:
        picture = picture.transpose(1, 0, 2)
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))


def draw_alike(size: int, colour: Sequence[float], rng: Rng) -> Image:
    """A square ground of nearly the ``colour`` of what lies on it, as white dominoes on linen."""
    tone = np.array(colour, np.float32) * rng.uniform(0.8, 1.12) + rng.normal(0, 6, 3)
    light = 1 + rng.uniform(0.02, 0.15) * smooth_noise((size, size), (4, 4), rng)
    grain = rng.uniform(0, 6) * smooth_noise((size, size), (size // 3, size // 3), rng)
    picture = tone * light[..., None] + grain[..., None]
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))


def cut_surface(photographs: Sequence[Image], size: int, rng: Rng) -> Image:
    """A square part of a photograph of a table, enlarged, turned or mirrored."""
    photo = photographs[int(rng.integers(len(photographs)))]
    height, width = photo.shape[:2]
    side = int(min(height, width) * rng.uniform(0.4, 1.0))
    top, left = int(rng.integers(height - side + 1)), int(rng.integers(width - side + 1))
    part = cv2.resize(photo[top : top + side, left : left + side], (size, size))
    part = np.rot90(part, int(rng.integers(4)))
    return np.ascontiguousarray(part[:, ::-1] if rng.random() < 0.5 else part)


_LETTERS = "ABCDEFGHIKLMNOPRSTUVW 0123456789.-"
_DICE = {
    1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8),
}  # fmt: skip
_ORIGIN = np.zeros(2)


def _box(length: float, width: float) -> Matrix:
    return box(_ORIGIN, length, width, 0.0)


class _Spot:
    """A place on the table, turned from it, that things are painted on in its own coordinates."""

    def __init__(self, table: Table, middle: Matrix, turn: float) -> None:
        self.table, self.middle, self.turn = table, middle, turn
        self.sheet = table.camera.on(moved(float(np.rad2deg(turn)), middle))

    def paint(self, outline: Matrix, colour: ArrayLike, height: float = 0.0) -> None:
        """Fill an outline (n, 2) with a colour."""
        fill(self.table.picture, self.sheet.on_plane(outline, height), colour)

    def paint_disc(
        self, radius: float, colour: ArrayLike, at: ArrayLike = (0.0, 0.0), height: float = 0.0
    ) -> None:
        """Fill a disc about ``at`` (x, y)."""
        middle = self.middle + rotation(self.turn) @ np.asarray(at)
        outline = self.table.camera.on_plane(disc(middle, radius, 32), height)
        fill(self.table.picture, outline, colour)

    def beside(self, away: float) -> _Spot:
        """A place lower right on the table, turned alike, where shadows lie."""
        return _Spot(self.table, self.middle + away, self.turn)


def put_things(table: Table, count: int) -> None:
    """Paint ``count`` things on the table."""
    rng = table.rng
    for _ in range(count):
        middle = rng.normal(0, 1, 2) * rng.uniform(2, 7)
        spot = _Spot(table, middle, rng.uniform(0, np.pi))
        tone = rng.uniform(0, 255, 3)
        kind = int(rng.integers(7))
        if kind == 0:
            _card(spot, rng)
        elif kind == 1:
            _die(spot, rng)
        elif kind == 2:
            for _ in range(3):
                coin = disc(middle + rng.normal(0, 0.8, 2), rng.uniform(0.25, 0.5), 32)
                gold = np.array([186, 150, 90]) * rng.uniform(0.6, 1.2)
                fill(table.picture, table.camera.on_plane(coin), gold)
        elif kind == 3:
            # A tile of another game: two squares of colour with something on them.
            for side in (-0.6, 0.6):
                spot.paint(_box(1.2, 1.2) + (side, 0), rng.uniform(20, 230, 3))
                at = middle + rotation(spot.turn) @ (side, 0)
                for _ in range(int(rng.integers(0, 5))):
                    blob = disc(at + rng.uniform(-0.45, 0.45, 2), rng.uniform(0.03, 0.15), 32)
                    fill(table.picture, table.camera.on_plane(blob), rng.uniform(0, 255, 3))
        elif kind == 4:
            _paper(spot, rng)
        elif kind == 5:
            # A plain block of the size and colour of a domino, or a rod.
            length, width = rng.uniform(0.3, 4), rng.uniform(0.2, 1.2)
            body = np.array(table.style.body) if rng.random() < 0.5 else tone
            spot.beside(0.06).paint(_box(length, width), tone * 0.2)
            spot.paint(_box(length, width), body)
            if rng.random() < 0.4:
                spot.paint(_box(0.08, width * 0.9), tone * 0.3)
        else:
            spot.paint_disc(rng.uniform(0.6, 1.6), tone)
            spot.paint_disc(rng.uniform(0.3, 0.6), tone * 0.5)


def _card(spot: _Spot, rng: Rng) -> None:
    spot.beside(0.05).paint(_box(3.4, 2.4), (40, 36, 34))
    spot.paint(_box(3.4, 2.4), (238, 236, 230))
    ink = (190, 30, 40) if rng.random() < 0.5 else (30, 30, 34)
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    for x in np.linspace(-1.1, 1.1, rows):
        for y in np.linspace(-0.6, 0.6, columns):
            if ink[0] > 99:
                spot.paint(box(np.array([x, y]), 0.32, 0.32, np.pi / 4), ink)
            else:
                spot.paint_disc(0.17, ink, (x, y))


def _die(spot: _Spot, rng: Rng) -> None:
    side = rng.uniform(0.5, 1.0)
    pale = rng.random() < 0.7
    body = np.array([240, 238, 230]) if pale else rng.uniform(20, 200, 3)
    for share in np.linspace(0, 1, 4):
        spot.paint(_box(side, side), body * (0.6 + 0.4 * share), side * share)
    ink = (24, 24, 26) if pale else (245, 245, 240)
    for pip in _DICE[int(rng.integers(1, 7))]:
        at = (np.array([pip % 3, pip // 3]) - 1) * 0.27 * side
        spot.paint_disc(0.1 * side, ink, at, side)


def _paper(spot: _Spot, rng: Rng) -> None:
    length, width = rng.uniform(2, 8), rng.uniform(2, 5)
    spot.paint(_box(length, width), (235, 233, 226))
    for row in np.arange(-0.42, 0.43, 0.08):
        line = _box(length * rng.uniform(0.5, 0.9), 0.05)
        spot.paint(line + (0, row * width), (90, 92, 110))


def put_words(table: Table) -> None:
    """Writing as on boxes, rulers and watermarks, somewhere in the picture."""
    size, rng = len(table.picture), table.rng
    tone = rng.choice([15, 245]) + rng.normal(0, 12, 3)
    ink = np.zeros((size, size), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        text = "".join(rng.choice(list(_LETTERS), int(rng.integers(3, 14))))
        scale = table.tile_px * rng.uniform(0.2, 0.9) / 22
        thick = max(round(scale * rng.uniform(1.0, 3.5)), 1)
        x, y = (int(v) for v in rng.uniform(-0.1, 0.9, 2) * size)
        font = int(rng.choice([0, 2, 3, 4]))
        cv2.putText(ink, text, (x, y), font, scale, 255, thick, cv2.LINE_AA)
    put_ink(table.picture, np.rot90(ink, int(rng.integers(4))), tone)


def put_hand(table: Table) -> None:
    """Fingers and a palm that reach in from an edge; nothing owns what they cover."""
    size, rng = len(table.picture), table.rng
    palm = table.tile_px * rng.uniform(1.8, 3.2)
    edge = np.array([rng.uniform(0, size), rng.choice([-palm, size + palm])])
    if rng.random() < 0.5:
        edge = edge[::-1]
    at = rng.uniform(0.1, 0.9, 2) * size
    ahead = (at - edge) / max(float(np.linalg.norm(at - edge)), 1.0)
    side = np.array([-ahead[1], ahead[0]])
    mask = np.zeros((size, size), np.uint8)
    stroke(mask, edge, at, 0.7 * palm)
    stroke(mask, at - 0.3 * ahead * palm, at, 0.95 * palm)
    for across in (-0.36, -0.12, 0.12, 0.36):
        root = at + side * across * palm
        tip = root + (ahead + side * across * 0.3) * palm * rng.uniform(0.4, 1.1)
        stroke(mask, root, tip, 0.24 * palm)
    soft, depth = (
        cv2.GaussianBlur(mask, (0, 0), max(reach * palm, least)).astype(np.float32)[..., None] / 255
        for reach, least in ((0.03, 0.6), (0.12, 1.0))
    )
    skin = np.array(SKINS[rng.integers(len(SKINS))], np.float32)
    table.picture += (skin * (0.55 + 0.5 * depth) - table.picture) * soft
    table.owner[mask > 127] = 0
