"""What dominoes lie on and among, and what is taken for them: table tops drawn or cut from
photographs, cloths, cards, dice, coins, prints, writing, a hand, and dominoes that stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

import cv2
import numpy as np
from numpy.typing import ArrayLike

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, box, disc, moved, rotation
from training.common.synthetic import SKINS, any_of, between, fill, smooth_noise, stroke
from training.pip_dominoes.scenes.domino import FONTS, Colour, draw_back, layout, put_ink
from training.pip_dominoes.scenes.table import Place, Table

SURFACES = ("plain", "wood", "cloth", "dots", "stone", "slats", "checks", "grid")
_WOODS = (
    (150, 104, 62), (112, 74, 44), (186, 144, 98), (82, 56, 38), (206, 176, 134), (60, 44, 34),
)  # fmt: skip


def _tone(rng: Rng) -> Matrix:
    grey = rng.uniform(15, 245)
    return np.asarray(np.clip(grey + rng.normal(0, 1, 3) * rng.choice([4, 30, 70]), 4, 252))


def _rule(picture: Floats, step: float, tone: ArrayLike, thick: float, start: float = 0) -> None:
    """Draw lines across a square picture, a ``step`` apart."""
    size, colour = picture.shape[0], np.asarray(tone, float).tolist()
    for at in np.arange(start, size, step).astype(int).tolist():
        cv2.line(picture, (0, at), (size, at), colour, max(int(thick), 1))


def draw_surface(kind: str, size: int, tile_px: float, rng: Rng) -> Image:
    """A square picture of one of ``SURFACES`` as seen from above, turned at random."""
    noise = partial(smooth_noise, (size, size), rng=rng)
    if kind == "wood":
        base = np.array(any_of(_WOODS, rng), np.float32) * rng.uniform(0.8, 1.2)
        y = np.linspace(0, size / tile_px, size, dtype=np.float32)[:, None]
        bend = 0.5 * noise((4, 3))
        rings = np.sin(y * rng.uniform(4, 16) + 3 * bend)
        fibre = noise((size // 2, 8))
        picture = np.asarray(base * (1 + 0.07 * rings + 0.05 * fibre)[..., None], np.float32)
        plank = rng.uniform(1.5, 8) * tile_px
        _rule(picture, plank, base * 0.4, tile_px / 25, rng.uniform(0, plank))
    elif kind == "cloth":
        step = max(tile_px / rng.uniform(6, 25), 2.5)
        y, x = np.sin(np.mgrid[:size, :size].astype(np.float32) * np.float32(2 * np.pi / step))
        folds = noise((4, 4))
        light = 1 + np.float32(rng.uniform(0.02, 0.12)) * (x * y) + 0.07 * folds
        picture = np.asarray(_tone(rng).astype(np.float32) * light[..., None], np.float32)
    else:
        picture = np.full((size, size, 3), _tone(rng), np.float32)
    if kind == "dots":
        # As like to pips as a cloth can be.
        tone = _tone(rng).tolist()
        step, radius = tile_px * rng.uniform(0.25, 1.2), rng.uniform(0.15, 0.38)
        odd = rng.random() < 0.5
        for row, down in enumerate(np.arange(0, size, step)):
            for across in np.arange(step / 2 if odd and row % 2 else 0, size, step):
                centre = (int(across * 16), int(down * 16))
                cv2.circle(picture, centre, int(radius * step * 16), tone, -1, cv2.LINE_AA, 4)
    elif kind == "stone":
        for fine in (3, 8, 25):
            picture += rng.uniform(0, 14) * noise((size // fine, size // fine))[..., None]
    elif kind in ("slats", "checks"):
        # The slats of a garden table with gaps; stripes of two tones that are not far apart.
        line, step = _tone(rng) * 0.6, tile_px * rng.uniform(0.5, 4)
        _rule(picture, step, line, step * (rng.uniform(0.05, 0.25) if kind == "slats" else 0.5))
        if kind == "checks":
            picture = (picture + picture[0, 0]) / 2
    elif kind == "grid":
        # Tiled or ruled: pale rectangles with dark joints, as large as dominoes or larger.
        line, (wide, high) = _tone(rng), tile_px * rng.uniform(0.8, 4, 2)
        thick = tile_px * rng.uniform(0.02, 0.12)
        for step in (high, wide):
            _rule(picture, step, line, thick)
            picture = np.ascontiguousarray(picture.transpose(1, 0, 2))
    picture += 4 * noise((5, 5))[..., None]
    if rng.random() < 0.5:
        picture = picture.transpose(1, 0, 2)
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))


def draw_alike(size: int, colour: Sequence[float], rng: Rng) -> Image:
    """A square ground of nearly the ``colour`` of what lies on it, as white dominoes on linen."""
    tone = np.array(colour, np.float32) * rng.uniform(0.8, 1.12) + rng.normal(0, 6, 3)
    light = 1 + rng.uniform(0.02, 0.15) * smooth_noise((size, size), (4, 4), rng)
    grain = rng.uniform(0, 6) * smooth_noise((size, size), (size // 3, size // 3), rng)
    picture = tone * light[..., None] + grain[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def cut_surface(photographs: Sequence[Image], size: int, rng: Rng) -> Image:
    """A square part of a photograph of a table, enlarged, turned or mirrored."""
    photo = any_of(photographs, rng)
    height, width = photo.shape[:2]
    side = int(min(height, width) * rng.uniform(0.4, 1.0))
    top, left = int(rng.integers(height - side + 1)), int(rng.integers(width - side + 1))
    part = cv2.resize(photo[top : top + side, left : left + side], (size, size))
    part = np.rot90(part, int(rng.integers(4)))
    return np.ascontiguousarray(part[:, ::-1] if rng.random() < 0.5 else part)


# Pixels of a pattern before it is repeated, and of a print.
PATTERN_PX, PRINT_PX = 256, 192
# The checks or stripes of a cloth are so wide, in short sides of a domino.
CHECKS = (0.35, 2.2)


def _dye(rng: Rng) -> Colour:
    """Any colour, often a pale one."""
    grey = rng.choice([rng.uniform(200, 250), rng.uniform(15, 245)])
    rgb = np.clip(grey + rng.normal(0, 1, 3) * rng.choice([4, 40, 80]), 4, 252)
    return tuple(rgb.tolist())


def _embroidered(rng: Rng) -> Floats:
    """Flowers on one colour, or the dense mirrored strokes of brocade."""
    side = PATTERN_PX // 2
    motif = np.full((side, side, 3), _dye(rng), np.float32)
    inks = [_dye(rng) for _ in range(int(rng.integers(1, 4)))]
    flowers = rng.random() < 0.5
    for _ in range(int(rng.integers(2, 5) if flowers else rng.integers(10, 40))):
        x, y = (int(v) for v in rng.integers(0, side, 2))
        ink, radius = any_of(inks, rng), int(rng.integers(4, 22))
        if flowers:
            for turn in np.linspace(0, 2 * np.pi, int(rng.integers(5, 9)))[:-1]:
                leaf = (int(x + radius * np.cos(turn)), int(y + radius * np.sin(turn)))
                cv2.circle(motif, leaf, radius // 2, ink, -1, cv2.LINE_AA)
            cv2.circle(motif, (x, y), radius // 2, _dye(rng), -1, cv2.LINE_AA)
        else:
            turn, thick = float(rng.uniform(0, 360)), int(rng.choice([-1, 1, 2, 4]))
            cv2.ellipse(motif, (x, y), (radius, radius // 2 + 1), turn, 0, 300, ink, thick)
    return np.pad(motif, ((0, side), (0, side), (0, 0)), "symmetric")


def spread_cloth(size: int, camera: Camera, rng: Rng) -> Floats:
    """A picture (size, size, 3) of a patterned cloth as the camera sees it from where it stands."""
    if rng.random() < 0.6:
        # Checks, gingham or stripes of two colours, so many of them side by side.
        count = 2 * int(rng.integers(2, 6))
        band = (np.arange(PATTERN_PX) * count // PATTERN_PX % 2)[None].astype(np.float32)
        shares = (np.abs(band - band.T), (band + band.T) / 2, np.repeat(band, PATTERN_PX, 0))
        one, other = (np.array(_dye(rng), np.float32) for _ in range(2))
        pattern = np.asarray(one + (other - one) * any_of(shares, rng)[..., None])
    else:
        count, pattern = 6, _embroidered(rng)
    wide = between(*CHECKS, rng) * count / PATTERN_PX
    turn = float(rng.choice([0.0, rng.uniform(0, np.pi)]))
    lying = np.vstack([np.column_stack([wide * rotation(turn), rng.uniform(-4, 4, 2)]), (0, 0, 1)])
    # Twice as large and then averaged, since far checks are smaller than a pixel.
    view = np.diag([2.0, 2.0, 1.0]) @ camera.homography() @ lying
    seen = cv2.warpPerspective(pattern, view, (2 * size, 2 * size), borderMode=cv2.BORDER_WRAP)
    seen = cv2.resize(seen, (size, size), interpolation=cv2.INTER_AREA)
    coarse = rng.standard_normal((5, 5)).astype(np.float32)
    folds = 1 + np.float32(rng.uniform(0, 0.1)) * cv2.resize(coarse, (size, size))
    return np.asarray(np.clip(seen * folds[..., None], 0, 255), np.float32)


def put_thing(table: Table) -> None:
    """Paint a thing somewhere on the table."""
    rng = table.rng
    middle, turn = rng.normal(0, 1, 2) * rng.uniform(2, 7), rng.uniform(0, np.pi)

    def paint_disc(at: Matrix, radius: float, colour: ArrayLike, height: float = 0.0) -> None:
        fill(table.picture, table.camera.on_plane(disc(at, radius, 32), height), colour)

    def paint(
        length: float, width: float, colour: ArrayLike, x: float = 0, y: float = 0,
        height: float = 0, tilt: float = 0, away: float = 0,
    ) -> None:  # fmt: skip
        """A rectangle at (x, y) of the thing, ``away`` to the lower right where its shadow lies."""
        outline = box(np.array([x, y]), length, width, tilt)
        sheet = table.camera.on(moved(float(np.rad2deg(turn)), middle + away))
        fill(table.picture, sheet.on_plane(outline, height), colour)

    tone, kind, way = rng.uniform(0, 255, 3), int(rng.integers(7)), rotation(turn)
    if kind == 0:
        # A card.
        paint(3.4, 2.4, (40, 36, 34), away=0.05)
        paint(3.4, 2.4, (238, 236, 230))
        red = rng.random() < 0.5
        columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
        for x, y in product(np.linspace(-1.1, 1.1, rows), np.linspace(-0.6, 0.6, columns)):
            if red:
                paint(0.32, 0.32, (190, 30, 40), x, y, tilt=np.pi / 4)
            else:
                paint_disc(middle + way @ (x, y), 0.17, (30, 30, 34))
    elif kind == 1:
        # A die.
        side, pale = rng.uniform(0.5, 1.0), rng.random() < 0.7
        body = np.array([240, 238, 230]) if pale else rng.uniform(20, 200, 3)
        for share in np.linspace(0, 1, 4):
            paint(side, side, body * (0.6 + 0.4 * share), height=side * share)
        ink = (24, 24, 26) if pale else (245, 245, 240)
        for pip in layout(int(rng.integers(1, 7)), mirrored=True):
            paint_disc(middle + way @ (pip * 0.27 * side), 0.1 * side, ink, side)
    elif kind == 2:
        # Coins.
        for _ in range(3):
            at, radius = middle + rng.normal(0, 0.8, 2), rng.uniform(0.25, 0.5)
            paint_disc(at, radius, np.array([186, 150, 90]) * rng.uniform(0.6, 1.2))
    elif kind == 3:
        # A tile of another game: two squares of colour with something on them.
        for side in (-0.6, 0.6):
            paint(1.2, 1.2, rng.uniform(20, 230, 3), side)
            for _ in range(int(rng.integers(0, 5))):
                at = middle + way @ (side, 0) + rng.uniform(-0.45, 0.45, 2)
                paint_disc(at, rng.uniform(0.03, 0.15), rng.uniform(0, 255, 3))
    elif kind == 4:
        # A page with lines.
        length, width = rng.uniform(2, 8), rng.uniform(2, 5)
        paint(length, width, (235, 233, 226))
        for row in np.arange(-0.42, 0.43, 0.08):
            paint(length * rng.uniform(0.5, 0.9), 0.05, (90, 92, 110), y=row * width)
    elif kind == 5:
        # A plain block of the size and colour of a domino, or a rod.
        length, width = rng.uniform(0.3, 4), rng.uniform(0.2, 1.2)
        body = np.array(table.style.body) if rng.random() < 0.5 else tone
        paint(length, width, tone * 0.2, away=0.06)
        paint(length, width, body)
        if rng.random() < 0.4:
            paint(0.08, width * 0.9, tone * 0.3)
    else:
        paint_disc(middle, rng.uniform(0.6, 1.6), tone)
        paint_disc(middle, rng.uniform(0.3, 0.6), tone * 0.5)


def put_words(table: Table) -> None:
    """Writing as on boxes, rulers and watermarks, somewhere in the picture."""
    size, rng = len(table.picture), table.rng
    tone = rng.choice([15, 245]) + rng.normal(0, 12, 3)
    ink = np.zeros((size, size), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVW 0123456789.-"), rng.integers(3, 14)))
        scale = table.tile_px * rng.uniform(0.2, 0.9) / 22
        thick = max(round(scale * rng.uniform(1.0, 3.5)), 1)
        x, y = (int(v) for v in rng.uniform(-0.1, 0.9, 2) * size)
        cv2.putText(ink, text, (x, y), any_of(FONTS, rng), scale, 255, thick, cv2.LINE_AA)
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
    skin = np.array(any_of(SKINS, rng), np.float32)
    table.picture += (skin * (0.55 + 0.5 * depth) - table.picture) * soft
    table.owner[mask > 127] = 0


def _put_flat(table: Table, flat: Image | Floats, corners: Matrix) -> None:
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
    board = np.full((rows * step, columns * step, 3), _dye(rng), np.uint8)
    kind, inset = int(rng.integers(4)), int(step * rng.choice([0.0, 0.03, 0.1]))
    tones = [_dye(rng) for _ in range(int(rng.integers(1, 5)))]
    ink = _dye(rng)
    for number in range(rows * columns):
        y, x = (int(v) * step for v in divmod(number, columns))
        tone, middle = any_of(tones, rng), (x + step // 2, y + step // 2)
        if kind == 1:
            cv2.circle(board, middle, int(0.42 * step), tone, -1, cv2.LINE_AA)
            cv2.circle(board, middle, int(0.33 * step), ink, max(step // 20, 1), cv2.LINE_AA)
            continue
        low, high = (x + inset, y + inset), (x + step - inset - 1, y + step - inset - 1)
        cv2.rectangle(board, low, high, tone, -1)
        cv2.rectangle(board, low, high, ink, max(step // 30, 1))
        if kind == 0:
            foot = (x + step // 5, y + 3 * step // 4)
            cv2.putText(board, str(number), foot, FONTS[number % 4], step / 45, ink, 2, cv2.LINE_AA)
        elif kind == 2:
            for spot in rng.integers(-1, 2, (int(rng.integers(0, 4)), 2)) * step // 4 + middle:
                cv2.circle(board, spot.tolist(), max(step // 12, 1), ink, -1, cv2.LINE_AA)
    return board


def _page(rng: Rng) -> Image:
    """A page or a label with some lines of text in capitals."""
    page = np.full((PRINT_PX * 2 // 3, PRINT_PX, 3), _dye(rng), np.uint8)
    step, ink = int(rng.integers(14, 48)), _dye(rng)
    for y in range(step, page.shape[0], step):
        text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWO0168 "), 3 + 330 // step))
        font, thick = any_of(FONTS, rng), int(rng.integers(1, 4))
        cv2.putText(page, text, (4, y), font, step / 34, ink, thick, cv2.LINE_AA)
    return page


def lay_prints(table: Table, pictures: Sequence[Image]) -> None:
    """Lay some prints on the table: boards, pages, and ``pictures`` of other games' tiles."""
    rng = table.rng
    for _ in range(int(rng.integers(1, 4))):
        kind = int(rng.integers(3 if pictures else 2))
        flat = any_of(pictures, rng) if kind == 2 else (_board, _page)[kind](rng)
        # From the size of a domino on.
        wide = between(1.2, 9, rng)
        high = wide * flat.shape[0] / flat.shape[1]
        middle, turn = rng.normal(0, 1, 2) * rng.uniform(1, 6), rng.uniform(0, 2 * np.pi)
        _put_flat(table, flat, table.camera.on_plane(box(middle, wide, high, turn)))


