"""What else lies on a table, and may look like dominoes: cards, dice, coins, paper; a hand."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.synthesis.camera import Camera
from vision.pip_dominoes.synthesis.style import Style

__all__ = ["put_hand", "put_things", "put_words"]

Floats = NDArray[np.float32]
Points = NDArray[np.float64]

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


def _box(middle: Points, length: float, width: float, turn: float) -> Points:
    c, s = np.cos(turn), np.sin(turn)
    a, b = length / 2, width / 2
    corners = np.array([(-a, -b), (a, -b), (a, b), (-a, b)])
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + middle)


def _round(middle: Points, radius: float) -> Points:
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    return np.asarray(middle + radius * np.column_stack([np.cos(angle), np.sin(angle)]))


def _fill(picture: Floats, pixels: Points, colour: object) -> None:
    tone = tuple(float(v) for v in np.asarray(colour, np.float64))
    cv2.fillPoly(picture, [np.round(pixels * 16).astype(np.int32)], tone, cv2.LINE_AA, 4)


def put_things(
    picture: Floats, camera: Camera, style: Style, count: int, rng: np.random.Generator
) -> None:
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
                coin = _round(middle + rng.normal(0, 0.8, 2), rng.uniform(0.25, 0.5))
                _fill(
                    picture, camera.pixels(coin), np.array([186, 150, 90]) * rng.uniform(0.6, 1.2)
                )
        elif kind == 3:
            # A tile of another game: two squares of colour with something on them.
            for side in (-0.5, 0.5):
                at = middle + 1.2 * side * np.array([np.cos(turn), np.sin(turn)])
                _fill(picture, camera.pixels(_box(at, 1.2, 1.2, turn)), rng.uniform(20, 230, 3))
                for _ in range(int(rng.integers(0, 5))):
                    blob = _round(at + rng.uniform(-0.45, 0.45, 2), rng.uniform(0.03, 0.15))
                    _fill(picture, camera.pixels(blob), rng.uniform(0, 255, 3))
        elif kind == 4:
            _paper(picture, camera, middle, turn, rng)
        elif kind == 5:
            # A plain block of the size and colour of a domino, or a rod.
            length, width = rng.uniform(0.3, 4), rng.uniform(0.2, 1.2)
            body = np.array(style.body) if rng.random() < 0.5 else tone
            _fill(picture, camera.pixels(_box(middle + 0.06, length, width, turn)), tone * 0.2)
            _fill(picture, camera.pixels(_box(middle, length, width, turn)), body)
            if rng.random() < 0.4:
                _fill(picture, camera.pixels(_box(middle, 0.08, width * 0.9, turn)), tone * 0.3)
        else:
            _fill(picture, camera.pixels(_round(middle, rng.uniform(0.6, 1.6))), tone)
            _fill(picture, camera.pixels(_round(middle, rng.uniform(0.3, 0.6))), tone * 0.5)


def _card(
    picture: Floats, camera: Camera, middle: Points, turn: float, rng: np.random.Generator
) -> None:
    _fill(picture, camera.pixels(_box(middle + 0.05, 3.4, 2.4, turn)), (40, 36, 34))
    _fill(picture, camera.pixels(_box(middle, 3.4, 2.4, turn)), (238, 236, 230))
    ink = (190, 30, 40) if rng.random() < 0.5 else (30, 30, 34)
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    c, s = np.cos(turn), np.sin(turn)
    for x in np.linspace(-1.1, 1.1, rows):
        for y in np.linspace(-0.6, 0.6, columns):
            at = middle + np.array([x * c - y * s, x * s + y * c])
            shape = _box(at, 0.32, 0.32, turn + np.pi / 4) if ink[0] > 99 else _round(at, 0.17)
            _fill(picture, camera.pixels(shape), ink)


def _die(
    picture: Floats, camera: Camera, middle: Points, turn: float, rng: np.random.Generator
) -> None:
    side = rng.uniform(0.5, 1.0)
    pale = rng.random() < 0.7
    body = np.array([240, 238, 230]) if pale else rng.uniform(20, 200, 3)
    for share in np.linspace(0, 1, 4):
        _fill(
            picture,
            camera.pixels(_box(middle, side, side, turn), side * share),
            body * (0.6 + 0.4 * share),
        )
    c, s = np.cos(turn), np.sin(turn)
    for spot in _DICE[int(rng.integers(1, 7))]:
        x, y = ((spot % 3) - 1) * 0.27 * side, ((spot // 3) - 1) * 0.27 * side
        at = middle + np.array([x * c - y * s, x * s + y * c])
        ink = (24, 24, 26) if pale else (245, 245, 240)
        _fill(picture, camera.pixels(_round(at, 0.1 * side), side), ink)


def _paper(
    picture: Floats, camera: Camera, middle: Points, turn: float, rng: np.random.Generator
) -> None:
    length, width = rng.uniform(2, 8), rng.uniform(2, 5)
    _fill(picture, camera.pixels(_box(middle, length, width, turn)), (235, 233, 226))
    across = np.array([-np.sin(turn), np.cos(turn)])
    for row in np.arange(-0.42, 0.43, 0.08):
        line = _box(middle + row * width * across, length * rng.uniform(0.5, 0.9), 0.05, turn)
        _fill(picture, camera.pixels(line), (90, 92, 110))


def put_words(picture: Floats, tile_px: float, rng: np.random.Generator) -> None:
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


def put_hand(
    picture: Floats, owner: NDArray[np.int32], tile_px: float, rng: np.random.Generator
) -> None:
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

    def stroke(start: Points, end: Points, wide: float) -> None:
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
