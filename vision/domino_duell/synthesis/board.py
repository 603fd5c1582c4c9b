"""A wooden board with hollows and stones, drawn flat."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import Board, Piece, Shape, Stone, Symbol
from vision.domino_duell.lattice import places_of
from vision.domino_duell.synthesis.materials import Material

__all__ = ["MARGIN", "STEP_PX", "draw_board"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

STEP_PX = 44.0
"""Pixels from one hollow to the next in the flat drawing."""
MARGIN = 1.6
"""Steps of canvas around the outermost hollows."""
HOLLOW_DIAMETER = 0.86
_SHIFT = 4


def draw_board(
    position: Board, material: Material, rng: np.random.Generator
) -> tuple[Floats, Floats, NDArray[np.float64]]:
    """Picture (h, w, 3) of 0..255, mask (h, w) of the board, middles of the hollows (n, 2).

    Middles are pixels (x, y) in the order of the shape's hollows.
    """
    shape = position.shape
    places = places_of(shape)
    low = places.min(0) - MARGIN
    size = np.ceil((places.max(0) + MARGIN - low) * STEP_PX).astype(int)
    middles = (places - low) * STEP_PX
    canvas = _wood(material, (int(size[1]), int(size[0])), rng)
    mask = _outline(middles, canvas.shape[:2], rng)
    _carve(canvas, middles, shape, position, rng)
    _cast_shadows(canvas, middles, position, rng)
    for middle, piece in zip(middles, position.cells, strict=True):
        if piece is not None:
            place = middle + rng.normal(0, 0.02 * STEP_PX, 2)
            _lay(canvas, place, piece, material, rng)
    return canvas, mask, np.asarray(middles)


def _wood(material: Material, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    height, width = shape
    fibres = rng.standard_normal((height // 2 + 1, 6)).astype(np.float32)
    cloudy = rng.standard_normal((5, 7)).astype(np.float32)
    grain = cv2.resize(fibres, (width, height), interpolation=cv2.INTER_CUBIC)
    grain = grain + cv2.resize(cloudy, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        grain = cv2.resize(np.ascontiguousarray(grain.T), (width, height))
    tone = np.array([1.0, 0.95, 0.85], np.float32)
    wood = np.array(material.wood, np.float32) + material.grain * grain[..., None] * tone
    return np.asarray(wood, np.float32)


def _outline(
    middles: NDArray[np.float64], shape: tuple[int, int], rng: np.random.Generator
) -> Floats:
    """The board is a rectangle or a hexagon round its hollows."""
    mask = np.zeros(shape, np.uint8)
    border = STEP_PX * rng.uniform(0.7, 1.3)
    if rng.random() < 0.5:
        low, high = middles.min(0) - border, middles.max(0) + border
        corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    else:
        hull = cv2.convexHull(middles.astype(np.float32)).reshape(-1, 2)
        away = hull - middles.mean(0)
        corners = hull + away / np.linalg.norm(away, axis=1)[:, None] * border
    cv2.fillPoly(mask, [_fixed(corners)], 255, cv2.LINE_AA, _SHIFT)
    return np.asarray(mask / 255, np.float32)


def _carve(
    canvas: Floats,
    middles: NDArray[np.float64],
    shape: Shape,
    position: Board,
    rng: np.random.Generator,
) -> None:
    """Round hollows, darker inside and shaded from one side; those of the middle are marked."""
    radius = HOLLOW_DIAMETER / 2 * STEP_PX * rng.uniform(0.85, 1.05)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    for middle in middles:
        _disc(mask, middle, radius, 255)
    for name in shape.middle:
        _disc(mask, middles[shape.index[name]], 0.3 * radius, 170)
    whole = mask.astype(np.float32) / 255
    angle, depth = rng.uniform(0, 2 * math.pi), rng.uniform(0.08, 0.16) * STEP_PX
    moved = np.array([[1, 0, depth * math.cos(angle)], [0, 1, depth * math.sin(angle)]])
    height, width = canvas.shape[:2]
    lit = cv2.warpAffine(whole, moved, (width, height))
    lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.03, 0.1) * STEP_PX)
    darker = rng.uniform(0.04, 0.2)
    canvas *= (1 - darker * whole - rng.uniform(0.25, 0.5) * whole * (1 - lit))[..., None]
    if rng.random() < 0.5:
        ring = whole - cv2.erode(whole, np.ones((3, 3), np.uint8))
        canvas *= (1 - 0.3 * ring)[..., None]


def _cast_shadows(
    canvas: Floats,
    middles: NDArray[np.float64],
    position: Board,
    rng: np.random.Generator,
) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    offset = rng.uniform(0.04, 0.12) * STEP_PX * _direction(rng)
    for middle, piece in zip(middles, position.cells, strict=True):
        if piece is not None:
            _disc(mask, middle + offset, 0.44 * STEP_PX, 255)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.03, 0.09) * STEP_PX)
    canvas *= (1 - rng.uniform(0.3, 0.65) * soft.astype(np.float32) / 255)[..., None]


def _direction(rng: np.random.Generator) -> NDArray[np.float64]:
    angle = rng.uniform(0, 2 * math.pi)
    return np.array([math.cos(angle), math.sin(angle)])


def _lay(
    canvas: Floats,
    middle: NDArray[np.float64],
    piece: Piece,
    material: Material,
    rng: np.random.Generator,
) -> None:
    """A stone, turned as it fell; a joker is a stone of any colour without a symbol.

    Source: Domino-Duell, "Die Spielsteine" ("unbedruckte") and "Variante" ("bunten").
    """
    turn = float(rng.uniform(0, 2 * math.pi))
    if isinstance(piece, Stone):
        paint = np.array(material.paints[piece.colour])
    else:
        paints = list(material.paints.values())
        paint = np.array(paints[int(rng.integers(len(paints)))])
    paint = paint * rng.uniform(0.94, 1.06)
    radius = material.stone_diameter / 2 * STEP_PX
    _fill(canvas, _stone(middle, radius, material.corners, turn), paint * 0.74)
    lifted = middle - 0.02 * STEP_PX * np.ones(2)
    inner = radius * (1 - max(material.rim_share, 0.04))
    _fill(canvas, _stone(lifted, inner, material.corners, turn), paint)
    if isinstance(piece, Stone):
        ink = np.array(material.inks[piece.symbol_colour])
        size = material.symbol_diameter / 2 * STEP_PX
        _fill(canvas, lifted + size * symbol_outline(piece.symbol, turn), ink)


def _stone(
    middle: NDArray[np.float64], radius: float, corners: int, turn: float
) -> NDArray[np.float64]:
    count = corners or 40
    return middle + radius * (1.06 if corners else 1.0) * _ring(count, turn)


def _ring(count: int, turn: float) -> NDArray[np.float64]:
    angles = turn + np.arange(count) * 2 * math.pi / count
    return np.stack([np.cos(angles), np.sin(angles)], 1)


def symbol_outline(symbol: Symbol, turn: float) -> NDArray[np.float64]:
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
    inner = np.linspace(math.radians(242), math.radians(118), 24)
    moved = 2 * math.cos(math.radians(62))
    crescent = np.r_[
        np.stack([np.cos(outer), np.sin(outer)], 1),
        np.stack([np.cos(inner) + moved, np.sin(inner)], 1),
    ]
    crescent[:, 0] += 0.15
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(crescent @ rotation.T)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * (1 << _SHIFT)).astype(np.int32)


def _fill(canvas: Floats, points: NDArray[np.float64], colour: NDArray[np.float64]) -> None:
    red, green, blue = (float(value) for value in colour)
    cv2.fillPoly(canvas, [_fixed(points)], (red, green, blue), cv2.LINE_AA, _SHIFT)


def _disc(mask: Image, middle: NDArray[np.float64], radius: float, value: int) -> None:
    x, y = _fixed(middle)
    cv2.circle(mask, (int(x), int(y)), int(radius * (1 << _SHIFT)), value, -1, cv2.LINE_AA, _SHIFT)
