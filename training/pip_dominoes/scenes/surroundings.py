"""What is taken for dominoes: cloths with patterns, printed boards, fields of coins, text, tiles of
other games, and dominoes that stand and show their backs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, box
from training.pip_dominoes.scenes.arrange import Place, Table
from training.pip_dominoes.scenes.style import Colour, Style

# Pixels of a pattern before it is repeated, and of a print.
PATTERN_PX, PRINT_PX = 256, 192
# The checks or stripes of a cloth are so wide, in short sides of a domino.
CHECKS = (0.35, 2.2)
FONTS = (0, 2, 3, 4)


def _tone(rng: Rng) -> Colour:
    """Any colour, often a pale one."""
    grey = rng.choice([rng.uniform(200, 250), rng.uniform(15, 245)])
    rgb = np.clip(grey + rng.normal(0, 1, 3) * rng.choice([4, 40, 80]), 4, 252)
    return tuple(rgb.tolist())


def _woven(rng: Rng) -> tuple[Floats, int]:
    """Checks, gingham or stripes of two colours, and how many of them are side by side."""
    count = 2 * int(rng.integers(2, 6))
    band = (np.arange(PATTERN_PX) * count // PATTERN_PX % 2)[None].astype(np.float32)
    share = (np.abs(band - band.T), (band + band.T) / 2, np.repeat(band, PATTERN_PX, 0))
    one, other = (np.array(_tone(rng), np.float32) for _ in range(2))
    return np.asarray(one + (other - one) * share[int(rng.integers(3))][..., None]), count


def _embroidered(rng: Rng) -> tuple[Floats, int]:
    """Flowers on one colour, or the dense mirrored strokes of brocade."""
    side = PATTERN_PX // 2
    motif = np.full((side, side, 3), _tone(rng), np.float32)
    inks = [_tone(rng) for _ in range(int(rng.integers(1, 4)))]
    flowers = rng.random() < 0.5
    for _ in range(int(rng.integers(2, 5) if flowers else rng.integers(10, 40))):
        x, y = (int(v) for v in rng.integers(0, side, 2))
        ink, radius = inks[int(rng.integers(len(inks)))], int(rng.integers(4, 22))
        if flowers:
            for turn in np.linspace(0, 2 * np.pi, int(rng.integers(5, 9)))[:-1]:
                leaf = (int(x + radius * np.cos(turn)), int(y + radius * np.sin(turn)))
                cv2.circle(motif, leaf, max(radius // 2, 1), ink, -1, cv2.LINE_AA)
            cv2.circle(motif, (x, y), max(radius // 2, 1), _tone(rng), -1, cv2.LINE_AA)
        else:
            turn, thick = float(rng.uniform(0, 360)), int(rng.choice([-1, 1, 2, 4]))
            cv2.ellipse(motif, (x, y), (radius, radius // 2 + 1), turn, 0, 300, ink, thick)
    pair = np.concatenate([motif, motif[:, ::-1]], 1)
    return np.concatenate([pair, pair[::-1]], 0), 6


def spread_cloth(size: int, camera: Camera, rng: Rng) -> Floats:
    """A picture (size, size, 3) of a patterned cloth as the camera sees it from where it stands."""
    pattern, count = _woven(rng) if rng.random() < 0.6 else _embroidered(rng)
    wide = float(np.exp(rng.uniform(*np.log(CHECKS)))) * count / PATTERN_PX
    turn = float(rng.choice([0.0, rng.uniform(0, np.pi)]))
    c, s = wide * np.cos(turn), wide * np.sin(turn)
    lying = np.array([[c, -s, rng.uniform(-4, 4)], [s, c, rng.uniform(-4, 4)], [0, 0, 1.0]])
    # Twice as large and then averaged, since far checks are smaller than a pixel.
    view = np.diag([2.0, 2.0, 1.0]) @ camera.homography() @ lying
    seen = cv2.warpPerspective(
        pattern, view, (2 * size, 2 * size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    seen = cv2.resize(seen, (size, size), interpolation=cv2.INTER_AREA)
    coarse = rng.standard_normal((5, 5)).astype(np.float32)
    folds = 1 + np.float32(rng.uniform(0, 0.1)) * cv2.resize(coarse, (size, size))
    return np.asarray(np.clip(seen * folds[..., None], 0, 255), np.float32)


def _put(table: Table, flat: Image | Floats, corners: Matrix) -> None:
    """Put a flat picture on a table, unless it lies behind the camera in part or fills the view."""
    far = float(np.abs(corners).max()) > 20 * len(table.owner)
    if far or not cv2.isContourConvex(corners.astype(np.float32)):
        return
    shrink = min(1.0, 2 * float(np.ptp(corners, axis=0).max()) / flat.shape[1])
    small = cv2.resize(flat, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    table.paste(np.asarray(small, np.float32), corners, corners)


def _board(rng: Rng) -> Image:
    """Printed squares side by side, with numbers, dots, coins or nothing on them."""
    rows, columns = int(rng.integers(1, 7)), int(rng.integers(2, 7))
    step = PRINT_PX // max(rows, columns)
    board = np.full((rows * step, columns * step, 3), _tone(rng), np.uint8)
    kind, inset = int(rng.integers(4)), int(step * rng.choice([0.0, 0.03, 0.1]))
    tones = [_tone(rng) for _ in range(int(rng.integers(1, 5)))]
    ink = _tone(rng)
    for number in range(rows * columns):
        y, x = (int(v) * step for v in divmod(number, columns))
        tone = tones[int(rng.integers(len(tones)))]
        low, high = (x + inset, y + inset), (x + step - inset - 1, y + step - inset - 1)
        middle = (x + step // 2, y + step // 2)
        if kind != 1:
            cv2.rectangle(board, low, high, tone, -1)
            cv2.rectangle(board, low, high, ink, max(step // 30, 1))
        if kind == 0:
            foot = (x + step // 5, y + 3 * step // 4)
            cv2.putText(board, str(number), foot, FONTS[number % 4], step / 45, ink, 2, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(board, middle, int(0.42 * step), tone, -1, cv2.LINE_AA)
            cv2.circle(board, middle, int(0.33 * step), ink, max(step // 20, 1), cv2.LINE_AA)
        elif kind == 2:
            for dx, dy in rng.integers(-1, 2, (int(rng.integers(0, 4)), 2)) * step // 4:
                spot = (middle[0] + int(dx), middle[1] + int(dy))
                cv2.circle(board, spot, max(step // 12, 1), ink, -1, cv2.LINE_AA)
    return board


def _page(rng: Rng) -> Image:
    """A page or a label with some lines of text in capitals."""
    page = np.full((PRINT_PX * 2 // 3, PRINT_PX, 3), _tone(rng), np.uint8)
    step, ink = int(rng.integers(14, 48)), _tone(rng)
    letters = list("ABCDEFGHIKLMNOPRSTUVWO0168 ")
    for y in range(step, page.shape[0], step):
        text = "".join(rng.choice(letters, 3 + 330 // step))
        font, thick = FONTS[int(rng.integers(4))], int(rng.integers(1, 4))
        cv2.putText(page, text, (4, y), font, step / 34, ink, thick, cv2.LINE_AA)
    return page


def lay_prints(table: Table, pictures: Sequence[Image]) -> None:
    """Lay some prints on the table: boards, pages, and ``pictures`` of other games' tiles."""
    rng = table.rng
    for _ in range(int(rng.integers(1, 4))):
        kind = int(rng.integers(3 if pictures else 2))
        if kind == 2:
            print_ = pictures[int(rng.integers(len(pictures)))]
        else:
            print_ = _board(rng) if kind == 0 else _page(rng)
        # From the size of a domino on.
        wide = float(np.exp(rng.uniform(np.log(1.2), np.log(9)))) / 2
        high = wide * print_.shape[0] / print_.shape[1]
        middle, turn = rng.normal(0, 1, 2) * rng.uniform(1, 6), rng.uniform(0, 2 * np.pi)
        _put(table, print_, table.camera.on_plane(box(middle, 2 * wide, 2 * high, turn)))


