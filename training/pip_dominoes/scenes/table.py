"""What dominoes lie on and among: table tops drawn or cut from photographs, cards, dice, coins, a
hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, box, disc
from training.common.light import fill
from training.common.synthetic import smooth_noise
from training.pip_dominoes.scenes.style import Style

_WOODS = (
    (150, 104, 62),
    (112, 74, 44),
    (186, 144, 98),
    (82, 56, 38),
    (206, 176, 134),
    (60, 44, 34),
)
SURFACES = ("plain", "wood", "cloth", "dots", "stone", "slats", "checks", "grid")


def _tone(rng: Rng) -> Matrix:
    grey = rng.uniform(15, 245)
    return np.asarray(np.clip(grey + rng.normal(0, 1, 3) * rng.choice([4, 30, 70]), 4, 252))


def _wood(size: int, tile_px: float, rng: Rng) -> Floats:
    base = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32) * rng.uniform(0.8, 1.2)
    y = np.linspace(0, size / tile_px, size, dtype=np.float32)[:, None]
    bend = 0.5 * smooth_noise((size, size), (4, 3), rng)
    rings = np.sin(y * rng.uniform(4, 16) + 3 * bend)
    fibre = smooth_noise((size, size), (size // 2, 8), rng)
    picture = base * (1 + 0.07 * rings + 0.05 * fibre)[..., None]
    plank = rng.uniform(1.5, 8) * tile_px
    for at in np.arange(rng.uniform(0, plank), size, plank):
        cv2.line(
            picture, (0, int(at)), (size, int(at)), (base * 0.4).tolist(), max(int(tile_px / 25), 1)
        )
    return np.asarray(picture, np.float32)


def _cloth(size: int, tile_px: float, rng: Rng) -> Floats:
    step = max(tile_px / rng.uniform(6, 25), 2.5)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    weave = np.sin(x * np.float32(2 * np.pi / step)) * np.sin(y * np.float32(2 * np.pi / step))
    folds = smooth_noise((size, size), (4, 4), rng)
    light = 1 + np.float32(rng.uniform(0.02, 0.12)) * weave + 0.07 * folds
    return np.asarray(_tone(rng).astype(np.float32) * light[..., None], np.float32)


def _dots(size: int, tile_px: float, rng: Rng) -> Floats:
    """Polka dots, as like to pips as a cloth can be."""
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    tone = tuple(_tone(rng))
    step, radius = tile_px * rng.uniform(0.25, 1.2), rng.uniform(0.15, 0.38)
    odd = rng.random() < 0.5
    for row, y in enumerate(np.arange(0, size, step)):
        shift = step / 2 if odd and row % 2 else 0
        for x in np.arange(shift, size, step):
            centre = (int(x * 16), int(y * 16))
            cv2.circle(picture, centre, int(radius * step * 16), tone, -1, cv2.LINE_AA, 4)
    return picture


def _bands(size: int, tile_px: float, rng: Rng, both: bool) -> Floats:
    """Garden slats with gaps, or checks."""
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    tone = (_tone(rng) * 0.6).tolist()
    step = tile_px * rng.uniform(0.5, 4)
    wide = max(int(step * (0.5 if both else rng.uniform(0.05, 0.25))), 1)
    for at in np.arange(0, size, step):
        cv2.line(picture, (0, int(at)), (size, int(at)), tone, wide)
    if both:
        upright = np.full((size, size, 3), picture[0, 0], np.float32)
        for at in np.arange(0, size, step):
            cv2.line(upright, (int(at), 0), (int(at), size), tone, wide)
        picture = np.asarray((picture + upright) / 2, np.float32)
    return picture


def _stone(size: int, tile_px: float, rng: Rng) -> Floats:
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    for fine in (3, 8, 25):
        amount = rng.uniform(0, 14)
        picture += amount * smooth_noise((size, size), (size // fine, size // fine), rng)[..., None]
    return picture


def _grid(size: int, tile_px: float, rng: Rng) -> Floats:
    """Tiled or ruled ground: pale rectangles with dark joints, as large as dominoes or larger."""
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    line = _tone(rng).tolist()
    wide, high = tile_px * rng.uniform(0.8, 4, 2)
    thick = max(int(tile_px * rng.uniform(0.02, 0.12)), 1)
    for at in np.arange(0, size, high):
        cv2.line(picture, (0, int(at)), (size, int(at)), line, thick)
    for at in np.arange(0, size, wide):
        cv2.line(picture, (int(at), 0), (int(at), size), line, thick)
    return picture


def draw_surface(kind: str, size: int, tile_px: float, rng: Rng) -> Image:
    """A square picture of one of ``SURFACES`` as seen from above, turned at random."""
    if kind == "plain":
        picture = np.full((size, size, 3), _tone(rng), np.float32)
    elif kind == "wood":
        picture = _wood(size, tile_px, rng)
    elif kind == "cloth":
        picture = _cloth(size, tile_px, rng)
    elif kind == "dots":
        picture = _dots(size, tile_px, rng)
    elif kind == "stone":
        picture = _stone(size, tile_px, rng)
    elif kind == "grid":
        picture = _grid(size, tile_px, rng)
    else:
        picture = _bands(size, tile_px, rng, both=kind == "checks")
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


_SKINS = ((236, 188, 160), (224, 172, 136), (198, 134, 96), (141, 85, 54), (84, 52, 36))
_LETTERS = "ABCDEFGHIKLMNOPRSTUVW 0123456789.-"
_DICE = {
    1: (4,),
    2: (0, 8),
    3: (0, 4, 8),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}


def _disc(middle: Matrix, radius: float) -> Matrix:
    return disc(middle, radius, 32)


def put_things(picture: Floats, camera: Camera, style: Style, count: int, rng: Rng) -> None:
    """Paint ``count`` things on the table into ``picture``."""
    for _ in range(count):
        middle = rng.normal(0, 1, 2) * rng.uniform(2, 7)
        turn = float(rng.uniform(0, np.pi))
        tone = rng.uniform(0, 255, 3)
        kind = int(rng.integers(7))
        if kind == 0:
            _card(picture, camera, middle, turn, rng)
        elif kind == 1:
            _die(picture, camera, middle, turn, rng)
        elif kind == 2:
            for _ in range(3):
                coin = _disc(middle + rng.normal(0, 0.8, 2), rng.uniform(0.25, 0.5))
                fill(
                    picture, camera.on_plane(coin), np.array([186, 150, 90]) * rng.uniform(0.6, 1.2)
                )
        elif kind == 3:
            # A tile of another game: two squares of colour with something on them.
            for side in (-0.5, 0.5):
                at = middle + 1.2 * side * np.array([np.cos(turn), np.sin(turn)])
                fill(picture, camera.on_plane(box(at, 1.2, 1.2, turn)), rng.uniform(20, 230, 3))
                for _ in range(int(rng.integers(0, 5))):
                    blob = _disc(at + rng.uniform(-0.45, 0.45, 2), rng.uniform(0.03, 0.15))
                    fill(picture, camera.on_plane(blob), rng.uniform(0, 255, 3))
        elif kind == 4:
            _paper(picture, camera, middle, turn, rng)
        elif kind == 5:
            # A plain block of the size and colour of a domino, or a rod.
            length, width = rng.uniform(0.3, 4), rng.uniform(0.2, 1.2)
            body = np.array(style.body) if rng.random() < 0.5 else tone
            fill(picture, camera.on_plane(box(middle + 0.06, length, width, turn)), tone * 0.2)
            fill(picture, camera.on_plane(box(middle, length, width, turn)), body)
            if rng.random() < 0.4:
                fill(picture, camera.on_plane(box(middle, 0.08, width * 0.9, turn)), tone * 0.3)
        else:
            fill(picture, camera.on_plane(_disc(middle, rng.uniform(0.6, 1.6))), tone)
            fill(picture, camera.on_plane(_disc(middle, rng.uniform(0.3, 0.6))), tone * 0.5)


def _card(picture: Floats, camera: Camera, middle: Matrix, turn: float, rng: Rng) -> None:
    fill(picture, camera.on_plane(box(middle + 0.05, 3.4, 2.4, turn)), (40, 36, 34))
    fill(picture, camera.on_plane(box(middle, 3.4, 2.4, turn)), (238, 236, 230))
    ink = (190, 30, 40) if rng.random() < 0.5 else (30, 30, 34)
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    c, s = np.cos(turn), np.sin(turn)
    for x in np.linspace(-1.1, 1.1, rows):
        for y in np.linspace(-0.6, 0.6, columns):
            at = middle + np.array([x * c - y * s, x * s + y * c])
            shape = box(at, 0.32, 0.32, turn + np.pi / 4) if ink[0] > 99 else _disc(at, 0.17)
            fill(picture, camera.on_plane(shape), ink)


def _die(picture: Floats, camera: Camera, middle: Matrix, turn: float, rng: Rng) -> None:
    side = rng.uniform(0.5, 1.0)
    pale = rng.random() < 0.7
    body = np.array([240, 238, 230]) if pale else rng.uniform(20, 200, 3)
    for share in np.linspace(0, 1, 4):
        fill(
            picture,
            camera.on_plane(box(middle, side, side, turn), side * share),
            body * (0.6 + 0.4 * share),
        )
    c, s = np.cos(turn), np.sin(turn)
    for spot in _DICE[int(rng.integers(1, 7))]:
        x, y = ((spot % 3) - 1) * 0.27 * side, ((spot // 3) - 1) * 0.27 * side
        at = middle + np.array([x * c - y * s, x * s + y * c])
        ink = (24, 24, 26) if pale else (245, 245, 240)
        fill(picture, camera.on_plane(_disc(at, 0.1 * side), side), ink)


def _paper(picture: Floats, camera: Camera, middle: Matrix, turn: float, rng: Rng) -> None:
    length, width = rng.uniform(2, 8), rng.uniform(2, 5)
    fill(picture, camera.on_plane(box(middle, length, width, turn)), (235, 233, 226))
    across = np.array([-np.sin(turn), np.cos(turn)])
    for row in np.arange(-0.42, 0.43, 0.08):
        line = box(middle + row * width * across, length * rng.uniform(0.5, 0.9), 0.05, turn)
        fill(picture, camera.on_plane(line), (90, 92, 110))


def put_words(picture: Floats, tile_px: float, rng: Rng) -> None:
    """Writing as on boxes, rulers and watermarks, somewhere in the picture."""
    size = picture.shape[0]
    tone = (rng.choice([15, 245]) + rng.normal(0, 12, 3)).astype(np.float32)
    ink = np.zeros((size, size), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        text = "".join(rng.choice(list(_LETTERS), int(rng.integers(3, 14))))
        scale = tile_px * rng.uniform(0.2, 0.9) / 22
        thick = max(round(scale * rng.uniform(1.0, 3.5)), 1)
        x, y = (int(v) for v in rng.uniform(-0.1, 0.9, 2) * size)
        font = int(rng.choice([0, 2, 3, 4]))
        cv2.putText(ink, text, (x, y), font, scale, 255, thick, cv2.LINE_AA)
    ink = np.ascontiguousarray(np.rot90(ink, int(rng.integers(4))))
    picture += (tone - picture) * (ink[..., None] / np.float32(255))


def put_hand(picture: Floats, owner: NDArray[np.int32], tile_px: float, rng: Rng) -> None:
    """Fingers and a palm that reach in from an edge; what they cover loses its ``owner``."""
    size = picture.shape[0]
    palm = tile_px * rng.uniform(1.8, 3.2)
    edge = np.array([rng.uniform(0, size), rng.choice([-palm, size + palm])])
    if rng.random() < 0.5:
        edge = edge[::-1]
    at = rng.uniform(0.1, 0.9, 2) * size
    ahead = (at - edge) / max(float(np.linalg.norm(at - edge)), 1.0)
    side = np.array([-ahead[1], ahead[0]])
    mask = np.zeros((size, size), np.uint8)

    def stroke(start: Matrix, end: Matrix, wide: float) -> None:
        a, b = np.round(start).astype(int), np.round(end).astype(int)
        cv2.line(
            mask,
            (int(a[0]), int(a[1])),
            (int(b[0]), int(b[1])),
            255,
            max(int(wide), 1),
            cv2.LINE_AA,
        )

    stroke(edge, at, 0.7 * palm)
    stroke(at - 0.3 * ahead * palm, at, 0.95 * palm)
    for across in (-0.36, -0.12, 0.12, 0.36):
        root = at + side * across * palm
        stroke(
            root, root + (ahead + side * across * 0.3) * palm * rng.uniform(0.4, 1.1), 0.24 * palm
        )
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.03 * palm, 0.6)).astype(np.float32)[..., None] / 255
    depth = (
        cv2.GaussianBlur(mask, (0, 0), max(0.12 * palm, 1.0)).astype(np.float32)[..., None] / 255
    )
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float32)
    picture += (skin * (0.55 + 0.5 * depth) - picture) * soft
    owner[mask > 127] = 0
