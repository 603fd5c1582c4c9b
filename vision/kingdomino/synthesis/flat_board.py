"""A kingdom from directly above: tiles with gaps and small rotations on a transparent sheet."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.labels import FOREIGN
from vision.kingdomino.synthesis.layout import Layout
from vision.kingdomino.synthesis.tileset import SceneSettings, TileSet

__all__ = ["Sheet", "draw_kingdom"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


def _draw_domino(
    tiles: TileSet, number: str, style: str, rng: np.random.Generator
) -> tuple[Image, tuple[str, str]]:
    """A random picture (96, 192, 3) of a domino, and the labels of its halves."""
    labels = tiles.labels[number]
    pictures = tiles.drawn[number] if style == "drawn" else tiles.dominoes[number]
    picture = pictures[rng.integers(len(pictures))]
    if style == "squares" and tiles.squares:
        chosen = []
        for half, label in enumerate(labels):
            bank = tiles.squares.get(label)
            if bank:
                square = np.rot90(bank[rng.integers(len(bank))], int(rng.integers(4)))
            else:
                square = picture[:, 96 * half : 96 * half + 96]
            chosen.append(square)
        picture = np.concatenate(chosen, axis=1)
    if style == "foreign" and tiles.foreign and rng.random() < 0.6:
        half = int(rng.integers(2))
        town = tiles.foreign[rng.integers(len(tiles.foreign))]
        picture = picture.copy()
        picture[:, 96 * half : 96 * half + 96] = np.rot90(town, int(rng.integers(4)))
        labels = (FOREIGN, labels[1]) if half == 0 else (labels[0], FOREIGN)
    return picture, labels


class Sheet:
    """A kingdom from directly above: ``rgb`` (h, w, 3) and its coverage ``alpha`` (h, w), 0..1."""

    def __init__(self, height: int, width: int, square_px: int, margin: float) -> None:
        self.square_px = square_px
        self.margin = margin
        shape = (
            int((height + 2 * margin) * square_px),
            int((width + 2 * margin) * square_px),
        )
        self.rgb = np.zeros((*shape, 3), np.float32)
        self.alpha = np.zeros(shape, np.float32)

    def lay(
        self, picture: Image, centre: tuple[float, float], turn_deg: float, scale: float, lit: float
    ) -> Floats:
        """Lay a tile with its middle at ``centre`` (x, y); its corners (4, 2). Both in squares."""
        tile_height = self.square_px
        factor = tile_height / picture.shape[0]
        if factor < 0.95:
            picture = np.asarray(
                cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA),
                np.uint8,
            )
        h, w = picture.shape[:2]
        x, y = ((v + self.margin) * self.square_px for v in centre)
        matrix = cv2.getRotationMatrix2D(
            (w / 2 - 0.5, h / 2 - 0.5), -turn_deg, scale * tile_height / h
        )
        matrix[:, 2] += (x - w / 2, y - h / 2)
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        seen = corners @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
        low = np.maximum(np.floor(seen.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(seen.max(0)).astype(int) + 2, self.alpha.shape[::-1])
        if (high <= low).any():
            return np.asarray((seen + 0.5) / self.square_px - self.margin, np.float32)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        matrix[:, 2] -= low
        warped = cv2.warpAffine(
            picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(
            mask, np.round((seen - low) * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4
        )
        weight = mask.astype(np.float32) / 255
        area = (slice(low[1], high[1]), slice(low[0], high[0]))
        blend = weight[..., None]
        self.rgb[area] = self.rgb[area] * (1 - blend) + warped * (blend * np.float32(lit))
        self.alpha[area] = np.maximum(self.alpha[area], weight)
        return np.asarray((seen + 0.5) / self.square_px - self.margin, np.float32)


def _split_domino(corners: Floats) -> tuple[Floats, Floats]:
    """The corners of the left and the right half of a domino with these corners."""
    top, bottom = (corners[0] + corners[1]) / 2, (corners[3] + corners[2]) / 2
    left = np.array([corners[0], top, bottom, corners[3]], np.float32)
    right = np.array([top, corners[1], corners[2], bottom], np.float32)
    return left, right


def draw_kingdom(
    layout: Layout,
    tiles: TileSet,
    settings: SceneSettings,
    rng: np.random.Generator,
    sheet_px: int,
    style: str,
    castle: bool,
) -> tuple[Sheet, list[tuple[Floats, str, tuple[int, int]]]]:
    """The sheet of a kingdom, and of each square its corners (in squares), label and cell.

    ``style`` is "pictures", "drawn", "squares" or "foreign", ``sheet_px`` the pixels per square.
    The start tile is left out without ``castle``.
    """
    sheet = Sheet(layout.height, layout.width, sheet_px, margin=0.6)
    gap = abs(rng.normal(0, 0.4)) * settings.max_gap if rng.random() < 0.8 else 0.0
    crooked = abs(rng.normal(0, 0.35)) * settings.max_crooked_deg
    tile_scale = 1.0 - min(gap, settings.max_gap) * rng.uniform(0.3, 1.0)
    found: list[tuple[Floats, str, tuple[int, int]]] = []
    edge = rng.uniform(0.0, 0.5) if rng.random() < 0.5 else 0.0

    def jitter(x: float, y: float) -> tuple[float, float]:
        shift = np.clip(rng.normal(0, 0.35, 2), -1, 1) * gap / 2
        return x + float(shift[0]), y + float(shift[1])

    def crooked_turn(turn: int) -> float:
        extreme = settings.max_crooked_deg
        if rng.random() < 0.03:
            return 90.0 * turn + float(rng.uniform(-extreme, extreme))
        return 90.0 * turn + float(np.clip(rng.normal(0, crooked / 2), -extreme, extreme))

    if castle:
        starts = tiles.drawn_starts if style == "drawn" else tiles.starts
        colour = str(rng.choice(list(starts)))
        bank = tiles.squares.get(f"c:{colour}", []) if style == "squares" else []
        bank = bank or starts[colour]
        start = bank[rng.integers(len(bank))]
        row, column = layout.castle
        corners = sheet.lay(
            start,
            jitter(column + 0.5, row + 0.5),
            crooked_turn(int(rng.integers(4))),
            tile_scale,
            1.0,
        )
        found.append((corners, f"c:{colour}", layout.castle))
    for laid in layout.laid:
        picture, labels = _draw_domino(tiles, laid.number, style, rng)
        if edge:
            picture = picture.copy()
            cv2.rectangle(
                picture,
                (0, 0),
                (191, 95),
                (20, 20, 15) if rng.random() < 0.7 else (235, 235, 225),
                max(1, int(edge * 4)),
            )
        (r0, c0), (r1, c1) = laid.squares
        middle = jitter((c0 + c1 + 1) / 2, (r0 + r1 + 1) / 2)
        lit = float(np.exp(rng.normal(0, 0.04)))
        corners = sheet.lay(picture, middle, crooked_turn(laid.turn), tile_scale, lit)
        for half, label, cell in zip(_split_domino(corners), labels, laid.squares, strict=True):
            found.append((half, label, cell))
    return sheet, found