def stand(table: Table, place: Place, back: Floats) -> Matrix:
    """Stand a domino on a long or short edge, its ``back`` (h, w, 3) to whoever looks.

    The corners (4, 2) of the smallest rectangle around what is seen of it, in pixels.
    """
    style, on_end = table.style, table.rng.random() < 0.4
    wide, high = (1.0, style.length) if on_end else (style.length, 1.0)
    half = (wide / 2, style.thickness / 2)
    base = place.put(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half)
    foot, top = table.camera.on_plane(base), table.camera.on_plane(base, high)
    light = table.rng.uniform(0.7, 1.05)
    shown = np.ascontiguousarray(np.rot90(back)) if on_end else back
    side = np.full((4, 4, 3), style.body, np.float32)
    # Walls from far to near: what is lower in the picture is nearer.
    for k in np.argsort([foot[k, 1] + foot[(k + 1) % 4, 1] for k in range(4)]).tolist():
        j = (k + 1) % 4
        flat = shown if k % 2 == 0 else 0.7 * side
        _put(table, flat * light, np.array([top[k], top[j], foot[j], foot[k]]))
    _put(table, side * min(light + 0.1, 1.0), top)
    around = cv2.minAreaRect(np.concatenate([foot, top]).astype(np.float32))
    return np.asarray(cv2.boxPoints(around), np.float64)


def in_shadow(style: Style, rng: Rng) -> Style:
    """The set in black with pale pips, its bar hardly seen or not at all."""
    body = tuple((rng.uniform(6, 46) + rng.normal(0, 4, 3)).tolist())
    pale = tuple((rng.uniform(170, 245) + rng.normal(0, 6, 3)).tolist())
    bar = pale if rng.random() < 0.5 else tuple(1.6 * v + 6 for v in body)
    return replace(style, body=body, pips=(pale,) * len(style.pips), bar=bar, back_colour=body)
