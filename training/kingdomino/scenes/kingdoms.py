"""A composed kingdom from above: random dominoes, their pictures, and what lies close beside."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from scorer.kingdomino import Position
from training.common.arrays import Image, Matrix, Rng
from training.common.camera import moved
from training.common.synthetic import any_of
from training.kingdomino.render.tiles import FlatKingdom, Laying, Tiles, lay_tiles
from vision.common.geometry import Extent, beside
from vision.kingdomino.result import FOREIGN

MAX_TRIES = 14
# How often a domino is placed beside its own terrain if one of the tries allows it.
MATCHING_SHARE = 0.7
# Of the dominoes that lie quite crooked, and what is left around a kingdom, in squares.
STRAY_SHARE = 0.03
MARGIN_SQUARES = 0.6


Cells = Collection[Position]
Dominoes = dict[str, tuple[str, str]]
"""The labels (left, right) of dominoes by number."""
Pictures = dict[str, list[Image]]
"""Pictures by label, number or colour."""


@dataclass(frozen=True)
class Layout:
    """A kingdom, or a loose domino, which has no castle; ``labels`` are by (row, column).

    Of each domino ``laid`` there are its number and the cells of its left and right half.
    """

    extent: Extent
    labels: dict[Position, str]
    laid: Sequence[tuple[str, tuple[Position, Position]]]
    castle: Position | None = None


def random_layout(dominoes: Dominoes, rng: Rng, *, size: int, count: int) -> Layout:
    """A random kingdom of up to ``count`` dominoes within ``size`` × ``size`` squares.

    Neighbours match in terrain more often than at random, not always: no reader may rely on that.
    """
    castle = (int(rng.integers(size)), int(rng.integers(size)))
    if rng.random() < 0.5:
        castle = (size // 2, size // 2)
    labels, laid = {castle: "c"}, list[tuple[str, tuple[Position, Position]]]()
    for number in map(str, rng.permutation(list(dominoes))):
        if len(laid) == count:
            break
        best, most, occupied = None, -1, list(labels)
        for _ in range(MAX_TRIES):
            left = beside(any_of(occupied, rng))[rng.integers(4)]
            turn = rng.integers(4)
            if rng.random() < 0.5:
                # The right half touches instead of the left one.
                left = beside(left)[turn - 2]
            cells = left, beside(left)[turn]
            if any(min(cell) < 0 or max(cell) >= size or cell in labels for cell in cells):
                continue
            matches = sum(
                labels.get(near, ".")[0] == label[0]
                for cell, label in zip(cells, dominoes[number], strict=True)
                for near in beside(cell)
            )
            if matches > most:
                best, most = cells, matches
            if rng.random() > MATCHING_SHARE:
                break
        if best:
            laid.append((number, best))
            labels.update(zip(best, dominoes[number], strict=True))
    return Layout(Extent(0, 0, size, size), labels, laid, castle)


def notation(layout: Layout) -> str:
    """The notation of the kingdom, without empty outer rows and columns."""
    used = Extent.of(layout.labels)
    labels = [layout.labels.get(cell, ".") for cell in used.cells()]
    return "/".join(map(" ".join, np.reshape(labels, (used.height, used.width))))


@dataclass(frozen=True)
class TileSet:
    """Pictures to compose scenes from.

    By number the labels (left, right) of dominoes and their pictures (96, 192, 3); start tiles
    (96, 96, 3) by colour; single ``squares`` by label, which may replace a half, castles like
    "c:blue"; tables; ``foreign`` squares of other games; drawn dominoes and start tiles.
    """

    labels: Dominoes
    dominoes: Pictures
    starts: Pictures
    squares: Pictures
    surfaces: list[Image]
    foreign: list[Image] = field(default_factory=list)
    drawn: Pictures = field(default_factory=dict)
    drawn_starts: Pictures = field(default_factory=dict)


@dataclass(frozen=True)
class SceneSettings:
    """How much scenes vary; lengths are in squares unless the name has a unit, shares are 0..1.

    ``steep_share`` of the scenes are seen at ``steep_tilt_deg``, ``thing_share`` have things lying
    or standing on them, ``blur_share`` are shaken or out of focus by up to ``max_blur`` squares,
    ``dim_share`` taken in dim light. In ``close_share`` of those with several kingdoms or loose
    dominoes these lie aligned and close beside the first.
    """

    size_px: int = 384
    square_px: tuple[float, float] = (11.0, 120.0)
    max_tilt_deg: float = 48.0
    max_gap: float = 0.13
    max_crooked_deg: float = 8.0
    castle_share: float = 0.35
    thing_share: float = 0.0
    steep_share: float = 0.0
    steep_tilt_deg: tuple[float, float] = (40.0, 72.0)
    blur_share: float = 0.0
    max_blur: float = 0.2
    dim_share: float = 0.0
    close_share: float = 0.0
    empty_share: float = 0.06
    drawn_share: float = 0.1
    foreign_share: float = 0.04
    photo_squares_share: float = 0.25


# Gaps in squares: a finger's breadth of a kingdom, less of a domino that belongs to nobody yet.
KINGDOM_GAP = (0.05, 1.2)
DOMINO_GAP = (0.05, 0.6)
# Half of what lies beside a kingdom is turned a little, with this deviation in degrees.
TURNED_SHARE = 0.5
TURN_DEG = 8.0
TRIES = 40
# The middle (x, y) of a domino in its own squares.
DOMINO_MIDDLE = (1.0, 0.5)
# At least so much lies between a loose domino and every square.
MARGIN = 0.02


def place_close_kingdom(first: Cells, second: Cells, rng: Rng) -> Matrix:
    """Where the lattice of a second kingdom lies on that of the first: a matrix (3, 3).

    By the cells of both. They lie side by side, rows in line or shifted by any part of a square.
    """
    axis, side = int(rng.integers(2)), int(rng.choice([-1, 1]))
    ours, theirs = np.array(sorted(first)), np.array(sorted(second))
    gap = rng.uniform(*KINGDOM_GAP)
    one, other = (ours.max(0), theirs.min(0)) if side > 0 else (ours.min(0), theirs.max(0))
    move = np.round(ours.mean(0) - theirs.mean(0))
    move[axis] = (one - other)[axis] + side * (1 + gap)
    move[1 - axis] += rng.uniform(-2, 2) if rng.random() < 0.6 else rng.integers(-2, 3)
    turn = float(np.clip(rng.normal(0, 1.0), -2, 2)) if rng.random() < TURNED_SHARE else 0.0
    middle = theirs.mean(0) + 0.5
    return moved(turn, (middle + move)[::-1], middle[::-1])


def place_close_domino(cells: Cells, rng: Rng) -> Matrix | None:
    """Where a loose domino, of the cells (0, 0) and (0, 1), lies beside a kingdom of these cells.

    A matrix (3, 3) from its lattice to that of the kingdom. None where no place was found.
    """
    taken = np.array(sorted(cells)) + 0.5
    for _ in range(TRIES):
        middle = taken[int(rng.integers(len(taken)))].copy()
        axis, side = int(rng.integers(2)), int(rng.choice([-1, 1]))
        lies_across = rng.random() < 0.5
        along = np.array([1.0, 0.0] if lies_across else [0.0, 1.0])
        gap = rng.uniform(*DOMINO_GAP)
        middle[axis] += side * (0.5 + gap + (1 + along[axis]) / 2)
        middle[1 - axis] += rng.uniform(-1, 1) if rng.random() < 0.6 else rng.integers(-1, 2) / 2
        turn = float(np.clip(rng.normal(0, TURN_DEG), -25, 25))
        turn *= rng.random() < TURNED_SHARE
        halves = np.array([middle - along / 2, middle + along / 2])
        # Half the width of a turned square beside one that is not, and half of that one's.
        reach = (1 + np.cos(np.deg2rad(turn)) + np.sin(abs(np.deg2rad(turn)))) / 2
        if (np.abs(halves[:, None] - taken[None]).max(2) >= reach + MARGIN).all():
            return moved(turn + 90.0 * lies_across, middle[::-1], DOMINO_MIDDLE)
    return None


def _draw_domino(
    tiles: TileSet, number: str, style: str, rng: Rng
) -> tuple[Image, tuple[str, str]]:
    """A random picture (96, 192, 3) of a domino, and the labels of its halves."""
    labels = tiles.labels[number]
    picture = any_of((tiles.drawn if style == "drawn" else tiles.dominoes)[number], rng)
    halves = np.array_split(picture, 2, axis=1)
    if style == "squares":
        for k, label in enumerate(labels):
            if bank := tiles.squares.get(label):
                halves[k] = np.rot90(any_of(bank, rng), int(rng.integers(4)))
    if style == "foreign" and rng.random() < 0.6:
        half = int(rng.integers(2))
        halves[half] = np.rot90(any_of(tiles.foreign, rng), int(rng.integers(4)))
        labels = (FOREIGN, labels[1]) if half == 0 else (labels[0], FOREIGN)
    return np.ascontiguousarray(np.concatenate(halves, axis=1)), labels


def draw_kingdom(
    layout: Layout, tiles: TileSet, settings: SceneSettings, rng: Rng, square_px: int, style: str
) -> tuple[FlatKingdom, dict[Position, str]]:
    """A kingdom or a loose domino from directly above, and the labels of its squares.

    ``style`` is "pictures", or "drawn", "squares" or "foreign" where the set has such pictures.
    """
    gap = abs(rng.normal(0, 0.4)) * settings.max_gap if rng.random() < 0.8 else 0.0
    laying = Laying(
        gap=min(gap, settings.max_gap) * rng.uniform(0.3, 1.0),
        crooked_deg=abs(rng.normal(0, 0.35)) * settings.max_crooked_deg,
        shift=0.35 * gap / 2,
        stray_share=STRAY_SHARE if settings.max_crooked_deg else 0.0,
    )
    edge = rng.uniform(0.0, 0.5) if rng.random() < 0.5 else 0.0
    labels: dict[Position, str] = {}

    def pictures() -> Tiles:
        if layout.castle:
            starts = tiles.drawn_starts if style == "drawn" else tiles.starts
            colour = str(rng.choice(list(starts)))
            labels[layout.castle] = f"c:{colour}"
            bank = tiles.squares.get(f"c:{colour}") if style == "squares" else None
            yield (layout.castle,), any_of(bank or starts[colour], rng)
        for number, cells in layout.laid:
            picture, halves = _draw_domino(tiles, number, style, rng)
            if edge:
                ink = (20, 20, 15) if rng.random() < 0.7 else (235, 235, 225)
                cv2.rectangle(picture, (0, 0), (191, 95), ink, max(1, int(edge * 4)))
            labels.update(zip(cells, halves, strict=True))
            yield cells, picture

    size = layout.extent.height, layout.extent.width
    return lay_tiles(size, square_px, pictures(), laying, rng, MARGIN_SQUARES), labels