def stand(table: Table, place: Place) -> None:
    """Stand a domino on a long or short edge, its back to whoever looks.

    It is known by the smallest rectangle around what is seen of it.
    """
    style, rng = table.style, table.rng
    back, on_end = draw_back(style, table.texture_px, rng), rng.random() < 0.4
    wide, high = (1.0, style.length) if on_end else (style.length, 1.0)
    base = place.put(box(np.zeros(2), wide, style.thickness, 0.0))
    foot, top = table.camera.on_plane(base), table.camera.on_plane(base, high)
    light = rng.uniform(0.7, 1.05)
    shown = np.ascontiguousarray(np.rot90(back)) if on_end else back
    side = np.full((4, 4, 3), style.body, np.float32)
    # Walls from far to near: what is lower in the picture is nearer.
    for k in np.argsort([foot[k, 1] + foot[(k + 1) % 4, 1] for k in range(4)]).tolist():
        j = (k + 1) % 4
        flat = shown if k % 2 == 0 else 0.7 * side
        _put_flat(table, flat * light, np.array([top[k], top[j], foot[j], foot[k]]))
    _put_flat(table, side * min(light + 0.1, 1.0), top)
    around = cv2.minAreaRect(np.concatenate([foot, top]).astype(np.float32))
    table.backs.append(np.asarray(cv2.boxPoints(around), np.float64))


def put_rack(table: Table, count: int) -> None:
    """The ledge that hides the feet of ``count`` dominoes in a row along x."""
    style, rng, reach = table.style, table.rng, 2 * count + 1
    low, high = style.length * rng.uniform(0.40, 0.5), style.length * rng.uniform(0.6, 1.2)
    ledge = np.array([(-reach, low), (reach, low), (reach, high), (-reach, high)])
    pixels = table.camera.on_plane(ledge, style.thickness * 1.2)
    table.cover(pixels, [0.7 * v for v in style.back_colour])
