"""Draw a reading on its photograph, to check it at a glance."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.kingdomino import Position, Terrain, Territory, score
from vision.common.drawing import Lettering
from vision.common.geometry import Extent, beside
from vision.kingdomino.result import Floats, KingdomReading, PhotoReading

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

_WHITE, _BLACK = (255, 255, 255), (24, 22, 26)
_SHIFT = 4
# How much of the terrain's colour a square takes on, and how bright the rest stays.
TINT, TABLE = 0.3, 0.55
# In sides of a square: widths of lines, heights of letters, and from one line of text to the next.
GRID_LINE, BORDER = 0.012, 0.06
LETTERS, LINE, TOTAL_LETTERS = 0.24, 0.31, 0.42
# What is to be checked has a colour that no terrain has.
DOUBT: Colour = (255, 0, 170)
CASTLE: Colour = (250, 250, 250)
# Far outside any picture: points near the horizon of a wrong lattice are clipped to it.
_FAR_PX = 100_000.0


def draw_reading(photo_rgb: Image, reading: PhotoReading) -> Image:
    """A copy of the photo with grid, labels, doubtful squares, territories and points.

    ``photo_rgb`` (h, w, 3) is the upright photograph, at full size or reduced. Each square has its
    notation on the colour of its terrain. A doubtful square has a frame and a question mark with
    the runner-up; if the lattice is uncertain its lines have the colour of doubt. Each territory
    with crowns has its points, and above each kingdom are their sum and the number of doubtful
    squares.
    """
    picture = np.ascontiguousarray(photo_rgb).copy()
    scale = photo_rgb.shape[1] / reading.width
    drawings = [_Drawing(picture, kingdom, scale) for kingdom in reading.kingdoms]
    if not drawings:
        return picture
    table = np.ones(picture.shape[:2], np.uint8)
    for drawing in drawings:
        for cell in drawing.cells:
            cv2.fillConvexPoly(table, _fixed(drawing.outline(cell)), 0, shift=_SHIFT)
    cv2.copyTo(cv2.convertScaleAbs(picture, alpha=TABLE), table, picture)
    for drawing in drawings:
        drawing.draw()
    return picture


class _Drawing:
    """One kingdom being drawn into ``picture``."""

    def __init__(self, picture: Image, reading: KingdomReading, scale: float) -> None:
        self.picture, self.reading, self.scale = picture, reading, scale
        self.kingdom = reading.kingdom
        self.cells = [cell for cell, square in self.kingdom.items() if not square.is_empty]
        self.side = float(np.median([self.side_of(cell) for cell in self.cells] or [0.0]))

    def draw(self) -> None:
        """Draw everything, from the bottom layer to the top."""
        result, tinted = score(self.kingdom), self.picture.copy()
        for cell in self.cells:
            if terrain := self.kingdom[cell].terrain:
                outline = _fixed(self.outline(cell))
                cv2.fillConvexPoly(tinted, outline, _colour(terrain), shift=_SHIFT)
        cv2.addWeighted(tinted, TINT, self.picture, 1 - TINT, 0, dst=self.picture)
        for territory in result.territories:
            edges = [self.seen(edge) for edge in _border(territory)]
            self.lines(edges, 1.7 * BORDER, _BLACK, closed=False)
            # Halfway to white the colour stands out on its own terrain.
            red, green, blue = ((each + 255) // 2 for each in _colour(territory.terrain))
            self.lines(edges, BORDER, (red, green, blue), closed=False)
        colour = _WHITE if self.reading.lattice_certain else DOUBT
        self.lines([self.outline(cell) for cell in self.cells], GRID_LINE, colour)
        sums = {self.place_for_points(each): each for each in result.territories if each.points}
        for cell, _ in self.kingdom.items():
            self.square(cell, sums.get(cell))
        if not self.cells:
            return
        # Above the kingdom are the sum and the number of doubtful squares, or just "?".
        corners = np.concatenate([self.outline(cell) for cell in self.cells])
        middle = (corners[:, 0].min() + corners[:, 0].max()) / 2
        above = np.array([middle, corners[:, 1].min() - 0.45 * self.side])
        doubts, texts = len(self.reading.doubtful), [(str(result.points), _BLACK)]
        if doubts or not self.reading.lattice_certain:
            texts.append((f"?{doubts or ''}", DOUBT))
        Lettering(self.picture, TOTAL_LETTERS * self.side).row_of_tags(texts, above)

    def seen(self, lattice_points: ArrayLike) -> Floats:
        """Pixels of the picture, (n, 2), of lattice points (column, row)."""
        return (self.reading.points(lattice_points) + 0.5) * self.scale - 0.5

    def outline(self, cell: Position, inset: float = 0.0) -> Floats:
        """The corners of a square, clockwise from its top left, moved inwards by ``inset``."""
        corners = np.clip(Extent(0, 0, 1, 1).corners(), inset, 1 - inset)
        return self.seen(corners + cell[::-1])

    def side_of(self, cell: Position) -> float:
        """The side of a square in pixels, no longer than the picture."""
        side = float(np.sqrt(cv2.contourArea(self.outline(cell).astype(np.float32))))
        return min(side, float(min(self.picture.shape[:2])))

    def lines(self, points: list[Floats], share: float, ink: Colour, closed: bool = True) -> None:
        """Draw lines through points, so wide as a ``share`` of the side of a square."""
        width, lines = max(1, round(share * self.side)), [*map(_fixed, points)]
        cv2.polylines(self.picture, lines, closed, ink, width, cv2.LINE_AA, shift=_SHIFT)

    def square(self, cell: Position, territory: Territory | None) -> None:
        """Draw the tags of a square in a column: reading, runner-up, points of a territory.

        They are around its middle, because crowns are printed along the edges.
        """
        (row, column), square = cell, self.kingdom[cell]
        reading = self.reading.squares[row][column]
        tags = [] if square.is_empty else [(str(square), _colour(square.terrain))]
        if reading.doubtful:
            outline = [self.outline(cell, 0.06)]
            self.lines(outline, 0.13, _WHITE)
            self.lines(outline, 0.08, DOUBT)
            tags.append((f"{reading.runner_up or ''}?", DOUBT))
        if territory:
            tags.append((f"{territory.size}×{territory.crowns}={territory.points}", _BLACK))
        lettering = Lettering(self.picture, LETTERS * self.side_of(cell))
        for number, (text, colour) in enumerate(tags):
            y = 0.5 + LINE * (number - (len(tags) - 1) / 2)
            lettering.tag(text, self.seen([(column + 0.5, row + y)])[0], colour)

    def place_for_points(self, territory: Territory) -> Position:
        """The square nearest to the middle of the territory, preferably not doubtful."""
        middle, doubtful = np.mean(territory.squares, axis=0), {*self.reading.doubtful}
        off = {cell: float(np.abs(np.subtract(cell, middle)).sum()) for cell in territory.squares}
        return min(off, key=lambda cell: (cell in doubtful, off[cell]))


def _border(territory: Territory) -> Iterator[list[tuple[int, int]]]:
    """The edges between the territory and the rest, as pairs of lattice points (column, row)."""
    squares = set(territory.squares)
    for row, column in squares:
        corners = Extent(row, column, 1, 1).corners()
        # The side to the right lies between the second corner and the third.
        for k, near in enumerate(beside((row, column)), 1):
            if near not in squares:
                yield [corners[k % 4], corners[(k + 1) % 4]]


def _colour(terrain: Terrain | None) -> Colour:
    """The colour of a terrain, None for a castle."""
    red, green, blue = bytes.fromhex(terrain.colour.removeprefix("#")) if terrain else CASTLE
    return red, green, blue


def _fixed(pixels: Floats) -> NDArray[np.int32]:
    """Pixels as fixed-point numbers with ``_SHIFT`` fractional bits, as OpenCV draws them."""
    near = np.clip(pixels, -_FAR_PX, _FAR_PX)
    return np.round(near * (1 << _SHIFT)).astype(np.int32)
